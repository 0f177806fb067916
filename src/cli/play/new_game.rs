//! The button that begins the next game: clicked once the board rests after a game, where it is seen as the user showed
//! it, while the opponent's panel is.

use crate::CliError;
use std::time::{Duration, Instant};
use torres_bot::beside_board::place_beside_board;
use torres_bot::guard::{Guard, Panel};
use torres_bot::next_game::{Found, NextGame};
use torres_bot::part::Grab;
use torres_bot::place::BoardPlace;
use torres_calibration::{Calibration, Opponent};
use torres_frame::FrameSource;
use torres_geometry::{BoardRect, DesktopPx, DesktopRect, InputScale};
use torres_mouse::{Gesture, Hold, MouseError, StopFlag};
use torres_screen::LiveScreen;

/// How long nothing is clicked after a game: a page that has just shown its end may put a dialog over it.
const AFTER_THE_GAME: Duration = Duration::from_millis(1500);
/// The board need not rest any longer than this after a game: what still moves, such as a king's square that pulses,
/// goes on for ever.
const MOVES_FOR_EVER: Duration = Duration::from_secs(6);
/// A click that began no game within this time is made again.
const BEGINS_WITHIN: Duration = Duration::from_secs(15);
/// A click may close a notice, and another one of the buttons that were shown come up: it is clicked after this time, and
/// looked for this often.
const ANOTHER_AFTER: Duration = Duration::from_millis(1500);
const ANOTHER_EVERY: Duration = Duration::from_millis(300);
/// The most clicks.
const CLICKS: u32 = 3;
/// How often, at most, a panel that was found elsewhere is asked for again there.
const LOOKS: u32 = 4;
/// How often the button is looked for where the board has begun to show the next game before it has gone.
const GONE_EVERY: Duration = Duration::from_millis(150);

/// What became of the button so far.
pub(super) struct Clicking {
    opponent: Guard,
    ended: Instant,
    due: Due,
    told: bool,
    /// Whether it was gone when it was looked for last, and when that was.
    gone: Option<(Instant, bool)>,
}

/// When which of the buttons is clicked.
struct Due {
    at: Instant,
    /// Which was clicked last, and when another one is looked for.
    last: Option<(usize, Instant)>,
    clicks: u32,
}

impl Due {
    fn after_game(now: Instant) -> Due {
        Due {
            at: now + AFTER_THE_GAME,
            last: None,
            clicks: 0,
        }
    }

    /// Whether a button is looked for; sooner where another one may have come up.
    fn is_time(&mut self, are_several: bool, now: Instant) -> bool {
        match &mut self.last {
            _ if self.clicks == CLICKS => false,
            Some((_, another)) if now < self.at && are_several && now >= *another => {
                *another = now + ANOTHER_EVERY;
                true
            }
            _ => now >= self.at,
        }
    }

    /// Whether this one may be clicked: another than the last, or that again, where it has begun no game.
    fn may_be(&self, nth: usize, now: Instant) -> bool {
        now >= self.at || self.last.is_some_and(|(last, _)| last != nth)
    }

    fn clicked(&mut self, nth: usize, now: Instant) {
        self.clicks += 1;
        (self.at, self.last) = (now + BEGINS_WITHIN, Some((nth, now + ANOTHER_AFTER)));
    }
}

impl Clicking {
    /// After a game.
    pub(crate) fn after_game(calibration: &Calibration, opponent: &Opponent) -> Clicking {
        let mut guard = Guard::new(opponent, calibration);
        // What stood beside the name as the game ended may still be there.
        guard.game_goes_on();
        Clicking {
            opponent: guard,
            ended: Instant::now(),
            due: Due::after_game(Instant::now()),
            told: false,
            gone: None,
        }
    }

    /// Whether the button has gone, so that what the board shows is another game: of one that was left at its start the
    /// board tells nothing.
    pub(crate) fn is_gone(&mut self, button: &NextGame, place: &BoardPlace, screen: &mut LiveScreen) -> bool {
        if let Some((looked, gone)) = self.gone
            && looked.elapsed() < GONE_EVERY
        {
            return gone;
        }
        let gone = matches!(button.find(place, &mut grabbing(screen)), Ok(None));
        self.gone = Some((Instant::now(), gone));
        gone
    }

    /// Whether it is clicked on a board that does not rest, too.
    pub(crate) fn waits_for_no_rest(&self) -> bool {
        self.ended.elapsed() >= MOVES_FOR_EVER
    }

    /// Clicks it, if it is time and all looks as it should. What the user is to be told, if anything.
    pub(crate) fn click(
        &mut self,
        button: &NextGame,
        place: &BoardPlace,
        screen: &mut LiveScreen,
        hold: Option<&Hold>,
        scale: Option<InputScale>,
        stop: &StopFlag,
    ) -> Result<Option<String>, CliError> {
        let now = Instant::now();
        let is_time = self.due.is_time(button.are_several(), now);
        let (Some(hold), Some(scale), true) = (hold, scale, is_time) else {
            return Ok(None);
        };
        let mut grab = grabbing(screen);
        if now < self.due.at {
            let another = button.find(place, &mut grab).ok().flatten();
            if !another.is_some_and(|found| self.due.may_be(found.nth, now)) {
                return Ok(None);
            }
        }
        if !self.names_the_opponent(place, &mut grab) {
            return Ok(self.refused("the opponent panel"));
        }
        let mut mouse = hold.mouse(scale).map_err(CliError::failed)?;
        let Ok(Some(Found { nth, lies, point })) = button.find(place, &mut grab) else {
            // It may have appeared under the pointer, beside the board or over it, and it is not known where.
            if !self.told {
                let aside = mouse.point(corner(&place.board(), None));
                match mouse.perform(&Gesture::MoveTo(aside), stop) {
                    Err(MouseError::Stopped(_) | MouseError::Paused) => return Ok(None),
                    performed => performed.map_err(CliError::failed)?,
                };
            }
            return Ok(self.refused("the new game's button"));
        };
        let aside = self.aside(place, point, lies);
        // A button looks otherwise under the pointer, and it may have to be known again.
        for gesture in [Gesture::Click(mouse.point(point)), Gesture::MoveTo(mouse.point(aside))] {
            match mouse.perform(&gesture, stop) {
                Err(MouseError::Stopped(_) | MouseError::Paused) => return Ok(None),
                performed => performed.map_err(CliError::failed)?,
            };
        }
        self.due.clicked(nth, Instant::now());
        Ok(Some("the button of the next game was clicked".to_owned()))
    }

    /// Whether the opponent's panel is seen, in its place or in another one where it is found again.
    fn names_the_opponent(&mut self, place: &BoardPlace, grab: Grab<'_>) -> bool {
        for _ in 0..LOOKS {
            match self.opponent.check(place, grab) {
                Ok(Panel::Same) => return true,
                Ok(Panel::Followed) => {}
                Err(_) => return false,
            }
        }
        false
    }

    /// Where the pointer goes from a button, which looks otherwise under it: beside the board, of which the square
    /// under it may look otherwise too.
    fn aside(&self, place: &BoardPlace, pointer: DesktopPx, button: DesktopRect) -> DesktopPx {
        let beside = place_beside_board(
            &place.board(),
            place.client(),
            pointer,
            &[button, self.opponent.panel()],
            None,
        );
        beside.unwrap_or_else(|| corner(&place.board(), Some(&button)))
    }

    /// Says once what is not as it was shown.
    fn refused(&mut self, name: &str) -> Option<String> {
        let first = !std::mem::replace(&mut self.told, true);
        first.then(|| {
            format!("{name} does not look as it was shown: nothing is clicked; waiting for the next game to begin")
        })
    }
}

/// A corner of the board, off a button that is known to lie somewhere: a notice with the button may lie over its
/// middle.
fn corner(board: &BoardRect, button: Option<&DesktopRect>) -> DesktopPx {
    let corner = |from_left: f64, from_top: f64| DesktopPx {
        x: board.x() + from_left * board.width(),
        y: board.y() + from_top * board.height(),
    };
    let side = board.width() / 8.0;
    let is_clear = |point: &DesktopPx| {
        let is_off = |value: f64, from: i32, length: u32| {
            value < f64::from(from) - side || value > f64::from(from) + f64::from(length) + side
        };
        button.is_none_or(|rect| is_off(point.x, rect.x, rect.width) || is_off(point.y, rect.y, rect.height))
    };
    let (lower_left, upper_right) = (corner(1.0 / 16.0, 15.0 / 16.0), corner(15.0 / 16.0, 1.0 / 16.0));
    Some(lower_left).filter(is_clear).unwrap_or(upper_right)
}

/// Takes parts of the screen as they are now.
fn grabbing(
    screen: &mut LiveScreen,
) -> impl FnMut(DesktopRect) -> Result<torres_frame::Frame, torres_frame::FrameError> {
    |region| {
        screen.set_region(Some(region));
        screen.next_frame()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_button_is_clicked_again_after_a_while_and_another_that_comes_up_sooner() {
        let ended = Instant::now();
        let after = |ms| ended + Duration::from_millis(ms);
        let mut due = Due::after_game(ended);
        assert!(!due.is_time(true, after(1400)), "a dialog may come up still");
        assert!(due.is_time(true, after(1500)) && due.may_be(0, after(1500)));
        due.clicked(0, after(1500));
        assert!(!due.is_time(true, after(2900)));
        assert!(due.is_time(true, after(3000)));
        assert!(due.may_be(1, after(3000)) && !due.may_be(0, after(3000)));
        assert!(!due.is_time(true, after(3100)), "it was looked for just now");
        assert!(!due.is_time(false, after(3400)), "there is no other one");
        assert!(due.is_time(false, after(16_500)) && due.may_be(0, after(16_500)));
        due.clicked(1, after(16_500));
        due.clicked(1, after(31_500));
        assert!(!due.is_time(true, after(100_000)), "three clicks are enough");
    }
}
