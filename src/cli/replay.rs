//! `torres replay`.

use super::CliResult;
use std::path::PathBuf;

/// Arguments of `torres replay`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Fixture folders.
    #[arg(required = true)]
    pub fixtures: Vec<PathBuf>,
    /// One JSON object per line.
    #[arg(long)]
    pub json: bool,
}

/// Play recorded frames through vision and compare with their truth.
pub fn run(_args: Args) -> CliResult {
    todo!()
}
