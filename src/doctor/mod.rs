//! Is this machine ready, and what to do if not.
//!
//! [`examine`] tries each thing that a game needs, really and briefly: it captures, it moves the pointer and puts it
//! back, it starts the engine. Every complaint says what to do. Nothing is repaired or installed here.

mod checks;
mod engine;

use serde::{Deserialize, Serialize};
use std::path::Path;

/// One thing that was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// What it is about, in one word.
    pub name: String,
    /// Whether it works.
    pub ok: bool,
    /// What was found.
    pub detail: String,
    /// What to do about it; `null` where it works.
    pub advice: Option<String>,
}

/// Everything that was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Whether everything works.
    pub ok: bool,
    /// In the order in which they were tried.
    pub checks: Vec<Check>,
}

impl Report {
    fn new(checks: Vec<Check>) -> Report {
        let ok = checks.iter().all(|check| check.ok);
        Report { ok, checks }
    }
}

impl Check {
    fn works(name: &str, detail: impl ToString) -> Check {
        Check {
            name: name.to_owned(),
            ok: true,
            detail: detail.to_string(),
            advice: None,
        }
    }

    fn fails(name: &str, detail: impl ToString, advice: impl ToString) -> Check {
        Check {
            name: name.to_owned(),
            ok: false,
            detail: detail.to_string(),
            advice: Some(advice.to_string()),
        }
    }
}

/// Examines this machine; `torres` is the program whose engine is tried.
///
/// Without a `DISPLAY`, a headless one is started as the demo would, and `torres doctor` is run on that. Moves the
/// pointer for a moment. Takes about a second.
pub fn examine(torres: &Path) -> Report {
    let mut checks = match checks::session() {
        checks::Session::Desktop(display) => {
            let mut checks = vec![display];
            checks.extend(checks::of_display());
            checks
        }
        checks::Session::None => match checks::on_headless_display(torres) {
            // The engine was tried there.
            Ok(report) => return report,
            Err(complaint) => vec![complaint],
        },
        checks::Session::Unusable(complaint) => vec![complaint],
    };
    checks.push(checks::browser());
    checks.push(engine::starts(torres));
    Report::new(checks)
}
