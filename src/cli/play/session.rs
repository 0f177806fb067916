//! What stays from game to game, and one game from its first look to its files.

use super::Args;
use super::folders::RunFolders;
use super::start;
use super::status::StatusText;
use crate::console::Console;
use crate::{CliError, Exit};
use torres_bot::clock::GameClock;
use torres_bot::commands::Commands;
use torres_bot::driver::{Driver, Progress};
use torres_bot::eye::Eye;
use torres_bot::game::Game;
use torres_bot::guard::{Guard, Panel};
use torres_bot::log::Log;
use torres_bot::machine::{Machine, Settings};
use torres_bot::next_game::NextGame;
use torres_bot::place::{BoardPlace, open_screen};
use torres_bot::recording::Recordings;
use torres_bot::site_clocks::SiteClocks;
use torres_bot::thinking::Thinking;
use torres_bot::unfinished::{self, Unfinished};
use torres_calibration::{Calibration, Choice, Hand as Moves, LiveError, Measured, Opponent, measure_mouse, path_of};
use torres_frame::{FrameSource, Timestamp};
use torres_geometry::{InputScale, Orientation};
use torres_journal::{Event, Journal};
use torres_mouse::{Hold, Mouse, MouseError, StopFlag};
use torres_screen::LiveScreen;
use torres_watch::{GameInfo, WatchFeed};

/// What comes after a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// The next one, or the end with this status.
    Next(Exit),
    /// The end with this status, also where more games were to come.
    End(Exit),
}

/// What stays the same from game to game.
pub(super) struct Session<'a> {
    pub(super) args: &'a Args,
    pub(super) folders: RunFolders,
    pub(super) calibration: Calibration,
    pub(super) opponent: Opponent,
    /// `None` where the hands are to be kept off the mouse.
    pub(super) hold: Option<&'a Hold>,
    pub(super) stop: StopFlag,
    pub(super) scale: Option<InputScale>,
    /// How the board takes moves, as far as is known by now.
    pub(super) moves: Moves,
    pub(super) console: Console,
    pub(super) commands: Commands,
    pub(super) thinking: Thinking,
    /// What reads the site's clocks.
    pub(super) clocks: SiteClocks,
    /// Who tells the watch page, where there is one.
    pub(super) feed: Option<WatchFeed>,
    /// Games begun in the journal.
    pub(super) games: u32,
    /// What that will be after this run; known with its first game.
    pub(super) games_in_all: Option<u32>,
    /// The last game begun before this run, where its program was ended before it was.
    pub(super) unfinished: Option<Unfinished>,
    pub(super) recordings: Recordings,
    /// What the user has clicked for promotions.
    pub(super) choices: Vec<Choice>,
    /// The button of the next game, where the user showed one.
    pub(super) next_game: Option<NextGame>,
    /// The window whose closing trips the stop flag.
    pub(super) guarded_window: Option<u32>,
}

/// The hand, before a game.
enum MouseReady {
    /// Ready; without a mouse where the user makes the moves.
    Ready(Option<Mouse>),
    /// The user wants a pause, or the end.
    Halted,
}

impl Session<'_> {
    pub(super) async fn game(&mut self, predecessor: start::Predecessor) -> Result<After, CliError> {
        let mut screen = open_screen(&self.calibration).map_err(CliError::failed)?;
        self.renew_opponent();
        let mut guard = Guard::new(&self.opponent, &self.calibration);
        let (place, game, tracker, mouse) = loop {
            let Some((place, game, tracker)) = self.await_start(&mut screen, predecessor).await? else {
                return Ok(After::End(Exit::Stopped));
            };
            // What the user said meanwhile is obeyed where the start is awaited.
            if let MouseReady::Ready(mouse) = self.hand(&mut screen, &mut guard, &place, &game)? {
                break (place, game, tracker, mouse);
            }
        };
        let control = self.args.control();
        let own = place.orientation().bottom();
        // What was left stands on the board again, perhaps a little further.
        let left = self.unfinished.take();
        let left = left.filter(|left| left.own == own && game.goes_on_from(&left.game));
        self.games += u32::from(left.is_none());
        let journal = Journal::open(&self.folders.out).map_err(|e| {
            CliError::failed(format!(
                "cannot write the journal in {}: {e}",
                self.folders.out.display()
            ))
        })?;
        let kept = serde_json::to_value(&self.calibration).unwrap_or_default();
        let mut log = Log::new(journal, kept, place.orientation());
        let clock = match left {
            Some(mut left) => {
                log.continued(&left.game, &game, &mut left.clock, Timestamp::now());
                self.record(true, &game, &mut log);
                self.console.line(&format!(
                    "going on with the game that was left after {} plies",
                    left.game.plies()
                ));
                left.clock
            }
            None => {
                log.write(Event::Started {
                    version: env!("CARGO_PKG_VERSION").to_owned(),
                    command: "play".to_owned(),
                    boot: torres_frame::boot_id(),
                });
                self.record(false, &game, &mut log);
                log.started(&game, unfinished::name(control), Some(self.folders.opponent()));
                GameClock::new(control)
            }
        };
        log.vouched(&self.opponent);
        let settings = Settings {
            move_ms: self.args.move_ms,
            plies: self.args.plies,
            hands_off: self.args.hands_off,
            ponder: !self.args.no_ponder,
            hand: self.moves,
            ..Settings::default()
        };
        self.thinking.new_game();
        self.clocks.new_game();
        let keys = if self.console.has_keys() {
            "   (p pauses, q ends)"
        } else {
            ""
        };
        self.console
            .line(&format!("playing {own} from {}{keys}", game.start_fen()));
        let began = jiff::Zoned::now();
        let mut told = StatusText::default();
        let others = (self.games - 1).saturating_add(self.args.games);
        let games_in_all = *self.games_in_all.get_or_insert(others);
        if let Some(feed) = &mut self.feed {
            feed.game_begins(GameInfo {
                number: self.games,
                of: games_in_all,
                color: Orientation::with_bottom(own),
                opponent: self.folders.opponent(),
                site: self
                    .calibration
                    .window
                    .as_ref()
                    .map_or_else(String::new, |w| w.title.clone()),
            });
        }
        let (console, mut feed) = (&mut self.console, self.feed.clone());
        let mut tell = |progress: Progress<'_>| {
            if let Some(feed) = &mut feed {
                feed.tell(&progress);
            }
            told.tell(console, &progress);
        };
        if let Some(button) = &mut self.next_game {
            button.game_begins();
        }
        let driver = Driver {
            calibration: &self.calibration,
            guard,
            file: path_of(&self.args.name),
            next_game: self.next_game.as_mut(),
            choices: &mut self.choices,
            eye: Eye::new(&self.calibration, screen, place, tracker),
            mouse,
            stop: self.stop.clone(),
            clocks: &mut self.clocks,
            thinking: &mut self.thinking,
            machine: Machine::new(game, clock, own, settings),
            log,
            commands: &mut self.commands,
            tell: &mut tell,
        };
        let (ended, machine, mut log) = driver.play().await;
        let looks = self.clocks.looks();
        if looks.made > 0 {
            log.write(Event::ClocksRead {
                looks: looks.made,
                read: looks.read,
            });
        }
        self.learn(machine.hand());
        self.finish(self.games, began, &ended, &machine, log)
    }

    /// Takes the second place in which the user has shown the same opponent since the last game.
    fn renew_opponent(&mut self) {
        let now = Calibration::load(&path_of(&self.args.name)).ok();
        let now = now.and_then(|now| now.opponent).filter(|now| now.declared_bot);
        if let Some(now) = now.filter(|now| now.picture == self.opponent.picture) {
            self.opponent.second = now.second;
        }
    }

    /// Keeps what the game has shown of the site for the games to come, in the calibration's file too: how its board takes moves (whether dragged or clicked not
    /// where --by says it), what was clicked for promotions, and its clocks' digits.
    fn learn(&mut self, now: Moves) {
        self.moves = now;
        let is_said = self.args.by.is_some();
        let of_hand = |file: Moves| Moves {
            takes: if is_said { file.takes } else { now.takes },
            deselects: if is_said { file.deselects } else { now.deselects },
            aside: now.aside,
            queens: now.queens,
            ..file
        };
        let moves = of_hand(self.calibration.hand) != self.calibration.hand;
        let known = self.calibration.clocks.as_ref();
        let clocks = match known.and_then(|clocks| clocks.digits.as_ref()) {
            Some(_) => None,
            None => self.clocks.learned(&self.calibration),
        };
        let choices = &self.choices[self.calibration.promotions.len()..];
        let what = [
            moves.then_some("how the board takes moves"),
            (!choices.is_empty()).then_some("what was clicked for a promotion"),
            clocks.as_ref().map(|_| "how to read the site's clocks"),
        ];
        let what: Vec<&str> = what.into_iter().flatten().collect();
        if what.is_empty() {
            return;
        }
        let path = path_of(&self.args.name);
        // What else the file says may have been changed meanwhile.
        let saved = Calibration::load(&path).and_then(|mut file| {
            file.hand = of_hand(file.hand);
            file.promotions.extend_from_slice(choices);
            file.clocks = clocks.clone().or(file.clocks);
            file.save(&path)
        });
        self.calibration.hand = of_hand(self.calibration.hand);
        self.calibration.promotions.clone_from(&self.choices);
        self.calibration.clocks = clocks.or(self.calibration.clocks.take());
        let what = what.join(", and ");
        self.console.line(&match saved {
            Ok(()) => format!("learned   kept in {}: {what}", path.display()),
            Err(error) => format!("note      not kept: {what}: {error}"),
        });
    }

    /// Opens the mouse, unless the user makes the moves; its scale is measured where the calibration does not have it.
    fn hand(
        &mut self,
        screen: &mut LiveScreen,
        guard: &mut Guard,
        place: &BoardPlace,
        game: &Game,
    ) -> Result<MouseReady, CliError> {
        let Some(hold) = self.hold else {
            return Ok(MouseReady::Ready(None));
        };
        let scale = match self.scale {
            Some(scale) => scale,
            None => match self.measure(hold, screen, guard, place, game)? {
                Some(scale) => *self.scale.insert(scale),
                None => return Ok(MouseReady::Halted),
            },
        };
        Ok(MouseReady::Ready(Some(hold.mouse(scale).map_err(CliError::failed)?)))
    }

    /// A calibration from a picture has no input scale: it is measured before the first move, panel checked, by a click where nobody says where
    /// the pointer is. `None` where the user wants a pause, or the end.
    fn measure(
        &mut self,
        hold: &Hold,
        screen: &mut LiveScreen,
        guard: &mut Guard,
        place: &BoardPlace,
        game: &Game,
    ) -> Result<Option<InputScale>, CliError> {
        let mut grab = |region| {
            screen.set_region(Some(region));
            screen.next_frame()
        };
        let refused = |why: &str| CliError::failed(format!("the opponent panel changed: {why}"));
        let mut checked = guard.check(place, &mut grab);
        if let Ok(Panel::Followed) = checked {
            checked = guard.check(place, &mut grab);
        }
        checked.map_err(|r| refused(&r.why))?;
        screen.set_region(Some(place.region()));
        let frame = screen.next_frame().map_err(CliError::failed)?;
        let map = place.map(&frame);
        let mut mouse = hold.mouse(InputScale::IDENTITY).map_err(CliError::failed)?;
        match measure_mouse(screen, &mut mouse, &self.stop, game.position(), &map, frame.origin) {
            Ok(Measured::Unknown) => Err(CliError::failed(
                "the mouse cannot be measured: a click on a piece changed nothing on the board; \
                 calibrate with --window while it is your turn",
            )),
            Ok(measured) => {
                let seen = measured.deselects();
                self.moves.deselects = self.moves.deselects.or(seen);
                Ok(measured.scale())
            }
            Err(LiveError::Mouse(MouseError::Stopped(_) | MouseError::Paused)) => Ok(None),
            Err(error) => Err(CliError::failed(error)),
        }
    }
}
