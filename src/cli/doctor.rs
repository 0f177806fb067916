//! `torres doctor`.

use super::CliResult;

/// Arguments of `torres doctor`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// One JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Say whether this machine is ready, and what to do if not.
pub fn run(_args: Args) -> CliResult {
    todo!()
}
