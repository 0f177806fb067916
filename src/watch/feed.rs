//! Takes what happens in the game and passes it to the page. It costs next to nothing while no page is open.

use super::picture::Snapshot;
use super::state::{Finished, State};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use torres_bot::driver::Progress;
use torres_bot::eye::Observation;
use torres_chess::Side;
use torres_vision::{Reading, Tracker};

/// The shortest time between two pictures, and that between two of a board on which nothing changes.
const PICTURE_EVERY: Duration = Duration::from_millis(80);
const SAME_PICTURE_EVERY: Duration = Duration::from_secs(1);

/// What the pages and the feed share.
pub(super) struct Shared {
    state: Mutex<State>,
    /// Counts the changes of the state.
    pub changed: watch::Sender<u64>,
    pub picture: watch::Sender<Option<Arc<Snapshot>>>,
    /// Pages that are open.
    pub watching: AtomicUsize,
}

impl Shared {
    pub(crate) fn new() -> Arc<Shared> {
        Arc::new(Shared {
            state: Mutex::new(State {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                doing: "looking for the board".to_owned(),
                ..State::default()
            }),
            changed: watch::Sender::new(0),
            picture: watch::Sender::new(None),
            watching: AtomicUsize::new(0),
        })
    }

    /// The state; one that a panic left is as good as any.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// What a game begins with.
pub struct GameInfo {
    /// Its number in this run, from 1.
    pub number: u32,
    /// How many are to be played.
    pub of: u32,
    /// Our colour.
    pub color: Side,
    /// Who plays against us.
    pub opponent: String,
    /// The page that is played on.
    pub site: String,
}

/// Is told what happens; clones tell the same pages.
#[derive(Clone)]
pub struct WatchFeed {
    shared: Arc<Shared>,
    /// When the last picture was sent, and whether nothing had changed on it.
    pictured: Option<(Instant, bool)>,
}

impl WatchFeed {
    pub(super) fn new(shared: Arc<Shared>) -> WatchFeed {
        WatchFeed { shared, pictured: None }
    }

    /// Another game begins.
    pub fn game_begins(&mut self, game: GameInfo) {
        self.change(|state| {
            state.say(format!("game {} begins, against {}", game.number, game.opponent));
            (state.number, state.of) = (game.number, game.of);
            (state.opponent, state.site) = (game.opponent, game.site);
            state.color = Some(game.color);
            state.moves.clear();
            (state.thought, state.decision, state.paused) = (None, None, None);
            state.pondering = None;
        });
    }

    /// The driver tells something.
    pub fn tell(&mut self, progress: &Progress<'_>) {
        match progress {
            Progress::Observation(seen, tracker) => self.looked(seen, tracker),
            told => self.change(|state| state.take(told)),
        }
    }

    /// Something worth a line of the log.
    pub fn say(&mut self, text: &str) {
        self.change(|state| state.say(text.to_owned()));
    }

    /// A game is over.
    pub fn game_is_over(&mut self, game: Finished) {
        self.change(|state| {
            state.doing = format!("the game is over: {}", game.how);
            state.pondering = None;
            state.say(format!("game {}: {}", game.number, game.how));
            state.games.push(game);
        });
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.shared.state());
        self.shared.changed.send_modify(|count| *count += 1);
    }

    fn looked(&mut self, seen: &Observation, tracker: &Tracker) {
        let same = matches!(seen.reading, Reading::Unchanged);
        let due = self.pictured.is_none_or(|(last, was_same)| {
            let wait = if same && was_same {
                SAME_PICTURE_EVERY
            } else {
                PICTURE_EVERY
            };
            last.elapsed() >= wait
        });
        if self.shared.watching.load(Ordering::Relaxed) == 0 || !due {
            return;
        }
        self.pictured = Some((Instant::now(), same));
        let snapshot = Snapshot {
            reading: tracker.appearance().read(&seen.frame.image, &seen.map),
            frame: seen.frame.clone(),
            map: seen.map,
            said: said(&seen.reading),
        };
        self.shared.picture.send_replace(Some(Arc::new(snapshot)));
    }
}

fn said(reading: &Reading) -> &'static str {
    match reading {
        Reading::Unchanged => "nothing has changed",
        Reading::Moving => "something moves",
        Reading::Stands | Reading::Played(_) => "understood",
        Reading::Recalled(_) => "an earlier position",
        Reading::Unknown(_) => "not understood",
        Reading::Lost => "no board",
    }
}
