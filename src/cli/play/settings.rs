//! What the user typed (`Args`), and what a run needs (`Settings`): checked once. What depends on the folder or on the
//! calibration stays open (`None`) until these are known. Nothing behind this door knows the parser.

use crate::{Asked, ByArg, CliError, ColorArg, args};
use shakmaty::Color;
use std::path::PathBuf;
use torres_bot::guard::vouched;
use torres_calibration::{By, Calibration, MoveInput, Opponent, path_of};
use torres_chess::TimeControl;

/// Arguments of `torres play`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Name of the calibration (`calibration/NAME.json`), or a path.
    name: String,
    /// Time control, minutes plus seconds a move.
    #[arg(long, default_value = "15+10")]
    clock: TimeControl,
    /// The colour that Torres plays; default the one at the bottom of the board.
    #[arg(long)]
    color: Option<ColorArg>,
    /// Longest thought per move, in ms.
    #[arg(long, value_parser = args::move_ms())]
    move_ms: Option<u64>,
    /// Who is to move, where a game is joined in the middle and the board does not tell.
    #[arg(long)]
    turn: Option<ColorArg>,
    /// Games to play, one after the other.
    #[arg(long, default_value_t = 1, value_parser = args::some::<u32>())]
    games: u32,
    /// Stop after that many plies of each game.
    #[arg(long, value_parser = args::some::<usize>())]
    plies: Option<usize>,
    /// How the board takes moves: `auto` drags, and clicks where that does not land; `drag` and `clicks` do nothing
    /// else. Default what the calibration says.
    #[arg(long, value_name = "HOW")]
    by: Option<ByArg>,
    /// Show Torres' moves and never touch the mouse: you make them.
    #[arg(long)]
    hands_off: bool,
    /// Do not think on the opponent's time.
    #[arg(long)]
    no_ponder: bool,
    /// A UCI engine's command, in place of Torres' own.
    #[arg(long)]
    engine: Option<String>,
    /// Search threads; default 1.
    #[arg(long, value_parser = args::some::<u16>())]
    threads: Option<u16>,
    /// Transposition table in MiB; default 64.
    #[arg(long, value_name = "MIB", value_parser = args::hash_mib)]
    hash: Option<u32>,
    /// The opponent's name in the game's files and the results; default the calibration's, where it has one.
    #[arg(long, value_name = "NAME", value_parser = args::name)]
    opponent: Option<String>,
    /// Where to leave the game, the journal and the pictures; default a new folder in `torres-games`.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Where to append the results; default `results.jsonl` in --out, or in `torres-games`.
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Serve a live page of what Torres sees and does, on this port of the loopback address or a free one; its address
    /// is printed.
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0")]
    watch: Option<u16>,
    /// How much of the frames looked at is kept beside the games, in MiB; 0 keeps nothing.
    #[arg(long, default_value_t = 100)]
    record_mib: u64,
}

/// What holds for all games of a run.
#[derive(Debug)]
pub(super) struct Settings {
    /// The calibration's name, as it was typed.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// Each side's clock.
    pub control: TimeControl,
    /// The same as people write it, such as `15+10`.
    pub clock: String,
    /// The colour that Torres plays, where the user says so.
    pub color: Option<Color>,
    /// Longest thought per move, in ms.
    pub move_ms: Option<u64>,
    /// Who is to move, where a game is joined in the middle and the board does not tell.
    pub turn: Option<Color>,
    /// Games to play.
    pub games: u32,
    /// Plies after which a game is stopped.
    pub plies: Option<usize>,
    /// How the board takes moves, where the user says so.
    pub by: Option<By>,
    /// The user makes the moves.
    pub hands_off: bool,
    /// Think on the opponent's time too.
    pub ponder: bool,
    /// The command of the engine that plays in place of Torres' own.
    pub engine: Option<String>,
    /// The opponent's name, where the user gave one.
    pub opponent: Option<String>,
    /// The folder that was named for the games.
    pub out: Option<PathBuf>,
    /// The file that was named for the results.
    pub results: Option<PathBuf>,
    /// The port of the watch page, where one is wanted; 0 is a free one.
    pub watch: Option<u16>,
    /// What the recordings may take, in MiB.
    pub record_mib: u64,
}

impl Settings {
    /// As the state machine needs them, with how the board takes moves by now, and whether another game is to follow for
    /// which the page has a button.
    pub(crate) fn of_machine(&self, move_input: MoveInput, another_follows: bool) -> torres_bot::machine::Settings {
        torres_bot::machine::Settings {
            move_ms: self.move_ms,
            plies: self.plies,
            hands_off: self.hands_off,
            ponder: self.ponder,
            move_input,
            another_follows,
            ..torres_bot::machine::Settings::default()
        }
    }
}

/// Who plays, and where.
pub(super) struct Players {
    /// The board, and how it is known.
    pub calibration: Calibration,
    /// Whom the user vouched for.
    pub opponent: Opponent,
    /// Who is asked for moves.
    pub engine: Asked,
}

impl Args {
    /// Checks everything that can be checked before the mouse is taken and a folder is made.
    ///
    /// # Errors
    /// The calibration cannot be played with, or the engine does not start.
    pub(super) fn check(self) -> Result<(Settings, Players), CliError> {
        let file = path_of(&self.name);
        let calibration = Calibration::load(&file).map_err(CliError::usage)?;
        let opponent = vouched(&calibration).map_err(CliError::usage)?.clone();
        let players = Players {
            engine: Asked::by(self.engine.as_deref(), self.threads, self.hash)?,
            calibration,
            opponent,
        };
        let settings = Settings {
            name: self.name,
            file,
            control: self.clock,
            clock: self.clock.to_string(),
            color: self.color.map(Color::from),
            move_ms: self.move_ms,
            turn: self.turn.map(Color::from),
            games: self.games,
            plies: self.plies,
            by: self.by.map(By::from),
            hands_off: self.hands_off,
            ponder: !self.no_ponder,
            engine: self.engine,
            opponent: self.opponent,
            out: self.out,
            results: self.results,
            watch: self.watch,
            record_mib: self.record_mib,
        };
        Ok((settings, players))
    }
}
