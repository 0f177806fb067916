//! The doors of the site: HTTP for the page, a WebSocket for its table, both for this machine's own page only.

use super::assets;
use super::bot::{Bot, Seats};
use super::learn::Learn;
use super::log::EventLog;
use super::opponents::{EngineBot, Engines};
use super::protocol::{FromPage, ToPage};
use super::script::Script;
use super::setup::GameSetup;
use super::table::{Command, Table};
use axum::Router;
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use futures_util::{SinkExt, StreamExt};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, mpsc, oneshot, watch};
use torres_link::Thinker;
use torres_loopback::{self as loopback, Doorkeeper};
use torres_store::{Place, Store, StoreError};

/// The longest message a page may send, in bytes.
const MAX_MESSAGE: usize = 16 * 1024;
/// Messages that may wait for the table before a page has to.
const QUEUE: usize = 64;

/// How to serve the site.
#[derive(Clone, Debug)]
pub struct SiteConfig {
    /// Port on the loopback address; 0 takes a free one.
    pub port: u16,
    /// The first game; later ones are chosen on the page.
    pub first: GameSetup,
    /// The engines that can be played beside the levels.
    pub engines: Engines,
    /// Decides the bot's choices where it has any.
    pub seed: u64,
    /// The bot's replies, from the start of each game; its engine answers once they run out.
    pub script: Script,
    /// The time from a position to the bot's reply, at least.
    pub delay: Duration,
    /// Where the log is appended to.
    pub log: Option<PathBuf>,
    /// Where it is kept how far learners are.
    pub data: Place,
}

/// Why the site cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The port is taken or forbidden.
    #[error("cannot listen on 127.0.0.1:{port}: {source}; choose another --port, or 0 for a free one")]
    Listen {
        /// The port asked for.
        port: u16,
        /// What the system says.
        source: std::io::Error,
    },
    /// The log file cannot be written.
    #[error("cannot write the log {path}: {source}; choose a file that can be written")]
    Log {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// What learners reach cannot be kept.
    #[error(transparent)]
    Data(#[from] StoreError),
    /// The server stopped.
    #[error("the server failed: {0}")]
    Serve(std::io::Error),
}

/// A site that listens but does not serve yet.
pub struct Site<T> {
    listener: TcpListener,
    keeper: Doorkeeper,
    table: Table<T>,
    learn: Learn,
    store: Store,
    commands: mpsc::Sender<Command>,
    shown: watch::Receiver<Arc<str>>,
    more: Router,
}

/// What every request may use.
#[derive(Clone)]
struct Doors {
    keeper: Doorkeeper,
    commands: mpsc::Sender<Command>,
    shown: watch::Receiver<Arc<str>>,
}

impl<T: Thinker + 'static> Site<T> {
    /// Listens on the loopback address and opens the log. The site's own bot asks `own`, an engine under its own name what
    /// `thinker_of` makes of it.
    ///
    /// # Errors
    /// When the port is taken, or the log or the store cannot be written.
    pub async fn bind(config: SiteConfig, own: T, thinker_of: impl Fn(&EngineBot) -> T) -> Result<Site<T>, SiteError> {
        let port = config.port;
        let listen = |source| SiteError::Listen { port, source };
        let (listener, keeper) = loopback::listen(port).await.map_err(listen)?;
        let log = EventLog::open(config.log.as_deref()).map_err(|source| SiteError::Log {
            path: config.log.clone().unwrap_or_default(),
            source,
        })?;
        let store = Store::open(&config.data).await?;
        let (commands, inbox) = mpsc::channel(QUEUE);
        let seat = |thinker| Arc::new(Mutex::new(Bot::new(thinker, config.script.clone(), config.seed)));
        let seats = Seats {
            own: seat(own),
            engines: config.engines.iter().map(|engine| seat(thinker_of(engine))).collect(),
        };
        let learn = Learn::new(keeper, store.clone(), Arc::clone(&seats.own));
        let (table, shown) = Table::new(config.first, config.delay, config.engines, seats, log, inbox);
        Ok(Site {
            listener,
            keeper,
            table,
            learn,
            store,
            commands,
            shown,
            more: Router::new(),
        })
    }

    /// What is kept.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Serves more than the table: the routes that are made for this server's doorkeeper.
    #[must_use]
    pub fn with(mut self, more: impl FnOnce(Doorkeeper) -> Router) -> Site<T> {
        self.more = self.more.merge(more(self.keeper));
        self
    }

    /// Where the page is, such as `http://127.0.0.1:8017/`.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.keeper.port())
    }

    /// Serves until `stop` is done.
    ///
    /// # Errors
    /// When the server cannot accept connections any more.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), SiteError> {
        let doors = Doors {
            keeper: self.keeper,
            commands: self.commands,
            shown: self.shown,
        };
        let table = tokio::spawn(self.table.run());
        let router = Router::new()
            .route("/ws", any(open_socket))
            .route("/log", get(log))
            .fallback(get(page))
            .with_state(doors)
            .merge(self.learn.router())
            .merge(self.more);
        let router = self.keeper.guard(router);
        // Open pages keep their connections for as long as they like, so the end does not wait for them.
        let served = tokio::select! {
            served = async { axum::serve(self.listener, router.into_make_service_with_connect_info::<SocketAddr>()).await } => served,
            () = stop => Ok(()),
        };
        // Ends the bot's engine with it.
        table.abort();
        let _ = table.await;
        self.store.close().await;
        served.map_err(SiteError::Serve)
    }
}

async fn page(uri: Uri) -> Response {
    assets::serve(uri.path()).unwrap_or_else(|| (StatusCode::NOT_FOUND, "there is no such file\n").into_response())
}

async fn log(State(doors): State<Doors>) -> Response {
    let (ask, answer) = oneshot::channel();
    if doors.commands.send(Command::Log(ask)).await.is_ok()
        && let Ok(lines) = answer.await
    {
        return ([(CONTENT_TYPE, "application/x-ndjson")], lines).into_response();
    }
    StatusCode::SERVICE_UNAVAILABLE.into_response()
}

async fn open_socket(State(doors): State<Doors>, headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response {
    if !doors.keeper.is_own_page(&headers) {
        return (StatusCode::FORBIDDEN, "only the site's own page may open its socket\n").into_response();
    }
    upgrade
        .max_message_size(MAX_MESSAGE)
        .on_upgrade(move |socket| attend(socket, doors))
}

/// Carries messages between one page and the table until either is gone.
async fn attend(socket: WebSocket, mut doors: Doors) {
    let (mut to_page, mut from_page) = socket.split();
    doors.shown.mark_unchanged();
    if doors.commands.send(Command::PageOpened).await.is_err() {
        return;
    }
    loop {
        let said = tokio::select! {
            changed = doors.shown.changed() => {
                if changed.is_err() {
                    return;
                }
                let state = Arc::clone(&doors.shown.borrow_and_update());
                if to_page.send(Message::text(&*state)).await.is_err() {
                    return;
                }
                continue;
            }
            said = from_page.next() => said,
        };
        let text = match said {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
            Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => return,
        };
        let refusal = match serde_json::from_str::<FromPage>(&text) {
            Ok(message) => {
                let (ask, answer) = oneshot::channel();
                if doors.commands.send(Command::Page(message, ask)).await.is_err() {
                    return;
                }
                answer.await.ok()
            }
            Err(error) => Some(format!("not a message of this page: {error}")),
        };
        if let Some(message) = refusal
            && let Ok(error) = serde_json::to_string(&ToPage::Error { message })
            && to_page.send(Message::text(error)).await.is_err()
        {
            return;
        }
    }
}
