//! The doors of the hall: making a game over HTTP, playing and watching it over a WebSocket.

use super::accounts::{self, LogIns, Trier};
use super::game::{Change, DELETED, GameId, NAMELESS, Person, PersonId};
use super::hall::{Hall, HallError, Wanted};
use super::host::{ToHost, text};
use super::protocol::{self, Message, ToClient};
use super::{game_page, pages, play};
use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::{self, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, Path, Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderValue, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use shakmaty::Chess;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval, timeout};
use torres_chess::Side;
use torres_frame::WallTime;
use torres_loopback::Doorkeeper;
use torres_site::clock::TimeControl;
use torres_site::cookie::{self, KNOWN_FOR, LEARNER};
use torres_site::layout::Section;
use torres_store::{KeptAccount, LearnerId, Store, Token};

/// How often a client is pinged.
const PING_EVERY: Duration = Duration::from_secs(2);
/// A client from which nothing was heard for this long is gone.
const LOST_AFTER: Duration = Duration::from_secs(6);
/// How long a client may take to say who it is, or to take a message.
const PATIENCE: Duration = Duration::from_secs(10);
/// Buffers of a connection, in bytes: thousands are open at once.
const BUFFER: usize = 2 * 1024;
/// The longest request to make a game, in bytes.
const LONGEST_REQUEST: usize = 4 * 1024;
/// How often the list of games is sent at most.
const LIST_EVERY: Duration = Duration::from_millis(250);
/// Messages that a client may send at once, and each second.
const BURST: f64 = 20.0;
const A_SECOND: f64 = 10.0;
/// After how many messages a client is let go that goes on sending too fast.
const TOO_MANY: u32 = 200;
/// The cookie by which a browser is known in which somebody has logged in.
const BROWSER: &str = "torres_browser";

/// What every request may use.
#[derive(Clone)]
pub(super) struct Doors {
    pub hall: Arc<Hall>,
    log_ins: Arc<LogIns>,
    /// Where others come in.
    elsewhere: Option<Arc<str>>,
}

/// The hall's routes; its pages are the site's. `elsewhere` is where others than this machine's own browsers come in,
/// such as `https://192.0.2.7:8443/`.
pub fn router(hall: Arc<Hall>, elsewhere: Option<&str>) -> Router {
    Router::new()
        .route("/people", get(hall_page))
        .route("/people/{file}", get(file))
        .route("/game/{id}", get(game_page))
        .route("/account", get(account_page))
        .route("/account/sign-up", post(sign_up))
        .route("/account/log-in", post(log_in))
        .route("/account/log-out", post(log_out))
        .route("/account/delete", post(delete_account))
        .route("/account/export", get(export))
        .route("/people/ws", any(open_list))
        .route("/people/games", post(make_game))
        .route("/game/{id}/ws", any(open_game))
        .merge(play::router())
        .with_state(Doors {
            hall,
            log_ins: Arc::new(LogIns::new()),
            elsewhere: elsewhere.map(Arc::from),
        })
}

/// A request to make a game.
#[derive(Debug, Deserialize)]
struct MakeGame {
    /// How a guest wants to be named.
    #[serde(default)]
    name: Option<String>,
    /// Whether a program plays.
    #[serde(default)]
    program: bool,
    /// Absent: left to chance.
    #[serde(default)]
    color: Option<Side>,
    /// Absent: without clocks.
    #[serde(default)]
    clock: Option<torres_site::protocol::ClockSetup>,
    /// Whether it stands in the list.
    #[serde(default)]
    listed: bool,
    /// Absent: the standard start.
    #[serde(default)]
    fen: Option<String>,
}

/// The answer.
#[derive(Debug, Serialize)]
pub(super) struct GameMade {
    pub game: GameId,
}

/// A request that cannot be followed, and why.
pub(super) struct Refused(pub StatusCode, pub String);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        json(self.0, &ToClient::Error { message: self.1 })
    }
}

impl From<torres_store::StoreError> for Refused {
    fn from(error: torres_store::StoreError) -> Refused {
        Refused(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
    }
}

impl From<HallError> for Refused {
    fn from(error: HallError) -> Refused {
        let status = match error {
            HallError::Clock(_) => StatusCode::BAD_REQUEST,
            _ => StatusCode::SERVICE_UNAVAILABLE,
        };
        Refused(status, error.to_string())
    }
}

pub(super) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    let body = serde_json::to_string(body).unwrap_or_default();
    (status, [(CONTENT_TYPE, "application/json")], body).into_response()
}

async fn hall_page(State(doors): State<Doors>, headers: HeaderMap) -> Result<Response, Refused> {
    let visitor = doors.known(&headers).await?;
    let name = visitor.as_ref().and_then(Visitor::account_name);
    Ok(pages::hall(&doors.hall.list(), name))
}

async fn file(Path(name): Path<String>) -> Response {
    pages::file(&name).unwrap_or_else(|| (StatusCode::NOT_FOUND, "there is no such file\n").into_response())
}

async fn game_page(
    State(doors): State<Doors>,
    keeper: Doorkeeper,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let Ok(id) = GameId::try_from(id) else {
        return Ok(pages::no_game());
    };
    let section = match doors.hall.is_owned(&id).await? {
        None => return Ok(pages::no_game()),
        Some(true) => Section::Play,
        Some(false) => Section::People,
    };
    let page = game_page::game(section, doors.elsewhere.as_deref());
    Ok(doors.visitor(&keeper, &headers).await?.greet(page))
}

async fn make_game(State(doors): State<Doors>, asked: OwnPost) -> Result<Response, Refused> {
    let (wanted, name, program) = wanted(&asked.body)?;
    let visitor = doors.visitor(&asked.keeper, &asked.headers).await?;
    let name = doors.guest_name(&visitor, name.as_deref()).await?;
    let person = visitor.person(name, program);
    let game = doors.hall.make(&person, &wanted).await?;
    Ok(visitor.greet(json(StatusCode::CREATED, &GameMade { game })))
}

/// The game that is asked for, by what name, and whether for a program.
pub(super) fn wanted(body: &[u8]) -> Result<(Wanted, Option<String>, bool), Refused> {
    if body.len() > LONGEST_REQUEST {
        return Err(bad("the request is too long"));
    }
    let asked: MakeGame = serde_json::from_slice(body).map_err(|error| bad(&error.to_string()))?;
    let start = match asked.fen.as_deref() {
        None => Chess::default(),
        Some(fen) => torres_chess::parse_fen(fen).map_err(|why| bad(&why))?,
    };
    let wanted = Wanted {
        color: asked.color.map(Into::into),
        control: asked.clock.map(control),
        listed: asked.listed,
        start,
        moves: Vec::new(),
        owned: None,
    };
    Ok((wanted, asked.name, asked.program))
}

fn too_often() -> Refused {
    Refused(StatusCode::TOO_MANY_REQUESTS, "too many tries; wait a minute".into())
}

/// A clock as a request says it.
pub(super) fn control(clock: torres_site::protocol::ClockSetup) -> TimeControl {
    TimeControl {
        initial: Duration::from_millis(clock.initial_ms),
        increment: Duration::from_millis(clock.increment_ms),
    }
}

pub(super) fn bad(why: &str) -> Refused {
    let why = torres_printing::shortened(why, 300);
    Refused(StatusCode::BAD_REQUEST, why)
}

/// A request of the site's own page, and who let it in.
pub(super) struct OwnPage(pub Doorkeeper);

impl FromRequestParts<Doors> for OwnPage {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, doors: &Doors) -> Result<OwnPage, Refused> {
        let keeper = Doorkeeper::from_request_parts(parts, doors).await;
        let why = "only the site's own page may ask this";
        keeper
            .ok()
            .filter(|keeper| keeper.is_own_page(&parts.headers))
            .map(OwnPage)
            .ok_or_else(|| Refused(StatusCode::FORBIDDEN, why.into()))
    }
}

/// What a page of the site's own sends.
pub(super) struct OwnPost {
    /// Who let it in.
    pub keeper: Doorkeeper,
    /// Its head.
    pub headers: HeaderMap,
    /// Where it comes from.
    address: SocketAddr,
    /// What it says.
    pub body: Bytes,
}

impl FromRequest<Doors> for OwnPost {
    type Rejection = Refused;

    async fn from_request(request: Request, doors: &Doors) -> Result<OwnPost, Refused> {
        let (mut parts, body) = request.into_parts();
        let OwnPage(keeper) = OwnPage::from_request_parts(&mut parts, doors).await?;
        let peer = ConnectInfo::from_request_parts(&mut parts, doors).await;
        let ConnectInfo(address) = peer.map_err(|error| unavailable(error.to_string()))?;
        let headers = parts.headers.clone();
        let body = Bytes::from_request(Request::from_parts(parts, body), doors).await;
        Ok(OwnPost {
            keeper,
            headers,
            address,
            body: body.map_err(|error| Refused(error.status(), error.body_text()))?,
        })
    }
}

/// Who sent a request.
pub(super) struct Visitor {
    pub learner: LearnerId,
    /// The account, if there is one.
    account: Option<KeptAccount>,
    /// The cookie that the browser does not have yet.
    fresh: Option<HeaderValue>,
}

impl Visitor {
    /// What the account is called, if there is one.
    pub fn account_name(&self) -> Option<&str> {
        self.account.as_ref().map(|account| account.name.as_str())
    }

    pub fn person(&self, name: Option<String>, program: bool) -> Person {
        let account = self.account_name().map(str::to_owned);
        Person {
            id: PersonId(self.learner.as_str().to_owned()),
            guest: account.is_none(),
            name: account.or(name).unwrap_or_else(|| NAMELESS.into()),
            program,
        }
    }

    /// Gives the browser its cookie along with an answer.
    pub fn greet(&self, answer: Response) -> Response {
        with_cookie(answer, self.fresh.clone())
    }
}

fn with_cookie(mut answer: Response, cookie: Option<HeaderValue>) -> Response {
    if let Some(cookie) = cookie {
        answer.headers_mut().append(SET_COOKIE, cookie);
    }
    answer
}

impl Doors {
    /// Who tries a password at an account.
    async fn trier(&self, asked: &OwnPost, account: &KeptAccount) -> Result<Trier, Refused> {
        let known = match cookie::token(&asked.headers, BROWSER) {
            Some(token) => self.hall.store().knows_browser(&token, &account.learner).await?,
            None => false,
        };
        Ok(match known {
            true => Trier::Known(account.learner.as_str().to_owned()),
            false => Trier::at(asked.address.ip()),
        })
    }

    /// The name that a guest wants, if it is one that they may have: an account's name is its own.
    pub async fn guest_name(&self, visitor: &Visitor, wanted: Option<&str>) -> Result<Option<String>, Refused> {
        let Some(name) = wanted
            .and_then(protocol::cleaned_name)
            .filter(|_| visitor.account.is_none())
        else {
            return Ok(None);
        };
        match self.hall.store().account_named(&name).await? {
            None => Ok(Some(name)),
            Some(_) => {
                let why = format!("{name} is the name of an account; log in to use it, or choose another");
                Err(Refused(StatusCode::CONFLICT, why))
            }
        }
    }

    /// Whether a password is an account's.
    async fn fits(&self, who: &Trier, account: &KeptAccount, password: String) -> Result<bool, Refused> {
        if !self.log_ins.allows(who, &account.name) {
            return Err(too_often());
        }
        let fits = self.log_ins.fits(who, password, account.password.clone()).await;
        if fits {
            self.log_ins.forgive(who, &account.name);
        }
        Ok(fits)
    }

    /// Lets the browser be a learner's from now on, and be known to them for longer.
    async fn logged_in(&self, keeper: &Doorkeeper, learner: &LearnerId, is_known: bool) -> Result<Response, Refused> {
        let token = || Token::random().map_err(|error| unavailable(error.to_string()));
        let (session, browser) = (token()?, token()?);
        let now = WallTime::now();
        let store = self.hall.store();
        store.make_session(&session, learner, now, now + KNOWN_FOR).await?;
        let answer = with_cookie(done(), cookie::set(keeper, LEARNER, &session, KNOWN_FOR));
        if is_known {
            return Ok(answer);
        }
        store.know_browser(&browser, learner, now).await?;
        Ok(with_cookie(answer, cookie::set(keeper, BROWSER, &browser, KNOWN_FOR)))
    }

    /// Who has the token that a request shows.
    async fn known(&self, headers: &HeaderMap) -> Result<Option<Visitor>, Refused> {
        let store = self.hall.store();
        let Some(token) = cookie::token(headers, LEARNER) else {
            return Ok(None);
        };
        let Some(learner) = store.learner(&token).await? else {
            return Ok(None);
        };
        Ok(Some(Visitor {
            account: store.account_of(&learner).await?,
            learner,
            fresh: None,
        }))
    }

    /// Who has the token that a request shows; a new learner where there is none.
    pub async fn visitor(&self, keeper: &Doorkeeper, headers: &HeaderMap) -> Result<Visitor, Refused> {
        if let Some(visitor) = self.known(headers).await? {
            return Ok(visitor);
        }
        let store = self.hall.store();
        let token = Token::random().map_err(|error| unavailable(error.to_string()))?;
        let learner = store.make_learner(&token, WallTime::now()).await?;
        Ok(Visitor {
            learner,
            account: None,
            fresh: cookie::set(keeper, LEARNER, &token, KNOWN_FOR),
        })
    }
}

async fn open_game(
    State(doors): State<Doors>,
    OwnPage(keeper): OwnPage,
    Path(id): Path<String>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refused> {
    let id = GameId::try_from(id).map_err(|why| Refused(StatusCode::NOT_FOUND, why))?;
    let visitor = doors.visitor(&keeper, &headers).await?;
    let person = visitor.person(None, false);
    let upgrade = upgrade
        .max_message_size(protocol::LONGEST)
        .read_buffer_size(BUFFER)
        .write_buffer_size(0);
    let answer = upgrade.on_upgrade(move |socket| attend(socket, doors.hall, id, person));
    Ok(visitor.greet(answer))
}

/// A request with a name and a password, or one of both.
#[derive(Deserialize)]
pub(super) struct Credentials {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub password: String,
}

pub(super) fn credentials(body: &[u8]) -> Result<Credentials, Refused> {
    if body.len() > LONGEST_REQUEST {
        return Err(bad("the request is too long"));
    }
    serde_json::from_slice(body).map_err(|_| bad("a name and a password are needed"))
}

#[derive(Serialize)]
struct Done {
    done: bool,
}

fn done() -> Response {
    json(StatusCode::OK, &Done { done: true })
}

async fn account_page(State(doors): State<Doors>, keeper: Doorkeeper, headers: HeaderMap) -> Result<Response, Refused> {
    let visitor = doors.visitor(&keeper, &headers).await?;
    Ok(visitor.greet(pages::account(visitor.account_name())))
}

async fn sign_up(State(doors): State<Doors>, asked: OwnPost) -> Result<Response, Refused> {
    let Credentials { name, password } = credentials(&asked.body)?;
    let name = protocol::cleaned_name(&name).ok_or_else(|| bad("choose a name"))?;
    if accounts::is_reserved(&name, &doors.hall.computers.all()) {
        return Err(bad("no account can have that name; choose another"));
    }
    if let Some(fault) = accounts::password_fault(&password) {
        return Err(bad(&fault));
    }
    let taken = || Refused(StatusCode::CONFLICT, "that name is taken; choose another".into());
    if doors.hall.store().account_named(&name).await?.is_some() {
        return Err(taken());
    }
    if !doors.log_ins.allows_sign_up(&Trier::at(asked.address.ip())) {
        return Err(too_often());
    }
    let visitor = doors.visitor(&asked.keeper, &asked.headers).await?;
    let password = doors.log_ins.hash(password).await.map_err(unavailable)?;
    let learner = visitor.learner.clone();
    let account = KeptAccount {
        learner: visitor.learner,
        name,
        password,
    };
    if !doors.hall.store().make_account(&account, WallTime::now()).await? {
        return Err(taken());
    }
    doors.logged_in(&asked.keeper, &learner, false).await
}

async fn log_in(State(doors): State<Doors>, asked: OwnPost) -> Result<Response, Refused> {
    let Credentials { name, password } = credentials(&asked.body)?;
    let wrong = || Refused(StatusCode::FORBIDDEN, "name or password is wrong".into());
    let name = protocol::cleaned_name(&name).ok_or_else(wrong)?;
    if password.len() > accounts::LONGEST_PASSWORD {
        return Err(wrong());
    }
    // Names are no secret: whoever wants one for an account is told that it is taken.
    let account = doors.hall.store().account_named(&name).await?.ok_or_else(wrong)?;
    let who = doors.trier(&asked, &account).await?;
    match doors.fits(&who, &account, password).await? {
        true => {
            let is_known = matches!(who, Trier::Known(_));
            doors.logged_in(&asked.keeper, &account.learner, is_known).await
        }
        false => Err(wrong()),
    }
}

async fn log_out(
    State(doors): State<Doors>,
    OwnPage(keeper): OwnPage,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    if let Some(token) = cookie::token(&headers, LEARNER) {
        doors.hall.store().end_session(&token).await?;
    }
    Ok(with_cookie(done(), cookie::unset(&keeper, LEARNER)))
}

async fn delete_account(State(doors): State<Doors>, asked: OwnPost) -> Result<Response, Refused> {
    let Credentials { password, .. } = credentials(&asked.body)?;
    let wrong = || Refused(StatusCode::FORBIDDEN, "the password is wrong".into());
    let visitor = doors.known(&asked.headers).await?.ok_or_else(wrong)?;
    // A guest has no password: their browser alone says who they are.
    if let Some(account) = &visitor.account {
        let who = doors.trier(&asked, account).await?;
        if !doors.fits(&who, account, password).await? {
            return Err(wrong());
        }
    }
    let id = PersonId(visitor.learner.as_str().to_owned());
    let store = doors.hall.store();
    store.forget_player(&id.0, |change| without(change, &id)).await?;
    store.forget_learner(&visitor.learner).await?;
    let answer = with_cookie(done(), cookie::unset(&asked.keeper, LEARNER));
    Ok(with_cookie(answer, cookie::unset(&asked.keeper, BROWSER)))
}

/// A change without a person, where it names them.
fn without(change: &str, id: &PersonId) -> Option<String> {
    let mut change: Change = serde_json::from_str(change).ok()?;
    if let Change::Opened(owned) = &mut change
        && owned.by == *id
    {
        owned.by = PersonId("deleted".into());
        return serde_json::to_string(&change).ok();
    }
    let (Change::Joined { person, .. } | Change::SeatAsked { person, .. } | Change::Replaced { person, .. }) =
        &mut change
    else {
        return None;
    };
    if person.id != *id {
        return None;
    }
    *person = Person {
        id: PersonId("deleted".into()),
        name: DELETED.into(),
        program: person.program,
        guest: false,
    };
    serde_json::to_string(&change).ok()
}

/// What is kept of somebody.
#[derive(Serialize)]
struct Export {
    name: Option<String>,
    games: Vec<ExportedGame>,
    /// All else, by table: lessons, repetitions, puzzles, ratings, and since when.
    kept: Map<String, Value>,
}

#[derive(Serialize)]
struct ExportedGame {
    id: String,
    start_fen: String,
    clock_ms: Option<(u64, u64)>,
    changes: Vec<Value>,
}

async fn export(State(doors): State<Doors>, keeper: Doorkeeper, headers: HeaderMap) -> Result<Response, Refused> {
    let visitor = doors.visitor(&keeper, &headers).await?;
    let store = doors.hall.store();
    let mut games = Vec::new();
    for id in store.games_of(visitor.learner.as_str()).await? {
        if let Some(game) = store.people_game(&id).await? {
            let changes = game.changes.into_iter();
            games.push(ExportedGame {
                id,
                start_fen: game.made.start_fen,
                clock_ms: game.made.clock_ms,
                changes: changes.filter_map(|(_, change)| exported(&change)).collect(),
            });
        }
    }
    let export = Export {
        name: visitor.account_name().map(str::to_owned),
        games,
        kept: store.all_of(&visitor.learner).await?,
    };
    Ok(visitor.greet(json(StatusCode::OK, &export)))
}

/// A change as its player is given it: without what only the server knows of others.
fn exported(change: &str) -> Option<Value> {
    let mut change: Value = serde_json::from_str(change).ok()?;
    if let Some(person) = change.get_mut("person").and_then(Value::as_object_mut) {
        person.remove("id");
    }
    if change["what"] == "opened"
        && let Some(opened) = change.as_object_mut()
    {
        opened.remove("by");
    }
    Some(change)
}

fn unavailable(why: String) -> Refused {
    Refused(StatusCode::SERVICE_UNAVAILABLE, why)
}

type Out = SplitSink<WebSocket, ws::Message>;
type In = SplitStream<WebSocket>;

/// Carries messages between a client and a game until either is gone.
async fn attend(socket: WebSocket, hall: Arc<Hall>, id: GameId, person: Person) {
    let (mut out, mut from_client) = socket.split();
    let Some((person, seen)) = hello(&mut out, &mut from_client, person, hall.store()).await else {
        return;
    };
    let mut way = hall.attend(&id, person, seen).await;
    let connection = way.connection;
    let mut pace = Pace::new();
    let mut heard = Instant::now();
    let mut pinged = (0u32, Instant::now());
    let mut pings = interval(PING_EVERY);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut stopping = hall.stopping();
    loop {
        let answer = tokio::select! {
            () = stops(&mut stopping) => {
                say_goodbye(&mut out).await;
                break;
            }
            message = way.messages.recv() => match message {
                Some(message) => Some(message),
                None => break,
            },
            _ = pings.tick() => {
                if heard.elapsed() > LOST_AFTER {
                    break;
                }
                pinged = (pinged.0.wrapping_add(1), Instant::now());
                Some(text(&ToClient::Ping { n: pinged.0 }))
            }
            said = from_client.next() => {
                heard = Instant::now();
                let said = match said {
                    Some(Ok(ws::Message::Text(said))) => said,
                    Some(Ok(ws::Message::Ping(_) | ws::Message::Pong(_))) => continue,
                    Some(Ok(ws::Message::Binary(_) | ws::Message::Close(_)) | Err(_)) | None => break,
                };
                let message = protocol::parse(&said);
                if !pace.allows(heard) {
                    if pace.refused > TOO_MANY {
                        break;
                    }
                    Some(too_fast(message))
                } else {
                    match message {
                        Ok(Message::Command(id, command)) => {
                            let command = ToHost::Command { connection, id, command };
                            if way.to_host.send(command).await.is_err() {
                                break;
                            }
                            None
                        }
                        Ok(Message::Ping(n)) => Some(text(&ToClient::Pong { n })),
                        Ok(Message::Pong(n)) => {
                            if n == pinged.0 {
                                let ms = u32::try_from(pinged.1.elapsed().as_millis()).unwrap_or(u32::MAX);
                                let _ = way.to_host.send(ToHost::Pinged { connection, ms }).await;
                            }
                            None
                        }
                        Ok(Message::Hello { .. }) => Some(error("say hello once")),
                        Err(why) => Some(error(&why)),
                    }
                }
            }
        };
        if let Some(answer) = answer
            && !send(&mut out, answer).await
        {
            break;
        }
    }
    let _ = way.to_host.send(ToHost::Gone { connection }).await;
}

/// Waits for the client's first message: who it is. A guest is named as they say, but not as an account is.
async fn hello(out: &mut Out, from_client: &mut In, person: Person, store: &Store) -> Option<(Person, u64)> {
    let said = timeout(PATIENCE, from_client.next()).await.ok()??.ok()?;
    let why = match said {
        ws::Message::Text(said) => match protocol::parse(&said) {
            Ok(Message::Hello { seen, name, program }) => {
                let mut person = Person { program, ..person };
                if let Some(name) = name.filter(|_| person.guest)
                    && matches!(store.account_named(&name).await, Ok(None))
                {
                    person.name = name;
                }
                return Some((person, seen));
            }
            Ok(_) => "say hello first".into(),
            Err(why) => why,
        },
        _ => return None,
    };
    send(out, error(&why)).await;
    None
}

/// Done when the server ends.
async fn stops(stopping: &mut watch::Receiver<bool>) {
    // Without a hall nothing goes on either.
    let _ = stopping.wait_for(|stopping| *stopping).await.is_ok();
}

/// Tells a client that the server ends, and that it may come back.
async fn say_goodbye(out: &mut Out) {
    send(out, error("the server is being stopped; what was played is kept")).await;
    let close = ws::CloseFrame {
        code: ws::close_code::RESTART,
        reason: "stopping".into(),
    };
    let _ = timeout(PATIENCE, out.send(ws::Message::Close(Some(close)))).await;
}

async fn send(out: &mut Out, message: Utf8Bytes) -> bool {
    matches!(
        timeout(PATIENCE, out.send(ws::Message::Text(message))).await,
        Ok(Ok(()))
    )
}

fn error(why: &str) -> Utf8Bytes {
    text(&ToClient::Error { message: why.into() })
}

fn too_fast(message: Result<Message, String>) -> Utf8Bytes {
    let reason = super::game::Refusal::TooFast;
    match message {
        Ok(Message::Command(id, _)) => text(&ToClient::Refused {
            id,
            reason,
            message: reason.to_string(),
        }),
        _ => error(&reason.to_string()),
    }
}

/// How fast a client speaks: a bucket of messages that fills up again.
struct Pace {
    left: f64,
    at: Instant,
    refused: u32,
}

impl Pace {
    fn new() -> Pace {
        Pace {
            left: BURST,
            at: Instant::now(),
            refused: 0,
        }
    }

    fn allows(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.left = (self.left + passed * A_SECOND).min(BURST);
        self.at = now;
        let allowed = self.left >= 1.0;
        match allowed {
            true => self.left -= 1.0,
            false => self.refused += 1,
        }
        allowed
    }
}

async fn open_list(State(doors): State<Doors>, _: OwnPage, upgrade: WebSocketUpgrade) -> Result<Response, Refused> {
    let upgrade = upgrade.max_message_size(protocol::LONGEST).read_buffer_size(BUFFER);
    Ok(upgrade.on_upgrade(move |socket| show_list(socket, doors.hall)))
}

/// The games that can be joined or watched.
#[derive(Serialize)]
struct Games {
    #[serde(rename = "type")]
    kind: &'static str,
    games: Vec<super::hall::ListedGame>,
}

/// Sends the list whenever it has changed.
async fn show_list(socket: WebSocket, hall: Arc<Hall>) {
    let (mut out, mut from_client) = socket.split();
    let mut changes = hall.list_changes();
    changes.mark_changed();
    let mut pings = interval(PING_EVERY * 5);
    let mut stopping = hall.stopping();
    loop {
        let message = tokio::select! {
            () = stops(&mut stopping) => return say_goodbye(&mut out).await,
            changed = changes.changed() => {
                if changed.is_err() {
                    return;
                }
                let kind = "games";
                let games = hall.list();
                serde_json::to_string(&Games { kind, games }).unwrap_or_default()
            }
            _ = pings.tick() => r#"{"type":"ping","n":0}"#.to_owned(),
            said = from_client.next() => match said {
                Some(Ok(ws::Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => continue,
            },
        };
        if !send(&mut out, message.into()).await {
            return;
        }
        tokio::time::sleep(LIST_EVERY).await;
    }
}
