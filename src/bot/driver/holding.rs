//! When the button of a drag is let go: not before the page shows that it has taken the press in.
//!
//! A page picks a piece up, or moves it, in its next animation frame, and takes a release before that for a click on
//! the piece's square. On a busy page that frame is late. So the button is held until one of the drag's squares has
//! changed since the press, on a page that is known to draw a held piece. Elsewhere a piece of the opponent's may still
//! be on its way.

use shakmaty::Square;
use std::time::Duration;
use torres_frame::{Frame, Timestamp};
use torres_geometry::BoardMap;
use torres_mouse::DRAG_SETTLE;
use torres_vision::differ::differs;

/// How long a page is given to show a press that it may not have taken in yet: a judgement. The button of a drag is held
/// for so long at most, on a page that has drawn a held piece before.
pub(super) const ANSWERED_WITHIN: Duration = Duration::from_secs(1);

/// How long a page is given at least to draw what follows the pointer: a judgement. The button is held for so long at
/// most on a page of which it is not known whether it draws a held piece.
pub(super) const DRAWN_WITHIN: Duration = Duration::from_millis(250);

/// A drag whose button is held over its target.
#[derive(Clone, Debug)]
pub(super) struct Holding {
    /// The board before the press.
    before: Frame,
    /// Where the drag begins and ends.
    ends: (Square, Square),
    /// When the pointer arrived.
    since: Timestamp,
    /// How long the button is held at most.
    at_most: Duration,
    /// Since when one of the squares is seen changed.
    drawn: Option<Timestamp>,
    looks: u32,
}

impl Holding {
    /// From the board before the press, where the drag begins and ends, and whether this page draws a held piece, as far
    /// as that is known.
    pub fn begin(before: Frame, ends: (Square, Square), draws_held: Option<bool>, since: Timestamp) -> Holding {
        let at_most = match draws_held {
            Some(true) => ANSWERED_WITHIN,
            Some(false) => Duration::ZERO,
            None => DRAWN_WITHIN,
        };
        Holding {
            before,
            ends,
            since,
            at_most,
            drawn: None,
            looks: 0,
        }
    }

    /// Whether the page has drawn something since the press.
    pub fn is_drawn(&self) -> bool {
        self.drawn.is_some()
    }

    /// Whether the button may be let go, in view of this frame.
    pub fn lets_go(&mut self, now: &Frame, map: &BoardMap) -> bool {
        self.looks += 1;
        if self.drawn.is_none() && shows_press(&self.before, now, map, self.ends) {
            self.drawn = Some(now.at);
            return self.looks == 1;
        }
        match self.drawn {
            // The piece may be picked up, and not be where the pointer is yet.
            Some(drawn) => now.at.since(drawn) >= DRAG_SETTLE,
            None => now.at.since(self.since) >= self.at_most,
        }
    }
}

/// Whether the page shows that it has taken in the press of a drag between these squares, compared with the board before.
pub(super) fn shows_press(before: &Frame, now: &Frame, map: &BoardMap, (from, to): (Square, Square)) -> bool {
    let changed = |square| differs((&before.image, map), (&now.image, map), square);
    changed(from) || changed(to)
}

/// Whether this page draws a held piece, from what was known before a drag and whether anything was drawn at it. One
/// that has drawn and now does not may have been busy for too long, or what was drawn before was no held piece.
pub(super) fn known_after(drawn: bool, before: Option<bool>) -> Option<bool> {
    match before {
        Some(true) if !drawn => None,
        _ => Some(drawn),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};
    use torres_geometry::{BoardRect, DesktopPx, Orientation};

    fn map() -> BoardMap {
        BoardMap {
            rect: BoardRect::new(0.0, 0.0, 160.0, 160.0).unwrap(),
            orientation: Orientation::White,
        }
    }

    /// A board on which a square is drawn otherwise.
    fn frame(drawn: Option<Square>, ms: u64) -> Frame {
        let mut image = RgbaImage::from_pixel(160, 160, Rgba([180, 140, 100, 255]));
        let middles = drawn.map(|square| map().center(square));
        for (middle, k) in middles.iter().flat_map(|middle| (0..100).map(move |k| (middle, k))) {
            image.put_pixel(
                middle.x as u32 - 5 + k % 10,
                middle.y as u32 - 5 + k / 10,
                Rgba([20, 20, 20, 255]),
            );
        }
        Frame {
            image: image.into(),
            at: Timestamp(Duration::from_millis(ms)),
            origin: DesktopPx { x: 0.0, y: 0.0 },
        }
    }

    /// When, in ms, the button is let go, with a look every 10 ms from 40 on, of a page that draws the piece then.
    fn let_go(draws_held: Option<bool>, drawn_at: u64) -> u64 {
        let_go_of(Square::E2, draws_held, drawn_at)
    }

    /// The same, where this square is drawn otherwise then.
    fn let_go_of(square: Square, draws_held: Option<bool>, drawn_at: u64) -> u64 {
        let ends = (Square::E2, Square::E4);
        let mut holding = Holding::begin(frame(None, 0), ends, draws_held, Timestamp::default());
        let mut looks = (40..).step_by(10);
        let drawn = |ms| (ms >= drawn_at).then_some(square);
        looks
            .find(|ms| holding.lets_go(&frame(drawn(*ms), *ms), &map()))
            .unwrap()
    }

    const NEVER: u64 = 100_000;

    #[test]
    fn a_piece_that_is_drawn_at_the_first_look_is_let_go() {
        for known in [None, Some(true), Some(false)] {
            assert_eq!(let_go(known, 20), 40);
        }
    }

    #[test]
    fn a_piece_that_is_drawn_late_is_held_until_then_and_two_frames_longer() {
        assert_eq!(let_go(Some(true), 600), 640);
        assert_eq!(let_go(None, 100), 140);
    }

    #[test]
    fn what_is_drawn_over_the_target_counts_and_what_moves_elsewhere_does_not() {
        assert_eq!(let_go_of(Square::E4, Some(true), 20), 40);
        assert_eq!(let_go_of(Square::E7, Some(true), 20), 1000);
    }

    #[test]
    fn a_page_that_draws_no_held_piece_any_more_is_waited_for_twice() {
        let drawn = [true, false, false, true];
        let known = drawn.iter().scan(None, |known, drawn| {
            *known = known_after(*drawn, *known);
            Some(*known)
        });
        assert_eq!(known.collect::<Vec<_>>(), [Some(true), None, Some(false), Some(true)]);
    }

    #[test]
    fn a_page_that_draws_nothing_is_not_waited_for_for_ever() {
        assert_eq!(let_go(Some(true), NEVER), 1000);
        assert_eq!(let_go(None, NEVER), 250);
        assert_eq!(let_go(Some(false), NEVER), 40);
    }
}
