//! How far a long piece of work is: a line on standard error that changes in place, or, where none can, a line now and
//! then.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};
use torres_printing::{one_line, printable};

/// How often the line changes in place.
const CHANGE_INTERVAL: Duration = Duration::from_millis(200);
/// How often a line is printed where it cannot change in place.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// The line.
pub(super) struct StatusLine {
    in_place: bool,
    pending: bool,
    /// When it is told next.
    due: Instant,
}

impl Default for StatusLine {
    fn default() -> StatusLine {
        let in_place = std::io::stderr().is_terminal();
        StatusLine {
            in_place,
            pending: false,
            due: Instant::now() + if in_place { Duration::ZERO } else { LINE_INTERVAL },
        }
    }
}

#[allow(
    clippy::disallowed_macros,
    reason = "it moves the cursor on purpose, around texts that were made printable"
)]
impl StatusLine {
    /// Prints a line that stays.
    pub(super) fn line(&mut self, text: &str) {
        let start = if self.pending { "\r\x1b[K" } else { "" };
        self.pending = false;
        std::eprintln!("{start}{}", printable(text));
    }

    /// Shows what holds now, if it is time to, or there is no later one.
    pub(super) fn show(&mut self, last: bool, text: impl FnOnce() -> String) {
        let now = Instant::now();
        if now < self.due && !last {
            return;
        }
        let text = text();
        if self.in_place {
            self.due = now + CHANGE_INTERVAL;
            std::eprint!("\r\x1b[K{}", one_line(&text));
            // Nothing depends on it.
            let _ = std::io::stderr().flush();
            self.pending = true;
        } else {
            self.due = now + LINE_INTERVAL;
            eprintln!("{text}");
        }
    }

    /// Leaves the line as it is and goes to the next.
    pub(super) fn close(&mut self) {
        if self.pending {
            self.pending = false;
            eprintln!();
        }
    }
}
