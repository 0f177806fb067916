//! One Torres at a time moves a desktop's mouse: two would spoil each other's gestures.
//!
//! On X11 the display server itself keeps the lock, as a selection that one client at a time owns: whatever name the
//! environment has for the display or for temporary folders, all Torres' of one mouse meet there, and it ends with the
//! owner's connection. There is no second lock beside it, since two could disagree. Elsewhere it is a locked file.

use super::Mouse;
use super::device::{Device, EnigoDevice};
use super::error::{HoldError, MouseError};
use super::watchdog::Watchdog;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use torres_geometry::InputScale;

#[cfg(not(target_os = "linux"))]
pub(super) use super::lock_file::LockFile as Lock;
#[cfg(target_os = "linux")]
pub(super) use super::x11::Lock;

/// How long a Torres that was just ended may take until it releases the mouse.
const ENDS_WITHIN: Duration = Duration::from_secs(1);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The right to move the mouse of this desktop, until it is dropped or the process ends, however it ends.
///
/// A watchdog process releases the button where this one ends in the middle of a press.
pub struct Hold {
    _lock: Lock,
    watchdog: Arc<Watchdog>,
    found_pressed: bool,
}

impl Hold {
    /// Takes hold of the mouse for what `purpose` names, and releases a left button that is down; `torres` is the
    /// program whose `watchdog` subcommand is to guard the button.
    ///
    /// # Errors
    /// Another Torres has it, and does not end within a second; or the mouse or the watchdog fails.
    pub fn take(purpose: &str, torres: &Path) -> Result<Hold, HoldError> {
        let label = format!("process {}, {purpose}", std::process::id());
        let mut lock = Lock::open()?;
        let began = Instant::now();
        while let Some(by) = lock.take(&label, None)? {
            if began.elapsed() > ENDS_WITHIN {
                return Err(HoldError::Taken { by });
            }
            std::thread::sleep(LOOK_EVERY);
        }
        let watchdog = Watchdog::start(torres, &label).map_err(|why| HoldError::Unguarded {
            program: torres.display().to_string(),
            why,
        })?;
        Ok(Hold {
            _lock: lock,
            watchdog: Arc::new(watchdog),
            found_pressed: released()?,
        })
    }

    /// What the user should know of the state in which the mouse was found, if anything.
    pub fn note(&self) -> Option<&'static str> {
        self.found_pressed
            .then_some("the left mouse button was found pressed, as a killed program leaves it; it is released")
    }

    /// The pointer, and its left button under the watchdog's eye.
    pub fn mouse(&self, scale: InputScale) -> Result<Mouse, MouseError> {
        let device = EnigoDevice::open()?.guarded_by(Arc::clone(&self.watchdog));
        Mouse::of(device, scale)
    }
}

/// Releases the left button where it is down; whether it was.
fn released() -> Result<bool, MouseError> {
    let mut device = EnigoDevice::open()?;
    if device.button_settled()? {
        return Ok(false);
    }
    device.release()?;
    let began = Instant::now();
    // The user presses it: Torres does not release that.
    while !device.button_settled()? {
        if began.elapsed() > ENDS_WITHIN {
            return Err(MouseError::Pressed);
        }
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(true)
}
