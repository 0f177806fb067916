//! When a frame proves what became of our drag.
//!
//! While the button is down the page shows the piece over its target, and on many pages the board then looks just as
//! after the move; a moment after the release it may still look so, also when the page is about to refuse the drop and
//! put the piece back. So the frames right after a release prove nothing by themselves. There are two ways out.
//! *Evidence*: the page marks the move as the last one, in the way it is known to, and did not while the piece was held
//! in the same place. *Time*: on pages without such marks, a moment that is longer than any page needs to answer.
//!
//! A page that has not drawn anything since the release may not have taken the drop in. Where the pointer leaves the
//! board then, the piece may follow it.

use shakmaty::Move;
use std::time::Duration;
use torres_frame::{Frame, Timestamp};
use torres_vision::MoveSigns;

/// After this time a frame shows what became of the drop, marks or not. What became of a drag is on the screen 20 ms
/// after it (95th percentile), and the shortest way back for a refused piece is an animation of about as long.
const SHOWN_WITHIN: Duration = Duration::from_millis(60);

/// A page that still shows the piece on its way lags behind: by how much at most, where it is busy.
const LAGS: Duration = Duration::from_millis(500);

/// A drag whose button was just released.
#[derive(Clone, Debug)]
pub(super) struct DragResult {
    played: Move,
    released: Timestamp,
    /// The last frame before the release, if there was one.
    held: Option<Frame>,
    /// Marks would prove it: the piece was seen on its target with the button down, and the move was not marked.
    marks_count: bool,
    /// It was put back where it was taken.
    put_back: bool,
}

impl DragResult {
    /// From what the last frame before the release showed of the move, if there was one.
    pub fn after(played: Move, before_release: Option<MoveSigns>, released: Timestamp) -> DragResult {
        DragResult {
            played,
            released,
            held: None,
            // Without the piece on its target the page lags behind, and what it shows next may be the held piece still.
            marks_count: before_release.is_some_and(|before_release| before_release.arrived && !before_release.marked),
            put_back: false,
        }
    }

    /// The same with the last frame before the release.
    pub fn held_in(self, held: Option<Frame>) -> DragResult {
        DragResult { held, ..self }
    }

    /// A piece that was put back where it was taken: no frame proves that it has arrived.
    pub fn put_back(played: Move, released: Timestamp) -> DragResult {
        DragResult {
            put_back: true,
            ..DragResult::after(played, None, released)
        }
    }

    /// The move of the drag.
    pub fn played(&self) -> &Move {
        &self.played
    }

    /// Whether the page has drawn anything since the release, or had its time to: the pointer may leave the board.
    pub fn is_answered_by(&self, now: &Frame) -> bool {
        let has_drawn = self.held.as_ref().is_none_or(|held| held.image != now.image);
        has_drawn || now.at.since(self.released) >= LAGS
    }

    /// Whether a frame of that moment, which shows this of the move, shows what became of it.
    pub fn is_shown_by(&self, now: MoveSigns, at: Timestamp) -> bool {
        let proven = self.marks_count && now.arrived && now.marked;
        // A promotion's dialog lies over where the pawn went.
        let on_its_way = now.left && (self.put_back || now.awaited && !self.played.is_promotion());
        let since = at.since(self.released);
        proven || since >= LAGS || since >= SHOWN_WITHIN && !on_its_way
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};
    use shakmaty::{Role, Square};
    use torres_geometry::DesktopPx;

    const PLAYED: Move = Move::Normal {
        role: Role::Pawn,
        from: Square::D2,
        capture: None,
        to: Square::D4,
        promotion: None,
    };
    const RELEASED: Timestamp = Timestamp(Duration::from_secs(7));
    const UNMARKED: MoveSigns = MoveSigns {
        arrived: true,
        marked: false,
        left: true,
        awaited: false,
    };
    const MARKED: MoveSigns = MoveSigns {
        marked: true,
        ..UNMARKED
    };
    const ON_ITS_WAY: MoveSigns = MoveSigns {
        arrived: false,
        awaited: true,
        ..UNMARKED
    };
    const BACK: MoveSigns = MoveSigns {
        left: false,
        ..ON_ITS_WAY
    };

    /// Whether a frame so many milliseconds after the release is one.
    fn shown(drop: &DragResult, now: MoveSigns, ms: u64) -> bool {
        drop.is_shown_by(now, Timestamp(RELEASED.0 + Duration::from_millis(ms)))
    }

    fn after(before_release: Option<MoveSigns>) -> DragResult {
        DragResult::after(PLAYED, before_release, RELEASED)
    }

    #[test]
    fn marks_that_came_with_the_release_prove_the_drop() {
        assert!(shown(&after(Some(UNMARKED)), MARKED, 1));
        assert!(
            !shown(&after(Some(UNMARKED)), UNMARKED, 59),
            "a piece may be before_release there still"
        );
        assert!(!shown(&after(Some(UNMARKED)), ON_ITS_WAY, 59));
    }

    #[test]
    fn marks_that_a_held_piece_has_too_prove_nothing() {
        assert!(!shown(&after(Some(MARKED)), MARKED, 59));
    }

    #[test]
    fn a_page_that_lags_behind_is_given_its_time() {
        assert!(!shown(&after(Some(ON_ITS_WAY)), MARKED, 59));
        assert!(!shown(&after(None), MARKED, 59));
        assert!(shown(&after(None), MARKED, 60));
        assert!(shown(&after(None), BACK, 60), "the page has refused it, perhaps");
    }

    #[test]
    fn a_piece_between_its_squares_is_in_the_hand_still() {
        assert!(!shown(&after(Some(UNMARKED)), ON_ITS_WAY, 499));
        assert!(shown(&after(Some(UNMARKED)), ON_ITS_WAY, 500));
        let taken = MoveSigns {
            awaited: false,
            ..ON_ITS_WAY
        };
        assert!(shown(&after(None), taken, 60), "taken where it went");
    }

    #[test]
    fn a_piece_that_was_put_back_has_to_be_seen_there() {
        let drop = DragResult::put_back(PLAYED, RELEASED);
        assert!(!shown(&drop, UNMARKED, 499));
        assert!(shown(&drop, UNMARKED, 500));
        assert!(!shown(&drop, BACK, 59));
        assert!(shown(&drop, BACK, 60));
    }

    #[test]
    fn a_page_that_draws_nothing_has_not_taken_the_drop_in_until_it_had_its_time() {
        let frame = |shade, ms| Frame {
            image: RgbaImage::from_pixel(4, 4, Rgba([shade, 0, 0, 255])).into(),
            at: Timestamp(RELEASED.0 + Duration::from_millis(ms)),
            origin: DesktopPx { x: 0.0, y: 0.0 },
        };
        let drop = after(None).held_in(Some(frame(1, 0)));
        assert!(!drop.is_answered_by(&frame(1, 499)));
        assert!(drop.is_answered_by(&frame(1, 500)));
        assert!(drop.is_answered_by(&frame(2, 20)));
        assert!(after(None).is_answered_by(&frame(1, 20)), "nothing is known of before");
    }

    #[test]
    fn a_promotion_ends_under_its_dialog() {
        let played = Move::Normal {
            role: Role::Pawn,
            from: Square::D7,
            capture: None,
            to: Square::D8,
            promotion: Some(Role::Queen),
        };
        assert!(shown(&DragResult::after(played, None, RELEASED), ON_ITS_WAY, 60));
    }
}
