//! The window manager and its list of windows.

use super::check::Check;
use torres_desktop::Display;
use torres_screen as screen;

const NAME: &str = "windows";
const ADVICE: &str = "start a window manager that speaks EWMH, for example `openbox &` (`apt-get install openbox`)";

/// Whether a window manager runs, which, and how many windows it lists.
pub(super) fn check(display: &Display) -> Check {
    let manager = match display.window_manager() {
        Ok(manager) => manager,
        Err(error) => return Check::fails(NAME, error, "see that the X server runs, and that DISPLAY is right"),
    };
    let manager = match manager {
        Some(name) => format!("window manager {name}, "),
        None if cfg!(target_os = "linux") => {
            return Check::fails(
                NAME,
                "there is no window manager, so that windows cannot be found by their titles",
                ADVICE,
            );
        }
        None => String::new(),
    };
    match screen::windows() {
        Ok(windows) => Check::works(NAME, format!("{manager}windows open: {}", windows.len())),
        Err(error) => Check::fails(NAME, format!("{manager}but {error}"), ADVICE),
    }
}
