//! Other servers that share the store, as of a club that has outgrown one machine: what they tell each other of their
//! games.
//!
//! No server owns a game. Whoever has somebody at its board leads a copy, and the store decides between two who change
//! it at once: a game's changes are numbered, and each number is taken once. Whoever comes too late takes the other's
//! change in and decides anew. So the games of a server that is killed go on wherever their players come to.

use super::announcement::{Announcement, Guests, Said, ServerName, heard};
use super::attendance::{host_of, tell_host};
use super::computers::Computers;
use super::game_id::GameId;
use super::hall::{Hall, HallError};
use super::to_host::ToHost;
use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep};
use torres_frame::WallTime;
use torres_store::{Announcements, Heard, Store};

/// How often a server says that it is there.
const ALIVE_EVERY: Duration = Duration::from_secs(2);
/// A server that was not heard for this long is gone, and so is whoever was there.
const LOST_AFTER: Duration = Duration::from_secs(6);
/// How long the database rests where it cannot be reached.
const REST: Duration = Duration::from_millis(500);

/// Announcements that may wait.
const WAITING: usize = 256;

/// Servers that were not there for this long are forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(30 * 24 * 3600);

/// Opens the hall: games that go on in the store go on here. Must be called on a runtime.
///
/// # Errors
/// The store failed, or this machine has no random numbers.
pub async fn open_hall(store: Store, computers: Computers) -> Result<Arc<Hall>, HallError> {
    let long_ago = WallTime::now().as_ms() - FORGOTTEN_AFTER.as_secs_f64() * 1e3;
    let announcements = store.announcements().await?;
    let hall = Arc::new(Hall::new(store, computers, announcements.is_some()).await?);
    hall.store().forget_servers(WallTime::from_ms(long_ago)).await?;
    let going_on = hall.store().games_going_on().await?;
    if let Some(announcements) = announcements {
        tokio::spawn(listen(Arc::downgrade(&hall), announcements));
    }
    for id in going_on {
        if let Ok(id) = GameId::try_from(id) {
            host_of(&hall, &id, hall.before());
        }
    }
    Ok(hall)
}

/// Hears the other servers and says that this one is there, as long as there is the hall.
async fn listen(hall: Weak<Hall>, announcements: Announcements) {
    let mut last_heard: HashMap<ServerName, Instant> = HashMap::new();
    let mut alive = interval(ALIVE_EVERY);
    alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (to_us, mut from_others) = mpsc::channel(WAITING);
    tokio::spawn(hear(announcements, to_us));
    loop {
        let next = tokio::select! {
            next = from_others.recv() => next,
            _ = alive.tick() => None,
        };
        let Some(hall) = hall.upgrade() else { return };
        match next {
            Some(Heard::Said(text)) => {
                if let Some(Announcement { from, said }) = heard(&text, hall.name()) {
                    last_heard.insert(from.clone(), Instant::now());
                    obey(&hall, from, said);
                }
            }
            // What was said meanwhile may have been anything.
            Some(Heard::Missed) => {
                hall.tell_all(|| ToHost::ChangedElsewhere { live: false });
                hall.announce(Said::WhoIsAt { game: None });
            }
            None => {
                hall.announce(Said::Alive);
                let lost = last_heard.extract_if(|_, at| at.elapsed() > LOST_AFTER);
                for (server, _) in lost {
                    tracing::warn!(server, "a server is gone");
                    forget(&hall, &server);
                }
            }
        }
    }
}

/// Hears what is said, for as long as somebody wants to know.
async fn hear(mut announcements: Announcements, to_us: mpsc::Sender<Heard>) {
    loop {
        match announcements.next().await {
            Ok(said) => {
                if to_us.send(said).await.is_err() {
                    return;
                }
            }
            Err(error) => {
                tracing::warn!("other servers cannot be heard: {error}");
                sleep(REST).await;
            }
        }
        if to_us.is_closed() {
            return;
        }
    }
}

fn obey(hall: &Arc<Hall>, from: ServerName, said: Said) {
    match said {
        Said::Changed { game } => tell_host(hall, &game, false, ToHost::ChangedElsewhere { live: true }),
        Said::Here { game, listed, guests } => {
            // A game of the list is followed here too, so that it stands in this server's.
            let start = listed && (guests.white.is_some() || guests.black.is_some());
            tell_host(hall, &game, start, ToHost::There { server: from, guests });
        }
        Said::WhoIsAt { game: Some(game) } => tell_host(hall, &game, false, ToHost::Announce),
        Said::WhoIsAt { game: None } => hall.tell_all(|| ToHost::Announce),
        Said::Alive => {}
        Said::Gone => forget(hall, &from),
    }
}

fn forget(hall: &Hall, server: &str) {
    hall.tell_all(|| ToHost::There {
        server: server.to_owned(),
        guests: Guests::default(),
    });
}
