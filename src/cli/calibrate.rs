//! `torres calibrate`.

use super::{BottomArg, CliResult, RectArg};
use std::path::PathBuf;

/// Arguments of `torres calibrate`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Name of the calibration (`calibration/NAME.json`), or a path.
    pub name: String,
    /// A window whose title contains this text.
    #[arg(long, conflicts_with_all = ["monitor", "image"])]
    pub window: Option<String>,
    /// A monitor, counted from 0.
    #[arg(long, conflicts_with = "image")]
    pub monitor: Option<usize>,
    /// A screenshot instead of the live screen.
    #[arg(long)]
    pub image: Option<PathBuf>,
    /// Which colour is at the bottom.
    #[arg(long, default_value = "auto")]
    pub bottom: BottomArg,
    /// The position on the board.
    #[arg(long)]
    pub fen: Option<String>,
    /// Where the opponent is named, as X,Y,WIDTH,HEIGHT in desktop pixels (without its clock).
    #[arg(long)]
    pub opponent_panel: Option<RectArg>,
    /// You state that the opponent named there is a bot that you may play with a program.
    #[arg(long)]
    pub opponent_is_a_bot: bool,
}

/// Find the board and learn how it looks.
pub fn run(_args: Args) -> CliResult {
    todo!()
}
