//! `torres uci`.

use super::CliResult;

/// Arguments of `torres uci`.
#[derive(clap::Args, Debug)]
pub struct Args {}

/// Speak UCI on standard input and output.
pub fn run(_args: Args) -> CliResult {
    todo!()
}
