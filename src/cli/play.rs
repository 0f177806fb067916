//! `torres play`.

mod told;

use super::console::Console;
use super::{CliError, CliResult, ClockArg, ColorArg, Exit, runtime};
use crate::bot::clock::{GameClock, TimeControl};
use crate::bot::driver::{Command, Driver, Ended, Progress};
use crate::bot::game::{End, Game};
use crate::bot::guard::{Guard, Panel, vouched};
use crate::bot::log::{Log, pgn_control};
use crate::bot::machine::{Machine, Settings};
use crate::bot::opening::{Opening, possible_starts};
use crate::bot::place::{Lost, Place, open_screen};
use crate::bot::thinking::Thinking;
use crate::bot::waking::{Pace, Stillness, Waking};
use crate::calibration::{Calibration, Opponent, measure_scale, parse_position, path_of};
use crate::frame::{FrameSource, Timestamp};
use crate::geometry::InputScale;
use crate::journal::{Event, Journal, pgn};
use crate::mouse::{Mouse, StopFlag, watch_corners, watch_interrupt};
use crate::screen::LiveScreen;
use crate::vision::Tracker;
use shakmaty::{Color, KnownOutcome, Outcome, Position};
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::Instant;
use told::Told;

/// How long the board may take to be found and understood at the start.
const START_WITHIN: Duration = Duration::from_secs(20);
/// How long the next game's start position may take to appear.
const NEXT_GAME_WITHIN: Duration = Duration::from_secs(600);
/// A board that is not to be seen is looked for this often.
const SEARCH_EVERY: Duration = Duration::from_millis(250);

/// Arguments of `torres play`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Name of the calibration (`calibration/NAME.json`), or a path.
    pub name: String,
    /// Time control, minutes plus seconds a move.
    #[arg(long, default_value = "15+10")]
    pub clock: ClockArg,
    /// Longest thought per move, in ms.
    #[arg(long)]
    pub move_ms: Option<u64>,
    /// Who is to move, where a game is joined in the middle and the board does not tell.
    #[arg(long)]
    pub turn: Option<ColorArg>,
    /// Games to play, one after the other.
    #[arg(long, default_value_t = 1)]
    pub games: u32,
    /// Stop after that many plies of each game.
    #[arg(long)]
    pub plies: Option<usize>,
    /// A UCI engine's command, in place of Torres' own.
    #[arg(long)]
    pub engine: Option<String>,
    /// Search threads.
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
    /// Transposition table in MiB.
    #[arg(long, default_value_t = 64)]
    pub hash: usize,
    /// Where to leave the game, the journal and the pictures.
    #[arg(long, default_value = "torres-games")]
    pub out: PathBuf,
}

/// What stays the same from game to game.
struct Session<'a> {
    args: &'a Args,
    calibration: Calibration,
    opponent: Opponent,
    stop: StopFlag,
    scale: Option<InputScale>,
    console: Console,
    commands: Option<UnboundedReceiver<Command>>,
    thinking: Thinking,
}

/// Plays against the bot that a calibration names.
pub fn run(args: Args) -> CliResult {
    let calibration = Calibration::load(&path_of(&args.name)).map_err(CliError::usage)?;
    let opponent = vouched(calibration.opponent.as_ref()).map_err(CliError::usage)?.clone();
    let stop = StopFlag::new();
    watch_interrupt(&stop).map_err(CliError::failed)?;
    watch_corners(&stop).map_err(CliError::failed)?;
    std::fs::create_dir_all(&args.out)
        .map_err(|e| CliError::usage(format!("cannot make the folder {}: {e}", args.out.display())))?;
    runtime()?.block_on(async {
        let thinking = super::engine_of(args.engine.as_deref(), args.threads, args.hash)?;
        let (console, commands) = Console::open();
        let mut session = Session {
            scale: calibration.input_per_pixel,
            args: &args,
            calibration,
            opponent,
            stop,
            console,
            commands,
            thinking,
        };
        let mut exit = Exit::Done;
        for number in 1..=args.games {
            exit = session.game(number).await?;
            if exit != Exit::Done {
                break;
            }
        }
        Ok(exit)
    })
}

impl Session<'_> {
    async fn game(&mut self, number: u32) -> CliResult {
        let mut screen = open_screen(&self.calibration).map_err(CliError::failed)?;
        let within = if number == 1 { START_WITHIN } else { NEXT_GAME_WITHIN };
        let Some((place, game, tracker)) = self.await_start(&mut screen, number == 1, within).await? else {
            return Ok(Exit::Stopped);
        };
        let mut guard = Guard::new(&self.opponent, &self.calibration);
        let mut mouse = Mouse::open(self.scale.unwrap_or(InputScale::IDENTITY)).map_err(CliError::failed)?;
        if self.scale.is_none() {
            let scale = self.measure(&mut screen, &mut mouse, &mut guard, &place, &game)?;
            self.scale = Some(scale);
            mouse = Mouse::open(scale).map_err(CliError::failed)?;
        }

        let control = TimeControl {
            initial: self.args.clock.initial,
            increment: self.args.clock.increment,
        };
        let own = self.calibration.bottom.bottom();
        let journal = Journal::open(&self.args.out)
            .map_err(|e| CliError::failed(format!("cannot write the journal in {}: {e}", self.args.out.display())))?;
        let kept = serde_json::to_value(&self.calibration).unwrap_or_default();
        let mut log = Log::new(journal, kept, self.calibration.bottom);
        log.write(Event::Started {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: "play".to_owned(),
        });
        let clock_name = format!("{}+{}", control.initial.as_secs(), control.increment.as_secs());
        log.started(&game, clock_name, Some("the bot of the calibrated panel".to_owned()));
        let settings = Settings {
            move_ms: self.args.move_ms,
            plies: self.args.plies,
            ..Settings::default()
        };
        self.thinking.new_game();
        let keys = if self.console.has_keys() {
            "   (p pauses, q ends)"
        } else {
            ""
        };
        self.console
            .line(&format!("playing {own} from {}{keys}", game.start_fen()));
        let began = jiff::Zoned::now();
        let mut told = Told::default();
        let console = &mut self.console;
        let mut tell = |progress: Progress<'_>| told.tell(console, progress);
        let driver = Driver {
            calibration: &self.calibration,
            guard,
            screen,
            mouse,
            stop: self.stop.clone(),
            thinking: &mut self.thinking,
            machine: Machine::new(game, GameClock::new(control), own, settings),
            tracker,
            place,
            log,
            commands: self.commands.as_mut(),
            tell: &mut tell,
        };
        let (ended, machine, log) = driver.play().await;
        self.finish(number, began, &ended, &machine, log)
    }

    /// Waits for a board whose position is known; `None` when the user stopped it.
    async fn await_start(
        &mut self,
        screen: &mut LiveScreen,
        may_join: bool,
        within: Duration,
    ) -> Result<Option<(Place, Game, Tracker)>, CliError> {
        let began = Timestamp::now();
        let calibrated = self
            .calibration
            .position
            .as_deref()
            .and_then(|fen| parse_position(fen).ok());
        let starts = possible_starts(calibrated);
        let mut watched: Option<Watched> = None;
        let mut trouble = String::new();
        while Timestamp::now().since(began) < within {
            if self.stop.reason().is_some() {
                return Ok(None);
            }
            let Some(board) = &mut watched else {
                match Place::find(&self.calibration, screen) {
                    Ok(place) => watched = Some(Watched::at(place, screen)),
                    Err(error @ Lost::WindowGone(_)) => return Err(CliError::failed(error)),
                    Err(error) => {
                        trouble = error.to_string();
                        tokio::time::sleep(SEARCH_EVERY).await;
                    }
                }
                continue;
            };
            let time_is_up = tokio::time::sleep(within.saturating_sub(Timestamp::now().since(began)));
            tokio::select! {
                () = board.waking.next() => {}
                _ = self.stop.tripped() => continue,
                () = time_is_up => continue,
            }
            let place = board.place;
            board.waking.looking_at(place.region());
            screen.set_region(Some(place.region()));
            let frame = screen.next_frame().map_err(CliError::failed)?;
            let changed = board.stillness.take(&frame);
            let opening = board.opening.get_or_insert_with(|| {
                let map = place.map(&frame, &self.calibration);
                Opening::new(starts.clone(), &self.calibration.look, map)
            });
            if let Some((game, tracker)) = opening.step(&frame)
                && game.end().is_none()
            {
                return Ok(Some((place, game, tracker)));
            }
            trouble = "the board shows neither a start position nor one a move or two later".to_owned();
            let pace = board.stillness.pace(frame.at);
            if may_join && pace == Pace::Resting {
                match opening.join(&frame, self.args.turn.map(Color::from)) {
                    Ok((game, tracker, joined)) => {
                        self.console.line(&format!(
                            "the game is joined in the middle; assumed: {}",
                            joined.assumed
                        ));
                        return Ok(Some((place, game, tracker)));
                    }
                    Err(why) => trouble = format!("{trouble}, and the game cannot be joined in the middle: {why}"),
                }
            }
            board.waking.looked(changed, pace, Instant::now());
            if place.confirmed(&frame) != Some(place) {
                watched = None;
            }
        }
        Err(CliError::failed(format!(
            "{trouble}; start a new game, say whose turn it is with --turn, or calibrate again with --fen on the position it shows"
        )))
    }

    /// A calibration from a picture has no input scale: it is measured before the first move, panel checked.
    fn measure(
        &mut self,
        screen: &mut LiveScreen,
        mouse: &mut Mouse,
        guard: &mut Guard,
        place: &Place,
        game: &Game,
    ) -> Result<InputScale, CliError> {
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
        let map = place.map(&frame, &self.calibration);
        measure_scale(screen, mouse, &self.stop, game.position().board(), &map, frame.origin)
            .map_err(CliError::failed)?
            .ok_or_else(|| {
                CliError::failed(
                    "the mouse cannot be measured: selecting a piece showed nothing; \
                     calibrate with --window while it is your turn",
                )
            })
    }

    fn finish(&mut self, number: u32, began: jiff::Zoned, ended: &Ended, machine: &Machine, mut log: Log) -> CliResult {
        let (result, how, outcome) = match ended {
            Ended::Game(Some(end)) => (end.result(), end.to_string(), outcome(*end)),
            Ended::Game(None) => (
                "*",
                format!("stopped after {} plies, as asked", machine.game().plies()),
                Outcome::Unknown,
            ),
            Ended::Paused(reason) => ("*", format!("paused, and nobody resumed: {reason}"), Outcome::Unknown),
            Ended::Stopped(reason) => ("*", format!("stopped: {reason}"), Outcome::Unknown),
        };
        if let Ended::Stopped(reason) = ended {
            log.write(Event::Stopped {
                reason: reason.to_string(),
            });
        }
        log.write(Event::Result {
            result: result.to_owned(),
            termination: how.clone(),
            plies: machine.game().plies() as u32,
        });
        let own = machine.own();
        let (white, black) = match own {
            Color::White => ("Torres", "Site bot"),
            Color::Black => ("Site bot", "Torres"),
        };
        let record = pgn::Game {
            event: "Torres against a site's bot".to_owned(),
            site: self
                .calibration
                .window
                .as_ref()
                .map_or("?".to_owned(), |w| w.title.clone()),
            started: began,
            round: Some(number),
            white: white.to_owned(),
            black: black.to_owned(),
            time_control: Some(pgn_control(machine.clock().control())),
            start: machine.game().start().clone(),
            plies: log.plies().to_vec(),
            outcome,
            termination: how.clone(),
        };
        let name = |extension: &str| match number {
            1 => format!("game.{extension}"),
            _ => format!("game-{number}.{extension}"),
        };
        let pgn_path = self.args.out.join(name("pgn"));
        std::fs::write(&pgn_path, pgn::write(&record))
            .map_err(|e| CliError::failed(format!("cannot write {}: {e}", pgn_path.display())))?;
        let sheet_path = self.args.out.join(name("png"));
        if !log.sheet().is_empty() {
            log.sheet()
                .save(&sheet_path, &format!("{white} – {black}   {result}"), &how)
                .map_err(|e| CliError::failed(format!("cannot write {}: {e}", sheet_path.display())))?;
        }
        log.settle();
        let landings = log.landings();
        self.console.line(&format!("result    {how}"));
        self.console.line(&format!("plies     {}", machine.game().plies()));
        self.console.line(&format!(
            "own moves {} landed at first try, {} after a retry, {} otherwise",
            landings.first_try, landings.after_retry, landings.other
        ));
        self.console.line(&format!("game      {}", pgn_path.display()));
        if let Some(failure) = log.failure() {
            self.console
                .line(&format!("note      not everything could be written: {failure}"));
        }
        Ok(match ended {
            Ended::Game(_) => Exit::Done,
            Ended::Paused(_) => Exit::Found,
            Ended::Stopped(_) => Exit::Stopped,
        })
    }
}

/// A board on which a game is to begin.
struct Watched {
    place: Place,
    opening: Option<Opening>,
    stillness: Stillness,
    waking: Waking,
}

impl Watched {
    fn at(place: Place, screen: &LiveScreen) -> Watched {
        Watched {
            place,
            opening: None,
            stillness: Stillness::default(),
            waking: Waking::by(screen, place.region()),
        }
    }
}

fn outcome(end: End) -> Outcome {
    Outcome::Known(match end {
        End::Checkmate(winner) | End::Flag(winner) => KnownOutcome::Decisive { winner },
        _ => KnownOutcome::Draw,
    })
}
