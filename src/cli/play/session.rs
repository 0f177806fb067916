//! What stays from game to game, and one game from its first look to its files.

use super::finish::{GameEnd, GameFiles};
use super::folders::RunFolders;
use super::settings::{Players, Settings};
use super::start::{Predecessor, Start, StartSearch};
use super::status::StatusText;
use super::user::User;
use crate::{CliError, Exit};
use shakmaty::Color;
use std::path::Path;
use torres_bot::clock::GameClock;
use torres_bot::driver::{Driver, Ended, Progress};
use torres_bot::eye::Eye;
use torres_bot::game::Game;
use torres_bot::guard::{Guard, Panel};
use torres_bot::log::Log;
use torres_bot::machine::Machine;
use torres_bot::next_game::NextGame;
use torres_bot::place::{BoardPlace, open_screen};
use torres_bot::played_color::PlayedColor;
use torres_bot::recording::{Recorded, RecordingStart, Recordings};
use torres_bot::site_clocks::SiteClocks;
use torres_bot::thinking::Thinking;
use torres_bot::unfinished::{self, LastGame, Unfinished};
use torres_calibration::{Calibration, LiveError, Measured, MoveInput, Opponent, PromotionChoice, measure_mouse};
use torres_frame::{FrameSource, Timestamp};
use torres_geometry::InputScale;
use torres_journal::event::Calibrated;
use torres_journal::{Event, Journal};
use torres_mouse::{Hold, Mouse, MouseError};
use torres_screen::LiveScreen;
use torres_watch::GameInfo;

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
    settings: Settings,
    folders: RunFolders,
    calibration: Calibration,
    opponent: Opponent,
    /// `None` where the hands are to be kept off the mouse.
    hold: Option<&'a Hold>,
    scale: Option<InputScale>,
    /// The colour that Torres plays.
    own: PlayedColor,
    /// How the board takes moves, as far as is known by now.
    move_input: MoveInput,
    user: User,
    thinking: Thinking,
    /// What reads the site's clocks.
    clocks: SiteClocks,
    /// Games begun in the journal.
    games: u32,
    /// What that will be after this run; known with its first game.
    games_in_all: Option<u32>,
    /// The last game begun before this run, where its program was ended before it was.
    unfinished: Option<Unfinished>,
    recordings: Recordings,
    /// What the user has clicked for promotions.
    choices: Vec<PromotionChoice>,
    /// The button of the next game, where the user showed one.
    next_game: Option<NextGame>,
    /// The window whose closing trips the stop flag.
    guarded_window: Option<u32>,
}

/// Whether a game can begin, as far as the mouse is concerned.
enum MouseReady {
    /// It can; without a mouse where the user makes the moves.
    Ready(Option<Mouse>),
    /// The user wants a pause, or the end.
    Halted,
}

impl<'a> Session<'a> {
    /// Before the first game; the folder's journal may know of one that was not ended.
    pub(crate) fn new(
        settings: Settings,
        players: Players,
        hold: Option<&'a Hold>,
        user: User,
        (folders, before): (RunFolders, LastGame),
    ) -> Session<'a> {
        let Players {
            calibration,
            opponent,
            engine,
        } = players;
        let known = calibration.move_input;
        Session {
            scale: calibration.input_per_pixel,
            own: settings.color.map_or_else(PlayedColor::default, PlayedColor::Stated),
            clocks: SiteClocks::new(&calibration),
            move_input: MoveInput {
                by: settings.by.unwrap_or(known.by),
                ..known
            },
            choices: calibration.promotions.clone(),
            next_game: NextGame::of(&calibration),
            recordings: Recordings::new(&folders.out, settings.record_mib.saturating_mul(1 << 20)),
            thinking: engine.thinking(settings.ponder),
            settings,
            folders,
            calibration,
            opponent,
            hold,
            user,
            games: before.games,
            games_in_all: None,
            guarded_window: None,
            unfinished: before.unfinished,
        }
    }

    /// One game, from the first look for its board to its files.
    pub(crate) async fn game(&mut self, predecessor: Predecessor) -> Result<After, CliError> {
        let mut screen = open_screen(&self.calibration).map_err(CliError::failed)?;
        self.renew_opponent();
        let mut guard = Guard::new(&self.opponent, &self.calibration);
        let (start, mouse) = loop {
            let left = self.unfinished.as_ref().map(|left| left.game.clone());
            let Some(start) = self.search(&mut screen).run(predecessor, left).await? else {
                return Ok(After::End(Exit::Stopped));
            };
            // What the user said meanwhile is obeyed where the start is awaited.
            if let MouseReady::Ready(mouse) = self.open_mouse(&mut screen, &mut guard, &start.place, &start.game)? {
                break (start, mouse);
            }
        };
        let Start { place, game, tracker } = start;
        let own = self.take_side(&place);
        let (log, clock) = self.open_log(&place, own, &game, &mut guard)?;
        self.announce(own, &game);
        self.thinking.new_game();
        self.clocks.new_game();
        if let Some(button) = &mut self.next_game {
            button.game_begins();
        }
        let began = jiff::Zoned::now();
        let more = self.games_in_all.is_some_and(|all| self.games < all);
        let play = self
            .settings
            .of_machine(self.move_input, more && self.next_game.is_some());
        let User {
            console,
            feed,
            commands,
            stop,
        } = &mut self.user;
        let mut status = StatusText::default();
        let mut tell = |progress: Progress<'_>| {
            if let Some(feed) = feed {
                feed.tell(&progress);
            }
            status.tell(console, &progress);
        };
        let driver = Driver {
            calibration: &self.calibration,
            guard,
            file: self.settings.file.clone(),
            next_game: &mut self.next_game,
            choices: &mut self.choices,
            eye: Eye::new(&self.calibration, screen, place, tracker),
            mouse,
            stop: stop.clone(),
            clocks: &mut self.clocks,
            thinking: &mut self.thinking,
            machine: Machine::new(game, clock, own, play),
            log,
            commands,
            tell: &mut tell,
        };
        let (ended, machine, log) = driver.play().await;
        self.learn(machine.move_input());
        self.finish(began, &ended, &machine, log)
    }

    /// The colour of the game that begins on this board; Torres stays on its side in those after it.
    fn take_side(&mut self, place: &BoardPlace) -> Color {
        self.own = self.own.after(place.orientation());
        self.own.on(place.orientation())
    }

    fn search<'b>(&'b mut self, screen: &'b mut LiveScreen) -> StartSearch<'b> {
        StartSearch {
            settings: &self.settings,
            own: self.own,
            calibration: &self.calibration,
            opponent: &self.opponent,
            screen,
            user: &mut self.user,
            mouse: (self.hold, self.scale),
            button: &mut self.next_game,
            written: None,
            guarded_window: &mut self.guarded_window,
        }
    }

    /// Begins the game's records and its clock, or goes on with those of a game that was left: its position stands on
    /// the board again, perhaps a little further.
    fn open_log(
        &mut self,
        place: &BoardPlace,
        own: Color,
        game: &Game,
        guard: &mut Guard,
    ) -> Result<(Log, GameClock), CliError> {
        let out = &self.folders.out;
        let journal = Journal::open(out)
            .map_err(|e| CliError::failed(format!("cannot write the journal in {}: {e}", out.display())))?;
        let calibration = serde_json::to_value(&self.calibration).unwrap_or_default();
        let mut log = Log::new(journal, calibration, place.orientation(), own);
        let left = self.unfinished.take();
        let left = left.filter(|left| left.own == own && game.goes_on_from(&left.game));
        self.games += u32::from(left.is_none());
        let clock = match left {
            Some(mut left) => {
                guard.game_goes_on();
                log.continued(&left.game, game, &mut left.clock, Timestamp::now());
                self.record(true, game, &mut log);
                self.user.line(&format!(
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
                self.record(false, game, &mut log);
                let control = self.settings.control;
                log.started(game, unfinished::name(control), Some(self.folders.opponent()));
                GameClock::new(control)
            }
        };
        log.write(Event::Calibrated(Calibrated {
            board: place.board().into(),
            bottom: place.orientation(),
            source: self.settings.file.display().to_string(),
        }));
        log.vouched(&self.opponent);
        Ok((log, clock))
    }

    /// Begins the recording of the present game, or of another part of one that goes on, and says where it is. A game
    /// is played without one, should it not be possible.
    fn record(&mut self, goes_on: bool, game: &Game, log: &mut Log) {
        let calibration = serde_json::to_value(&self.calibration).unwrap_or_default();
        let start = RecordingStart {
            number: self.games,
            goes_on,
            position: game.position(),
            bottom: log.bottom(),
            calibration: &calibration,
        };
        match self.recordings.begin(&start) {
            Ok(Some(recording)) => {
                let folder = self.folders.out.join(recording.name());
                let most = self.settings.record_mib;
                self.user.line(&format!(
                    "recording into {} (at most {most} MiB; --record-mib 0 turns it off)",
                    folder.display()
                ));
                log.record(recording);
            }
            Ok(None) => {}
            Err(error) => self.user.line(&format!("note      the game is not recorded: {error}")),
        }
    }

    /// Tells the user that the game begins.
    fn announce(&mut self, own: Color, game: &Game) {
        let keys = if self.user.console.has_keys() {
            "   (p pauses, q ends)"
        } else {
            ""
        };
        self.user
            .line(&format!("playing {own} from {}{keys}", game.start_fen()));
        let others = (self.games - 1).saturating_add(self.settings.games);
        let games_in_all = *self.games_in_all.get_or_insert(others);
        if let Some(feed) = &mut self.user.feed {
            let window = self.calibration.window.as_ref();
            feed.game_begins(GameInfo {
                number: self.games,
                of: games_in_all,
                color: own.into(),
                opponent: self.folders.opponent(),
                site: window.map_or_else(String::new, |window| window.title.clone()),
            });
        }
    }

    /// Writes the game's files and tells the user how it ended.
    fn finish(
        &mut self,
        began: jiff::Zoned,
        ended: &Ended,
        machine: &Machine,
        mut log: Log,
    ) -> Result<After, CliError> {
        let looks = self.clocks.looks();
        if looks.made > 0 {
            log.write(Event::ClocksRead {
                looks: looks.made,
                read: looks.read,
            });
        }
        let end = GameEnd::of(ended, machine);
        end.write_to(&mut log, ended, machine);
        let files = GameFiles {
            folders: &self.folders,
            settings: &self.settings,
            calibration: &self.calibration,
            number: self.games,
            own: machine.own(),
        };
        // The result is kept first and told last: whatever else cannot be written, the result shall be.
        let kept = files.append_result(began.clone(), &end, machine, log.plies());
        let pgn = files.write_pgn(began, &end, machine, log.plies())?;
        let pictures = files.write_pictures(&log, &end)?;
        let recorded = log.end_recording(&mut self.recordings);
        log.settle();
        let finished = files.finished(&end, &pictures);
        self.tell_end(&end, machine, &log, (&pgn, recorded.as_ref()));
        if let Some(feed) = &mut self.user.feed {
            feed.game_is_over(finished);
        }
        kept?;
        Ok(match ended {
            Ended::Game(_) => After::Next(Exit::Done),
            Ended::Abandoned => After::Next(Exit::Found),
            Ended::Paused(_) => After::End(Exit::Found),
            Ended::Stopped(_) => After::End(Exit::Stopped),
        })
    }

    /// Says at the terminal how the game ended, and where its files are.
    fn tell_end(&mut self, end: &GameEnd, machine: &Machine, log: &Log, (pgn, recorded): (&Path, Option<&Recorded>)) {
        let landings = log.landings();
        self.user.line(&format!("result    {}", end.how));
        self.user.line(&format!("plies     {}", machine.game().plies()));
        self.user.line(&format!(
            "own moves {} landed at first try, {} after a retry, {} otherwise",
            landings.first_try, landings.after_retry, landings.other
        ));
        self.user.line(&format!("game      {}", pgn.display()));
        if let Some(recorded) = recorded {
            self.tell_recorded(recorded);
        }
        if let Some(failure) = log.failure() {
            self.user
                .line(&format!("note      not everything could be written: {failure}"));
        }
    }

    fn tell_recorded(&mut self, recorded: &Recorded) {
        let folder = self.folders.out.join(&recorded.name);
        let mib = recorded.bytes as f64 / f64::from(1 << 20);
        let mut text = format!(
            "recording {}: {} frames, {mib:.1} MiB",
            folder.display(),
            recorded.frames
        );
        if recorded.left_out > 0 {
            text += &format!("; {} left out, the disk was too slow", recorded.left_out);
        }
        if let Some(why) = &recorded.cut_short {
            text += &format!("; it ended before the game did: {why}");
        }
        self.user.line(&text);
    }

    /// Takes the second place in which the user has shown the same opponent since the last game.
    fn renew_opponent(&mut self) {
        let now = Calibration::load(&self.settings.file).ok();
        let now = now.and_then(|now| now.opponent).filter(|now| now.declared_bot);
        if let Some(now) = now.filter(|now| now.picture == self.opponent.picture) {
            self.opponent.second = now.second;
        }
    }

    /// Keeps what the game has shown of the site for the games to come, in the calibration's file too: how its board
    /// takes moves (whether dragged or clicked not where --by says it), what was clicked for promotions, and its
    /// clocks' digits.
    fn learn(&mut self, now: MoveInput) {
        self.move_input = now;
        let is_said = self.settings.by.is_some();
        let learned = |file: MoveInput| file.learned(now, is_said);
        let learns_input = learned(self.calibration.move_input) != self.calibration.move_input;
        let known = self.calibration.clocks.as_ref();
        let clocks = match known.and_then(|clocks| clocks.digits.as_ref()) {
            Some(_) => None,
            None => self.clocks.learned(&self.calibration),
        };
        let choices = &self.choices[self.calibration.promotions.len()..];
        let what = [
            learns_input.then_some("how the board takes moves"),
            (!choices.is_empty()).then_some("what was clicked for a promotion"),
            clocks.as_ref().map(|_| "how to read the site's clocks"),
        ];
        let what: Vec<&str> = what.into_iter().flatten().collect();
        if what.is_empty() {
            return;
        }
        let path = self.settings.file.clone();
        // What else the file says may have been changed meanwhile.
        let saved = Calibration::load(&path).and_then(|mut file| {
            file.move_input = learned(file.move_input);
            file.promotions.extend_from_slice(choices);
            file.clocks = clocks.clone().or(file.clocks);
            file.save(&path)
        });
        self.calibration.move_input = learned(self.calibration.move_input);
        self.calibration.promotions.clone_from(&self.choices);
        self.calibration.clocks = clocks.or(self.calibration.clocks.take());
        let what = what.join(", and ");
        self.user.line(&match saved {
            Ok(()) => format!("learned   kept in {}: {what}", path.display()),
            Err(error) => format!("note      not kept: {what}: {error}"),
        });
    }

    /// Opens the mouse, unless the user makes the moves; its scale is measured where the calibration does not have it.
    fn open_mouse(
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

    /// A calibration from a picture has no input scale: it is measured before the first move, panel checked, by a click
    /// where nobody says where the pointer is. `None` where the user wants a pause, or the end.
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
        match measure_mouse(screen, &mut mouse, &self.user.stop, game.position(), &map, frame.origin) {
            Ok(Measured::Unknown) => Err(CliError::failed(
                "the mouse cannot be measured: a click on a piece changed nothing on the board; \
                 calibrate with --window while it is your turn",
            )),
            Ok(measured) => {
                let seen = measured.deselects();
                self.move_input.deselects = self.move_input.deselects.or(seen);
                Ok(measured.scale())
            }
            Err(LiveError::Mouse(MouseError::Stopped(_) | MouseError::Paused)) => Ok(None),
            Err(error) => Err(CliError::failed(error)),
        }
    }
}
