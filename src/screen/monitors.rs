//! The monitors of the desktop, in captured pixels.

#[cfg(not(target_os = "linux"))]
use super::portable as platform;
#[cfg(target_os = "linux")]
use super::x11 as platform;
use super::{ScreenError, is_wayland};
use torres_geometry::DesktopRect;

/// A monitor.
#[derive(Clone, Debug, PartialEq)]
pub struct MonitorInfo {
    /// Its number, from 0; the same order as long as no monitor is plugged in or out.
    pub index: usize,
    /// The platform's name for it.
    pub name: String,
    /// Where it lies on the virtual desktop, in captured pixels.
    pub rect: DesktopRect,
    /// Captured pixels per point, as the desktop's settings have it (X11: `Xft.dpi`/96); 1 where they say nothing. Programs draw so much
    /// larger; nothing that Torres measures depends on it.
    pub scale: f64,
}

/// A monitor as the platform lists it.
pub(super) struct Listed {
    pub name: String,
    pub rect: DesktopRect,
    pub scale: f64,
    /// The platform's numbers for it, by which `xcap` knows it as well: on X11 its outputs, none for a part of a screen.
    pub ids: Vec<u32>,
}

impl Listed {
    pub fn info(&self, index: usize) -> MonitorInfo {
        MonitorInfo {
            index,
            name: self.name.clone(),
            rect: self.rect,
            scale: self.scale,
        }
    }
}

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
