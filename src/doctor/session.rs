//! The desktop that is examined.

use super::check::{Check, Options, Report};
use std::path::Path;
use torres_desktop::Display;
use torres_screen as screen;

const NAME: &str = "display";

/// What kind of desktop this process belongs to.
pub(super) enum Session {
    /// One that can be used.
    Desktop(Display, Check),
    /// None at all.
    None,
    /// One that cannot be used, and why.
    Unusable(Check),
}

pub(super) fn session() -> Session {
    if screen::is_wayland() {
        return Session::Unusable(Check::fails(
            NAME,
            "this is a Wayland session, which keeps programs from seeing the screen and moving the mouse",
            "only X11 is supported today: log in to an X11 session, or run `torres demo --headless`",
        ));
    }
    let Ok(display) = Display::current() else {
        return Session::None;
    };
    match screen::monitors() {
        Err(error) => Session::Unusable(Check::fails(
            NAME,
            format!("{}: {error}", display.name()),
            "set DISPLAY to a running X server whose authority you have (XAUTHORITY), or unset it for a headless display",
        )),
        Ok(_) => {
            let check = Check::works(NAME, display.name());
            Session::Desktop(display, check)
        }
    }
}

/// Starts a display of our own and has `torres doctor` examine it.
pub(super) fn on_headless_display(torres: &Path, options: Options<'_>) -> Result<Report, Check> {
    let complaint = |detail: String, advice: &str| Check::fails(NAME, format!("no DISPLAY; {detail}"), advice);
    let display = Display::headless(1920, 1080).map_err(|e| {
        complaint(
            e.to_string(),
            "start this on a desktop, or `apt-get install xvfb openbox`",
        )
    })?;
    let failed = |e: String| {
        complaint(
            format!("the doctor does not run on a headless display: {e}"),
            "run it again",
        )
    };
    let mut command = display.command(torres);
    command.args(["doctor", "--json"]);
    if options.quick {
        command.arg("--quick");
    }
    if let Some(engine) = options.engine {
        command.args(["--engine", engine]);
    }
    let output = command.output().map_err(|e| failed(e.to_string()))?;
    let mut report: Report = serde_json::from_slice(&output.stdout).map_err(|e| failed(e.to_string()))?;
    if let Some(check) = report.checks.iter_mut().find(|check| check.name == NAME && check.ok) {
        check.detail = "none, so that a headless one is started: good for `torres demo` and the tests".to_owned();
    }
    Ok(report)
}
