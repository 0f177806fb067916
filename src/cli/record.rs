//! `torres record`.

use super::CliResult;
use std::path::PathBuf;

/// Arguments of `torres record`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Name of the calibration (`calibration/NAME.json`), or a path.
    pub name: String,
    /// The fixture's folder.
    #[arg(long)]
    pub out: PathBuf,
    /// The practice site's log: the truth of what was shown.
    #[arg(long)]
    pub truth: Option<PathBuf>,
}

/// Record what a calibrated board shows as a fixture.
pub fn run(_args: Args) -> CliResult {
    todo!()
}
