//! One file per subcommand: arguments, progress, and what the user reads.
//!
//! Anything another program would want to call belongs in another room; here a command's arguments become calls, and
//! results become text, JSON and an exit status. Everything may be used from here, and nothing may use this.

#[macro_use]
extern crate torres_printing;

mod args;
mod average;
mod bench;
mod calibrate;
mod console;
mod data;
mod demo;
mod doctor;
mod engine;
mod explain;
mod ladder;
mod locate;
mod perft;
mod play;
mod reach;
mod record;
mod replay;
mod results;
mod see;
mod selfplay;
mod site;
mod status_line;
mod train;
mod tune;
mod uci;
mod watchdog;

use args::{BottomArg, ByArg, ColorArg, RectArg};

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use torres_bot::thinking::Thinking;
use torres_engine::Engine;
use torres_link::process::EngineCommand;
use torres_link::supervisor::Supervisor;
use torres_link::uci::UciCommand;
use torres_mouse::Hold;

/// How a command ended; the process's exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It did what it was asked (0).
    Done,
    /// It ran and found what it should report (1).
    Found,
    /// Stopped by the user or the emergency stop (3).
    Stopped,
}

/// Why a command could not do what it was asked. The text names the thing, what is wrong with it and what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The arguments or files are wrong (2).
    #[error("{0}")]
    Usage(String),
    /// It ran and failed (1).
    #[error("{0}")]
    Failed(String),
}

impl CliError {
    /// Wrong arguments or files.
    pub(crate) fn usage(message: impl std::fmt::Display) -> CliError {
        CliError::Usage(message.to_string())
    }

    /// A failure while running.
    pub(crate) fn failed(message: impl std::fmt::Display) -> CliError {
        CliError::Failed(message.to_string())
    }
}

/// What a command returns.
pub(crate) type CliResult = Result<Exit, CliError>;

#[derive(Parser)]
#[command(
    name = "torres",
    version,
    about = "Plays chess against a site's own bots by looking at the screen"
)]
struct Cli {
    /// Without one, and with redirected input, it speaks UCI: so do tournament managers start an engine.
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Play a game on the practice site, from start to end, with nobody touching anything.
    Demo(demo::Args),
    /// Find the board and learn how it looks.
    Calibrate(calibrate::Args),
    /// Play against the bot that a calibration names.
    Play(play::Args),
    /// Print what was seen, decided, done and verified in a game, from its journal.
    Explain(explain::Args),
    /// Record what a calibrated board shows as a fixture.
    Record(record::Args),
    /// Play recorded frames through vision and compare with their truth.
    Replay(replay::Args),
    /// Add up the games that were played: wins, draws, losses and Elo against each opponent.
    Results(results::Args),
    /// Say what stands on the board of a screenshot.
    See(see::Args),
    /// Find the boards in a screenshot.
    Locate(locate::Args),
    /// Serve the engine on a local socket.
    Engine(engine::Args),
    /// Speak UCI on standard input and output.
    Uci(uci::Args),
    /// Search fixed positions to a fixed depth and print nodes and speed.
    Bench(bench::Args),
    /// Play matches between engines and say how strong one is.
    Ladder(Box<ladder::Args>),
    /// Play games of the engine against itself for evaluations to learn from.
    Selfplay(selfplay::Args),
    /// Count, describe, shuffle, split and show positions to learn from.
    Data(data::Args),
    /// Teach a network from positions.
    Train(train::Args),
    /// Make the mean of networks that learned on from the same one.
    Average(average::Args),
    /// Fit the evaluation's weights to games.
    Tune(tune::Args),
    /// Count the leaves of the move tree.
    Perft(perft::Args),
    /// Serve the practice site.
    Site(site::Args),
    /// Say whether this machine is ready, and what to do if not.
    Doctor(doctor::Args),
    #[command(hide = true)]
    Watchdog(watchdog::Args),
}

/// The program: reads the arguments, runs the command, reports errors.
pub fn main() -> ExitCode {
    let command = Cli::parse().command.unwrap_or_else(|| {
        if std::io::stdin().is_terminal() {
            // Somebody sits there who should see what there is to choose from.
            Cli::command()
                .error(ErrorKind::MissingSubcommand, "a command is missing")
                .exit()
        }
        Command::Uci(uci::Args {})
    });
    let result = match command {
        Command::Demo(args) => demo::run(args),
        Command::Calibrate(args) => calibrate::run(args),
        Command::Play(args) => play::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Record(args) => record::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Results(args) => results::run(args),
        Command::See(args) => see::run(args),
        Command::Locate(args) => locate::run(args),
        Command::Engine(args) => engine::run(args),
        Command::Uci(args) => uci::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Ladder(args) => ladder::run(*args),
        Command::Selfplay(args) => selfplay::run(args),
        Command::Data(args) => data::run(args),
        Command::Train(args) => train::run(args),
        Command::Average(args) => average::run(args),
        Command::Tune(args) => tune::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Site(args) => site::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Watchdog(args) => watchdog::run(args),
    };
    match result {
        Ok(Exit::Done) => ExitCode::SUCCESS,
        Ok(Exit::Found) => ExitCode::from(1),
        Ok(Exit::Stopped) => ExitCode::from(3),
        Err(error) => {
            eprintln!("torres: {error}");
            ExitCode::from(match error {
                CliError::Usage(_) => 2,
                CliError::Failed(_) => 1,
            })
        }
    }
}

/// The runtime that the driver, the link and the servers run on.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, CliError> {
    tokio::runtime::Runtime::new().map_err(|e| CliError::failed(format!("cannot start the async runtime: {e}")))
}

/// Done when the process is asked to end; to be called where a runtime is.
#[cfg(unix)]
pub(crate) fn stop_signal() -> Result<impl Future<Output = ()> + Send + 'static, CliError> {
    use tokio::signal::unix::{SignalKind, signal};
    let listen = |kind| signal(kind).map_err(|e| CliError::failed(format!("cannot listen for signals: {e}")));
    let (mut interrupt, mut terminate) = (listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Done when the process is asked to end; to be called where a runtime is.
#[cfg(not(unix))]
pub(crate) fn stop_signal() -> Result<impl Future<Output = ()> + Send + 'static, CliError> {
    Ok(async {
        // Without a handler the system's own ends the process.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

/// Set when the process is asked to end.
pub(crate) fn stop_flag() -> Result<Arc<AtomicBool>, CliError> {
    let stopped = Arc::new(AtomicBool::new(false));
    let on_signal = Arc::clone(&stopped);
    let runtime = runtime()?;
    let signal = {
        let _guard = runtime.enter();
        stop_signal()?
    };
    std::thread::spawn(move || {
        runtime.block_on(signal);
        on_signal.store(true, Ordering::Relaxed);
    });
    Ok(stopped)
}

/// As many threads as the processor runs at once.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// This program's own file, which is started again as an engine, a player or a watchdog.
///
/// # Errors
/// The system does not tell it.
pub(crate) fn own_program() -> Result<PathBuf, CliError> {
    std::env::current_exe().map_err(|e| {
        CliError::failed(format!(
            "cannot find this program's own file: {e}; start torres by its path"
        ))
    })
}

/// The right to move this desktop's mouse for what `purpose` names; the user hears how it was found.
pub(crate) fn hold(purpose: &str) -> Result<Hold, CliError> {
    let hold = Hold::take(purpose, &own_program()?).map_err(CliError::failed)?;
    if let Some(note) = hold.note() {
        println!("note      {note}");
    }
    Ok(hold)
}

/// Whether `DISPLAY` names the display of a desktop; where it does not, `demo` and `doctor` start one of their own.
pub(crate) fn has_desktop() -> bool {
    std::env::var_os("DISPLAY").is_some_and(|display| !display.is_empty())
}

/// A UCI engine as `--engine` names it; its program must be there.
fn uci_command(line: &str) -> Result<UciCommand, CliError> {
    let wrong = |why| CliError::usage(format!("--engine: {why}"));
    let command: UciCommand = line.parse().map_err(wrong)?;
    let program = command.find().map_err(wrong)?.to_string_lossy().into_owned();
    Ok(UciCommand { program, ..command })
}

/// Search threads where nothing is said.
const THREADS: u16 = 1;
/// Transposition table in MiB where nothing is said.
const HASH_MIB: u32 = 64;

/// Who is asked for moves: Torres' own engine in a process of its own, or any UCI engine. That it takes what was said
/// for it is known.
pub(crate) enum Asked {
    /// Torres' own.
    Own(EngineCommand),
    /// Another.
    Uci(UciCommand),
}

impl Asked {
    /// By `--engine`, `--threads` and `--hash`, as far as they were said. A UCI engine is started once, and ended
    /// again: only it knows what it takes.
    pub(crate) fn by(uci: Option<&str>, threads: Option<u16>, hash_mib: Option<u32>) -> Result<Asked, CliError> {
        let Some(line) = uci else {
            let threads = threads.unwrap_or(THREADS);
            if usize::from(threads) > Engine::MAX_THREADS {
                return Err(CliError::usage(format!(
                    "--threads: {threads} are too many; the engine has at most {}",
                    Engine::MAX_THREADS
                )));
            }
            let own = EngineCommand::of(own_program()?);
            let hash_mib = hash_mib.unwrap_or(HASH_MIB);
            return Ok(Asked::Own(EngineCommand {
                threads,
                hash_mib,
                ..own
            }));
        };
        let said = UciCommand {
            threads,
            hash_mib,
            ..uci_command(line)?
        };
        runtime()?
            .block_on(said.tried())
            .map_err(|why| CliError::usage(format!("--engine: {why}")))?;
        Ok(Asked::Uci(UciCommand {
            threads: threads.or(Some(THREADS)),
            hash_mib: hash_mib.or(Some(HASH_MIB)),
            ..said
        }))
    }

    /// The task that thinks, with `ponder` also on the opponent's time; an engine that fails is replaced.
    pub(crate) fn thinking(self, ponder: bool) -> Thinking {
        Thinking::start(match self {
            Asked::Own(command) => Supervisor::new(command),
            Asked::Uci(command) => Supervisor::new(UciCommand { ponder, ..command }),
        })
    }
}
