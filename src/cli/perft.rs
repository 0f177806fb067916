//! `torres perft`.

use super::{CliError, CliResult, Exit};
use std::io::Write;
use torres_engine::{Position, divide, perft};

/// Arguments of `torres perft`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Depth in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(..=100))]
    pub depth: u32,
    /// The position; default the start position.
    pub fen: Option<String>,
    /// Count per first move.
    #[arg(long)]
    pub divide: bool,
}

/// Count the leaves of the move tree.
pub(crate) fn run(args: Args) -> CliResult {
    let position = match &args.fen {
        Some(fen) => Position::from_fen(fen).map_err(CliError::usage)?,
        None => Position::start(),
    };
    write_counts(&position, &args, &mut std::io::stdout().lock())
        .map_err(|error| CliError::failed(format_args!("the result cannot be written: {error}")))?;
    Ok(Exit::Done)
}

/// With `--divide` a line for each first move; the last line is always the sum alone.
fn write_counts(position: &Position, args: &Args, out: &mut impl Write) -> std::io::Result<()> {
    if args.divide && args.depth > 0 {
        let counts = divide(position, args.depth);
        for (mv, leaves) in &counts {
            writeln!(out, "{mv}: {leaves}")?;
        }
        return writeln!(out, "{}", counts.iter().map(|(_, leaves)| leaves).sum::<u64>());
    }
    writeln!(out, "{}", perft(position, args.depth))
}
