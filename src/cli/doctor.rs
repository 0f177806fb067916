//! `torres doctor`.

use super::{CliError, CliResult, Exit, own_program};
use crossterm::terminal;
use std::io::{IsTerminal, Write};
use torres_doctor::{Options, Report, examine};
use torres_printing::one_line;

/// Arguments of `torres doctor`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// One JSON object.
    #[arg(long)]
    pub json: bool,
    /// Open no browser: leave out whether clicks arrive on a page, and the scale.
    #[arg(long)]
    pub quick: bool,
    /// A UCI engine's command, tried in place of Torres' own.
    #[arg(long, value_name = "CMD")]
    pub engine: Option<String>,
}

/// Say whether this machine is ready, and what to do if not.
pub(crate) fn run(args: Args) -> CliResult {
    let torres = own_program()?;
    let options = Options {
        quick: args.quick,
        engine: args.engine.as_deref(),
    };
    let progress = Progress::new();
    let report = examine(&torres, options, &mut |what| progress.show(what));
    progress.clear();
    let Some(report) = report else {
        return Ok(Exit::Stopped);
    };
    if args.json {
        println!("{}", serde_json::to_string(&report).map_err(CliError::failed)?);
    } else {
        print!("{}", text(&report, super::has_desktop()));
    }
    Ok(if report.ok { Exit::Done } else { Exit::Found })
}

/// What is being tried, in a line of the terminal that changes in place.
struct Progress {
    in_place: bool,
}

impl Progress {
    fn new() -> Progress {
        Progress {
            in_place: std::io::stderr().is_terminal(),
        }
    }

    fn show(&self, what: &str) {
        self.write(&format!("trying {what} …"));
    }

    fn clear(&self) {
        self.write("");
    }

    fn write(&self, text: &str) {
        if !self.in_place {
            return;
        }
        let width = terminal::size().map_or(80, |(columns, _)| usize::from(columns));
        let shown: String = one_line(text).chars().take(width.saturating_sub(1)).collect();
        let mut out = std::io::stderr();
        let _ = write!(out, "\r\x1b[K{shown}");
        let _ = out.flush();
    }
}

fn text(report: &Report, has_desktop: bool) -> String {
    let mut text = String::new();
    for check in &report.checks {
        let verdict = if check.ok { "ok  " } else { "FAIL" };
        text += &format!("{verdict}  {:<11} {}\n", check.name, check.detail);
        if let Some(advice) = &check.advice {
            text += &format!("{:18} do: {advice}\n", "");
        }
    }
    text += match (report.ok, has_desktop) {
        (true, true) => "This machine is ready.\n",
        (true, false) => {
            "This machine is ready for `torres demo` and the tests. No desktop is to be seen here (DISPLAY is not set): to play on a page of your own, \
             start Torres in an X11 session.\n"
        }
        (false, _) => "This machine is not ready.\n",
    };
    text
}
