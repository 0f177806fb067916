//! People who play each other on the site, without a browser: what a game's page does, and no more.

use crate::site::DEADLINE;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Instant;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpSocket;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, pki_types::CertificateDer};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

/// A connection, in clear text or with TLS.
pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// Where a site is, and as whom a browser comes to it.
#[derive(Clone, Debug)]
pub struct Browser {
    /// The port that is connected to.
    pub port: u16,
    /// The site as the browser names it; another than the port's where something lies between.
    pub host: String,
    /// The cookies that the site gave, such as `torres=0123; more=45`.
    pub cookie: Option<String>,
    /// The address that it comes from; any of 127.0.0.0/8.
    pub from: Ipv4Addr,
    /// Whom it trusts, where it speaks TLS.
    pub tls: Option<Arc<ClientConfig>>,
}

impl Browser {
    /// One that was never there.
    pub fn new(port: u16) -> Browser {
        Browser {
            port,
            host: format!("127.0.0.1:{port}"),
            cookie: None,
            from: Ipv4Addr::LOCALHOST,
            tls: None,
        }
    }

    /// One that speaks TLS and trusts this certificate alone, a PEM.
    pub fn with_tls(port: u16, certificate: &str) -> Browser {
        let mut trusted = RootCertStore::empty();
        let certificate = CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap();
        trusted.add(certificate).unwrap();
        let config = ClientConfig::builder()
            .with_root_certificates(trusted)
            .with_no_client_auth();
        Browser {
            tls: Some(Arc::new(config)),
            ..Browser::new(port)
        }
    }

    /// The origin of the site's own pages.
    pub fn origin(&self) -> String {
        let scheme = self.tls.as_ref().map_or("http", |_| "https");
        format!("{scheme}://{}", self.host)
    }

    async fn open(&self) -> std::io::Result<Box<dyn Stream>> {
        let socket = TcpSocket::new_v4()?;
        if self.from != Ipv4Addr::LOCALHOST {
            socket.bind((self.from, 0).into())?;
        }
        let stream = socket.connect((Ipv4Addr::LOCALHOST, self.port).into()).await?;
        stream.set_nodelay(true)?;
        let Some(config) = &self.tls else {
            return Ok(Box::new(stream));
        };
        let name = ServerName::try_from("127.0.0.1").unwrap();
        let connector = TlsConnector::from(Arc::clone(config));
        Ok(Box::new(connector.connect(name, stream).await?))
    }

    /// Asks, and gives what comes back: head and body.
    pub async fn ask(&self, request: &str) -> String {
        let mut stream = self.open().await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        // An end of TLS without a goodbye is an end.
        let _ = timeout(DEADLINE, stream.read_to_end(&mut answer)).await.unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Posts JSON as the site's own page does: the status and the answer.
    pub async fn post(&mut self, path: &str, body: &Value) -> (u16, Value) {
        let origin = self.origin();
        self.post_from(&origin, path, &body.to_string()).await
    }

    /// Posts as a page of that origin.
    pub async fn post_from(&mut self, origin: &str, path: &str, body: &str) -> (u16, Value) {
        let cookie = self
            .cookie
            .as_ref()
            .map_or(String::new(), |cookie| format!("Cookie: {cookie}\r\n"));
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nOrigin: {origin}\r\n{cookie}Content-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.host,
            body.len()
        );
        let answer = self.ask(&request).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        for line in head.lines().filter_map(|line| line.strip_prefix("set-cookie: ")) {
            self.take_cookie(line);
        }
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    }

    /// Keeps a cookie in the place of the one of its name.
    fn take_cookie(&mut self, set: &str) {
        let (name, value) = set.split(';').next().unwrap().split_once('=').unwrap();
        let kept = self.cookie.take().unwrap_or_default();
        let mut kept: Vec<String> = kept.split("; ").map(str::to_owned).collect();
        kept.retain(|cookie| !cookie.is_empty() && !cookie.starts_with(&format!("{name}=")));
        if !value.is_empty() {
            kept.push(format!("{name}={value}"));
        }
        self.cookie = (!kept.is_empty()).then(|| kept.join("; "));
    }

    /// The body of a page or file.
    pub async fn get(&self, path: &str) -> String {
        let cookie = self
            .cookie
            .as_ref()
            .map_or(String::new(), |cookie| format!("Cookie: {cookie}\r\n"));
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\n{cookie}Connection: close\r\n\r\n",
            self.host
        );
        let answer = self.ask(&request).await;
        answer.split_once("\r\n\r\n").unwrap().1.to_owned()
    }

    /// Makes a game and returns its id.
    pub async fn make(&mut self, wanted: Value) -> String {
        let (status, answer) = self.post("/people/games", &wanted).await;
        assert_eq!(status, 201, "{answer}");
        answer["game"].as_str().unwrap().to_owned()
    }

    /// Opens a game's socket as a page of that origin.
    async fn socket(
        &mut self,
        path: &str,
        origin: &str,
    ) -> Result<WebSocketStream<Box<dyn Stream>>, tungstenite::Error> {
        let mut request = format!("ws://{}{path}", self.host).into_client_request()?;
        request.headers_mut().insert("Origin", origin.parse().unwrap());
        if let Some(cookie) = &self.cookie {
            request.headers_mut().insert("Cookie", cookie.parse().unwrap());
        }
        let stream = self.open().await?;
        let (socket, answer) = client_async(request, stream).await?;
        for cookie in answer.headers().get_all("set-cookie") {
            self.take_cookie(cookie.to_str().unwrap());
        }
        Ok(socket)
    }

    /// Whether a page from elsewhere may open a game's socket.
    pub async fn is_let_in_from(&mut self, origin: &str, game: &str) -> bool {
        self.socket(&format!("/game/{game}/ws"), origin).await.is_ok()
    }

    /// Opens a game as its page does, under a name.
    ///
    /// # Errors
    /// The connection failed.
    pub async fn enter(&mut self, game: &str, name: &str) -> Result<Player, tungstenite::Error> {
        let mut player = Player {
            browser: self.clone(),
            game: game.to_owned(),
            name: name.to_owned(),
            socket: None,
            shown: Shown::default(),
            last_id: 0,
        };
        player.connect().await?;
        self.cookie = player.browser.cookie.clone();
        Ok(player)
    }
}

/// What a game's page shows.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// Number of the last change.
    pub seq: u64,
    /// The seat: `"white"`, `"black"`, or null for a watcher.
    pub seat: Value,
    /// What the game has become.
    pub now: Value,
    /// When that was said.
    pub said: Option<Instant>,
    /// The moves, UCI.
    pub moves: Vec<String>,
    /// Who is there.
    pub here: Value,
}

impl Shown {
    /// Whether it is one's own turn in a game that goes on.
    pub fn is_own_turn(&self) -> bool {
        !self.seat.is_null()
            && self.now["position"]["to_move"] == self.seat
            && self.now["end"].is_null()
            && !self.legal().is_empty()
    }

    /// The legal moves, UCI; none in a game that is not on.
    pub fn legal(&self) -> Vec<String> {
        let legal = self.now["position"]["legal"].as_object();
        legal.map_or(Vec::new(), |legal| legal.keys().cloned().collect())
    }

    fn take(&mut self, message: &Value) {
        match message["type"].as_str().unwrap() {
            "game" => {
                self.seq = message["seq"].as_u64().unwrap();
                self.seat = message["you"].clone();
                self.now = message["now"].clone();
                self.said = Some(Instant::now());
                self.here = message["here"].clone();
                let moves = message["moves"].as_array().unwrap().iter();
                self.moves = moves.map(|played| played["uci"].as_str().unwrap().to_owned()).collect();
            }
            "change" => {
                let seq = message["seq"].as_u64().unwrap();
                assert_eq!(seq, self.seq + 1, "a change is missing or came twice: {message}");
                self.seq = seq;
                let change = &message["change"];
                match change["what"].as_str().unwrap() {
                    "moved" => self.moves.push(change["uci"].as_str().unwrap().to_owned()),
                    "took_back" => {
                        let left = self.moves.len() - change["plies"].as_u64().unwrap() as usize;
                        self.moves.truncate(left);
                    }
                    _ => {}
                }
                if !message["now"].is_null() {
                    self.now = message["now"].clone();
                    self.said = Some(Instant::now());
                }
            }
            "you" => self.seat = message["seat"].clone(),
            "here" => self.here = message.clone(),
            _ => {}
        }
    }
}

/// Somebody at a game's page.
pub struct Player {
    /// Their browser.
    pub browser: Browser,
    /// The game's id.
    pub game: String,
    name: String,
    socket: Option<WebSocketStream<Box<dyn Stream>>>,
    /// What the page shows.
    pub shown: Shown,
    last_id: u32,
}

impl Player {
    /// Connects, or connects again: says what was seen, and is shown the rest.
    ///
    /// # Errors
    /// The connection failed.
    pub async fn connect(&mut self) -> Result<(), tungstenite::Error> {
        let origin = self.browser.origin();
        let path = format!("/game/{}/ws", self.game);
        self.socket = Some(self.browser.socket(&path, &origin).await?);
        let hello = json!({"type": "hello", "seen": self.shown.seq, "name": self.name});
        self.send(&hello).await?;
        // Who has a seat, and what happened, come before anything else; where nothing happened, who is there.
        loop {
            let message = self.next().await?;
            if matches!(message["type"].as_str(), Some("game" | "you" | "error")) {
                return Ok(());
            }
        }
    }

    /// Lets the connection fall without a word.
    pub fn drop_connection(&mut self) {
        self.socket = None;
    }

    /// Sends a message.
    ///
    /// # Errors
    /// The connection failed.
    pub async fn send(&mut self, message: &Value) -> Result<(), tungstenite::Error> {
        self.send_text(&message.to_string()).await
    }

    /// Sends a text that may be no message.
    ///
    /// # Errors
    /// The connection failed.
    pub async fn send_text(&mut self, text: &str) -> Result<(), tungstenite::Error> {
        match &mut self.socket {
            Some(socket) => socket.send(Message::text(text)).await,
            None => Err(tungstenite::Error::ConnectionClosed),
        }
    }

    /// The next message; the server's pings are answered and not returned.
    ///
    /// # Errors
    /// The connection failed.
    pub async fn next(&mut self) -> Result<Value, tungstenite::Error> {
        loop {
            let socket = self.socket.as_mut().ok_or(tungstenite::Error::ConnectionClosed)?;
            let said = timeout(DEADLINE, socket.next()).await.expect("the server says nothing");
            let text = match said.ok_or(tungstenite::Error::ConnectionClosed)?? {
                Message::Text(text) => text,
                Message::Close(_) => return Err(tungstenite::Error::ConnectionClosed),
                _ => continue,
            };
            let message: Value = serde_json::from_str(&text).unwrap();
            if message["type"] == "ping" {
                self.send(&json!({"type": "pong", "n": message["n"]})).await?;
                continue;
            }
            self.shown.take(&message);
            return Ok(message);
        }
    }

    /// Waits until what is shown is as wanted.
    ///
    /// # Errors
    /// The connection failed.
    pub async fn until(&mut self, wanted: impl Fn(&Shown) -> bool) -> Result<(), tungstenite::Error> {
        while !wanted(&self.shown) {
            self.next().await?;
        }
        Ok(())
    }

    /// Sends a command and waits for its answer: an `ack` or `refused`.
    ///
    /// # Errors
    /// The connection failed.
    pub async fn ask(&mut self, mut command: Value) -> Result<Value, tungstenite::Error> {
        self.last_id += 1;
        command["id"] = self.last_id.into();
        self.send(&command).await?;
        loop {
            let answer = self.next().await?;
            if answer["id"] == self.last_id && matches!(answer["type"].as_str(), Some("ack" | "refused")) {
                return Ok(answer);
            }
        }
    }

    /// Plays a move in the position that is shown.
    ///
    /// # Errors
    /// The connection failed.
    pub async fn play(&mut self, uci: &str) -> Result<Value, tungstenite::Error> {
        let turn = &self.shown.now["position"]["turn"];
        self.ask(json!({"type": "move", "turn": turn, "uci": uci})).await
    }
}
