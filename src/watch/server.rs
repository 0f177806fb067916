//! The page's doors: HTTP on loopback, a WebSocket for state, picture and controls.

use super::observer::{Observer, Shared};
use super::token::Token;
use super::{assets, files};
use crate::bot::commands::{Command, Remote};
use crate::loopback::{self, Doorkeeper};
use crate::mouse::StopReason;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::task::{JoinHandle, spawn_blocking};

/// The longest message a page may send, in bytes.
const MAX_MESSAGE: usize = 1024;

/// Only what this server itself serves may be loaded, spoken to or run; the picture is a blob.
const POLICY: &str = "default-src 'self'; img-src 'self' blob: data:; style-src 'self' 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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
    #[error("cannot make the watch page's token: {0}")]
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
    /// Serves the page on the loopback address; port 0 takes a free one. `out` has the run's games; what the page's buttons say goes to `remote`.
    /// Must be called on a runtime.
    ///
    /// # Errors
    /// The port is taken.
    pub async fn open(port: u16, out: PathBuf, remote: Remote) -> Result<Watch, WatchError> {
        let listen = |why| WatchError::Listen { port, why };
        let (listener, keeper) = loopback::listen(port).await.map_err(listen)?;
        let token = Token::new().map_err(|error| WatchError::Token(error.to_string()))?;
        let shared = Shared::new();
        let url = format!("http://127.0.0.1:{}/?token={}", keeper.port(), token.text());
        let doors = Doors {
            keeper,
            token,
            out,
            shared: Arc::clone(&shared),
            remote,
        };
        let router = Router::new()
            .route("/ws", any(open_socket))
            .fallback(page)
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
    pub fn observer(&self) -> Observer {
        Observer::of(Arc::clone(&self.shared))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn page(State(doors): State<Doors>, uri: Uri) -> Response {
    let headers = |kind: &'static str| {
        [
            (CONTENT_TYPE, kind),
            (CONTENT_SECURITY_POLICY, POLICY),
            (CACHE_CONTROL, "no-store"),
            // The token is in the address.
            (REFERRER_POLICY, "no-referrer"),
        ]
    };
    if let Some((kind, content)) = assets::at(uri.path()) {
        return (headers(kind), content).into_response();
    }
    let Some(path) = uri.path().strip_prefix("/files/") else {
        return (StatusCode::NOT_FOUND, "there is no such page\n").into_response();
    };
    if !doors.token.is_in(uri.query()) {
        return (StatusCode::FORBIDDEN, "the address must have its token\n").into_response();
    }
    match files::kept(&doors.out, path.trim_end_matches('/')) {
        Some(files::Kept::File(file, kind)) => match spawn_blocking(move || std::fs::read(file))
            .await
            .map_err(std::io::Error::other)
            .flatten()
        {
            Ok(content) => (headers(kind), content).into_response(),
            Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("cannot read it: {error}\n")).into_response(),
        },
        Some(files::Kept::Folder(folder)) => (
            headers("text/html; charset=utf-8"),
            listing(path, &files::names(&folder), &doors.token),
        )
            .into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such file of these games\n").into_response(),
    }
}

/// A folder as a page: names as links, pictures as pictures.
fn listing(path: &str, names: &[String], token: &Token) -> String {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let mut page = format!(
        "<!doctype html><meta charset=utf-8><title>{0}</title><link rel=stylesheet href=/watch.css><body class=folder><h1>{0}</h1>",
        escape(path.trim_end_matches('/'))
    );
    for name in names {
        let link = format!("/files/{}/{name}?token={}", path.trim_end_matches('/'), token.text());
        page += &format!("<p><a href=\"{}\">{}</a></p>", escape(&link), escape(name));
        if name.ends_with(".png") {
            page += &format!("<img alt=\"\" src=\"{}\">", escape(&link));
        }
    }
    page
}

async fn open_socket(State(doors): State<Doors>, headers: HeaderMap, uri: Uri, upgrade: WebSocketUpgrade) -> Response {
    if !doors.keeper.is_own_page(&headers) {
        return (StatusCode::FORBIDDEN, "only the page itself may open its socket\n").into_response();
    }
    if !doors.token.is_in(uri.query()) {
        return (StatusCode::FORBIDDEN, "the address must have its token\n").into_response();
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
                let Some(looked) = picture.borrow_and_update().clone() else { continue };
                match spawn_blocking(move || looked.message()).await {
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
                            FromPage::Stop => doors.remote.stop(StopReason::User),
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
