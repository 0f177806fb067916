//! `torres site`.

use super::{CliError, CliResult, ColorArg, Exit};
use crate::link::process::EngineCommand;
use crate::link::supervisor::Supervisor;
use crate::site::clock::TimeControl;
use crate::site::levels::LevelNumber;
use crate::site::script::Script;
use crate::site::{GameSetup, Site, SiteConfig, SiteError, position_from};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The levels' searches are small.
const ENGINE_HASH_MIB: u32 = 16;

/// Arguments of `torres site`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Port on the loopback address; 0 takes a free one.
    #[arg(long, default_value_t = 8017)]
    pub port: u16,
    /// Start position of the first game.
    #[arg(long)]
    pub fen: Option<String>,
    /// The player's colour.
    #[arg(long, default_value = "white")]
    pub color: ColorArg,
    /// The bot's level, 1 is the weakest.
    #[arg(long, default_value_t = 3)]
    pub level: u8,
    /// Makes the bot's choices repeatable.
    #[arg(long)]
    pub seed: Option<u64>,
    /// A file of UCI moves for the bot to reply with, from the start of each game; `#` starts a comment.
    #[arg(long)]
    pub script: Option<PathBuf>,
    /// How long after a move the bot's reply comes, in ms; later only if it is still thinking.
    #[arg(long, default_value_t = 300)]
    pub delay_ms: u64,
    /// Where to write the log, as JSON lines.
    #[arg(long)]
    pub log: Option<PathBuf>,
}

/// Serve the practice site.
pub fn run(args: Args) -> CliResult {
    let config = config(args)?;
    let command =
        EngineCommand::own().map_err(|e| CliError::failed(format!("cannot find this program's own file: {e}")))?;
    let engine = Supervisor::new(EngineCommand {
        hash_mib: ENGINE_HASH_MIB,
        ..command
    });
    super::runtime()?.block_on(async {
        let stop = stop_signal()?;
        let site = Site::bind(config, engine).await.map_err(|error| match error {
            SiteError::Serve(_) => CliError::failed(error),
            SiteError::Listen { .. } | SiteError::Log { .. } => CliError::usage(error),
        })?;
        // One line, at once: whoever started us reads the address from it.
        let mut out = std::io::stdout();
        writeln!(out, "{}", site.url())
            .and_then(|()| out.flush())
            .map_err(|e| CliError::failed(format!("cannot print the site's address: {e}")))?;
        site.run(stop).await.map_err(CliError::failed)?;
        Ok(Exit::Done)
    })
}

fn config(args: Args) -> Result<SiteConfig, CliError> {
    let start = match &args.fen {
        Some(fen) => position_from(fen).map_err(|e| CliError::usage(format!("--fen {e}")))?,
        None => shakmaty::Chess::default(),
    };
    let level = LevelNumber::try_from(args.level).map_err(|e| CliError::usage(format!("--level: {e}")))?;
    Ok(SiteConfig {
        port: args.port,
        first: GameSetup {
            start,
            player: args.color.into(),
            level,
            time_control: TimeControl::default(),
        },
        seed: args.seed.unwrap_or_else(seed_of_the_moment),
        script: args.script.as_deref().map(read_script).transpose()?.unwrap_or_default(),
        delay: Duration::from_millis(args.delay_ms),
        log: args.log,
    })
}

fn read_script(path: &Path) -> Result<Script, CliError> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| CliError::usage(format!("cannot read the script {}: {e}", path.display())))?;
    text.parse()
        .map_err(|e| CliError::usage(format!("the script {}, {e}", path.display())))
}

/// Any number will do; the clock's nanoseconds differ from start to start.
fn seed_of_the_moment() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs() ^ u64::from(since.subsec_nanos()).rotate_left(32)
}

/// Done when the process is asked to end.
#[cfg(unix)]
fn stop_signal() -> Result<impl Future<Output = ()> + Send + 'static, CliError> {
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

/// Done when the process is asked to end.
#[cfg(not(unix))]
fn stop_signal() -> Result<impl Future<Output = ()> + Send + 'static, CliError> {
    Ok(async {
        // Without a handler the system's own ends the process.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
