//! `torres bench`.

use super::CliResult;

/// Arguments of `torres bench`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Depth in plies.
    pub depth: Option<u32>,
}

/// Search fixed positions to a fixed depth and print nodes and speed.
pub fn run(_args: Args) -> CliResult {
    todo!()
}
