//! The monitors of the desktop, in captured pixels.

use super::info::{Listed, MonitorInfo, ScreenError, is_wayland};
#[cfg(not(target_os = "linux"))]
use super::portable as platform;
#[cfg(target_os = "linux")]
use super::x11 as platform;

/// All monitors.
pub fn monitors() -> Result<Vec<MonitorInfo>, ScreenError> {
    let all = listed()?;
    let numbered = all.iter().enumerate();
    Ok(numbered.map(|(index, monitor)| monitor.info(index)).collect())
}

/// All monitors, each at its number.
pub(super) fn listed() -> Result<Vec<Listed>, ScreenError> {
    if is_wayland() {
        return Err(ScreenError::Wayland);
    }
    platform::monitors().map_err(ScreenError::Unreachable)
}
