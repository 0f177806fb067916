//! Games and their list over a WebSocket: a client's messages to a game's task, and what it tells.

use super::attendance::{self, Attendance};
use super::command::Refusal;
use super::doors::{Doors, OwnPage, Refused};
use super::game_id::GameId;
use super::hall::{Hall, ListedGame};
use super::host::text;
use super::person::Person;
use super::protocol::{self, Message, ToClient};
use super::to_host::ToHost;
use axum::Router;
use axum::extract::ws::{self, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::any;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval, timeout};
use torres_store::Store;

/// How often a client is pinged.
const PING_EVERY: Duration = Duration::from_secs(2);
/// A client from which nothing was heard for this long is gone.
const LOST_AFTER: Duration = Duration::from_secs(6);
/// How long a client may take to say who it is, or to take a message.
const PATIENCE: Duration = Duration::from_secs(10);
/// Buffers of a connection, in bytes: thousands are open at once.
const BUFFER: usize = 2 * 1024;
/// How often the list of games is sent at most.
const LIST_EVERY: Duration = Duration::from_millis(250);
/// Messages that a client may send at once, and each second.
const BURST: f64 = 20.0;
const A_SECOND: f64 = 10.0;
/// After how many messages a client is let go that goes on sending too fast.
const TOO_MANY: u32 = 200;

/// The WebSockets of the games and of their list.
pub(super) fn router() -> Router<Doors> {
    Router::new()
        .route("/people/ws", any(open_list))
        .route("/game/{id}/ws", any(open_game))
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

type Out = SplitSink<WebSocket, ws::Message>;
type In = SplitStream<WebSocket>;

/// Carries messages between a client and a game until either is gone.
async fn attend(socket: WebSocket, hall: Arc<Hall>, id: GameId, person: Person) {
    let (mut out, mut from_client) = socket.split();
    let Some((person, seen)) = hello(&mut out, &mut from_client, person, hall.store()).await else {
        return;
    };
    let mut way = attendance::attend(&hall, &id, person, seen).await;
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
                if pace.allows(heard) {
                    match obey(message, &way, pinged).await {
                        Ok(answer) => answer,
                        Err(Closed) => break,
                    }
                } else if pace.refused > TOO_MANY {
                    break;
                } else {
                    Some(too_fast(message))
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

/// The game's task has ended.
struct Closed;

/// Does what a client's message says, the last ping being this; what it is answered.
async fn obey(
    message: Result<Message, String>,
    way: &Attendance,
    pinged: (u32, Instant),
) -> Result<Option<Utf8Bytes>, Closed> {
    let connection = way.connection;
    match message {
        Ok(Message::Command(id, command)) => {
            let command = ToHost::Command {
                connection,
                id,
                command,
            };
            let sent = way.to_host.send(command).await;
            sent.map(|()| None).map_err(|_| Closed)
        }
        Ok(Message::Ping(n)) => Ok(Some(text(&ToClient::Pong { n }))),
        Ok(Message::Pong(n)) => {
            if n == pinged.0 {
                let ms = u32::try_from(pinged.1.elapsed().as_millis()).unwrap_or(u32::MAX);
                let _ = way.to_host.send(ToHost::Pinged { connection, ms }).await;
            }
            Ok(None)
        }
        Ok(Message::Hello { .. }) => Ok(Some(error("say hello once"))),
        Err(why) => Ok(Some(error(&why))),
    }
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
    let reason = Refusal::TooFast;
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
    games: Vec<ListedGame>,
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
