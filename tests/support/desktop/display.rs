//! A headless display for one test.

use crate::itself;
use torres_desktop::Display;

/// Set in the process that is to run a test's body.
const INSIDE: &str = "TORRES_TEST_DISPLAY";

/// Runs the body in a process whose `DISPLAY` is a new headless display of 1280×800, for one test alone: the mouse
/// belongs to a whole display, and the environment cannot be changed in a process with threads.
///
/// That process is this test program again, told to run `test`, which must be the calling test's name, its file's
/// before it: `mouse_stop::a_tripped_flag_ends_a_drag`.
pub fn on_display(test: &str, body: impl FnOnce(&Display)) {
    if std::env::var_os(INSIDE).is_some() {
        return body(&Display::current().expect("DISPLAY was set for this test"));
    }
    let display = Display::headless(1280, 800).unwrap_or_else(|e| panic!("no display for the test: {e}"));
    let mut command = itself(test);
    command.env("DISPLAY", display.name()).env(INSIDE, display.name());
    command.env_remove("WAYLAND_DISPLAY").env_remove("XDG_SESSION_TYPE");
    let output = command.output().expect("the test program runs");
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    // What a test prints is for whoever asked for it (`--nocapture`).
    print!("{text}");
    assert!(output.status.success(), "on its own display, {test} failed:\n{text}");
    assert!(text.contains("1 passed"), "there is no test named {test}:\n{text}");
}
