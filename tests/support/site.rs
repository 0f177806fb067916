//! A practice site as a process of its own, and a page of it without a browser.

use crate::torres;
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Nothing that these tests wait for takes longer on a machine that works.
pub const DEADLINE: Duration = Duration::from_secs(20);

/// A free port for a server that is started again on it. The system gives none as low to connections, so none of
/// another test takes it meanwhile.
pub fn lasting_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = (std::process::id() % 1000) as u16 * 10;
    let free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    let mut ports = std::iter::repeat_with(|| 20_000 + (first + NEXT.fetch_add(1, Ordering::Relaxed)) % 10_000);
    ports.find(free).expect("a free port")
}

/// A running `torres site` that ends with its value.
pub struct SiteProcess {
    /// The process.
    pub child: Child,
    /// Its port on loopback.
    pub port: u16,
    /// Where others come in, if `--listen` was said.
    pub for_others: Option<String>,
    dir: tempfile::TempDir,
}

impl SiteProcess {
    /// Starts it on a free port with a log; `script` becomes its `--script` unless empty.
    pub fn start(script: &str, args: &[&str]) -> SiteProcess {
        SiteProcess::start_on(0, script, args)
    }

    /// Starts it on a port.
    pub fn start_on(port: u16, script: &str, args: &[&str]) -> SiteProcess {
        let dir = tempfile::tempdir().unwrap();
        let mut command = torres(&["site", "--port", &port.to_string(), "--log"]);
        command.arg(dir.path().join("site.jsonl")).args(args);
        if !script.is_empty() {
            let path = dir.path().join("script.txt");
            std::fs::write(&path, script).unwrap();
            command.arg("--script").arg(path);
        }
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        let for_others = args.contains(&"--listen").then(|| lines.next().unwrap().unwrap());
        let port = line
            .strip_prefix("http://127.0.0.1:")
            .and_then(|rest| rest.strip_suffix('/'))
            .and_then(|port| port.parse().ok())
            .unwrap_or_else(|| panic!("the first line is {line:?}"));
        SiteProcess {
            child,
            port,
            for_others,
            dir,
        }
    }

    /// Where its log is.
    pub fn log_path(&self) -> PathBuf {
        self.dir.path().join("site.jsonl")
    }

    /// The log's lines.
    pub fn all_events(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.log_path()).unwrap();
        // The last line may be under way.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The log's lines of one kind.
    pub fn events(&self, kind: &str) -> Vec<Value> {
        let mut events = self.all_events();
        events.retain(|event| event["event"] == kind);
        events
    }

    /// The answer's status line, headers and body.
    pub async fn get(&self, path: &str, host: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        timeout(DEADLINE, stream.read_to_end(&mut answer))
            .await
            .unwrap()
            .unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The answer to JSON that is sent from this origin, with these headers besides, each ended by `\r\n`.
    pub async fn post(&self, path: &str, origin: &str, more: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        let (host, length) = (self.host(), body.len());
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\n{more}Content-Length: {length}\r\n\
             Connection: close\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        timeout(DEADLINE, stream.read_to_end(&mut answer))
            .await
            .unwrap()
            .unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The port on which others come in.
    pub fn port_for_others(&self) -> u16 {
        let url = self.for_others.as_ref().expect("--listen was said");
        url.trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap()
    }

    /// Its address as a browser names it.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}

impl Drop for SiteProcess {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // What happened, beside what was expected.
            eprintln!("{}", std::fs::read_to_string(self.log_path()).unwrap_or_default());
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page's socket.
pub struct Page {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// What it shows. States that follow each other quickly may come as one.
    shown: Option<Value>,
}

impl Page {
    /// Opens the socket as the site's own page does.
    pub async fn open(site: &SiteProcess) -> Page {
        let origin = format!("http://{}", site.host());
        Page::open_from(site, Some(&origin))
            .await
            .expect("the page's own origin is let in")
    }

    /// Opens it as a page from elsewhere, or from nowhere, does.
    pub async fn open_from(site: &SiteProcess, origin: Option<&str>) -> Result<Page, tungstenite::Error> {
        let mut request = format!("ws://{}/ws", site.host()).into_client_request()?;
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", HeaderValue::from_str(origin)?);
        }
        let (socket, _) = connect_async(request).await?;
        Ok(Page { socket, shown: None })
    }

    /// Sends a message.
    pub async fn send(&mut self, message: Value) {
        self.send_text(&message.to_string()).await;
    }

    /// Sends a text that may be no message.
    pub async fn send_text(&mut self, text: &str) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    /// The server's next message.
    pub async fn next(&mut self) -> Value {
        let message = timeout(DEADLINE, self.socket.next())
            .await
            .expect("the server says nothing");
        let message: Value = serde_json::from_str(message.unwrap().unwrap().to_text().unwrap()).unwrap();
        if message["type"] == "state" {
            self.shown = Some(message.clone());
        }
        message
    }

    /// What is shown as soon as it is as wanted.
    pub async fn state(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Some(state) = self.shown.as_ref().filter(|state| wanted(state)) {
                return state.clone();
            }
            self.next().await;
        }
    }

    /// The state shown once so many plies were played.
    pub async fn after(&mut self, plies: usize) -> Value {
        self.state(|state| state["moves"].as_array().unwrap().len() == plies)
            .await
    }

    /// Plays a move in the game and position of `state`, and waits until it is shown.
    pub async fn play(&mut self, state: &Value, uci: &str) -> Value {
        let ply = plies(state);
        self.send(serde_json::json!({"type": "move", "game": state["game"], "ply": ply, "uci": uci}))
            .await;
        self.state(|state| plies(state) > ply).await
    }
}

/// How many plies a state's game has.
pub fn plies(state: &Value) -> usize {
    state["moves"].as_array().unwrap().len()
}

/// The moves of a state's game.
pub fn moves(state: &Value) -> Vec<&str> {
    state["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["uci"].as_str().unwrap())
        .collect()
}
