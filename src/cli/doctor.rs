//! `torres doctor`.

use super::{CliError, CliResult, Exit};
use crate::doctor::{Report, examine};

/// Arguments of `torres doctor`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// One JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Say whether this machine is ready, and what to do if not.
pub fn run(args: Args) -> CliResult {
    let torres = std::env::current_exe().map_err(|e| CliError::failed(format!("cannot find torres itself: {e}")))?;
    let report = examine(&torres);
    if args.json {
        println!("{}", serde_json::to_string(&report).map_err(CliError::failed)?);
    } else {
        print!("{}", text(&report));
    }
    Ok(if report.ok { Exit::Done } else { Exit::Found })
}

fn text(report: &Report) -> String {
    let mut text = String::new();
    for check in &report.checks {
        let verdict = if check.ok { "ok  " } else { "FAIL" };
        text += &format!("{verdict}  {:<9} {}\n", check.name, check.detail);
        if let Some(advice) = &check.advice {
            text += &format!("{:16} do: {advice}\n", "");
        }
    }
    text += if report.ok {
        "This machine is ready.\n"
    } else {
        "This machine is not ready.\n"
    };
    text
}
