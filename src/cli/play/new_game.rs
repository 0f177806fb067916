//! The button that begins the next game: clicked once the board rests after a game, if it and the opponent's panel look as the user showed them.

use crate::bot::guard::{Guard, Panel};
use crate::bot::place::Place;
use crate::calibration::{Calibration, Opponent};
use crate::cli::CliError;
use crate::frame::FrameSource;
use crate::geometry::{DesktopRect, InputScale};
use crate::mouse::{Gesture, Hold, MouseError, StopFlag};
use crate::screen::LiveScreen;
use std::time::{Duration, Instant};

/// A page that has just shown a game's end may put a dialog over it: so long nothing is clicked.
const AFTER_THE_GAME: Duration = Duration::from_millis(1500);
/// A click that began no game within this time is made again.
const BEGINS_WITHIN: Duration = Duration::from_secs(15);
/// So many clicks at most.
const CLICKS: u32 = 3;

/// The button, and what became of it so far.
pub(super) struct NewGame {
    button: Guard,
    opponent: Guard,
    due: Instant,
    clicks: u32,
    told: bool,
}

impl NewGame {
    /// The button, if the user showed one.
    pub fn shown(calibration: &Calibration, opponent: &Opponent) -> Option<NewGame> {
        let button = calibration.new_game.as_ref()?;
        Some(NewGame {
            button: Guard::over(button.rect, &button.picture, calibration),
            opponent: Guard::new(opponent, calibration),
            due: Instant::now() + AFTER_THE_GAME,
            clicks: 0,
            told: false,
        })
    }

    /// Clicks it, if it is time and all looks as it should. What the user is to be told, if anything.
    pub fn click(
        &mut self,
        place: &Place,
        screen: &mut LiveScreen,
        hold: Option<&Hold>,
        scale: Option<InputScale>,
        stop: &StopFlag,
    ) -> Result<Option<String>, CliError> {
        let is_time = Instant::now() >= self.due && self.clicks < CLICKS;
        let (Some(hold), Some(scale), true) = (hold, scale, is_time) else {
            return Ok(None);
        };
        let mut grab = |region: DesktopRect| {
            screen.set_region(Some(region));
            screen.next_frame()
        };
        for (guard, name) in [
            (&mut self.opponent, "the opponent panel"),
            (&mut self.button, "the new game's button"),
        ] {
            if !matches!(guard.check(place, &mut grab), Ok(Panel::Same)) {
                let first = !std::mem::replace(&mut self.told, true);
                return Ok(first.then(|| {
                    format!(
                        "{name} does not look as it was shown: nothing is clicked; waiting for the next game to begin"
                    )
                }));
            }
        }
        let mut mouse = hold.mouse(scale).map_err(CliError::failed)?;
        let at = mouse.point(self.button.center());
        match mouse.perform(&Gesture::Click(at), stop) {
            Err(MouseError::Stopped(_) | MouseError::Paused) => return Ok(None),
            performed => performed.map_err(CliError::failed)?,
        };
        self.clicks += 1;
        self.due = Instant::now() + BEGINS_WITHIN;
        Ok(Some("the button of the next game was clicked".to_owned()))
    }
}
