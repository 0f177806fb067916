//! What a search is asked for, how it is told to stop, and what it answers.

use super::Move;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// One side's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left before its flag falls.
    pub remaining: Duration,
    /// What it gains with each move.
    pub increment: Duration,
}

/// Upper bounds of a search: the first reached ends it, absent ones do not count.
///
/// Whatever the bounds, the first iteration is completed, so that there is always a move to answer with. Without any
/// bound a search ends only by [`SearchControl::stop`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// White's clock.
    pub white: Option<Clock>,
    /// Black's clock.
    pub black: Option<Clock>,
    /// Moves until more time is added to the clocks; `None` when the clocks are for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes visited.
    pub nodes: Option<u64>,
    /// Stop when a mate in so many moves, or fewer, is found.
    pub mate: Option<u32>,
    /// Only these moves are thought about; all legal ones when none of them is.
    pub search_moves: Vec<Move>,
    /// Think until [`SearchControl::stop`]: the other bounds do not count.
    pub infinite: bool,
    /// Think on the opponent's time: the bounds count from [`SearchControl::ponder_hit`], and nothing is answered
    /// before that or [`SearchControl::stop`].
    pub ponder: bool,
}

/// The control of a running search, shared between the searching thread and whoever may end its thinking.
///
/// Cloning shares it. It serves one search: make a new one for the next, so that a late `stop` cannot end it.
#[derive(Clone, Debug, Default)]
pub struct SearchControl {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Looked at from the search's inner loop, hence outside the lock.
    stopped: AtomicBool,
    /// When the pondered move was played.
    ponder_hit: Mutex<Option<Instant>>,
    /// Rung at `stop` and `ponder_hit`.
    changed: Condvar,
}

impl SearchControl {
    /// The control of a search that has not begun.
    pub fn new() -> SearchControl {
        SearchControl::default()
    }

    /// Tells the search to answer now. It is heard within 10 ms, and also before the search has begun.
    pub fn stop(&self) {
        let _guard = self.lock();
        self.shared.stopped.store(true, Ordering::Relaxed);
        self.shared.changed.notify_all();
    }

    /// Whether [`stop`](Self::stop) was called.
    pub fn is_stopped(&self) -> bool {
        self.shared.stopped.load(Ordering::Relaxed)
    }

    /// The pondered move was played: the search's limits count from now. Only the first call counts.
    pub fn ponder_hit(&self) {
        self.lock().get_or_insert_with(Instant::now);
        self.shared.changed.notify_all();
    }

    /// When the pondered move was played, if it was.
    pub(super) fn ponder_hit_at(&self) -> Option<Instant> {
        *self.lock()
    }

    /// Sleeps until `stop`.
    pub fn wait_for_stop(&self) {
        self.wait_while(|_| !self.is_stopped());
    }

    /// Sleeps until `stop` or `ponder_hit`.
    pub fn wait_for_stop_or_hit(&self) {
        self.wait_while(|hit| hit.is_none() && !self.is_stopped());
    }

    fn wait_while(&self, mut condition: impl FnMut(&mut Option<Instant>) -> bool) {
        let guard = self.lock();
        drop(
            self.shared
                .changed
                .wait_while(guard, &mut condition)
                .unwrap_or_else(PoisonError::into_inner),
        );
    }

    fn lock(&self) -> MutexGuard<'_, Option<Instant>> {
        // The instant is whole whatever a panicking holder did.
        self.shared.ponder_hit.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A score from the side to move's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Moves (not plies) to mate; negative when being mated, 0 when mated already.
    Mate(i32),
}

/// How a search is going, reported after each completed iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// Completed depth in plies.
    pub depth: u32,
    /// Deepest ply visited.
    pub selective_depth: u32,
    /// 1 for the best line, more for the others when several are asked for.
    pub line: u32,
    /// From the side to move's view.
    pub score: Score,
    /// Nodes visited since the search began, by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the transposition table is with entries of this search, in thousandths.
    pub hash_full: u32,
    /// The line both sides are expected to play; never empty when there is a legal move.
    pub pv: Vec<Move>,
}

impl SearchInfo {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

/// A search's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The move to play; `None` when there is no legal one.
    pub best: Option<Move>,
    /// The reply to think about meanwhile.
    pub ponder: Option<Move>,
    /// From the side to move's view.
    pub score: Score,
    /// Last completed depth in plies.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
}
