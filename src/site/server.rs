//! The doors of the site: HTTP for the page, a WebSocket for its table, both for this machine's own page only. Others
//! come, where they may, to the pages of learning and to what else the server was given.

use super::assets;
use super::bot::{Bot, Seats};
use super::layout::{Section, trouble};
use super::learn::Learn;
use super::log::EventLog;
use super::opponents::{EngineBot, Engines};
use super::protocol::{FromPage, ToPage};
use super::reach::{Entrance, Reach, ReachError};
use super::script::Script;
use super::setup::GameSetup;
use super::table::{Command, Table};
use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{any, get};
use futures_util::{SinkExt, StreamExt};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, mpsc, oneshot, watch};
use torres_link::Thinker;
use torres_loopback::{self as loopback, Doorkeeper, Loopback};
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
    /// Where others than this machine's own browsers may come; `None` for nowhere.
    pub reach: Option<Reach>,
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
    /// Others cannot reach it.
    #[error(transparent)]
    Reach(#[from] ReachError),
}

/// A site that listens but does not serve yet.
pub struct Site<T> {
    own: Entrance,
    others: Option<Entrance>,
    url: String,
    url_for_others: Option<String>,
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
    commands: mpsc::Sender<Command>,
    shown: watch::Receiver<Arc<str>>,
}

impl<T: Thinker + 'static> Site<T> {
    /// Listens on the loopback address and opens the log. The site's own bot asks `own`, an engine under its own name
    /// what `thinker_of` makes of it.
    ///
    /// # Errors
    /// When the port is taken, or the log or the store cannot be written.
    pub async fn bind(config: SiteConfig, own: T, thinker_of: impl Fn(&EngineBot) -> T) -> Result<Site<T>, SiteError> {
        let port = config.port;
        let listen = |source| SiteError::Listen { port, source };
        let Loopback { listener, port, keeper } = loopback::listen(port).await.map_err(listen)?;
        let (mut others, mut url_for_others) = (None, None);
        if let Some(reach) = &config.reach {
            let entrance = Entrance::open(reach).await?;
            url_for_others = entrance.port().ok().map(|port| url_for_others_of(reach, port));
            others = Some(entrance);
        }
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
        let learn = Learn::new(store.clone(), Arc::clone(&seats.own));
        let (table, shown) = Table::new(config.first, config.delay, config.engines, seats, log, inbox);
        Ok(Site {
            own: Entrance::new(listener, keeper),
            others,
            url: format!("http://127.0.0.1:{port}/"),
            url_for_others,
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

    /// Serves more than the table.
    #[must_use]
    pub fn with(mut self, more: Router) -> Site<T> {
        self.more = self.more.merge(more);
        self
    }

    /// Where the page is, such as `http://127.0.0.1:8017/`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Where others come in, such as `https://192.0.2.7:8443/`.
    pub fn url_for_others(&self) -> Option<&str> {
        self.url_for_others.as_deref()
    }

    /// Serves until `stop` is done.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) {
        let doors = Doors {
            commands: self.commands,
            shown: self.shown,
        };
        let table = tokio::spawn(self.table.run());
        let health = Router::new()
            .route("/health", get(health))
            .with_state(self.store.clone());
        let shared = Router::new()
            .fallback(page)
            .merge(health)
            .merge(self.learn.router())
            .merge(self.more);
        let for_others = Router::new()
            .route("/", get(async || Redirect::temporary("/people")))
            .merge(shared.clone());
        let own = Router::new()
            .route("/ws", any(open_socket))
            .route("/log", get(log))
            .with_state(doors)
            .merge(shared);
        let logged = |router: Router| router.layer(middleware::from_fn(logged));
        let others = async {
            match self.others {
                Some(entrance) => entrance.serve(logged(for_others)).await,
                None => std::future::pending().await,
            }
        };
        // Open pages keep their connections for as long as they like, so the end does not wait for them.
        tokio::select! {
            () = self.own.serve(logged(own)) => {}
            () = others => {}
            () = stop => {}
        }
        // Ends the bot's engine with it.
        table.abort();
        let _ = table.await;
        self.store.close().await;
    }
}

/// How others name the site: by the address, or, where it listens on all, by the one by which this machine goes out.
fn url_for_others_of(reach: &Reach, port: u16) -> String {
    let scheme = reach.certificate.as_ref().map_or("http", |_| "https");
    let mut address = SocketAddr::new(reach.address.ip(), port);
    if address.ip().is_unspecified() {
        // A UDP socket that is connected sends nothing.
        let out = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
            socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
            socket.local_addr()
        });
        address.set_ip(out.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |out| out.ip()));
    }
    format!("{scheme}://{address}/")
}

/// Whether the site works, for whoever watches over it.
async fn health(State(store): State<Store>) -> Response {
    let (status, word) = match store.answers().await {
        Ok(()) => (StatusCode::OK, "ok"),
        Err(error) => {
            tracing::error!("{error}");
            (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer")
        }
    };
    let body = format!(
        "{{\"status\":\"{word}\",\"version\":\"{}\"}}\n",
        env!("CARGO_PKG_VERSION")
    );
    (status, [(CONTENT_TYPE, "application/json")], body).into_response()
}

/// Writes requests down: those that went wrong for everybody, others for who asks for them.
async fn logged(request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let began = Instant::now();
    let answer = next.run(request).await;
    let (status, ms) = (answer.status().as_u16(), began.elapsed().as_secs_f64() * 1e3);
    match status {
        500.. => tracing::error!(%method, path, status, ms, "request"),
        400.. => tracing::info!(%method, path, status, ms, "request"),
        _ => tracing::debug!(%method, path, status, ms, "request"),
    }
    answer
}

async fn page(uri: Uri) -> Response {
    assets::serve(uri.path()).unwrap_or_else(no_page)
}

/// Where there is no such file or page.
fn no_page() -> Response {
    trouble(
        Section::Learn,
        StatusCode::NOT_FOUND,
        "There is no such page",
        "Its address may have been cut off or mistyped.",
        ("/learn", "See the lessons"),
    )
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

async fn open_socket(
    State(doors): State<Doors>,
    keeper: Doorkeeper,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !keeper.is_own_page(&headers) {
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
