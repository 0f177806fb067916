//! `torres perft`.

use super::CliResult;

/// Arguments of `torres perft`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Depth in plies.
    pub depth: u32,
    /// The position; default the start position.
    pub fen: Option<String>,
    /// Count per first move.
    #[arg(long)]
    pub divide: bool,
}

/// Count the leaves of the move tree.
pub fn run(_args: Args) -> CliResult {
    todo!()
}
