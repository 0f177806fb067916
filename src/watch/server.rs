//! The page's doors: HTTP on loopback, a WebSocket for state, picture and controls.

use super::feed::{Shared, WatchFeed};
use super::token::Token;
use super::{assets, files};
use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use futures_util::{SinkExt, StreamExt};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::task::{JoinHandle, spawn_blocking};
use torres_bot::commands::{Command, Remote};
use torres_loopback::{self as loopback, Doorkeeper, Loopback};

/// The longest message a page may send, in bytes.
const MAX_MESSAGE: usize = 1024;

/// Only what this server itself serves may be loaded, spoken to or run; the picture is a blob.
const POLICY: &str = "default-src 'self'; img-src 'self' blob: data:; style-src 'self' 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What is answered where an address has no token, or a wrong one.
const NO_TOKEN: &str = "the address must have its token: open the one that `torres play` has printed\n";

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The port is taken.
    #[error(
        "cannot serve the watch page on port {port}: {why}; choose another with --watch PORT, or --watch alone for a free one"
    )]
    Listen {
        /// The port that was asked for.
        port: u16,
        /// What the system says.
        why: std::io::Error,
    },
    /// No token can be made.
    #[error("cannot make the watch page's token: {0}; play without --watch")]
    Token(String),
}

/// The page, served as long as this is there.
pub struct Watch {
    url: String,
    shared: Arc<Shared>,
    server: JoinHandle<()>,
}

/// What every request may use.
#[derive(Clone)]
struct Doors {
    keeper: Doorkeeper,
    token: Token,
    out: PathBuf,
    shared: Arc<Shared>,
    remote: Remote,
}

/// What a page may say.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum FromPage {
    Pause,
    Resume,
    Stop,
}

impl Watch {
    /// Serves the page on the loopback address; port 0 takes a free one. `out` has the run's games; what the page's
    /// buttons say goes to `remote`. Must be called on a runtime.
    ///
    /// # Errors
    /// The port is taken, or the system gives no random numbers for the token.
    pub async fn open(port: u16, out: PathBuf, remote: Remote) -> Result<Watch, WatchError> {
        let listen = |why| WatchError::Listen { port, why };
        let Loopback { listener, port, keeper } = loopback::listen(port).await.map_err(listen)?;
        let token = Token::new().map_err(|error| WatchError::Token(error.to_string()))?;
        let shared = Shared::new();
        let url = format!("http://127.0.0.1:{}/?token={}", port, token.text());
        let doors = Doors {
            keeper: keeper.clone(),
            token,
            out,
            shared: Arc::clone(&shared),
            remote,
        };
        let router = Router::new()
            .route("/ws", any(open_socket))
            .route("/files", any(run_folder))
            .route("/files/", any(run_folder))
            .route("/files/{*path}", any(file))
            .fallback(asset)
            .with_state(doors);
        let router = keeper.guard(router);
        let server = tokio::spawn(async move {
            // A server that cannot go on leaves the game alone.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Watch { url, shared, server })
    }

    /// The page's address, token and all.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Who is to be told what happens.
    pub fn feed(&self) -> WatchFeed {
        WatchFeed::new(Arc::clone(&self.shared))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// Of everything that is served: its kind, what it may do, and that nobody keeps it.
fn headers(kind: &'static str) -> [(HeaderName, &'static str); 4] {
    [
        (CONTENT_TYPE, kind),
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "no-store"),
        // The token is in the address.
        (REFERRER_POLICY, "no-referrer"),
    ]
}

async fn asset(uri: Uri) -> Response {
    match assets::at(uri.path()) {
        Some((kind, content)) => (headers(kind), content).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such page\n").into_response(),
    }
}

async fn run_folder(State(doors): State<Doors>, uri: Uri) -> Response {
    send_entry(&doors, "", &uri).await
}

/// A file or folder by its path from the run's folder, which the router has decoded.
async fn file(State(doors): State<Doors>, Path(path): Path<String>, uri: Uri) -> Response {
    send_entry(&doors, &path, &uri).await
}

async fn send_entry(doors: &Doors, path: &str, uri: &Uri) -> Response {
    if !doors.token.is_in(uri.query()) {
        return (StatusCode::FORBIDDEN, NO_TOKEN).into_response();
    }
    match files::entry_at(&doors.out, path) {
        Some(files::RunEntry::File(file, kind)) => match spawn_blocking(move || std::fs::read(file))
            .await
            .map_err(std::io::Error::other)
            .flatten()
        {
            Ok(content) => (headers(kind), content).into_response(),
            Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("cannot read it: {error}\n")).into_response(),
        },
        Some(files::RunEntry::Folder) => {
            let path = path.trim_matches('/');
            let page = listing(path, &files::names(&doors.out, path), &doors.token);
            (headers("text/html; charset=utf-8"), page).into_response()
        }
        None => (StatusCode::NOT_FOUND, "there is no such file of these games\n").into_response(),
    }
}

/// A folder as a page: names as links, pictures as pictures.
fn listing(path: &str, names: &[String], token: &Token) -> String {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let title = if path.is_empty() { "files" } else { path };
    let mut page = format!(
        "<!doctype html><meta charset=utf-8><title>{0}</title><link rel=stylesheet href=/watch.css><body class=folder><h1>{0}</h1>",
        escape(title)
    );
    let folders: Vec<String> = path.split('/').filter(|part| !part.is_empty()).map(encoded).collect();
    for name in names {
        let mut parts = folders.clone();
        parts.push(encoded(name.trim_end_matches('/')));
        let link = format!("/files/{}?token={}", parts.join("/"), token.text());
        page += &format!("<p><a href=\"{link}\">{}</a></p>", escape(name));
        if name.ends_with(".png") {
            page += &format!("<img alt=\"\" src=\"{link}\">");
        }
    }
    page
}

/// A name as a part of an address.
fn encoded(name: &str) -> String {
    utf8_percent_encode(name, NON_ALPHANUMERIC).to_string()
}

async fn open_socket(State(doors): State<Doors>, headers: HeaderMap, uri: Uri, upgrade: WebSocketUpgrade) -> Response {
    if !doors.keeper.is_own_page(&headers) {
        return (StatusCode::FORBIDDEN, "only the page itself may open its socket\n").into_response();
    }
    if !doors.token.is_in(uri.query()) {
        return (StatusCode::FORBIDDEN, NO_TOKEN).into_response();
    }
    upgrade
        .max_message_size(MAX_MESSAGE)
        .on_upgrade(move |socket| async move {
            doors.shared.watching.fetch_add(1, Ordering::Relaxed);
            attend(socket, &doors).await;
            doors.shared.watching.fetch_sub(1, Ordering::Relaxed);
        })
}

/// Carries messages between one page and the game until the page is gone.
async fn attend(socket: WebSocket, doors: &Doors) {
    let (mut to_page, mut from_page) = socket.split();
    let mut changed = doors.shared.changed.subscribe();
    let mut picture = doors.shared.picture.subscribe();
    changed.mark_changed();
    picture.mark_changed();
    loop {
        let message = tokio::select! {
            gone = changed.changed() => {
                if gone.is_err() {
                    return;
                }
                changed.mark_unchanged();
                let state = json!({"type": "state", "state": &*doors.shared.state()});
                Message::text(state.to_string())
            }
            gone = picture.changed() => {
                if gone.is_err() {
                    return;
                }
                let Some(snapshot) = picture.borrow_and_update().clone() else { continue };
                match spawn_blocking(move || snapshot.message()).await {
                    Ok(Some(bytes)) => Message::Binary(Bytes::from(bytes)),
                    _ => continue,
                }
            }
            said = from_page.next() => {
                let text = match said {
                    Some(Ok(Message::Text(text))) => text,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => return,
                };
                match serde_json::from_str(&text) {
                    Ok(wish) => {
                        match wish {
                            FromPage::Pause => doors.remote.say(Command::Pause),
                            FromPage::Resume => doors.remote.say(Command::Resume),
                            FromPage::Stop => doors.remote.quit(),
                        }
                        continue;
                    }
                    Err(error) => Message::text(
                        json!({"type": "error", "message": format!("not a message of this page: {error}")}).to_string(),
                    ),
                }
            }
        };
        if to_page.send(message).await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    /// The status and the body of what a browser gets that asks for this.
    async fn get(address: &str, target: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = format!("GET {target} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn links(page: &str) -> Vec<String> {
        ["href=\"", "src=\""]
            .iter()
            .flat_map(|start| page.split(start).skip(1))
            .filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()))
            .collect()
    }

    #[tokio::test]
    async fn every_link_of_a_listing_leads_to_its_file_in_folders_within_folders_too() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("run");
        let odd = "evidence/0001 odd#folder?x=1&amp;/frames/100%25 \"ü\" <b>.png";
        let files = ["game.pgn", "journal.jsonl", "evidence/0001-pause/frames/0000.png", odd];
        for file in files.iter().chain(&["secret.txt"]) {
            let file = out.join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(
                &file,
                format!("this is {}", file.file_name().unwrap().to_str().unwrap()),
            )
            .unwrap();
        }
        let (nobody, _) = torres_bot::commands::Commands::new(&torres_mouse::StopFlag::new());
        let watch = Watch::open(0, out, nobody).await.unwrap();
        let (address, query) = watch.url().strip_prefix("http://").unwrap().split_once('/').unwrap();
        for root in ["/files", "/files/"] {
            let mut open = vec![format!("{root}{query}")];
            let (mut seen, mut read) = (BTreeSet::new(), BTreeSet::new());
            while let Some(link) = open.pop() {
                if !seen.insert(link.clone()) {
                    continue;
                }
                let (status, body) = get(address, &link).await;
                assert_eq!(status, 200, "{link}");
                match body.strip_prefix("this is ") {
                    Some(name) => drop(read.insert(name.to_owned())),
                    None => open.extend(links(&body)),
                }
            }
            let names = files.map(|file| file.rsplit_once('/').map_or(file, |(_, name)| name).to_owned());
            assert_eq!(read, BTreeSet::from(names), "from {root}");
        }
        for (target, status) in [
            ("/files/".to_owned(), 403),
            ("/files/game.pgn?token=0".to_owned(), 403),
            (format!("/files/secret.txt{query}"), 404),
            (format!("/files/%2e%2e/run/game.pgn{query}"), 404),
            (format!("/files/%ff{query}"), 400),
        ] {
            assert_eq!(get(address, &target).await.0, status, "{target}");
        }
    }
}
