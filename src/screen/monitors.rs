//! The monitors of the desktop, in captured pixels.

use super::{ScreenError, is_wayland};
use crate::geometry::DesktopRect;

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

/// All monitors.
pub fn monitors() -> Result<Vec<MonitorInfo>, ScreenError> {
    Ok(found()?.into_iter().map(|(info, _)| info).collect())
}

/// Every monitor with the platform's handle for capturing it, where it has one.
///
/// On X11, `xcap` knows only those with an output of their own. A part of a wide screen that was made a monitor (`xrandr --setmonitor`)
/// has none; such ones come after the others.
pub(super) fn found() -> Result<Vec<(MonitorInfo, Option<xcap::Monitor>)>, ScreenError> {
    if is_wayland() {
        return Err(ScreenError::Wayland);
    }
    let unreachable = |e: xcap::XCapError| ScreenError::Unreachable(e.to_string());
    let listed = xcap::Monitor::all().map_err(unreachable)?;
    let exact = exact_places();
    let mut all = Vec::new();
    for monitor in listed {
        let id = monitor.id().map_err(unreachable)?;
        let rect = match exact.iter().find(|place| place.outputs.contains(&id)) {
            Some(place) => place.rect,
            None => scaled_rect(&monitor).map_err(unreachable)?,
        };
        let name = monitor.name().map_err(unreachable)?;
        let scale = monitor.scale_factor().map_or(1.0, f64::from);
        all.push((name, rect, scale, Some(monitor)));
    }
    let scale = all.first().map_or(1.0, |(_, _, scale, _)| *scale);
    let without = exact.into_iter().filter(|place| place.outputs.is_empty());
    all.extend(without.map(|place| (place.name, place.rect, scale, None)));
    let numbered = all.into_iter().enumerate();
    Ok(numbered
        .map(|(index, (name, rect, scale, handle))| {
            let info = MonitorInfo {
                index,
                name,
                rect,
                scale,
            };
            (info, handle)
        })
        .collect())
}

/// Where a monitor lies, as X11 has it.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
pub(super) struct ExactPlace {
    /// The ids of its outputs, none for a part of a screen.
    pub outputs: Vec<u32>,
    pub name: String,
    pub rect: DesktopRect,
}

/// The monitors' places in pixels, as RandR has them.
///
/// `xcap` divides them by `Xft.dpi`/96 and rounds down, though it captures unscaled pixels.
#[cfg(target_os = "linux")]
fn exact_places() -> Vec<ExactPlace> {
    super::x11::monitor_places().unwrap_or_default()
}

#[cfg(not(target_os = "linux"))]
fn exact_places() -> Vec<ExactPlace> {
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
