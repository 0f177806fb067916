//! `torres bench`.

use super::{CliError, CliResult, Exit};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use torres_engine::bench::{DEFAULT_DEPTH, HASH_MIB, bench_of};
use torres_engine::nnue::Network;
use torres_engine::{Engine, Evaluation, Options};

/// Arguments of `torres bench`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Depth in plies.
    #[arg(default_value_t = DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub depth: u32,
    /// network, or hand-made; default what the engine asks, or with --eval-file network.
    #[arg(long)]
    pub evaluation: Option<Evaluation>,
    /// Another network than the one that comes with the program.
    #[arg(long, value_name = "FILE")]
    pub eval_file: Option<PathBuf>,
}

/// Search fixed positions to a fixed depth and print nodes and speed.
pub(crate) fn run(args: Args) -> CliResult {
    let mut engine = Engine::new(HASH_MIB);
    let of_file = args.eval_file.as_ref().map(|_| Evaluation::Network);
    engine.set_options(Options {
        evaluation: args.evaluation.or(of_file).unwrap_or_default(),
        ..Options::default()
    });
    if let Some(path) = &args.eval_file {
        let network = Network::read(path).map_err(|error| CliError::usage(format!("'{}': {error}", path.display())))?;
        engine.set_network(Arc::new(network));
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
