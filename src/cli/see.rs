//! `torres see`.

use super::CliResult;
use std::path::PathBuf;

/// Arguments of `torres see`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Screenshots.
    #[arg(required = true)]
    pub images: Vec<PathBuf>,
    /// Name of the calibration (`calibration/NAME.json`), or a path.
    #[arg(long)]
    pub calibration: String,
    /// One JSON object per line.
    #[arg(long)]
    pub json: bool,
}

/// Say what stands on the board of a screenshot.
pub fn run(_args: Args) -> CliResult {
    todo!()
}
