//! `torres bench`.

use super::{CliError, CliResult, Exit};
use std::io::Write;
use torres_engine::bench::{DEFAULT_DEPTH, bench};

/// Arguments of `torres bench`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Depth in plies.
    #[arg(default_value_t = DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub depth: u32,
}

/// Search fixed positions to a fixed depth and print nodes and speed.
pub fn run(args: Args) -> CliResult {
    let mut out = std::io::stdout().lock();
    let mut written = Ok(());
    let total = bench(args.depth, &mut |fen, nodes| {
        if written.is_ok() {
            written = writeln!(out, "{nodes:>10}  {fen}");
        }
    });
    written
        .and_then(|()| writeln!(out, "{} nodes {} nps", total.nodes, total.nps()))
        .map_err(|error| CliError::failed(format_args!("the result cannot be written: {error}")))?;
    Ok(Exit::Done)
}
