//! `torres selfplay`.

use super::args::{self, EvaluationArgs, OpeningArgs};
use super::status_line::StatusLine;
use super::{CliError, CliResult, Exit, cores, stop_flag};
use clap::builder::RangedU64ValueParser;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;
use torres_arena::selfplay::{self, SelfPlayed, Sifted, play_all};
use torres_data::GameFile;

/// Arguments of `torres selfplay`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// File for the games; a rerun with the same file and settings goes on where the last one ended, however it ended.
    #[arg(long)]
    pub out: PathBuf,
    /// How many games the file has when done.
    #[arg(long, default_value_t = 1000, value_parser = args::some::<u32>())]
    pub games: u32,
    /// Nodes after which a search begins no further iteration.
    #[arg(long, default_value_t = 5000, value_parser = args::some::<u64>())]
    pub nodes: u64,
    /// Plies played by chance after each opening.
    #[arg(long, default_value_t = 4, value_parser = RangedU64ValueParser::<usize>::new().range(..=100))]
    pub random_plies: usize,
    /// What the searches ask.
    #[command(flatten)]
    pub asked: EvaluationArgs,
    /// Openings and their order.
    #[command(flatten)]
    pub start: OpeningArgs,
    /// Games at once, a thread each; default as many as there are processor cores. The file is the same for any number.
    #[arg(long, visible_alias = "threads", value_parser = args::at_once())]
    pub concurrency: Option<u16>,
}

/// Transposition table of each thread in MiB: room for some thousand nodes.
const HASH_MIB: usize = 4;

/// What is to be played, and where it is written down.
struct Settings {
    play: selfplay::Settings,
    out: PathBuf,
    games: u32,
    threads: usize,
}

impl Args {
    /// Checks everything, and resolves every default.
    ///
    /// # Errors
    /// The openings or the network cannot be read.
    fn check(self) -> Result<Settings, CliError> {
        Ok(Settings {
            play: selfplay::Settings {
                nodes: self.nodes,
                random_plies: self.random_plies,
                seed: self.start.seed,
                openings: self.start.openings()?,
                hash_mib: HASH_MIB,
                evaluation: self.asked.evaluation(),
                network: self.asked.network()?,
            },
            out: self.out,
            games: self.games,
            threads: self.concurrency.map_or_else(cores, usize::from),
        })
    }
}

/// Play games of the engine against itself for evaluations to learn from.
pub(crate) fn run(args: Args) -> CliResult {
    let Settings {
        play,
        out,
        games,
        threads,
    } = args.check()?;
    let mut file = GameFile::open(&out, play.run()).map_err(CliError::usage)?;
    let stopped = stop_flag()?;
    let mut progress = Progress::start(&file, games);
    if file.games() > 0 {
        progress.status.line(&format!(
            "'{}' has {} games, {} positions; going on",
            out.display(),
            file.games(),
            file.positions()
        ));
    }
    let ended = play_all(&play, &mut file, games, threads, &stopped, |file, game| {
        progress.game(file, game);
    });
    progress.status.close();
    println!("{}", progress.summary(&file));
    ended.map_err(CliError::failed)?;
    Ok(if stopped.load(Ordering::Relaxed) {
        Exit::Stopped
    } else {
        Exit::Done
    })
}

/// What was done since the program began.
struct Progress {
    status: StatusLine,
    started: Instant,
    games: u32,
    /// In the file, and their numbers' end, when it began.
    positions_before: u64,
    first: u32,
    played: u64,
    nodes: u64,
    sifted: Sifted,
}

impl Progress {
    fn start(file: &GameFile, games: u32) -> Progress {
        Progress {
            status: StatusLine::default(),
            started: Instant::now(),
            games,
            positions_before: file.positions(),
            first: file.next(),
            played: 0,
            nodes: 0,
            sifted: Sifted::default(),
        }
    }

    fn game(&mut self, file: &GameFile, game: &SelfPlayed) {
        self.played += 1;
        self.nodes += game.nodes;
        self.sifted += game.sifted;
        let to_come = self.games.saturating_sub(file.next());
        let done = file.next().saturating_sub(self.first);
        let left = self
            .started
            .elapsed()
            .mul_f64(f64::from(to_come) / f64::from(done.max(1)));
        let rate = self.rate(file);
        self.status.show(to_come == 0, || {
            format!(
                "{} of {} games, {} positions, {rate:.0} positions/s, about {} min to go",
                file.next(),
                self.games,
                file.positions(),
                left.as_secs().div_ceil(60)
            )
        });
    }

    /// Positions a second since the program began.
    fn rate(&self, file: &GameFile) -> f64 {
        let positions = file.positions() - self.positions_before;
        positions as f64 / self.started.elapsed().as_secs_f64().max(1e-3)
    }

    fn summary(&self, file: &GameFile) -> String {
        let seconds = self.started.elapsed().as_secs_f64();
        let all = self.sifted.all();
        let share = |count: u64| 100.0 * count as f64 / all.max(1) as f64;
        format!(
            "{} games and {} positions in the file; {} games played in {seconds:.0} s, {:.0} positions/s, {:.0} nodes a search\n\
             of {all} positions searched: {:.1} % in check, {:.1} % with a capture or promotion as best move, \
             {:.1} % decided, {:.1} % recorded",
            file.games(),
            file.positions(),
            self.played,
            self.rate(file),
            self.nodes as f64 / all.max(1) as f64,
            share(self.sifted.in_check),
            share(self.sifted.noisy),
            share(self.sifted.decided),
            share(self.sifted.kept),
        )
    }
}
