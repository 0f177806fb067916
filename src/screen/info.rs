//! What is known of monitors and windows, and why nothing is.

use super::kind::CaptureKind;
use torres_geometry::DesktopRect;

/// Why the screen cannot be looked at.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScreenError {
    /// There is no screen to talk to.
    #[error("cannot reach the screen: {0}; check that DISPLAY names a running X server (`torres doctor` says more)")]
    Unreachable(String),
    /// The session is a Wayland one.
    #[error(
        "this is a Wayland session, and only X11 is supported today: log in to an X11 session, \
         or run `torres demo --headless`"
    )]
    Wayland,
    /// The list of windows cannot be read.
    #[error("cannot list the windows: {0}; is a window manager running? (for example `openbox`)")]
    NoWindowList(String),
    /// No window's title matches.
    #[error("no window has '{wanted}' in its title; there are: {}", list(.found))]
    NoWindow {
        /// What the title should contain.
        wanted: String,
        /// The titles there are.
        found: Vec<String>,
    },
    /// There is no monitor of that number.
    #[error("there is no monitor {index}; there are {count}, numbered from 0")]
    NoMonitor {
        /// The number asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A way of capturing is not available here.
    #[error("{kind} is not available here: {reason}")]
    NoBackend {
        /// The way asked for.
        kind: CaptureKind,
        /// Why not.
        reason: String,
    },
}

/// A monitor.
#[derive(Clone, Debug, PartialEq)]
pub struct MonitorInfo {
    /// Its number, from 0; the same order as long as no monitor is plugged in or out.
    pub index: usize,
    /// The platform's name for it.
    pub name: String,
    /// Where it lies on the virtual desktop, in captured pixels.
    pub rect: DesktopRect,
    /// Captured pixels per point, as the desktop's settings have it (X11: `Xft.dpi`/96); 1 where they say nothing.
    /// Programs draw so much larger; nothing that Torres measures depends on it.
    pub scale: f64,
}

/// A monitor as the platform lists it.
pub(super) struct Listed {
    pub name: String,
    pub rect: DesktopRect,
    pub scale: f64,
    /// The platform's numbers for it, by which `xcap` knows it as well: on X11 its outputs, none for a part of a
    /// screen.
    pub ids: Vec<u32>,
}

impl Listed {
    pub(crate) fn info(&self, index: usize) -> MonitorInfo {
        MonitorInfo {
            index,
            name: self.name.clone(),
            rect: self.rect,
            scale: self.scale,
        }
    }
}

/// A top-level window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowInfo {
    /// The platform's number for it; the same as long as the window exists.
    pub id: u32,
    /// Its title, in one line: a page may call itself what it likes, and its control characters are spelled out.
    pub title: String,
    /// The application's name (X11: the class of `WM_CLASS`), likewise.
    pub app: String,
    /// Where its content lies, without the window manager's frame. Meaningless while minimised.
    pub client: DesktopRect,
    /// Whether it is minimised, so that nothing of it is on the screen.
    pub minimised: bool,
}

fn list(titles: &[String]) -> String {
    if titles.is_empty() {
        "none".to_owned()
    } else {
        titles.iter().map(|t| format!("'{t}'")).collect::<Vec<_>>().join(", ")
    }
}

/// Whether this process runs in a Wayland session, by the variables that the session sets.
pub fn is_wayland() -> bool {
    let says_wayland =
        |name| std::env::var_os(name).is_some_and(|v| v.to_string_lossy().to_lowercase().contains("wayland"));
    cfg!(target_os = "linux") && (says_wayland("XDG_SESSION_TYPE") || says_wayland("WAYLAND_DISPLAY"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_window_is_reported_with_those_that_are_there() {
        let error = ScreenError::NoWindow {
            wanted: "Chess".to_owned(),
            found: vec!["Mail".to_owned(), "Clock".to_owned()],
        };
        assert_eq!(
            error.to_string(),
            "no window has 'Chess' in its title; there are: 'Mail', 'Clock'"
        );
    }
}
