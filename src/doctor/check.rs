//! What is examined, and what the doctor says of it.

use serde::{Deserialize, Serialize};

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

/// What is examined, and how thoroughly.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// Leave out the browser's page, and with it the scale and whether clicks arrive.
    pub quick: bool,
    /// The command of a UCI engine to be tried in place of Torres' own.
    pub engine: Option<&'a str>,
}

impl Report {
    pub(super) fn new(checks: Vec<Check>) -> Report {
        let ok = checks.iter().all(|check| check.ok);
        Report { ok, checks }
    }
}

impl Check {
    pub(super) fn works(name: &str, detail: impl ToString) -> Check {
        Check {
            name: name.to_owned(),
            ok: true,
            detail: detail.to_string(),
            advice: None,
        }
    }

    pub(super) fn fails(name: &str, detail: impl ToString, advice: impl ToString) -> Check {
        Check {
            name: name.to_owned(),
            ok: false,
            detail: detail.to_string(),
            advice: Some(advice.to_string()),
        }
    }
}
