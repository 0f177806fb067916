//! What the system lets us do.

use super::check::Check;
use torres_mouse::may_simulate;
use torres_screen::LiveScreen;

const NAME: &str = "permissions";

/// Whether the screen may be read, the mouse moved, and files be made.
pub(super) fn check() -> Check {
    if let Err(error) = LiveScreen::monitor(0) {
        return Check::fails(
            NAME,
            format!("the screen may not be read: {error}"),
            "run this as the user whose desktop it is (`echo $XAUTHORITY` names the key to it), and unlock the screen",
        );
    }
    match may_simulate() {
        Ok(true) => {}
        Ok(false) => {
            return Check::fails(
                NAME,
                "the X server has no XTEST extension, by which programs move the mouse",
                "start the X server without `-tst`",
            );
        }
        Err(error) => return Check::fails(NAME, error, "see that the X server runs, and that DISPLAY is right"),
    }
    let folder = std::env::temp_dir();
    match tempfile::tempfile_in(&folder) {
        Ok(_) => Check::works(
            NAME,
            format!(
                "the screen may be read, the mouse moved, files made in {}",
                folder.display()
            ),
        ),
        Err(error) => Check::fails(
            NAME,
            format!("no file can be made in {}: {error}", folder.display()),
            "make room there, or set TMPDIR to a folder of yours; the browser's profile and the engine's socket lie there",
        ),
    }
}
