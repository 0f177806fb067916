//! `torres average`.

use super::train::is_new;
use super::{CliError, CliResult, Exit};
use std::path::PathBuf;
use torres_engine::nnue::Network;
use torres_train::{average, checkpoint::write_whole};

/// Arguments of `torres average`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Networks that learned on from the same one (torres train --from).
    #[arg(required = true, num_args = 2.., value_name = "NETWORK")]
    pub networks: Vec<PathBuf>,
    /// The new network.
    #[arg(long)]
    pub out: PathBuf,
}

/// Writes the network whose weights are the means of theirs.
pub(crate) fn run(args: Args) -> CliResult {
    is_new(&args.out)?;
    let read =
        |path: &PathBuf| Network::read(path).map_err(|error| CliError::usage(format!("'{}': {error}", path.display())));
    let networks = args.networks.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let mean = average(&networks).map_err(CliError::usage)?;
    write_whole(&args.out, &mean.to_bytes())
        .map_err(|error| CliError::failed(format!("cannot write '{}': {error}", args.out.display())))?;
    println!("{} written", args.out.display());
    Ok(Exit::Done)
}
