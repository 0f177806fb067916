//! Writes down what happens in all games: the one task that writes. What waits while it writes is written together
//! next.

use super::announcement::{Announcement, Said, ServerName};
use super::game_id::GameId;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use torres_frame::WallTime;
use torres_store::{KeptChange, MadeGame, Store};

/// How often it is kept that the server is alive, while a clock runs: a clock may be off by as much after a crash.
const ALIVE_EVERY: Duration = Duration::from_millis(300);
/// What is written together at most.
const TOGETHER: usize = 256;

/// Why something is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotKept {
    /// Another server was faster: what came first is to be looked at.
    Taken,
    /// The store failed.
    Failed,
}

/// Something to be kept.
struct Job {
    game: Option<MadeGame>,
    changes: Vec<KeptChange>,
    done: oneshot::Sender<Result<(), NotKept>>,
}

/// The way to the task.
#[derive(Clone, Debug)]
pub(super) struct Keeper {
    jobs: mpsc::Sender<Job>,
    /// How many games' clocks run.
    pub running: Arc<AtomicUsize>,
}

impl Keeper {
    /// Starts the task of the server of this name. It ends with the last of its clones.
    pub fn start(store: Store, name: ServerName) -> Keeper {
        let (jobs, inbox) = mpsc::channel(TOGETHER);
        let running = Arc::new(AtomicUsize::new(0));
        tokio::spawn(keep(store, name, inbox, Arc::clone(&running)));
        Keeper { jobs, running }
    }

    /// Keeps a game and changes; done once they are on disk, all of them, and what was to be kept before.
    pub async fn keep(&self, game: Option<MadeGame>, changes: Vec<KeptChange>) -> Result<(), NotKept> {
        let (done, kept) = oneshot::channel();
        let job = Job { game, changes, done };
        self.jobs.send(job).await.map_err(|_| NotKept::Failed)?;
        kept.await.unwrap_or(Err(NotKept::Failed))
    }
}

async fn keep(store: Store, name: ServerName, mut inbox: mpsc::Receiver<Job>, running: Arc<AtomicUsize>) {
    let mut jobs = Vec::new();
    let mut alive = tokio::time::interval(ALIVE_EVERY);
    alive.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            count = inbox.recv_many(&mut jobs, TOGETHER) => {
                if count == 0 {
                    return;
                }
                write(&store, &name, std::mem::take(&mut jobs)).await;
            }
            _ = alive.tick() => {
                // Where others share the store they lead this one's games on, and ask who was there.
                if (store.is_shared() || running.load(Ordering::Relaxed) > 0)
                    && let Err(error) = store.keep_alive(&name, WallTime::now()).await
                {
                    tracing::error!("{error}");
                }
            }
        }
    }
}

/// Writes jobs together; where that fails, each by itself, so that one that cannot be kept harms no other.
async fn write(store: &Store, name: &ServerName, jobs: Vec<Job>) {
    let now = WallTime::now();
    let games: Vec<MadeGame> = jobs.iter().filter_map(|job| job.game.clone()).collect();
    let changes: Vec<KeptChange> = jobs.iter().flat_map(|job| job.changes.iter().cloned()).collect();
    let told = announced(name, &changes);
    let together = store.keep_changes(&games, &changes, &told, now).await.is_ok();
    for job in jobs {
        let kept = match together {
            true => Ok(()),
            false => {
                let told = announced(name, &job.changes);
                let kept = store.keep_changes(job.game.as_slice(), &job.changes, &told, now).await;
                kept.map_err(|error| match error.is_taken() {
                    true => NotKept::Taken,
                    false => {
                        tracing::error!("{error}");
                        NotKept::Failed
                    }
                })
            }
        };
        // Nobody waits any more: nothing to tell.
        let _ = job.done.send(kept);
    }
}

/// What other servers are told of changes.
fn announced(name: &ServerName, changes: &[KeptChange]) -> Vec<String> {
    let games: BTreeSet<&str> = changes.iter().map(|change| change.game.as_str()).collect();
    let games = games
        .into_iter()
        .filter_map(|game| GameId::try_from(game.to_owned()).ok());
    games
        .map(|game| Announcement::text(name, Said::Changed { game }))
        .collect()
}
