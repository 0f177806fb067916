//! From an order to mouse events: the last look, the guard, the gesture.

use super::dropped::Dropped;
use super::{Driver, Ended, Moment, Progress};
use crate::bot::game::uci;
use crate::bot::gesture::Manner;
use crate::bot::guard::Panel;
use crate::bot::log::{kind_of, kind_of_click};
use crate::bot::machine::{Event, PauseReason, Phase, Purpose};
use crate::bot::place::Place;
use crate::bot::waking::LOOK_EVERY;
use crate::frame::{Frame, FrameSource, Timestamp};
use crate::journal::GestureKind;
use crate::mouse::{Gesture, Mouse, MouseError};
use crate::vision::Reading;
use shakmaty::{Move, Position, Square};
use std::time::Duration;

/// Before a gesture the board must stand as believed; what covers it may take so long to go away.
const STANDS_WITHIN: Duration = Duration::from_secs(5);

/// A page is laid out anew in so many steps at most.
const FOLLOWS: u32 = 4;

/// Why a gesture is not made now.
enum NotNow {
    /// It must not be made.
    Refused(PauseReason),
    /// The board shows that the game has gone on.
    Overtaken(Box<(Frame, Reading)>),
}

impl From<PauseReason> for NotNow {
    fn from(reason: PauseReason) -> NotNow {
        NotNow::Refused(reason)
    }
}

impl Driver<'_> {
    pub(super) fn enter(&mut self, from: Square, to: Square, manner: Manner, moment: &mut Moment) -> Option<Ended> {
        let points = |mouse: &Mouse, place: &Place| {
            let point = |s| mouse.point(place.center(s));
            let (from, to) = (point(from), point(to));
            match manner {
                Manner::Drag => Gesture::Drag { from, to },
                Manner::ClickClick => Gesture::ClickClick { from, to },
            }
        };
        let ordered = match self.machine.phase() {
            Phase::Acting(attempt, _) => uci(attempt.played),
            _ => format!("{from}{to}"),
        };
        self.gesture(kind_of(manner), ordered, &[from, to], points, moment)
    }

    pub(super) fn click(&mut self, square: Square, purpose: Purpose, moment: &mut Moment) -> Option<Ended> {
        let point = |mouse: &Mouse, place: &Place| Gesture::Click(mouse.point(place.center(square)));
        self.gesture(kind_of_click(purpose), square.to_string(), &[square], point, moment)
    }

    /// Looks, asks the guard, and only then moves the mouse.
    fn gesture(
        &mut self,
        kind: GestureKind,
        what: String,
        squares: &[Square],
        points: impl Fn(&Mouse, &Place) -> Gesture,
        moment: &mut Moment,
    ) -> Option<Ended> {
        self.log.entering(what);
        // While the dialog is open the board does not stand as before: it was seen open in this very look instead.
        let board_stands = kind != GestureKind::Promotion;
        if let Err(not) = self.may_act(board_stands, squares, moment) {
            return self.not_now(not, moment);
        }
        if matches!(kind, GestureKind::Drag | GestureKind::Clicks)
            && let Some((frame, _)) = &moment.last
        {
            self.log.before_gesture(frame, self.place.map(frame));
        }
        let Some(mouse) = &mut self.mouse else {
            let reason = PauseReason::Gesture("there is none".to_owned());
            return self.feed(Event::Refused(reason), Timestamp::now(), moment);
        };
        let gesture = points(mouse, &self.place);
        let region = self.place.region();
        let screen = &mut self.screen;
        let mut held = None;
        let performed = mouse.perform_watched(&gesture, &self.stop, || {
            screen.set_region(Some(region));
            held = screen.next_frame().ok();
        });
        match performed {
            Ok(performed) => {
                self.log.performed(kind, &gesture, &performed);
                moment.drop = (kind == GestureKind::Drag).then(|| self.dropped(held.as_ref()));
                moment.waking.hurry();
                self.feed(Event::Performed(performed.released_at), performed.released_at, moment)
            }
            Err(MouseError::Stopped(reason)) => Some(Ended::Stopped(reason)),
            Err(error) => {
                let reason = PauseReason::Gesture(error.to_string());
                self.log.refused(&reason);
                self.feed(Event::Refused(reason), Timestamp::now(), moment)
            }
        }
    }

    /// Shows a move to the user, who makes it; as with a gesture, the board must stand and the panel name the bot.
    pub(super) fn advise(&mut self, advice: Move, moment: &mut Moment) -> Option<Ended> {
        self.log.entering(uci(advice));
        if let Err(not) = self.may_act(true, &[], moment) {
            return self.not_now(not, moment);
        }
        self.log.advised(advice);
        (self.tell)(Progress::Advice(&self.machine, advice, moment.thought));
        None
    }

    fn not_now(&mut self, not: NotNow, moment: &mut Moment) -> Option<Ended> {
        if let Some(stopped) = self.stop.reason() {
            return Some(Ended::Stopped(stopped));
        }
        match not {
            NotNow::Refused(reason) => {
                self.log.refused(&reason);
                self.feed(Event::Refused(reason), Timestamp::now(), moment)
            }
            NotNow::Overtaken(seen) => self.overtaken(*seen, moment),
        }
    }

    /// The game had gone on before the gesture was made.
    fn overtaken(&mut self, (frame, reading): (Frame, Reading), moment: &mut Moment) -> Option<Ended> {
        let at = Timestamp::now();
        self.log.seen(&frame, &reading, self.tracker.map(), at);
        let orders = self.machine.on(Event::Overtaken(&reading), at);
        moment.last = Some((frame, reading));
        moment.waking.hurry();
        self.obey(orders, moment)
    }

    /// The drag just performed; `held` is the last frame before the release.
    fn dropped(&self, held: Option<&Frame>) -> Dropped {
        let Phase::Acting(attempt, _) = self.machine.phase() else {
            return Dropped::after(None);
        };
        Dropped::after(held.map(|frame| self.tracker.glimpse(frame, &attempt.played)))
    }

    /// The last look before a gesture: the board is where we will click, stands as believed, and the panel still names
    /// the bot. Nothing may lie over the squares to be clicked.
    fn may_act(&mut self, board_stands: bool, squares: &[Square], moment: &mut Moment) -> Result<(), NotNow> {
        let wished = Timestamp::now();
        let mut began = wished;
        let mut follows = 0;
        loop {
            if self.stop.reason().is_some() {
                return Err(PauseReason::User.into());
            }
            if !self.stands(board_stands, squares, began, moment)? {
                continue;
            }
            let screen = &mut self.screen;
            let mut grab = |region| {
                screen.set_region(Some(region));
                screen.next_frame()
            };
            match self.guard.check(&self.place, &mut grab) {
                Ok(Panel::Same) => {
                    let panel = self.guard.panel();
                    self.log.checked(&self.place, board_stands, panel, wished);
                    return Ok(());
                }
                // What was found once must be there at the next look too.
                Ok(Panel::Followed) => {
                    (self.tell)(Progress::Note(
                        "the page was laid out anew; the opponent panel was found again",
                    ));
                    // To look for it takes its time.
                    began = Timestamp::now();
                    follows += 1;
                    if follows > FOLLOWS {
                        return Err(PauseReason::Opponent("it does not stand still".to_owned()).into());
                    }
                }
                Err(refused) => {
                    let reason = PauseReason::Opponent(refused.why);
                    if refused.may_settle && continue_or(began, reason.clone()).is_ok() {
                        continue;
                    }
                    if let Some(panel) = &refused.seen {
                        self.log.guard_refused(panel);
                    }
                    return Err(reason.into());
                }
            }
        }
    }

    /// Looks once: whether the board is in its place and, if it has to, stands as believed. Not yet is an error when it has
    /// taken too long.
    fn stands(
        &mut self,
        as_believed: bool,
        squares: &[Square],
        began: Timestamp,
        moment: &mut Moment,
    ) -> Result<bool, NotNow> {
        self.screen.set_region(Some(self.place.region()));
        let frame = self.screen.next_frame().map_err(|_| PauseReason::BoardLost)?;
        match self.place.confirmed(&frame) {
            Some(place) => self.place = place,
            None => {
                // It may be on its way to another place; a window that is gone does not come back.
                if !self.find_again() && self.stop.reason().is_some() {
                    return Err(PauseReason::BoardLost.into());
                }
                continue_or(began, PauseReason::BoardLost)?;
                return Ok(false);
            }
        }
        if !as_believed {
            return Ok(true);
        }
        let map = self.place.map(&frame);
        if map.rect.distance(&self.tracker.map().rect) > 0.5 {
            self.tracker.moved_to(map);
        }
        let reading = self.tracker.step(&frame, self.machine.game().position());
        self.log.offer(&frame, &reading, &map);
        self.follow_turn(&reading);
        let stands = match &reading {
            Reading::Unchanged => true,
            Reading::Seen(sighting) => sighting.line.is_empty(),
            _ => false,
        };
        self.log.looked(&frame, &reading, &self.tracker);
        if !stands && matches!(reading, Reading::Seen(_) | Reading::Recalled(_)) {
            return Err(NotNow::Overtaken(Box::new((frame, reading))));
        }
        // What covers a square leaves the belief of it standing, but it would take the click.
        let covered = self.covered(squares, &frame);
        moment.last = Some((frame, reading));
        if !stands {
            continue_or(began, PauseReason::Unknown)?;
        } else if let Some(square) = covered {
            continue_or(began, PauseReason::Covered(square))?;
        }
        Ok(stands && covered.is_none())
    }

    /// The first of these squares that something lies over.
    fn covered(&mut self, squares: &[Square], frame: &Frame) -> Option<Square> {
        let board = self.machine.game().position().board();
        let covered = self.tracker.covered(frame, board);
        squares.iter().copied().find(|square| covered.contains(*square))
    }
}

/// Another look a little later, unless it has taken too long.
fn continue_or(began: Timestamp, reason: PauseReason) -> Result<(), NotNow> {
    if Timestamp::now().since(began) >= STANDS_WITHIN {
        return Err(reason.into());
    }
    std::thread::sleep(LOOK_EVERY);
    Ok(())
}
