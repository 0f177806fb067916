//! A display, a window manager and a browser, started and ended for the demo and the tests.
//!
//! [`Display`] is the desktop's own or a headless one (Xvfb with openbox); [`Browser`] is a Chromium window on
//! either, with a profile of its own that is thrown away. Everything started here ends with the value that stands for
//! it, and with this process, however it ends. Nothing is captured or clicked here.

mod browser;
mod display;
mod process;
#[cfg(target_os = "linux")]
mod window;

pub use browser::{Browser, BrowserOptions, browser_program};
pub use display::Display;
#[cfg(target_os = "linux")]
pub use window::BrowserWindow;

/// Why there is no display or browser.
#[derive(Debug, thiserror::Error)]
pub enum DesktopError {
    /// A program is not installed.
    #[error("{program} is not installed; on Debian: `apt-get install {package}`")]
    Missing {
        /// What was looked for.
        program: &'static str,
        /// The Debian package that has it.
        package: &'static str,
    },
    /// There is no desktop to open a window on.
    #[error("there is no DISPLAY; start this on a desktop, or use a headless display")]
    NoDisplay,
    /// A program was started and failed.
    #[error("{program} does not run: {reason}")]
    Failed {
        /// Which program.
        program: &'static str,
        /// What happened, with the last lines that it wrote.
        reason: String,
    },
    /// The X server did not do what was asked.
    #[error("the X server refused: {0}")]
    X11(String),
    /// The browser's window is closed.
    #[error("the browser's window is closed")]
    Closed,
}

impl DesktopError {
    fn failed(program: &'static str, reason: impl std::fmt::Display) -> DesktopError {
        let reason = reason.to_string();
        DesktopError::Failed { program, reason }
    }

    #[cfg(target_os = "linux")]
    fn x11(error: impl std::fmt::Display) -> DesktopError {
        DesktopError::X11(error.to_string())
    }
}
