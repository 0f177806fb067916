//! When a frame proves what became of our drag.
//!
//! While the button is down the page shows the piece over its target, and on many pages the board then looks just as after the move;
//! a moment after the release it may still look so, also when the page is about to refuse the drop and put the piece back. So the frames
//! right after a release prove nothing by themselves. There are two ways out. *Evidence*: the page marks the move as the
//! last one, in the way it is known to, and did not while the piece was held in the same place. *Time*: on pages without
//! such marks, a moment that is longer than any page needs to answer.

use crate::frame::Timestamp;
use crate::vision::Glimpse;
use std::time::Duration;

/// After this time a frame shows what became of the drop, marks or not. What became of a drag is on the screen 20 ms after it
/// (95th percentile), and the shortest way back for a refused piece is an animation of about as long.
const SHOWN_WITHIN: Duration = Duration::from_millis(60);

/// A drag whose button was just released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dropped {
    released: Timestamp,
    /// Marks would prove it: the piece was seen on its target with the button down, and the move was not marked.
    marks_count: bool,
}

impl Dropped {
    /// From what the last frame before the release showed of the move, if there was one.
    pub fn after(held: Option<Glimpse>, released: Timestamp) -> Dropped {
        // Without the piece on its target the page lags behind, and what it shows next may be the held piece still.
        let marks_count = held.is_some_and(|held| held.arrived && !held.marked);
        Dropped { released, marks_count }
    }

    /// A piece that was put back where it was taken: no frame proves that it has arrived.
    pub fn put_back(released: Timestamp) -> Dropped {
        Dropped::after(None, released)
    }

    /// Whether a frame of that moment shows what became of it, whatever is marked.
    pub fn is_over(&self, at: Timestamp) -> bool {
        at.since(self.released) >= SHOWN_WITHIN
    }

    /// Whether a frame taken after the release proves that the page has taken the move.
    pub fn is_shown_by(&self, now: Glimpse) -> bool {
        self.marks_count && now.arrived && now.marked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RELEASED: Timestamp = Timestamp(Duration::from_secs(7));
    const UNMARKED: Glimpse = Glimpse {
        arrived: true,
        marked: false,
    };
    const MARKED: Glimpse = Glimpse {
        arrived: true,
        marked: true,
    };
    const ON_ITS_WAY: Glimpse = Glimpse {
        arrived: false,
        marked: false,
    };

    #[test]
    fn marks_that_came_with_the_release_prove_the_drop() {
        let drop = Dropped::after(Some(UNMARKED), RELEASED);
        assert!(drop.is_shown_by(MARKED));
        assert!(!drop.is_shown_by(UNMARKED), "a piece may be held there still");
        assert!(!drop.is_shown_by(ON_ITS_WAY));
    }

    #[test]
    fn marks_that_a_held_piece_has_too_prove_nothing() {
        assert!(!Dropped::after(Some(MARKED), RELEASED).is_shown_by(MARKED));
    }

    #[test]
    fn a_page_that_lags_behind_is_given_its_time() {
        assert!(!Dropped::after(Some(ON_ITS_WAY), RELEASED).is_shown_by(MARKED));
        assert!(!Dropped::after(None, RELEASED).is_shown_by(MARKED));
    }

    #[test]
    fn time_proves_a_drop_and_a_piece_that_was_put_back_too() {
        for drop in [Dropped::after(Some(MARKED), RELEASED), Dropped::put_back(RELEASED)] {
            assert!(!drop.is_shown_by(MARKED));
            assert!(!drop.is_over(Timestamp(RELEASED.0 + SHOWN_WITHIN - Duration::from_millis(1))));
            assert!(drop.is_over(Timestamp(RELEASED.0 + SHOWN_WITHIN)));
        }
    }
}
