//! Whether the piece of a drag follows the pointer, on a board that may take clicks only.
//!
//! A piece that is gone from its square does. One that is still to be seen there may be a ghost that the page leaves behind, and what is seen over its
//! target a ghost that shows where it can go. So the pointer goes back to the piece's square with the button down: a picture that follows the pointer
//! changes with it, one that shows a selection does not.

use shakmaty::Square;
use std::time::Duration;
use torres_frame::{Frame, Timestamp};
use torres_geometry::BoardMap;
use torres_vision::Appearance;
use torres_vision::differ::differs;

/// How long the pointer stays at either end for the page to draw what follows it. A judgement: half of what a page lags behind at most. To a
/// page that lags for longer the drag becomes a click.
const DRAWN_WITHIN: Duration = Duration::from_millis(250);

/// What the pointer does next, the button being down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pointer {
    /// It waits for another look.
    Stays,
    /// It goes back to where the piece stands.
    GoesBack,
    /// It goes to the target again.
    GoesOn,
    /// It lets go of the button.
    LetsGo,
}

/// How far this is known of a drag.
#[derive(Clone, Debug)]
pub(super) struct Following {
    from: Square,
    to: Square,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    /// The pointer is over the target, since then.
    OverTarget(Timestamp),
    /// It has gone back since then; this was seen before, with it over the target.
    Back(Timestamp, Frame),
    /// The piece follows the pointer.
    Does,
    /// It does not.
    DoesNot,
}

impl Following {
    /// A drag between these squares begins now.
    pub fn begin((from, to): (Square, Square), now: Timestamp) -> Following {
        let state = State::OverTarget(now);
        Following { from, to, state }
    }

    /// Whether the piece has not followed.
    pub fn has_not(&self) -> bool {
        matches!(self.state, State::DoesNot)
    }

    /// What the pointer does after a frame of a board that appears like this.
    pub fn looks(&mut self, now: (&Frame, &BoardMap), appearance: &Appearance) -> Pointer {
        let (frame, map) = now;
        let square = appearance.read(&frame.image, map).squares[self.from];
        self.sees(now, square.content.is_none() && !square.doubtful)
    }

    /// The same, where the piece is gone from its square for certain, or not: one that is drawn larger while it is selected may look like nothing known.
    fn sees(&mut self, (frame, map): (&Frame, &BoardMap), is_gone: bool) -> Pointer {
        let has_time = |since: Timestamp| frame.at.since(since) < DRAWN_WITHIN;
        let (next, pointer) = match &self.state {
            State::OverTarget(_) if is_gone => (State::Does, Pointer::LetsGo),
            State::OverTarget(since) if has_time(*since) => return Pointer::Stays,
            State::OverTarget(_) => (State::Back(frame.at, frame.clone()), Pointer::GoesBack),
            State::Back(_, before) if differs((&before.image, map), (&frame.image, map), self.to) => {
                (State::Does, Pointer::GoesOn)
            }
            State::Back(since, _) if has_time(*since) => return Pointer::Stays,
            State::Back(..) => (State::DoesNot, Pointer::LetsGo),
            State::Does | State::DoesNot => return Pointer::LetsGo,
        };
        self.state = next;
        pointer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};
    use torres_geometry::{BoardRect, DesktopPx, Orientation};

    fn map() -> BoardMap {
        BoardMap {
            rect: BoardRect::new(0.0, 0.0, 400.0, 400.0).unwrap(),
            orientation: Orientation::White,
        }
    }

    /// So many ms after the drag began, something being drawn over its target or not.
    fn frame(ms: u64, drawn: bool) -> Frame {
        let mut image = RgbaImage::from_pixel(400, 400, Rgba([180, 140, 100, 255]));
        let middle = map().center(Square::E4);
        for (dx, dy) in (0..100).filter(|_| drawn).map(|k| (k % 10, k / 10)) {
            image.put_pixel(middle.x as u32 + dx, middle.y as u32 + dy, Rgba([20, 20, 20, 255]));
        }
        Frame {
            image: image.into(),
            at: Timestamp(Duration::from_millis(ms)),
            origin: DesktopPx { x: 0.0, y: 0.0 },
        }
    }

    /// What the pointer does after looks at these times, with something over the target or not, the piece gone or not; and whether it has not followed.
    fn does(seen: &[(u64, bool, bool)]) -> (Vec<Pointer>, bool) {
        let mut following = Following::begin((Square::E2, Square::E4), Timestamp(Duration::ZERO));
        let mut look = |(ms, drawn, gone): &(u64, bool, bool)| following.sees((&frame(*ms, *drawn), &map()), *gone);
        let does = seen.iter().map(&mut look).collect();
        (does, following.has_not())
    }

    use Pointer::{GoesBack, GoesOn, LetsGo, Stays};

    #[test]
    fn a_piece_that_has_left_its_square_follows_whenever_that_is_seen() {
        assert_eq!(does(&[(40, true, true)]), (vec![LetsGo], false));
        let late = [(40, false, false), (90, true, true)];
        assert_eq!(does(&late), (vec![Stays, LetsGo], false));
    }

    #[test]
    fn a_piece_that_leaves_a_ghost_behind_follows_where_it_goes_back_with_the_pointer() {
        let looks = [(40, true), (260, true), (300, true), (340, false), (400, true)];
        let looks = looks.map(|(ms, drawn)| (ms, drawn, false));
        assert_eq!(does(&looks), (vec![Stays, GoesBack, Stays, GoesOn, LetsGo], false));
    }

    #[test]
    fn a_piece_that_stays_while_the_pointer_goes_and_comes_does_not_follow_with_or_without_a_ghost_on_its_target() {
        for drawn in [false, true] {
            let looks = [40, 260, 300, 520].map(|ms| (ms, drawn, false));
            assert_eq!(does(&looks), (vec![Stays, GoesBack, Stays, LetsGo], true));
        }
    }
}
