//! `torres play`: games against the bot that a calibration vouches for.

mod allocator;
mod finish;
mod folders;
mod keeping;
mod new_game;
mod session;
mod start;
mod status;

use super::console::Console;
use super::{Asked, ByArg, CliError, CliResult, ClockArg, ColorArg, Exit, args, runtime};
use folders::RunFolders;
use session::{After, Session};
use start::Predecessor;
use std::path::PathBuf;
use torres_bot::clock::TimeControl;
use torres_bot::commands::Commands;
use torres_bot::guard::vouched;
use torres_bot::next_game::NextGame;
use torres_bot::recording::Recordings;
use torres_bot::site_clocks::SiteClocks;
use torres_calibration::{By, Calibration, Hand, path_of};
use torres_mouse::{StopFlag, watch_corners, watch_interrupt};
use torres_watch::Watch;

/// Arguments of `torres play`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Name of the calibration (`calibration/NAME.json`), or a path.
    pub name: String,
    /// Time control, minutes plus seconds a move.
    #[arg(long, default_value = "15+10")]
    pub clock: ClockArg,
    /// Longest thought per move, in ms.
    #[arg(long, value_parser = args::move_ms())]
    pub move_ms: Option<u64>,
    /// Who is to move, where a game is joined in the middle and the board does not tell.
    #[arg(long)]
    pub turn: Option<ColorArg>,
    /// Games to play, one after the other.
    #[arg(long, default_value_t = 1, value_parser = args::some::<u32>())]
    pub games: u32,
    /// Stop after that many plies of each game.
    #[arg(long, value_parser = args::some::<usize>())]
    pub plies: Option<usize>,
    /// How the board takes moves: `auto` drags, and clicks where that does not land; `drag` and `clicks` do nothing else. Default what the
    /// calibration says.
    #[arg(long, value_name = "HOW")]
    pub by: Option<ByArg>,
    /// Show Torres' moves and never touch the mouse: you make them.
    #[arg(long)]
    pub hands_off: bool,
    /// Do not think on the opponent's time.
    #[arg(long)]
    pub no_ponder: bool,
    /// A UCI engine's command, in place of Torres' own.
    #[arg(long)]
    pub engine: Option<String>,
    /// Search threads; default 1.
    #[arg(long, value_parser = args::some::<u16>())]
    pub threads: Option<u16>,
    /// Transposition table in MiB; default 64.
    #[arg(long, value_name = "MIB", value_parser = args::hash_mib)]
    pub hash: Option<u32>,
    /// The opponent's name in the game's files and the results; default the calibration's, where it has one.
    #[arg(long, value_name = "NAME", value_parser = args::name)]
    pub opponent: Option<String>,
    /// Where to leave the game, the journal and the pictures; default a new folder in `torres-games`.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Where to append the results; default `results.jsonl` in --out, or in `torres-games`.
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    /// Serve a live page of what Torres sees and does, on this port of the loopback address or a free one; its address is printed.
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0")]
    pub watch: Option<u16>,
    /// How much of the frames looked at is kept beside the games, in MiB; 0 keeps nothing.
    #[arg(long, default_value_t = 100)]
    pub record_mib: u64,
}

impl Args {
    /// How the board takes moves: what the calibration says, but for what is said now.
    fn moves(&self, calibration: &Calibration) -> Hand {
        let known = calibration.hand;
        Hand {
            by: self.by.map_or(known.by, By::from),
            ..known
        }
    }

    fn control(&self) -> TimeControl {
        TimeControl {
            initial: self.clock.initial,
            increment: self.clock.increment,
        }
    }
}

/// Plays against the bot that a calibration names.
pub fn run(args: Args) -> CliResult {
    allocator::keep_together();
    let calibration = Calibration::load(&path_of(&args.name)).map_err(CliError::usage)?;
    let opponent = vouched(&calibration).map_err(CliError::usage)?.clone();
    // Before the mouse is taken and a folder is made for a game that it could not play.
    let asked = Asked::by(args.engine.as_deref(), args.threads, args.hash)?;
    let hold = match args.hands_off {
        true => None,
        false => Some(super::hold(&format!("playing with '{}'", args.name))?),
    };
    let stop = StopFlag::new();
    watch_interrupt(&stop).map_err(CliError::failed)?;
    watch_corners(&stop).map_err(CliError::failed)?;
    let (folders, before) = RunFolders::open(&args, &calibration)?;
    runtime()?.block_on(async {
        let thinking = asked.thinking(!args.no_ponder);
        let (remote, commands) = Commands::new(&stop);
        let mut console = Console::open(&remote);
        // Where nobody can say anything, nobody is waited for.
        let commands = match console.has_keys() || args.watch.is_some() {
            true => commands,
            false => Commands::none(),
        };
        let watch = match args.watch {
            Some(port) => Some(
                Watch::open(port, folders.out.clone(), remote)
                    .await
                    .map_err(CliError::failed)?,
            ),
            None => None,
        };
        if let Some(watch) = &watch {
            console.line(&format!("watch     {}", watch.url()));
        }
        let mut session = Session {
            scale: calibration.input_per_pixel,
            clocks: SiteClocks::new(&calibration),
            moves: args.moves(&calibration),
            choices: calibration.promotions.clone(),
            next_game: NextGame::of(&calibration),
            recordings: Recordings::new(&folders.out, args.record_mib.saturating_mul(1 << 20)),
            args: &args,
            folders,
            calibration,
            opponent,
            hold: hold.as_ref(),
            stop,
            console,
            commands,
            thinking,
            games: before.games,
            games_in_all: None,
            guarded_window: None,
            unfinished: before.unfinished,
            feed: watch.as_ref().map(Watch::feed),
        };
        let mut exit = Exit::Done;
        let mut predecessor = Predecessor::First;
        for _ in 0..args.games {
            let after = session.game(predecessor).await?;
            allocator::give_back();
            match after {
                After::Next(Exit::Done) => predecessor = Predecessor::Next,
                After::Next(found) => (exit, predecessor) = (found, Predecessor::Again),
                After::End(found) => return Ok(found),
            }
        }
        Ok(exit)
    })
}
