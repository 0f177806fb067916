//! The browser that the demo and the tests open.

use super::check::Check;
use torres_desktop::{DesktopError, browser_program};

pub(super) const NAME: &str = "browser";

/// Whether there is one, without starting it.
pub(super) fn found() -> Check {
    match browser_program() {
        Ok(path) => Check::works(NAME, path.display()),
        Err(error) => fails(error),
    }
}

/// It is not there, or does not start.
pub(super) fn fails(error: DesktopError) -> Check {
    let advice = match error {
        DesktopError::Missing { .. } => "`apt-get install chromium`; the demo and the tests need it",
        _ => "run it by hand to see what it says; `apt-get install --reinstall chromium` mends a broken one",
    };
    Check::fails(NAME, error, advice)
}
