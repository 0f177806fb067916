//! `torres engine`.

use super::CliResult;

/// Arguments of `torres engine`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The socket's name; without it a free one is chosen and printed.
    #[arg(long)]
    pub socket: Option<String>,
    /// Search threads.
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
    /// Transposition table in MiB.
    #[arg(long, default_value_t = 64)]
    pub hash: usize,
}

/// Serve the engine on a local socket.
pub fn run(_args: Args) -> CliResult {
    todo!()
}
