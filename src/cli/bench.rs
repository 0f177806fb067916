//! `torres bench`.

use super::args::EvaluationArgs;
use super::{CliError, CliResult, Exit};
use std::io::Write;
use torres_engine::bench::{DEFAULT_DEPTH, HASH_MIB, bench_of};
use torres_engine::{Engine, Options};

/// Arguments of `torres bench`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Depth in plies.
    #[arg(default_value_t = DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub depth: u32,
    /// What the engine asks.
    #[command(flatten)]
    pub asked: EvaluationArgs,
}

/// Search fixed positions to a fixed depth and print nodes and speed.
pub(crate) fn run(args: Args) -> CliResult {
    let mut engine = Engine::new(HASH_MIB);
    engine.set_options(Options {
        evaluation: args.asked.evaluation(),
        ..Options::default()
    });
    if let Some(network) = args.asked.network()? {
        engine.set_network(network);
    }
    let mut out = std::io::stdout().lock();
    let mut written = Ok(());
    let total = bench_of(&mut engine, args.depth, &mut |fen, nodes| {
        if written.is_ok() {
            written = writeln!(out, "{nodes:>10}  {fen}");
        }
    });
    written
        .and_then(|()| writeln!(out, "{} nodes {} nps", total.nodes, total.nps()))
        .map_err(|error| CliError::failed(format_args!("the result cannot be written: {error}")))?;
    Ok(Exit::Done)
}
