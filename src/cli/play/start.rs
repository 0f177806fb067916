//! The beginning of a game: the board is found, and the position on it is known.

use super::new_game::Clicking;
use super::settings::Settings;
use super::user::User;
use crate::CliError;
use std::path::Path;
use std::time::{Duration, SystemTime};
use tokio::time::Instant;
use torres_bot::game::Game;
use torres_bot::game_finder::{GameFinder, Starts};
use torres_bot::look_timer::{LookTimer, Pace, Stillness};
use torres_bot::next_game::NextGame;
use torres_bot::place::{BoardPlace, Lost};
use torres_bot::played_color::PlayedColor;
use torres_calibration::{Calibration, Opponent};
use torres_frame::{Frame, FrameSource, Timestamp};
use torres_geometry::InputScale;
use torres_mouse::{Hold, StopReason};
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

    /// How long the game may take to begin.
    fn patience(self) -> Duration {
        match self {
            Predecessor::First => START_WITHIN,
            Predecessor::Next | Predecessor::Again => NEXT_GAME_WITHIN,
        }
    }
}

/// A game that can be played from here.
pub(super) struct Start {
    /// Where its board lies.
    pub place: BoardPlace,
    /// The moves already played.
    pub game: Game,
    /// Who has followed it so far.
    pub tracker: Tracker,
}

/// What a start is looked for with.
pub(super) struct StartSearch<'a> {
    pub settings: &'a Settings,
    /// The colour that Torres plays.
    pub own: PlayedColor,
    pub calibration: &'a Calibration,
    pub opponent: &'a Opponent,
    pub screen: &'a mut LiveScreen,
    pub user: &'a mut User,
    /// The mouse's lock and scale, as far as they are there: the button of the next game is clicked.
    pub mouse: (Option<&'a Hold>, Option<InputScale>),
    /// The button of the next game, where the user showed one; they may show it while it is waited for.
    pub button: &'a mut Option<NextGame>,
    /// When the file was written from which the button was taken; `None` before it was looked for there.
    pub written: Option<SystemTime>,
    /// The window whose closing trips the stop flag.
    pub guarded_window: &'a mut Option<u32>,
}

impl StartSearch<'_> {
    /// Waits for a board whose position is known; `None` when the user stopped it. `left` is a game that an earlier run
    /// did not end.
    pub(crate) async fn run(mut self, predecessor: Predecessor, left: Option<Game>) -> Result<Option<Start>, CliError> {
        if predecessor == Predecessor::Next {
            self.renew_button();
            self.tell_that_it_waits();
        }
        let starts = Starts::of(left, self.calibration.shown());
        let mut clicking = Clicking::after_game(self.calibration, self.opponent);
        let mut began = Timestamp::now();
        let mut watched: Option<Watched> = None;
        let mut trouble = String::new();
        while Timestamp::now().since(began) < predecessor.patience() {
            if self.user.stop.reason().is_some() {
                return Ok(None);
            }
            let Some(board) = &mut watched else {
                match self.find_board(&mut clicking, predecessor)? {
                    Ok(board) => watched = Some(board),
                    Err(why) => {
                        trouble = why;
                        began.0 += self.wait_for_board().await?;
                    }
                }
                continue;
            };
            let left = predecessor.patience().saturating_sub(Timestamp::now().since(began));
            tokio::select! {
                biased;
                _ = self.user.stop.tripped() => continue,
                said = self.user.commands.next() => {
                    began.0 += self.user.obey_between_games(said).await?;
                    // Whatever happened meanwhile, the board is looked at afresh.
                    watched = None;
                    continue;
                }
                () = board.timer.next() => {}
                () = tokio::time::sleep(left) => continue,
            }
            match self.look(board, &starts, &mut clicking, predecessor)? {
                Look::Start(start) => return Ok(Some(*start)),
                Look::Not(why) => trouble = why,
                Look::Elsewhere(why) => (trouble, watched) = (why, None),
            }
        }
        Err(CliError::failed(trouble))
    }

    /// Looks for the board on the screen; the inner error says why it is not found yet.
    fn find_board(
        &mut self,
        clicking: &mut Clicking,
        predecessor: Predecessor,
    ) -> Result<Result<Watched, String>, CliError> {
        match BoardPlace::find(self.calibration, self.screen) {
            Ok(place) => {
                self.stop_when_closed(&place);
                Ok(Ok(Watched::at(place, self.screen)))
            }
            Err(error @ Lost::WindowGone(_)) if self.guarded_window.is_some() => {
                self.user.stop.trip(StopReason::WindowClosed);
                Ok(Err(error.to_string()))
            }
            Err(error @ Lost::WindowGone(_)) => {
                Err(CliError::failed(format!("{error}; open the page that was calibrated")))
            }
            Err(error) => {
                // A notice of the last game's end may hide the board, with the button of the next one in it.
                if predecessor == Predecessor::Next
                    && let Ok(place) = BoardPlace::presumed(self.calibration, self.screen)
                {
                    self.click_for_next(clicking, &place)?;
                }
                Ok(Err(format!(
                    "{error}; open the page that was calibrated, with nothing over it (`torres calibrate {} --check` says what has changed)",
                    self.settings.name
                )))
            }
        }
    }

    /// Waits a little before the board is looked for again. Returns how long the user paused meanwhile.
    async fn wait_for_board(&mut self) -> Result<Duration, CliError> {
        tokio::select! {
            biased;
            _ = self.user.stop.tripped() => {}
            said = self.user.commands.next() => return self.user.obey_between_games(said).await,
            () = tokio::time::sleep(SEARCH_EVERY) => {}
        }
        Ok(Duration::ZERO)
    }

    /// Looks at the board once.
    fn look(
        &mut self,
        board: &mut Watched,
        starts: &Starts,
        clicking: &mut Clicking,
        predecessor: Predecessor,
    ) -> Result<Look, CliError> {
        let place = board.place;
        board.timer.looking_at(place.region());
        self.screen.set_region(Some(place.region()));
        let frame = self.screen.next_frame().map_err(CliError::failed)?;
        // What blinks or runs beside the board is no news of it.
        let changed = board.stillness.take(&place.board_alone(&frame));
        let finder = board
            .finder
            .get_or_insert_with(|| GameFinder::new(starts, &self.calibration.appearance, place.map(&frame), self.own));
        // Of a game that ended at its start the board shows what it would show of the next one.
        let follows = predecessor == Predecessor::Next;
        let is_another = match &*self.button {
            Some(button) if follows && button.comes_after_games() => clicking.is_gone(button, &place, self.screen),
            _ => true,
        };
        if is_another
            && let Some((game, tracker)) = finder.step(&frame)
            && game.end().is_none()
        {
            return Ok(Look::start(place, game, tracker));
        }
        let mut why = format!("{NO_START}; {BEGIN_ANEW}");
        let pace = board.stillness.pace(frame.at);
        if follows && (pace == Pace::Resting || clicking.waits_for_no_rest()) {
            self.click_for_next(clicking, &place)?;
        }
        if predecessor.may_join() && pace == Pace::Resting {
            why = match self.join(finder, &place, &frame) {
                Ok(start) => return Ok(start),
                Err(NotJoined::Over) => {
                    if self.settings.games > 1 {
                        self.click_for_next(clicking, &place)?;
                    }
                    "the game on the board is over; start a new one".to_owned()
                }
                Err(not) => format!("{NO_START}, and the game cannot be joined in the middle: {not}; {BEGIN_ANEW}"),
            };
        }
        board.timer.looked(changed, pace, Instant::now());
        Ok(match place.confirmed(&frame, self.calibration) == Some(place) {
            true => Look::Not(why),
            false => Look::Elsewhere(why),
        })
    }

    /// Joins a game in the middle; the error says why that is not possible.
    fn join(&mut self, finder: &GameFinder, place: &BoardPlace, frame: &Frame) -> Result<Look, NotJoined> {
        let (game, tracker, joined) = finder.join(frame, self.settings.turn)?;
        self.user.line(&format!(
            "the game is joined in the middle; assumed: {}",
            joined.assumed
        ));
        Ok(Look::start(*place, game, tracker))
    }

    /// Says after a game what the next one is waited for with.
    fn tell_that_it_waits(&mut self) {
        let advice = match &*self.button {
            Some(_) => String::new(),
            None if self.settings.hands_off => String::new(),
            None => format!(
                "; if a button of the page begins it, show it now, in another terminal: torres calibrate {} --new-game",
                self.settings.name
            ),
        };
        self.user.line(&format!("waiting for the next game{advice}"));
    }

    /// Takes the button that the user has shown since it was looked for last, in the last game perhaps. Of the one that
    /// is known it stays known when it comes.
    fn renew_button(&mut self) {
        let now = written(&self.settings.file);
        if now == self.written {
            return;
        }
        self.written = now;
        let file = Calibration::load(&self.settings.file).ok();
        if let Some(button) = file.as_ref().and_then(NextGame::of)
            && self.button.as_ref().is_none_or(|known| !known.is_same(&button))
        {
            *self.button = Some(button);
        }
    }

    /// Clicks the button of the next game, if it is shown and to be clicked.
    fn click_for_next(&mut self, clicking: &mut Clicking, place: &BoardPlace) -> Result<(), CliError> {
        self.renew_button();
        let Some(button) = self.button.as_ref().filter(|_| !self.settings.hands_off) else {
            return Ok(());
        };
        let (hold, scale) = self.mouse;
        if let Some(said) = clicking.click(button, place, self.screen, hold, scale, &self.user.stop)? {
            self.user.line(&said);
        }
        Ok(())
    }

    /// All input is to stop in the moment in which the board's window is closed. Where the platform does not tell, the
    /// next look does.
    fn stop_when_closed(&mut self, place: &BoardPlace) {
        if let Some(window) = place.window().filter(|id| *self.guarded_window != Some(*id)) {
            let stop = self.user.stop.clone();
            let _ = when_closed(window, move || stop.trip(StopReason::WindowClosed));
            *self.guarded_window = Some(window);
        }
    }
}

/// When a file was last written, as far as is known.
fn written(file: &Path) -> Option<SystemTime> {
    std::fs::metadata(file).and_then(|file| file.modified()).ok()
}

/// What a look at the board brings.
enum Look {
    /// A game that can be played.
    Start(Box<Start>),
    /// No game, and why.
    Not(String),
    /// No game, and why; the board is not where it was.
    Elsewhere(String),
}

impl Look {
    /// A game at this place, whichever way the board was found to be turned.
    fn start(place: BoardPlace, game: Game, tracker: Tracker) -> Look {
        let place = place.with_orientation(tracker.map().orientation);
        Look::Start(Box::new(Start { place, game, tracker }))
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
