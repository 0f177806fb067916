//! What earlier moves taught about this board's animations.
//!
//! A live capture sees a piece again within milliseconds, and whether it rests is a matter of waiting for the next frame. A recording, or a
//! busy machine, may show a move in one frame only; then the moves seen before tell whether a piece can still be on its way: all
//! animations of a page take the same time, and many pages have none.

use crate::frame::Timestamp;
use std::time::Duration;

/// Frames at least this far apart are sparse: one more look at a moving piece may not come before the next move.
const SPARSE: Duration = Duration::from_millis(80);

/// So many moves that were never seen under way make a board that does not animate.
const STILL_MOVES: u32 = 8;

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
    /// Moves believed that were seen under way, and others.
    animated: u32,
    sudden: u32,
    /// The longest time from the first frame of a motion to the frame in which it was over.
    longest: Duration,
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

    /// It is understood, and shows a move or the position believed before.
    pub fn understood(&mut self, now: Timestamp, moved: bool) {
        let since = self.since.take();
        if !moved {
            return;
        }
        match since.map(|since| now.since(since)) {
            None | Some(Duration::ZERO) => self.sudden += 1,
            Some(took) if took <= LONGEST => {
                self.animated += 1;
                self.longest = self.longest.max(took);
            }
            Some(_) => {}
        }
    }

    /// Whether no piece can be on its way any more in the last frame, one that came alone.
    pub fn are_over(&self) -> bool {
        let Some(now) = self.last_frame.filter(|_| self.sparse) else {
            return false;
        };
        match self.since {
            Some(since) => self.animated >= MOVES && now.since(since) >= self.longest,
            None => self.animated == 0 && self.sudden >= STILL_MOVES,
        }
    }
}
