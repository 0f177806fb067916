//! `torres demo`.

use super::{CliResult, ColorArg};
use std::path::PathBuf;

/// Arguments of `torres demo`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Games to play, one after the other.
    #[arg(long, default_value_t = 1)]
    pub games: u32,
    /// Stop after that many plies.
    #[arg(long)]
    pub plies: Option<u32>,
    /// The site bot's level, 1 is the weakest.
    #[arg(long, default_value_t = 3)]
    pub level: u8,
    /// Torres' colour.
    #[arg(long, default_value = "white")]
    pub color: ColorArg,
    /// Longest thought per move, in ms.
    #[arg(long, default_value_t = 1000)]
    pub move_ms: u64,
    /// Use the desktop's own display.
    #[arg(long, conflicts_with = "headless")]
    pub headed: bool,
    /// Use a display of its own, also where there is a desktop.
    #[arg(long)]
    pub headless: bool,
    /// Record the frames as a fixture in the output folder.
    #[arg(long)]
    pub record: bool,
    /// Where to leave the game, the journal and the pictures.
    #[arg(long, default_value = "torres-demo")]
    pub out: PathBuf,
}

/// Play a game on the practice site, from start to end, with nobody touching anything.
pub fn run(_args: Args) -> CliResult {
    todo!()
}
