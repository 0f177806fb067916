//! `torres watchdog`: releases the mouse button where the process that started it ends in the middle of a press.
//!
//! Not for users: whoever takes hold of the mouse starts it.

use super::{CliError, CliResult, Exit};
use torres_mouse::watch_over;

/// Arguments of `torres watchdog`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// What the mouse's lock says of the process that is watched.
    pub holder: String,
}

/// Watches over the process at the other end of standard input.
pub(crate) fn run(args: Args) -> CliResult {
    watch_over(std::io::stdin().lock(), &args.holder).map_err(CliError::failed)?;
    Ok(Exit::Done)
}
