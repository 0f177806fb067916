//! `torres locate`.

use super::CliResult;
use std::path::PathBuf;

/// Arguments of `torres locate`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Screenshots.
    #[arg(required = true)]
    pub images: Vec<PathBuf>,
    /// One JSON object per line.
    #[arg(long)]
    pub json: bool,
}

/// Find the boards in a screenshot.
pub fn run(_args: Args) -> CliResult {
    todo!()
}
