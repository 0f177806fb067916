//! From the last look to mouse events: the guard, the gesture, and whether what it began with still holds when it ends.

use super::dropped::Dropped;
use super::{Driver, Ended, Moment, Progress};
use crate::aside::aside;
use crate::eye::{Eye, Shot, Stay};
use crate::gesture::Manner;
use crate::guard::Panel;
use crate::machine::{Aim, Event, LastLook, PauseReason};
use shakmaty::{Board, Move, Position, Square};
use torres_frame::{Frame, Timestamp};
use torres_geometry::{BoardPoint, DesktopPx, DesktopRect, InputPt};
use torres_mouse::{Gesture, Mouse, MouseError, Outcome, Release, StopFlag};

impl Driver<'_> {
    /// What a shot in which the board stands as this aim needs it says of all else: whether the board stays in its place, nothing
    /// lies over the squares to be clicked, and the panel still names the bot.
    pub(super) fn last_look(&mut self, aim: &Aim, shot: &Shot, moment: &mut Moment) -> LastLook {
        moment.panel = None;
        if shot.moved {
            return LastLook::BoardMoved;
        }
        if aim.needs_position()
            && let Some(square) = self.covered(&aim.squares(), &shot.board)
        {
            return LastLook::Covered(square);
        }
        let place = *self.eye.place();
        let eye = &mut self.eye;
        match self.guard.check(&place, &mut |region| eye.pixels(shot, region)) {
            // What is known and not confirmed yet may still be on its way.
            Ok(Panel::Same) if self.log.awaits_confirmation() => LastLook::Stirring,
            Ok(Panel::Same) => LastLook::Clear,
            Ok(Panel::Followed) => {
                moment.strange = true;
                (self.tell)(Progress::Note(
                    "the page was laid out anew; the opponent panel was found again",
                ));
                LastLook::PanelMoved
            }
            Err(refused) => {
                moment.strange = true;
                moment.panel = refused.seen;
                LastLook::PanelChanged {
                    why: refused.why,
                    may_settle: refused.may_settle,
                }
            }
        }
    }

    /// The first of these squares that something lies over: it leaves the belief of the square standing, but would take the click.
    fn covered(&mut self, squares: &[Square], frame: &Frame) -> Option<Square> {
        let covered = self.eye.covered(frame, self.machine.game().position().board());
        squares.iter().copied().find(|square| covered.contains(*square))
    }

    /// Does what was aimed at, once the last look has let it pass.
    pub(super) fn perform(&mut self, aim: Aim, poised: Timestamp, moment: &mut Moment) -> Option<Ended> {
        self.log.checked(&aim, self.eye.place(), self.guard.panel(), poised);
        match aim {
            Aim::Advise(advice) => self.advise(advice, moment),
            Aim::Enter { attempt, from, to } => {
                if let Some(seen) = &moment.last {
                    self.log.before_gesture(&seen.frame, seen.map);
                    if attempt.is_untouched() {
                        // With a piece on its way, nothing can be told from it later.
                        moment.untouched = (!attempt.hasty).then(|| (seen.frame.clone(), seen.map));
                    }
                }
                let make = |from, to| match attempt.manner {
                    Manner::Drag => Gesture::Drag { from, to },
                    Manner::ClickClick => Gesture::ClickClick { from, to },
                    Manner::Target => Gesture::Click(to),
                };
                let place = self.eye.place();
                self.gesture(&aim, (place.middle(from), place.middle(to)), make, moment)
            }
            Aim::Choose { offered, .. } => {
                self.gesture(&aim, (offered.at, offered.at), |at, _| Gesture::Click(at), moment)
            }
            Aim::Deselect { square, .. } => {
                let at = self.eye.place().middle(square);
                self.gesture(&aim, (at, at), |at, _| Gesture::Click(at), moment)
            }
        }
    }

    /// Shows a move to the user, who makes it.
    fn advise(&mut self, advice: Move, moment: &mut Moment) -> Option<Ended> {
        self.log.advised(advice);
        (self.tell)(Progress::Advice(&self.machine, advice, moment.thought));
        None
    }

    fn gesture(
        &mut self,
        aim: &Aim,
        (from, to): (BoardPoint, BoardPoint),
        make: impl Fn(InputPt, InputPt) -> Gesture,
        moment: &mut Moment,
    ) -> Option<Ended> {
        let Some(mouse) = &mut self.mouse else {
            let reason = PauseReason::Gesture("there is none".to_owned());
            return self.failed(aim, reason, moment);
        };
        let point = |at| mouse.point(self.eye.place().point(at));
        let gesture = make(point(from), point(to));
        let pieces = self.machine.game().position().board().clone();
        let mut held = None;
        let outcome = perform(mouse, &gesture, &self.stop, (&mut self.eye, &pieces, from), &mut held);
        moment.waking.hurry();
        match outcome {
            Ok(Outcome::Made(performed)) => {
                self.log.performed(aim, &gesture, &performed);
                moment.drop = match gesture {
                    Gesture::Drag { .. } => self.dropped(aim, held.as_ref(), performed.released_at),
                    _ => None,
                };
                self.feed(Event::Performed(performed.released_at), performed.released_at, moment)
            }
            Ok(Outcome::Withdrawn(performed)) => {
                // The page may show the piece over its target for a moment still.
                moment.drop = match aim {
                    Aim::Enter { attempt, .. } => Some(Dropped::put_back(attempt.played, performed.released_at)),
                    _ => None,
                };
                self.feed(Event::Withdrawn, Timestamp::now(), moment)
            }
            Err(MouseError::Stopped(reason)) => Some(Ended::Stopped(reason)),
            // What the user said waits to be obeyed.
            Err(MouseError::Paused) => None,
            Err(error) => self.failed(aim, PauseReason::Gesture(error.to_string()), moment),
        }
    }

    /// Takes the pointer off the board, if it lies there where Torres has put it: a user's hand is left alone.
    pub(super) fn take_aside(&mut self, moment: &mut Moment) -> Option<Ended> {
        let moved = match self.move_aside() {
            Ok(moved) => moved,
            Err(MouseError::Stopped(reason)) => return Some(Ended::Stopped(reason)),
            // What the user said waits to be obeyed; and a pointer that cannot be moved now is no reason to end a game.
            Err(_) => false,
        };
        if moved {
            moment.waking.hurry();
        }
        self.feed(Event::TakenAside(moved), Timestamp::now(), moment)
    }

    fn move_aside(&mut self) -> Result<bool, MouseError> {
        let Some(mouse) = &mut self.mouse else {
            return Ok(false);
        };
        let Some(pointer) = mouse.rests(&self.stop)? else {
            return Ok(false);
        };
        let (place, scale) = (self.eye.place(), mouse.scale());
        let clocks = self.calibration.clocks.iter();
        let clocks = clocks.flat_map(|clocks| [clocks.upper, clocks.lower]);
        let button = self.calibration.new_game.iter().map(|button| button.rect);
        let origin = DesktopPx {
            x: f64::from(place.client().x),
            y: f64::from(place.client().y),
        };
        let others = clocks.chain(button).map(|rect| rect.on_desktop(origin));
        let keep_off: Vec<DesktopRect> = others.chain([self.guard.panel()]).collect();
        let Some(at) = aside(&place.board(), place.client(), scale.desktop(pointer), &keep_off) else {
            return Ok(false);
        };
        let gesture = Gesture::MoveTo(mouse.point(at));
        let performed = mouse.perform(&gesture, &self.stop)?;
        self.log.taken_aside(&gesture, &performed);
        Ok(true)
    }

    fn failed(&mut self, aim: &Aim, reason: PauseReason, moment: &mut Moment) -> Option<Ended> {
        self.log.withheld(aim, &reason);
        self.feed(Event::Failed(reason), Timestamp::now(), moment)
    }

    /// The drag just performed; `held` is the last frame before the release.
    fn dropped(&self, aim: &Aim, held: Option<&Frame>, released: Timestamp) -> Option<Dropped> {
        let Aim::Enter { attempt, .. } = aim else {
            return None;
        };
        let held = held.map(|frame| self.eye.tracker().glimpse(frame, &attempt.played));
        Some(Dropped::after(attempt.played, held, released))
    }
}

/// Performs a gesture that begins at a point of the board that the eye sees. Before what ends it the board's place is looked at again: a board that has
/// moved takes the piece back where it was. `held` is the last frame before the end.
fn perform(
    mouse: &mut Mouse,
    gesture: &Gesture,
    stop: &StopFlag,
    (eye, pieces, from): (&mut Eye<'_>, &Board, BoardPoint),
    held: &mut Option<Frame>,
) -> Result<Outcome, MouseError> {
    let scale = mouse.scale();
    mouse.perform_watched(gesture, stop, || {
        let (stay, frame) = eye.stays(pieces);
        *held = frame;
        match stay {
            Stay::There => Release::Here,
            Stay::Moved | Stay::Gone => Release::Back(scale.input(eye.place().point(from))),
        }
    })
}
