//! Writes down what happens in all games: the one task that writes. What waits while it writes is written together next.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use torres_frame::WallTime;
use torres_store::{KeptChange, MadeGame, Store};

/// How often it is kept that the server is alive, while a clock runs: by so much a clock may be off after a crash.
const ALIVE_EVERY: Duration = Duration::from_millis(300);
/// What is written together at most.
const TOGETHER: usize = 256;
/// There is one server so far.
pub(super) const SERVER: &str = "one";

/// Something to be kept.
struct Job {
    game: Option<MadeGame>,
    changes: Vec<KeptChange>,
    done: oneshot::Sender<bool>,
}

/// The way to the task.
#[derive(Clone, Debug)]
pub(super) struct Keeper {
    jobs: mpsc::Sender<Job>,
    /// How many games' clocks run.
    pub running: Arc<AtomicUsize>,
}

impl Keeper {
    /// Starts the task. It ends with the last of its clones.
    pub fn start(store: Store) -> Keeper {
        let (jobs, inbox) = mpsc::channel(TOGETHER);
        let running = Arc::new(AtomicUsize::new(0));
        tokio::spawn(keep(store, inbox, Arc::clone(&running)));
        Keeper { jobs, running }
    }

    /// Keeps a game and changes; true once they are on disk, all of them.
    pub async fn keep(&self, game: Option<MadeGame>, changes: Vec<KeptChange>) -> bool {
        let (done, kept) = oneshot::channel();
        let job = Job { game, changes, done };
        self.jobs.send(job).await.is_ok() && kept.await.unwrap_or(false)
    }
}

async fn keep(store: Store, mut inbox: mpsc::Receiver<Job>, running: Arc<AtomicUsize>) {
    let mut jobs = Vec::new();
    let mut alive = tokio::time::interval(ALIVE_EVERY);
    alive.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            count = inbox.recv_many(&mut jobs, TOGETHER) => {
                if count == 0 {
                    return;
                }
                write(&store, std::mem::take(&mut jobs)).await;
            }
            _ = alive.tick() => {
                if running.load(Ordering::Relaxed) > 0
                    && let Err(error) = store.keep_alive(SERVER, WallTime::now()).await
                {
                    eprintln!("torres: {error}");
                }
            }
        }
    }
}

/// Writes jobs together; where that fails, each by itself, so that one that cannot be kept harms no other.
async fn write(store: &Store, jobs: Vec<Job>) {
    let now = WallTime::now();
    let games: Vec<MadeGame> = jobs.iter().filter_map(|job| job.game.clone()).collect();
    let changes: Vec<KeptChange> = jobs.iter().flat_map(|job| job.changes.iter().cloned()).collect();
    let together = store.keep_changes(&games, &changes, now).await.is_ok();
    for job in jobs {
        let kept = together
            || match store.keep_changes(job.game.as_slice(), &job.changes, now).await {
                Ok(()) => true,
                Err(error) => {
                    eprintln!("torres: {error}");
                    false
                }
            };
        // Nobody waits any more: nothing to tell.
        let _ = job.done.send(kept);
    }
}
