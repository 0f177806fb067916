//! Whether the piece of a drag follows the pointer, on a board that may take clicks only.
//!
//! A piece that is gone from its square does. One that is still to be seen there may be a ghost that the page leaves
//! behind, and what is seen over its target a ghost that shows where it can go. So the pointer goes back to the piece's
//! square with the button down: a picture that follows the pointer changes with it, one that shows a selection does
//! not.
//!
//! Some pages begin a drag with the first motion of the pointer, and ask only the motions after it where the piece is:
//! the browser's own drag and drop, and the libraries that do the same. There a piece does not follow a pointer that
//! went to its target at once. So before a drag is given up it is made once more *in steps*: the pointer goes on beside
//! its target and back, a few times. Where the piece follows then, all drags are made so. A drag that is watched ends in
//! steps in any case: there are pages on which the piece follows and a drop at once is lost.

use super::holding::{ANSWERED_WITHIN, DRAWN_WITHIN, shows_press};
use shakmaty::Square;
use std::time::Duration;
use torres_frame::{Frame, Timestamp};
use torres_geometry::BoardMap;
use torres_vision::Appearance;
use torres_vision::differ::differs;

/// How many motions a drag in steps makes at its target. The browser's own drag and drop takes the second motion for
/// its place and answers to the third (`docs/platform.md`).
const STEPS: u8 = 4;

/// How long the pointer stays after each of them. With 34 ms a drop was lost, with 50 none.
const STEP: Duration = Duration::from_millis(60);

/// What the pointer does next, the button being down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pointer {
    /// It waits for another look.
    Stays,
    /// It goes back to where the piece stands.
    GoesBack,
    /// It goes to the target again.
    GoesOn,
    /// It goes to a place right beside where the piece is dropped.
    GoesBeside,
    /// It lets go of the button.
    LetsGo,
}

/// How far this is known of a drag.
#[derive(Clone, Debug)]
pub(super) struct Following {
    from: Square,
    to: Square,
    state: State,
    /// The drag is made in steps since one that is made at once may not do.
    needs_steps: bool,
    answer: Answer,
}

/// How soon the page has drawn anything on the drag's squares after the press.
#[derive(Clone, Debug)]
enum Answer {
    /// It has not yet; this was seen before the press, and the pointer arrived then.
    Awaited(Frame, Timestamp),
    /// So late.
    After(Duration),
    /// It draws nothing at a press, or it is not known.
    Unknown,
}

impl Answer {
    fn looks(&mut self, (now, map): (&Frame, &BoardMap), ends: (Square, Square)) {
        if let Answer::Awaited(before, since) = self {
            let waited = now.at.since(*since);
            if shows_press(before, now, map, ends) {
                *self = Answer::After(waited);
            } else if waited >= ANSWERED_WITHIN {
                *self = Answer::Unknown;
            }
        }
    }

    /// How long the pointer stays at either end: a page that needed time to draw anything at all is given twice that
    /// time.
    fn time_to_draw(&self) -> Duration {
        match self {
            Answer::Awaited(..) => ANSWERED_WITHIN,
            Answer::After(lag) => DRAWN_WITHIN.max(*lag * 2),
            Answer::Unknown => DRAWN_WITHIN,
        }
    }
}

#[derive(Clone, Debug)]
enum State {
    /// The pointer is over the target, since then.
    OverTarget(Timestamp),
    /// It goes to the target in steps: how many are left, when the last one was made, and what follows them.
    InSteps(u8, Timestamp, After),
    /// It has gone back since then; this was seen before, with it over the target.
    Back(Timestamp, Frame),
    /// The piece follows the pointer.
    Does,
    /// It does not.
    DoesNot,
}

/// What follows the steps of a drag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    /// It is not known yet whether the piece follows: the pointer goes back.
    Looks,
    /// The button is released.
    LetsGo,
}

impl Following {
    /// A drag between these squares begins now, and its piece has to be seen to follow. `before` is the board as it was
    /// seen last.
    pub fn begin((from, to): (Square, Square), before: Option<Frame>, now: Timestamp) -> Following {
        let state = State::OverTarget(now);
        let answer = match before {
            Some(before) => Answer::Awaited(before, now),
            None => Answer::Unknown,
        };
        Following {
            from,
            to,
            state,
            needs_steps: false,
            answer,
        }
    }

    /// The same, made in steps, whether its piece is seen to follow or not.
    pub fn in_steps((from, to): (Square, Square), now: Timestamp) -> Following {
        let state = State::InSteps(STEPS, now, After::LetsGo);
        Following {
            from,
            to,
            state,
            needs_steps: true,
            answer: Answer::Unknown,
        }
    }

    /// Whether the piece has not followed.
    pub fn has_not(&self) -> bool {
        matches!(self.state, State::DoesNot)
    }

    /// Whether the page has drawn something since the press.
    pub fn was_drawn(&self) -> bool {
        matches!(self.answer, Answer::After(_))
    }

    /// Whether the drag is made in steps since one that is made at once may not do: this was known before, or its piece
    /// was not seen to follow.
    pub fn needs_steps(&self) -> bool {
        self.needs_steps
    }

    /// What the pointer does after a frame of a board that appears like this.
    pub fn looks(&mut self, now: (&Frame, &BoardMap), appearance: &Appearance) -> Pointer {
        let (frame, map) = now;
        let square = appearance.read(&frame.image, map).squares[self.from];
        self.sees(now, square.content.is_none() && !square.doubtful)
    }

    /// The same, where the piece is gone from its square for certain, or not: one that is drawn larger while it is
    /// selected may look like nothing known.
    fn sees(&mut self, (frame, map): (&Frame, &BoardMap), is_gone: bool) -> Pointer {
        self.answer.looks((frame, map), (self.from, self.to));
        let time_to_draw = self.answer.time_to_draw();
        let has_time = |since: Timestamp| frame.at.since(since) < time_to_draw;
        let (next, pointer) = match &self.state {
            State::OverTarget(_) if is_gone => (State::InSteps(STEPS, frame.at, After::LetsGo), Pointer::Stays),
            State::OverTarget(since) if has_time(*since) => return Pointer::Stays,
            State::OverTarget(_) => (State::Back(frame.at, frame.clone()), Pointer::GoesBack),
            State::InSteps(_, since, _) if frame.at.since(*since) < STEP => return Pointer::Stays,
            State::InSteps(0, _, After::LetsGo) => (State::Does, Pointer::LetsGo),
            State::InSteps(0, since, After::Looks) if has_time(*since) => return Pointer::Stays,
            State::InSteps(0, _, After::Looks) => (State::Back(frame.at, frame.clone()), Pointer::GoesBack),
            State::InSteps(left, _, after) => {
                // The last one ends where the piece is dropped.
                let pointer = match left % 2 {
                    0 => Pointer::GoesBeside,
                    _ => Pointer::GoesOn,
                };
                (State::InSteps(left - 1, frame.at, *after), pointer)
            }
            State::Back(_, before) if differs((&before.image, map), (&frame.image, map), self.to) => {
                (State::InSteps(STEPS, frame.at, After::LetsGo), Pointer::GoesOn)
            }
            State::Back(since, _) if has_time(*since) => return Pointer::Stays,
            State::Back(..) if self.needs_steps => (State::DoesNot, Pointer::LetsGo),
            State::Back(..) => {
                self.needs_steps = true;
                (State::InSteps(STEPS, frame.at, After::Looks), Pointer::GoesOn)
            }
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

    /// What the pointer does after looks at these times, with something over the target or not, the piece gone or not;
    /// and whether it has not followed.
    fn does(seen: &[(u64, bool, bool)]) -> (Vec<Pointer>, bool) {
        does_after(None, seen)
    }

    /// The same, this being the board before the press.
    fn does_after(before: Option<Frame>, seen: &[(u64, bool, bool)]) -> (Vec<Pointer>, bool) {
        let mut following = Following::begin((Square::E2, Square::E4), before, Timestamp(Duration::ZERO));
        let mut look = |(ms, drawn, gone): &(u64, bool, bool)| following.sees((&frame(*ms, *drawn), &map()), *gone);
        let does = seen.iter().map(&mut look).collect();
        (does, following.has_not())
    }

    use Pointer::{GoesBack, GoesBeside, GoesOn, LetsGo, Stays};

    /// What the pointer does at a drag in steps, with a look every 60 ms after this time.
    const STEPPED: [Pointer; 4] = [GoesBeside, GoesOn, GoesBeside, GoesOn];

    /// Looks every 60 ms after this time, the piece over its target and gone from its square or not.
    fn looks_after(ms: u64, gone: bool) -> [(u64, bool, bool); 5] {
        [60, 120, 180, 240, 300].map(|later| (ms + later, true, gone))
    }

    #[test]
    fn a_piece_that_has_left_its_square_follows_whenever_that_is_seen_and_is_let_go_in_steps() {
        let looks = [&[(40, true, true)][..], &looks_after(40, true)];
        let expected = [&[Stays][..], &STEPPED, &[LetsGo]];
        assert_eq!(does(&looks.concat()), (expected.concat(), false));
        let late = [&[(40, false, false), (90, true, true)][..], &looks_after(90, true)];
        let expected = [&[Stays, Stays][..], &STEPPED, &[LetsGo]];
        assert_eq!(does(&late.concat()), (expected.concat(), false));
    }

    #[test]
    fn a_piece_that_leaves_a_ghost_behind_follows_where_it_goes_back_with_the_pointer() {
        let looks = [(40, true), (260, true), (300, true), (340, false)].map(|(ms, drawn)| (ms, drawn, false));
        let looks = [&looks[..], &looks_after(340, false)];
        let expected = [&[Stays, GoesBack, Stays, GoesOn][..], &STEPPED, &[LetsGo]];
        assert_eq!(does(&looks.concat()), (expected.concat(), false));
    }

    #[test]
    fn a_page_that_is_late_to_draw_anything_is_given_twice_that_time_from_then_on() {
        // The ghost is drawn after 400 ms, and follows the pointer 700 ms after it has gone back.
        let looks = [
            (390, false),
            (400, true),
            (799, true),
            (800, true),
            (1500, true),
            (1590, false),
        ];
        let looks = looks.map(|(ms, drawn)| (ms, drawn, false));
        let expected = vec![Stays, Stays, Stays, GoesBack, Stays, GoesOn];
        assert_eq!(does_after(Some(frame(0, false)), &looks), (expected, false));
    }

    #[test]
    fn a_page_that_draws_nothing_in_a_second_draws_nothing_at_a_press() {
        let looks = [
            (999, false, false),
            (1000, false, false),
            (1249, false, false),
            (1250, false, false),
        ];
        let expected = vec![Stays, GoesBack, Stays, GoesOn];
        assert_eq!(does_after(Some(frame(0, false)), &looks), (expected, false));
    }

    #[test]
    fn a_piece_that_follows_in_steps_only_is_dragged_in_steps() {
        // The pointer goes there and back, and nothing is drawn; then there in steps.
        let mut looks = vec![(260, false, false), (520, false, false)];
        looks.extend([580, 640, 700].map(|ms| (ms, false, false)));
        // Now the piece is over the target; and not when the pointer has gone back.
        looks.extend([(760, true, false), (1020, true, false), (1060, false, false)]);
        looks.extend([1130, 1190, 1250, 1310, 1370].map(|ms| (ms, true, false)));
        let expected = [
            &[GoesBack, GoesOn][..],
            &STEPPED,
            &[GoesBack, GoesOn],
            &STEPPED,
            &[LetsGo],
        ];
        assert_eq!(does(&looks), (expected.concat(), false));
    }

    #[test]
    fn a_drag_in_steps_ends_on_its_target_whatever_is_seen() {
        let mut following = Following::in_steps((Square::E2, Square::E4), Timestamp(Duration::ZERO));
        let mut look = |ms| following.sees((&frame(ms, false), &map()), true);
        assert_eq!(look(40), Stays);
        assert_eq!([60, 120, 180, 240].map(&mut look), STEPPED);
        assert_eq!((look(270), look(300)), (Stays, LetsGo));
    }

    #[test]
    fn a_piece_that_stays_while_the_pointer_goes_and_comes_does_not_follow_with_or_without_a_ghost_on_its_target() {
        for drawn in [false, true] {
            let looks = [40, 260, 300, 520, 580, 640, 700, 760, 1020, 1280].map(|ms| (ms, drawn, false));
            let expected = [&[Stays, GoesBack, Stays, GoesOn][..], &STEPPED, &[GoesBack, LetsGo]];
            assert_eq!(does(&looks), (expected.concat(), true));
        }
    }
}
