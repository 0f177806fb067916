//! `torres play`.

use super::{CliResult, ClockArg};
use std::path::PathBuf;

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
    /// Games to play, one after the other.
    #[arg(long, default_value_t = 1)]
    pub games: u32,
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

/// Play against the bot that a calibration names.
pub fn run(_args: Args) -> CliResult {
    todo!()
}
