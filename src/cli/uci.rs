//! `torres uci`.

use super::{CliError, CliResult, Exit};
use std::io;
use torres_characters::Cast;
use torres_engine::uci;

/// Arguments of `torres uci`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Speak UCI on standard input and output.
pub(crate) fn run(_args: Args) -> CliResult {
    match uci::serve(io::stdin().lock(), io::stdout(), Cast::new) {
        Ok(()) => Ok(Exit::Done),
        // Whoever listened has gone: that is the end of the input too.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Done),
        Err(error) => Err(CliError::failed(format_args!(
            "the UCI conversation broke off: {error}"
        ))),
    }
}
