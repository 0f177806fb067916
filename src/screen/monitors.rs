//! The monitors of the desktop, in captured pixels.

use super::{ScreenError, is_wayland};
use crate::geometry::DesktopRect;

/// A monitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonitorInfo {
    /// Its number, from 0; the same order as long as no monitor is plugged in or out.
    pub index: usize,
    /// The platform's name for it.
    pub name: String,
    /// Where it lies on the virtual desktop, in captured pixels.
    pub rect: DesktopRect,
}

/// All monitors.
pub fn monitors() -> Result<Vec<MonitorInfo>, ScreenError> {
    Ok(found()?.into_iter().map(|(info, _)| info).collect())
}

/// Every monitor with the platform's handle for capturing it.
pub(super) fn found() -> Result<Vec<(MonitorInfo, xcap::Monitor)>, ScreenError> {
    if is_wayland() {
        return Err(ScreenError::Wayland);
    }
    let unreachable = |e: xcap::XCapError| ScreenError::Unreachable(e.to_string());
    let listed = xcap::Monitor::all().map_err(unreachable)?;
    let exact = exact_rects();
    listed
        .into_iter()
        .enumerate()
        .map(|(index, monitor)| {
            let id = monitor.id().map_err(unreachable)?;
            let rect = match exact.iter().find(|(output, _)| *output == id) {
                Some((_, rect)) => *rect,
                None => scaled_rect(&monitor).map_err(unreachable)?,
            };
            let name = monitor.name().map_err(unreachable)?;
            Ok((MonitorInfo { index, name, rect }, monitor))
        })
        .collect()
}

/// Rectangles by the monitor's id, in pixels, as RandR has them.
///
/// `xcap` divides them by `Xft.dpi`/96 and rounds down, though it captures unscaled pixels.
#[cfg(target_os = "linux")]
fn exact_rects() -> Vec<(u32, DesktopRect)> {
    super::x11::output_rects().unwrap_or_default()
}

#[cfg(not(target_os = "linux"))]
fn exact_rects() -> Vec<(u32, DesktopRect)> {
    Vec::new()
}

/// The monitor's rectangle in captured pixels: `xcap` gives it in points.
fn scaled_rect(monitor: &xcap::Monitor) -> Result<DesktopRect, xcap::XCapError> {
    let scale = f64::from(monitor.scale_factor()?);
    Ok(DesktopRect {
        x: (f64::from(monitor.x()?) * scale).round() as i32,
        y: (f64::from(monitor.y()?) * scale).round() as i32,
        width: (f64::from(monitor.width()?) * scale).round() as u32,
        height: (f64::from(monitor.height()?) * scale).round() as u32,
    })
}
