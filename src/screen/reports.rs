//! What the platform reports: that something was drawn, that a window is closed, that a program gets to its events.

#[cfg(target_os = "linux")]
use super::x11;
use std::time::Duration;
use torres_frame::Changes;
use torres_geometry::DesktopRect;

/// Reports of changes within a region of the desktop; the error says why this platform makes none.
pub(super) fn changes(region: DesktopRect) -> Result<Changes, String> {
    #[cfg(target_os = "linux")]
    return x11::changes(region);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = region;
        Err("it needs X11".to_owned())
    }
}

/// Calls `closed`, from another thread, at once when the window of that id is closed. The error says why this platform
/// cannot tell; a look at the windows still does.
pub fn when_closed(id: u32, closed: impl FnOnce() + Send + 'static) -> Result<(), String> {
    #[cfg(target_os = "linux")]
    return x11::when_closed(id, closed);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (id, closed);
        Err("it needs X11".to_owned())
    }
}

/// Tries whether changes are reported: shows one pixel in the desktop's upper left corner for a moment, and says after
/// which time that was reported. The error says why changes must be looked for instead.
pub fn prove_changes() -> Result<Duration, String> {
    #[cfg(target_os = "linux")]
    return x11::prove();
    #[cfg(not(target_os = "linux"))]
    Err("it needs X11".to_owned())
}

/// A question to the program of a window whether it gets to its events. One that thinks in the middle of them does not,
/// and has not had the clicks that were made meanwhile.
pub struct Ping {
    #[cfg(target_os = "linux")]
    asked: x11::Ping,
}

impl Ping {
    /// Asks the program of the window of that id. `None` where this platform or that program knows no such question.
    pub fn send(id: u32) -> Option<Ping> {
        #[cfg(target_os = "linux")]
        return x11::Ping::send(id).map(|asked| Ping { asked });
        #[cfg(not(target_os = "linux"))]
        {
            let _ = id;
            None
        }
    }

    /// Whether it was answered by now.
    pub fn is_answered(&mut self) -> bool {
        #[cfg(target_os = "linux")]
        return self.asked.is_answered();
        #[cfg(not(target_os = "linux"))]
        true
    }
}
