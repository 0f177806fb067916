//! `torres site`.

use super::{CliResult, ColorArg};
use std::path::PathBuf;

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
    /// A file of UCI moves for the bot to reply with.
    #[arg(long)]
    pub script: Option<PathBuf>,
    /// How long the bot waits with each reply, in ms.
    #[arg(long)]
    pub delay_ms: Option<u64>,
    /// Where to write the log, as JSON lines.
    #[arg(long)]
    pub log: Option<PathBuf>,
}

/// Serve the practice site.
pub fn run(_args: Args) -> CliResult {
    todo!()
}
