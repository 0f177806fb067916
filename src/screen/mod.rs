//! Live frame sources behind [`FrameSource`](torres_frame::FrameSource), and the windows and monitors to choose from.
//!
//! Rectangles are in captured pixels of the virtual desktop, whatever unit the platform's own calls use. On X11 windows,
//! monitors and pixels come from the server itself, which is much cheaper than `xcap` (see `docs/platform.md`); on every other
//! platform, and where the server refuses its pixels, from `xcap`. Without the feature `xcap` there is X11 alone. Nothing here
//! looks at what a pixel shows, and nothing here moves the mouse.

#[cfg(not(any(feature = "xcap", target_os = "linux")))]
compile_error!("without the feature `xcap` Torres sees nothing but X11, on Linux: build with the default features");

mod live;
mod monitors;
mod outer;
#[cfg(feature = "xcap")]
mod portable;
mod windows;
#[cfg(target_os = "linux")]
mod x11;

pub use live::{CaptureKind, LiveScreen};
pub use monitors::{MonitorInfo, monitors};
pub use outer::outer_frame;
use std::time::Duration;
use torres_frame::Changes;
use torres_geometry::DesktopRect;
pub use windows::{WindowInfo, find_window, window, windows};

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

/// Reports of changes within a region of the desktop; the error says why this platform makes none.
fn changes(region: DesktopRect) -> Result<Changes, String> {
    #[cfg(target_os = "linux")]
    return x11::changes(region);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = region;
        Err("it needs X11".to_owned())
    }
}

/// Calls `closed`, from another thread, at once when the window of that id is closed. The error says why this platform cannot tell; a look at the
/// windows still does.
pub fn when_closed(id: u32, closed: impl FnOnce() + Send + 'static) -> Result<(), String> {
    #[cfg(target_os = "linux")]
    return x11::when_closed(id, closed);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (id, closed);
        Err("it needs X11".to_owned())
    }
}

/// Tries whether changes are reported: shows one pixel in the desktop's upper left corner for a moment, and says after which time
/// that was reported. The error says why changes must be looked for instead.
pub fn prove_changes() -> Result<Duration, String> {
    #[cfg(target_os = "linux")]
    return x11::prove();
    #[cfg(not(target_os = "linux"))]
    Err("it needs X11".to_owned())
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
