//! The screen by `xcap`, which knows every platform. On X11 only its pixels are asked for, and only where nothing else
//! works.

use super::info::{Listed, WindowInfo};
use super::kind::Capture;
use image::RgbaImage;
use torres_geometry::DesktopRect;
use xcap::{Monitor, Window, XCapError};

/// One monitor, captured by `xcap`.
pub(super) struct PortableCapture {
    handle: Monitor,
    rect: DesktopRect,
}

impl PortableCapture {
    pub(crate) fn open(monitor: &Listed) -> Result<PortableCapture, String> {
        let all = Monitor::all().map_err(text)?;
        let known = |handle: &Monitor| handle.id().is_ok_and(|id| monitor.ids.contains(&id));
        let handle = all.into_iter().find(known);
        Ok(PortableCapture {
            handle: handle.ok_or_else(|| format!("it does not know the monitor '{}'", monitor.name))?,
            rect: monitor.rect,
        })
    }

    /// The rectangle relative to the monitor's upper left corner.
    fn relative(&self, rect: DesktopRect) -> Result<(u32, u32), String> {
        let offset = |inner: i32, outer: i32| u32::try_from(inner - outer).map_err(|_| "region beside the monitor");
        Ok((offset(rect.x, self.rect.x)?, offset(rect.y, self.rect.y)?))
    }
}

impl Capture for PortableCapture {
    fn capture(&mut self, rect: DesktopRect) -> Result<RgbaImage, String> {
        let (x, y) = self.relative(rect)?;
        match self.handle.capture_region(x, y, rect.width, rect.height) {
            Ok(image) => Ok(image),
            // It checks the region against a monitor size divided by `Xft.dpi`, though it captures unscaled pixels.
            Err(XCapError::InvalidCaptureRegion(_)) => {
                let whole = self.handle.capture_image().map_err(text)?;
                let (width, height) = whole.dimensions();
                if x + rect.width > width || y + rect.height > height {
                    return Err(format!("the monitor's picture is only {width}×{height} px"));
                }
                Ok(image::imageops::crop_imm(&whole, x, y, rect.width, rect.height).to_image())
            }
            Err(error) => Err(text(error)),
        }
    }
}

/// All monitors.
#[cfg_attr(
    target_os = "linux",
    expect(dead_code, reason = "X11 is asked itself; here so that it is compiled")
)]
pub(super) fn monitors() -> Result<Vec<Listed>, String> {
    let all = Monitor::all().map_err(text)?;
    all.iter()
        .map(|monitor| describe_monitor(monitor).map_err(text))
        .collect()
}

fn describe_monitor(monitor: &Monitor) -> Result<Listed, XCapError> {
    let scale = f64::from(monitor.scale_factor()?);
    Ok(Listed {
        name: monitor.name()?,
        // In points.
        rect: DesktopRect {
            x: (f64::from(monitor.x()?) * scale).round() as i32,
            y: (f64::from(monitor.y()?) * scale).round() as i32,
            width: (f64::from(monitor.width()?) * scale).round() as u32,
            height: (f64::from(monitor.height()?) * scale).round() as u32,
        },
        scale,
        ids: vec![monitor.id()?],
    })
}

/// All windows, the front one first; one that closes meanwhile is left out.
#[cfg_attr(
    target_os = "linux",
    expect(dead_code, reason = "X11 is asked itself; here so that it is compiled")
)]
pub(super) fn windows() -> Result<Vec<WindowInfo>, String> {
    let all = Window::all().map_err(text)?;
    Ok(all.iter().filter_map(|window| describe_window(window).ok()).collect())
}

/// Whether a window is of the program that shows this one, by the program's name.
#[cfg_attr(
    target_os = "linux",
    expect(dead_code, reason = "X11 is asked itself; here so that it is compiled")
)]
pub(super) fn of_program(own: &WindowInfo) -> Result<impl Fn(&WindowInfo) -> bool + use<>, String> {
    let app = own.app.clone();
    Ok(move |other: &WindowInfo| other.app == app)
}

fn describe_window(window: &Window) -> Result<WindowInfo, XCapError> {
    Ok(WindowInfo {
        id: window.id()?,
        title: window.title()?,
        app: window.app_name()?,
        client: DesktopRect {
            x: window.x()?,
            y: window.y()?,
            width: window.width()?,
            height: window.height()?,
        },
        minimised: window.is_minimized()?,
    })
}

fn text(error: XCapError) -> String {
    error.to_string()
}
