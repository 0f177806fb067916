//! What earlier moves taught about this board's animations.
//!
//! A live capture sees a piece again within milliseconds, and whether it rests is a matter of waiting for the next frame. A recording, or a
//! busy machine, may show a move in one frame only; then the moves seen before tell whether a piece can still be on its way: all
//! animations of a page take the same time, and many pages have none.

use crate::frame::Timestamp;
use shakmaty::{ByColor, Color, Move};
use std::time::Duration;

/// Frames at least this far apart are sparse: one more look at a moving piece may not come before the next move.
const SPARSE: Duration = Duration::from_millis(80);

/// So many moves of one side, none of which was ever seen under way, make a side whose moves are not animated: many pages animate
/// the opponent's moves and not the user's own.
const STILL_MOVES: u32 = 10;

/// So many moves seen under way tell how long that takes.
const MOVES: u32 = 2;

/// A motion that takes longer is a hand's, not an animation.
const LONGEST: Duration = Duration::from_millis(1000);

/// How moves came about so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Motions {
    last_frame: Option<Timestamp>,
    sparse: bool,
    /// Since when the picture differs from the last one understood.
    since: Option<Timestamp>,
    sides: ByColor<Side>,
    /// The longest time from the first frame of a motion to the frame in which it was over.
    longest: Duration,
}

/// Moves of one side believed so far.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    /// Seen under way.
    animated: u32,
    /// Seen at their end only.
    sudden: u32,
}

impl Motions {
    /// A frame has come.
    pub fn frame(&mut self, now: Timestamp) {
        self.sparse = self.last_frame.is_some_and(|last| now.since(last) >= SPARSE);
        self.last_frame = Some(now);
    }

    /// It is not understood: something may be moving.
    pub fn not_understood(&mut self, now: Timestamp) {
        self.since.get_or_insert(now);
    }

    /// It is understood, and shows what was believed before.
    pub fn nothing_moved(&mut self) {
        self.since = None;
    }

    /// It is understood, and shows the end of moves of which `turn` made the first.
    pub fn understood(&mut self, now: Timestamp, turn: Color, line: &[Move]) {
        let took = self.since.take().map_or(Duration::ZERO, |since| now.since(since));
        // Of several moves at once nobody knows which took how long.
        let [played] = line else { return };
        let side = self.sides.get_mut(turn);
        if took > LONGEST {
            return;
        }
        if !took.is_zero() {
            side.animated += 1;
            self.longest = self.longest.max(took);
        } else if matches!(played, Move::Normal { .. }) {
            // Captures in passing and castling are shown without an animation by pages that have one for other moves.
            side.sudden += 1;
        }
    }

    /// Whether the last frame came alone.
    pub fn are_sparse(&self) -> bool {
        self.sparse
    }

    /// Whether no piece of this side can be on its way any more in the last frame, one that came alone.
    pub fn are_over(&self, turn: Color) -> bool {
        let Some(now) = self.last_frame.filter(|_| self.sparse) else {
            return false;
        };
        let animated: u32 = self.sides.iter().map(|side| side.animated).sum();
        let side = self.sides.get(turn);
        match self.since {
            Some(since) => animated >= MOVES && now.since(since) >= self.longest,
            None => side.animated == 0 && side.sudden >= STILL_MOVES,
        }
    }
}
