//! The beginning of a game: the board is found, and the position on it is known.

use super::new_game::Clicking;
use super::session::Session;
use super::status::StatusText;
use crate::CliError;
use shakmaty::Color;
use std::time::Duration;
use tokio::time::Instant;
use torres_bot::commands::{Command, Said};
use torres_bot::driver::{PAUSE_ENDS, Progress};
use torres_bot::game::Game;
use torres_bot::game_finder::{GameFinder, Starts};
use torres_bot::look_timer::{LookTimer, Pace, Stillness};
use torres_bot::machine::PauseReason;
use torres_bot::next_game::NextGame;
use torres_bot::place::{BoardPlace, Lost};
use torres_frame::{FrameSource, Timestamp};
use torres_mouse::StopReason;
use torres_screen::{LiveScreen, when_closed};
use torres_vision::Tracker;
use torres_vision::join::NotJoined;

/// How long the board may take to be found and understood at the start.
const START_WITHIN: Duration = Duration::from_secs(20);
/// How long the next game's start position may take to appear.
const NEXT_GAME_WITHIN: Duration = Duration::from_secs(600);
/// What is wrong with a board that tells too little, and what helps.
const NO_START: &str = "the board shows neither a start position nor one a move or two later";
const BEGIN_ANEW: &str =
    "start a new game, say whose turn it is with --turn, or calibrate again with --fen on the position it shows";
/// A board that is not to be seen is looked for this often.
const SEARCH_EVERY: Duration = Duration::from_millis(250);

/// What was before the game that is about to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Predecessor {
    /// Nothing: Torres has just been started.
    First,
    /// A game that was played to its end.
    Next,
    /// A game whose board began another one, or showed so for a moment.
    Again,
}

impl Predecessor {
    /// Whether the game may have gone on without us.
    fn may_join(self) -> bool {
        self != Predecessor::Next
    }
}

impl Session<'_> {
    /// Waits for a board whose position is known; `None` when the user stopped it.
    pub(super) async fn await_start(
        &mut self,
        screen: &mut LiveScreen,
        predecessor: Predecessor,
    ) -> Result<Option<(BoardPlace, Game, Tracker)>, CliError> {
        let within = match predecessor {
            Predecessor::First => START_WITHIN,
            Predecessor::Next | Predecessor::Again => NEXT_GAME_WITHIN,
        };
        let button = self.next_game.clone().filter(|_| predecessor == Predecessor::Next);
        let mut clicking = Clicking::after_game(&self.calibration, &self.opponent);
        let mut began = Timestamp::now();
        let left = self.unfinished.as_ref().map(|left| left.game.clone());
        let starts = Starts::of(left, self.calibration.shown());
        let mut watched: Option<Watched> = None;
        let mut trouble = String::new();
        while Timestamp::now().since(began) < within {
            if self.stop.reason().is_some() {
                return Ok(None);
            }
            let Some(board) = &mut watched else {
                match BoardPlace::find(&self.calibration, screen) {
                    Ok(place) => {
                        self.stop_when_closed(&place);
                        watched = Some(Watched::at(place, screen));
                    }
                    Err(Lost::WindowGone(_)) if self.guarded_window.is_some() => {
                        self.stop.trip(StopReason::WindowClosed);
                    }
                    Err(error @ Lost::WindowGone(_)) => {
                        return Err(CliError::failed(format!("{error}; open the page that was calibrated")));
                    }
                    Err(error) => {
                        trouble = format!(
                            "{error}; open the page that was calibrated, with nothing over it (`torres calibrate {} --check` says what has changed)",
                            self.args.name
                        );
                        // A notice of the last game's end may hide the board, with the button of the next one in it.
                        if let Ok(place) = BoardPlace::presumed(&self.calibration, screen) {
                            self.click_for_next(&mut clicking, button.as_ref(), &place, screen)?;
                        }
                        tokio::select! {
                            biased;
                            _ = self.stop.tripped() => {}
                            said = self.commands.next() => began.0 += self.obey_between_games(said).await?,
                            () = tokio::time::sleep(SEARCH_EVERY) => {}
                        }
                    }
                }
                continue;
            };
            let time_is_up = tokio::time::sleep(within.saturating_sub(Timestamp::now().since(began)));
            tokio::select! {
                biased;
                _ = self.stop.tripped() => continue,
                said = self.commands.next() => {
                    began.0 += self.obey_between_games(said).await?;
                    // Whatever happened meanwhile, the board is looked at afresh.
                    watched = None;
                    continue;
                }
                () = board.timer.next() => {}
                () = time_is_up => continue,
            }
            let place = board.place;
            board.timer.looking_at(place.region());
            screen.set_region(Some(place.region()));
            let frame = screen.next_frame().map_err(CliError::failed)?;
            // What blinks or runs beside the board is no news of it.
            let changed = board.stillness.take(&place.board_alone(&frame));
            let finder = board.finder.get_or_insert_with(|| {
                let map = place.map(&frame);
                GameFinder::new(&starts, &self.calibration.look, map)
            });
            // Of a game that ended at its start the board shows what it would show of the next one.
            let is_another = match &button {
                Some(button) if button.comes_after_games() => clicking.is_gone(button, &place, screen),
                _ => true,
            };
            if is_another
                && let Some((game, tracker)) = finder.step(&frame)
                && game.end().is_none()
            {
                let place = place.with_orientation(tracker.map().orientation);
                return Ok(Some((place, game, tracker)));
            }
            trouble = format!("{NO_START}; {BEGIN_ANEW}");
            let pace = board.stillness.pace(frame.at);
            if pace == Pace::Resting {
                self.click_for_next(&mut clicking, button.as_ref(), &place, screen)?;
            }
            if predecessor.may_join() && pace == Pace::Resting {
                match finder.join(&frame, self.args.turn.map(Color::from)) {
                    Ok((game, tracker, joined)) => {
                        self.console.line(&format!(
                            "the game is joined in the middle; assumed: {}",
                            joined.assumed
                        ));
                        let place = place.with_orientation(tracker.map().orientation);
                        return Ok(Some((place, game, tracker)));
                    }
                    Err(NotJoined::Over) => trouble = "the game on the board is over; start a new one".to_owned(),
                    Err(why) => {
                        trouble =
                            format!("{NO_START}, and the game cannot be joined in the middle: {why}; {BEGIN_ANEW}");
                    }
                }
            }
            board.timer.looked(changed, pace, Instant::now());
            if place.confirmed(&frame, &self.calibration) != Some(place) {
                watched = None;
            }
        }
        Err(CliError::failed(trouble))
    }

    /// Clicks the button of the next game, if it is shown and to be clicked.
    fn click_for_next(
        &mut self,
        clicking: &mut Clicking,
        button: Option<&NextGame>,
        place: &BoardPlace,
        screen: &mut LiveScreen,
    ) -> Result<(), CliError> {
        let Some(button) = button.filter(|_| !self.args.hands_off) else {
            return Ok(());
        };
        if let Some(said) = clicking.click(button, place, screen, self.hold, self.scale, &self.stop)? {
            self.console.line(&said);
        }
        Ok(())
    }

    /// Obeys the user while no game is played: a pause lasts until somebody resumes. Returns how long it lasted.
    ///
    /// # Errors
    /// Nobody resumed.
    async fn obey_between_games(&mut self, said: Option<Said>) -> Result<Duration, CliError> {
        match said.map(|said| said.command) {
            Some(Command::Pause | Command::PauseOrResume) => {}
            Some(Command::Resume) | None => return Ok(Duration::ZERO),
        }
        let since = Timestamp::now();
        self.tell(&Progress::Paused {
            reason: &PauseReason::User,
            evidence: None,
        });
        let nobody = || CliError::failed("paused, and nobody resumed");
        loop {
            tokio::select! {
                biased;
                _ = self.stop.tripped() => break,
                said = self.commands.next() => match said.map(|said| said.command) {
                    Some(Command::Resume | Command::PauseOrResume) => break,
                    Some(Command::Pause) => {}
                    None => return Err(nobody()),
                },
                () = tokio::time::sleep(PAUSE_ENDS) => return Err(nobody()),
            }
        }
        self.tell(&Progress::Resumed);
        Ok(Timestamp::now().since(since))
    }

    /// Tells the user what goes on while no game is played.
    fn tell(&mut self, progress: &Progress<'_>) {
        if let Some(feed) = &mut self.feed {
            feed.tell(progress);
        }
        StatusText::default().tell(&mut self.console, progress);
    }

    /// All input is to stop in the moment in which the board's window is closed. Where the platform does not tell, the next look does.
    fn stop_when_closed(&mut self, place: &BoardPlace) {
        if let Some(window) = place.window().filter(|id| self.guarded_window != Some(*id)) {
            let stop = self.stop.clone();
            let _ = when_closed(window, move || stop.trip(StopReason::WindowClosed));
            self.guarded_window = Some(window);
        }
    }
}

/// A board on which a game is to begin.
struct Watched {
    place: BoardPlace,
    finder: Option<GameFinder>,
    stillness: Stillness,
    timer: LookTimer,
}

impl Watched {
    fn at(place: BoardPlace, screen: &LiveScreen) -> Watched {
        Watched {
            place,
            finder: None,
            stillness: Stillness::default(),
            timer: LookTimer::new(screen, place.region()),
        }
    }
}
