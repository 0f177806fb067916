//! How clients and other servers come to a game: its task is started where it does not run.

use super::game_id::GameId;
use super::hall::{Hall, pass_on};
use super::host::Host;
use super::person::Person;
use super::to_host::ToHost;
use axum::extract::ws::Utf8Bytes;
use std::sync::Arc;
use tokio::sync::mpsc;
use torres_frame::WallTime;

/// Messages that may wait for a client; one that reads more slowly is let go, and comes back.
const WAITING: usize = 64;

/// A client's way to a game, and the game's to the client.
pub(super) struct Attendance {
    /// Names the client to the game.
    pub connection: u64,
    /// To the game.
    pub to_host: mpsc::Sender<ToHost>,
    /// To the client.
    pub messages: mpsc::Receiver<Utf8Bytes>,
}

/// Lets a client into a game: it is shown what it has not seen. Where there is no such game, it is told so and nothing
/// more.
pub(super) async fn attend(hall: &Arc<Hall>, id: &GameId, person: Person, seen: u64) -> Attendance {
    let connection = hall.fresh_connection();
    loop {
        let (client, messages) = mpsc::channel(WAITING);
        let to_host = host_of(hall, id, hall.alive());
        let arrive = ToHost::Arrive {
            connection,
            person: person.clone(),
            seen,
            client,
        };
        // A game whose task has just ended is started again.
        if to_host.send(arrive).await.is_ok() {
            return Attendance {
                connection,
                to_host,
                messages,
            };
        }
    }
}

/// Tells a game's task what another server said; it is started where `start` says so.
pub(super) fn tell_host(hall: &Arc<Hall>, id: &GameId, start: bool, said: ToHost) {
    let host = hall.host(id).or_else(|| start.then(|| host_of(hall, id, hall.alive())));
    if let Some(host) = host {
        pass_on(&host, said);
    }
}

/// The way to a game's task, which is started where it does not run; its clock ran until `alive`.
pub(super) fn host_of(hall: &Arc<Hall>, id: &GameId, alive: Option<WallTime>) -> mpsc::Sender<ToHost> {
    let (to_host, inbox) = hall.host_or_inbox(id);
    if let Some(inbox) = inbox {
        tokio::spawn(Host::serve(Arc::clone(hall), id.clone(), alive, inbox));
    }
    to_host
}
