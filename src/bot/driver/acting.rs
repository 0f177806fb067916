//! From the final check to mouse events: the guard, the gesture, and whether what it began with still holds when it
//! ends.

use super::drag_result::DragResult;
use super::following::{Following, Pointer};
use super::hanging::Hanging;
use super::holding::{Holding, known_after};
use super::{Driver, DriverState, Ended, Progress};
use crate::beside_board::place_beside_board;
use crate::eye::{BoardStatus, Eye, Shot};
use crate::gesture::Manner;
use crate::guard::Panel;
use crate::machine::{Aim, Event, FinalCheck, Machine, PauseReason};
use crate::opened::Surroundings;
use shakmaty::{Board, Move, Position, Square};
use std::time::Duration;
use torres_frame::{Frame, Timestamp};
use torres_geometry::{BoardPoint, DesktopPx, DesktopRect, InputPt};
use torres_mouse::{Gesture, Mouse, MouseError, Outcome, Performed, Release, StopFlag};

/// How far from the middle of a square, to the right and down, a piece is dropped, in 64ths of a square: 2 to 6 pixels.
/// Dropped on the very middle it need not move any more, and some pages wait for the end of that movement
/// (chessboard-element 1.2.0: the piece cannot be moved again).
const OFF_MIDDLE: i32 = 4;

/// How far beside the place of the drop the steps of a drag go, in 64ths of a square: 4 to 8 pixels.
const BESIDE: i32 = 6;

/// How long the pointer rests on the first of two clicks, where that is needed: programs that draw ten times a second get
/// to a click within a tenth of one, and twice that on a busy machine (a judgement).
const CLICK_REST: Duration = Duration::from_millis(200);

/// How long the pointer rests with the button down before a drag that is watched or made in steps: six frames at 60 Hz.
const PRESS_REST: Duration = Duration::from_millis(100);

impl Driver<'_> {
    /// What a shot in which the board stands as this aim needs it says of all else: whether the board stays in its
    /// place, nothing lies over the squares to be clicked, and the panel still names the bot.
    pub(super) fn final_check(&mut self, aim: &Aim, shot: &Shot, state: &mut DriverState) -> FinalCheck {
        state.panel = None;
        if shot.moved {
            return FinalCheck::BoardMoved;
        }
        if aim.needs_position()
            && let Some(square) = self.covered(aim, &shot.board)
        {
            return FinalCheck::Covered(square);
        }
        let place = *self.eye.place();
        let eye = &mut self.eye;
        match self.guard.check(&place, &mut |region| eye.pixels(shot, region)) {
            // What is known and not confirmed yet may still be on its way.
            Ok(Panel::Same) if self.log.awaits_confirmation() => FinalCheck::Stirring,
            Ok(Panel::Same) => FinalCheck::Clear,
            Ok(Panel::Followed) => {
                state.strange = true;
                (self.tell)(Progress::Note(
                    "the page was laid out anew; the opponent panel was found again",
                ));
                FinalCheck::PanelMoved
            }
            Err(refused) => {
                state.strange = true;
                state.panel = refused.seen;
                FinalCheck::PanelChanged {
                    why: refused.why,
                    may_settle: refused.may_settle,
                }
            }
        }
    }

    /// The first square of the aim that something lies over: it leaves the belief of the square standing, but would take
    /// the click. A piece that is dropped under a line, such as the arrow of the move before, clicks nothing there. What
    /// fills just the squares to which a selected piece may go is the page's mark of them.
    fn covered(&mut self, aim: &Aim, frame: &Frame) -> Option<Square> {
        let position = self.machine.game().position();
        let covered = self.eye.covered(frame, position.board());
        let mut hidden = covered.squares;
        if aim.selected_targets(position) == Some(covered.evenly) {
            hidden &= !covered.evenly;
        }
        let may_be_hit = |square: &Square| match aim.presses(*square) {
            true => hidden.contains(*square),
            false => (hidden & !covered.by_lines).contains(*square),
        };
        aim.squares().into_iter().find(may_be_hit)
    }

    /// Does what was aimed at, once the final check has let it pass.
    pub(super) fn perform(&mut self, aim: Aim, poised: Timestamp, state: &mut DriverState) -> Option<Ended> {
        self.log.checked(&aim, self.eye.place(), self.guard.panel(), poised);
        match aim {
            Aim::Advise(advice) => self.advise(advice, state),
            Aim::Enter { attempt, from, to } => {
                if let Some(seen) = &state.last {
                    self.log.before_gesture(&seen.frame, seen.map);
                    if attempt.is_untouched() {
                        // With a piece on its way, nothing can be told from it later.
                        state.untouched = (!attempt.hasty).then(|| (seen.frame.clone(), seen.map));
                    }
                }
                if attempt.played.is_promotion() && attempt.is_untouched() {
                    let around = self.eye.grab(self.around_window(&[])).ok();
                    let (window, client) = (self.eye.place().window(), self.eye.place().client());
                    state.around = around.map(|frame| Surroundings::new(frame, window, client));
                }
                let is_slow = self.machine.is_tried_out(&attempt) || self.machine.is_dragged_in_steps(&attempt);
                let rest = if is_slow { PRESS_REST } else { Duration::ZERO };
                let make = |from, to| match attempt.manner {
                    Manner::Drag => Gesture::Drag { from, to, rest },
                    Manner::ClickClick => Gesture::ClickClick { from, to },
                    Manner::Target => Gesture::Click(to),
                };
                let (from, to) = (self.eye.place().middle(from), self.eye.place().middle(to));
                let to = match attempt.manner {
                    Manner::Drag => off_middle(to),
                    Manner::ClickClick | Manner::Target => to,
                };
                self.gesture(&aim, (from, to), make, state)
            }
            Aim::Choose { offered, .. } => {
                self.gesture(&aim, (offered.at, offered.at), |at, _| Gesture::Click(at), state)
            }
            Aim::Deselect { square, .. } => {
                let at = self.eye.place().middle(square);
                self.gesture(&aim, (at, at), |at, _| Gesture::Click(at), state)
            }
        }
    }

    /// Shows a move to the user, who makes it.
    fn advise(&mut self, advice: Move, state: &mut DriverState) -> Option<Ended> {
        self.log.advised(advice);
        (self.tell)(Progress::Advice(&self.machine, advice, state.thought));
        None
    }

    fn gesture(
        &mut self,
        aim: &Aim,
        (from, to): (BoardPoint, BoardPoint),
        make: impl Fn(InputPt, InputPt) -> Gesture,
        state: &mut DriverState,
    ) -> Option<Ended> {
        let Some(mouse) = &mut self.mouse else {
            let reason = PauseReason::Gesture("there is none; make the moves yourself: --hands-off".to_owned());
            return self.failed(aim, reason, state);
        };
        let point = |at| mouse.point(self.eye.place().point(at));
        let gesture = make(point(from), point(to));
        let pieces = self.machine.game().position().board().clone();
        let before = state.last.as_ref().map(|seen| seen.frame.clone());
        let ends = match *aim {
            Aim::Enter { from, to, .. } => Some((from, to)),
            _ => None,
        };
        let rests = matches!(aim, Aim::Enter { attempt, .. } if self.machine.rests_between_clicks(attempt));
        let held = before.clone().zip(ends);
        let held = held.filter(|_| matches!(gesture, Gesture::Drag { .. }));
        let mut watch = Watch {
            ends: (from, to),
            following: following(&self.machine, aim, before.as_ref()),
            rests,
            clicked: None,
            holding: held.map(|(before, ends)| Holding::begin(before, ends, state.draws_held, Timestamp::now())),
            last: before,
        };
        let outcome = perform(mouse, &gesture, &self.stop, (&mut self.eye, &pieces), &mut watch);
        if let Some(holding) = &watch.holding {
            let drawn = holding.is_drawn() || watch.following.as_ref().is_some_and(Following::was_drawn);
            state.draws_held = known_after(drawn, state.draws_held);
        }
        state.timer.hurry();
        match outcome {
            Ok(Outcome::Made(performed)) => self.made(aim, &gesture, performed, watch, state),
            Ok(Outcome::Withdrawn(performed)) => self.withdrawn(aim, &gesture, performed, &watch, state),
            Err(MouseError::Stopped(reason)) => Some(Ended::Stopped(reason)),
            // What the user said waits to be obeyed.
            Err(MouseError::Paused) => None,
            Err(error) => self.failed(aim, PauseReason::Gesture(error.to_string()), state),
        }
    }

    /// The gesture was made.
    fn made(
        &mut self,
        aim: &Aim,
        gesture: &Gesture,
        performed: Performed,
        watch: Watch,
        state: &mut DriverState,
    ) -> Option<Ended> {
        self.log.performed(aim, gesture, &performed);
        if watch.following.is_some_and(|following| following.needs_steps()) {
            self.feed(Event::DraggedInSteps, performed.released_at, state);
        }
        state.drop = match gesture {
            Gesture::Drag { .. } => self.drag_result(aim, watch.last.as_ref(), performed.released_at),
            _ => None,
        };
        (state.undrawn, state.hanging) = (watch.last, Hanging::default());
        self.feed(Event::Performed(performed.released_at), performed.released_at, state)
    }

    /// The gesture was taken back to where it began.
    fn withdrawn(
        &mut self,
        aim: &Aim,
        gesture: &Gesture,
        performed: Performed,
        watch: &Watch,
        state: &mut DriverState,
    ) -> Option<Ended> {
        // The page may show the piece over its target for a moment still.
        state.drop = match aim {
            Aim::Enter { attempt, .. } => Some(DragResult::put_back(attempt.played, performed.released_at)),
            _ => None,
        };
        let event = match &watch.following {
            Some(following) if following.has_not() => {
                self.log.given_up(aim, gesture, &performed);
                Event::NotFollowed(performed.released_at)
            }
            _ => Event::Withdrawn,
        };
        self.feed(event, Timestamp::now(), state)
    }

    /// Takes the pointer off the board, but not before the page has answered the drag that was just made: its piece may
    /// follow the pointer still.
    pub(super) fn take_aside_after_the_drop(&mut self, state: &mut DriverState) -> Option<Ended> {
        state.aside = state.drop.clone();
        match state.aside {
            Some(_) => None,
            None => self.take_aside(state),
        }
    }

    /// Takes the pointer off the board, if it lies there where Torres has put it: a user's hand is left alone.
    pub(super) fn take_aside(&mut self, state: &mut DriverState) -> Option<Ended> {
        let left = match self.move_aside() {
            Ok(left) => left,
            Err(MouseError::Stopped(reason)) => return Some(Ended::Stopped(reason)),
            // What the user said waits to be obeyed; and a pointer that cannot be moved now is no reason to end a game.
            Err(_) => None,
        };
        if left.is_some() {
            state.timer.hurry();
        }
        state.left = left.zip(state.last.clone());
        self.feed(Event::TakenAside(left.is_some()), Timestamp::now(), state)
    }

    /// The square off which the pointer was taken, if it was.
    fn move_aside(&mut self) -> Result<Option<Square>, MouseError> {
        let Some(mouse) = &mut self.mouse else {
            return Ok(None);
        };
        let Some(pointer) = mouse.rests(&self.stop)? else {
            return Ok(None);
        };
        let (place, scale) = (self.eye.place(), mouse.scale());
        let clocks = self.calibration.clocks.iter();
        let clocks = clocks.flat_map(|clocks| [clocks.upper, clocks.lower]);
        let buttons = self.calibration.buttons().map(|button| button.rect);
        let origin = DesktopPx {
            x: f64::from(place.client().x),
            y: f64::from(place.client().y),
        };
        let others = clocks.chain(buttons).map(|rect| rect.on_desktop(origin));
        let keep_off: Vec<DesktopRect> = others.chain([self.guard.panel()]).collect();
        let (board, client, pointer) = (place.board(), place.client(), scale.desktop(pointer));
        let Some(left) = place.square_at(pointer) else {
            return Ok(None);
        };
        let page = self.eye.grab(client).ok();
        let Some(at) = place_beside_board(&board, client, pointer, &keep_off, page.as_ref()) else {
            return Ok(None);
        };
        let gesture = Gesture::MoveTo(mouse.point(at));
        let performed = mouse.perform(&gesture, &self.stop)?;
        self.log.taken_aside(&gesture, &performed);
        Ok(Some(left))
    }

    fn failed(&mut self, aim: &Aim, reason: PauseReason, state: &mut DriverState) -> Option<Ended> {
        self.log.refused(aim, &reason);
        self.feed(Event::Failed(reason), Timestamp::now(), state)
    }

    /// The drag just performed; `before_release` is the last frame before the release.
    fn drag_result(&self, aim: &Aim, before_release: Option<&Frame>, released: Timestamp) -> Option<DragResult> {
        let Aim::Enter { attempt, .. } = aim else {
            return None;
        };
        let signs = before_release.map(|frame| self.eye.tracker().move_signs(frame, &attempt.played));
        Some(DragResult::after(attempt.played, signs, released).held_in(before_release.cloned()))
    }
}

/// What is looked at before the end of a gesture.
struct Watch {
    /// Where the gesture begins and ends.
    ends: (BoardPoint, BoardPoint),
    /// Whether the piece of a drag follows the pointer, where that must be seen.
    following: Option<Following>,
    /// Whether the pointer rests between two clicks, and when the first was made.
    rests: bool,
    clicked: Option<Timestamp>,
    /// Whether the page has taken the press of a drag in.
    holding: Option<Holding>,
    /// The last frame before the end.
    last: Option<Frame>,
}

/// What is to be seen of the piece that is dragged, where that must be seen; `before` is the board before the press.
fn following(machine: &Machine, aim: &Aim, before: Option<&Frame>) -> Option<Following> {
    let Aim::Enter { attempt, from, to } = *aim else {
        return None;
    };
    let now = Timestamp::now();
    if machine.is_tried_out(&attempt) {
        Some(Following::begin((from, to), before.cloned(), now))
    } else if machine.is_dragged_in_steps(&attempt) {
        Some(Following::in_steps((from, to), now))
    } else {
        None
    }
}

/// Where a piece is dropped on a square with this middle.
fn off_middle(BoardPoint { x, y }: BoardPoint) -> BoardPoint {
    BoardPoint {
        x: x + OFF_MIDDLE,
        y: y + OFF_MIDDLE,
    }
}

/// Right beside where a piece is dropped: the next motion of the pointer leads back there.
fn beside(BoardPoint { x, y }: BoardPoint) -> BoardPoint {
    BoardPoint { x: x + BESIDE, y }
}

/// Performs a gesture. Before what ends it the board is looked at again: one that has moved takes the piece back where
/// it was, as does a piece that is to follow the pointer and does not.
fn perform(
    mouse: &mut Mouse,
    gesture: &Gesture,
    stop: &StopFlag,
    (eye, pieces): (&mut Eye<'_>, &Board),
    watch: &mut Watch,
) -> Result<Outcome, MouseError> {
    let scale = mouse.scale();
    mouse.perform_watched(gesture, stop, || {
        let now = Timestamp::now();
        if watch.rests && now.since(*watch.clicked.get_or_insert(now)) < CLICK_REST {
            return Release::Wait;
        }
        let (status, frame) = eye.stays(pieces);
        watch.last = frame;
        let (from, to) = watch.ends;
        let point = |at| Release::Back(scale.input(eye.place().point(at)));
        let back = off_middle(from);
        if status != BoardStatus::There {
            watch.following = None;
            return point(back);
        }
        let Some(frame) = &watch.last else {
            return Release::Here;
        };
        let map = eye.place().map(frame);
        let Some(following) = &mut watch.following else {
            let holding = watch.holding.as_mut();
            let lets_go = holding.is_none_or(|holding| holding.lets_go(frame, &map));
            return if lets_go { Release::Here } else { Release::Wait };
        };
        match following.looks((frame, &map), eye.tracker().appearance()) {
            Pointer::Stays => Release::Wait,
            Pointer::LetsGo => Release::Here,
            Pointer::GoesBack => point(back),
            Pointer::GoesOn => point(to),
            Pointer::GoesBeside => point(beside(to)),
        }
    })
}
