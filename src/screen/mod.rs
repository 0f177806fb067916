//! Live frame sources behind [`FrameSource`](torres_frame::FrameSource), and the windows and monitors to choose from.
//!
//! Rectangles are in captured pixels of the virtual desktop, whatever unit the platform's own calls use. On X11
//! windows, monitors and pixels come from the server itself, which is much cheaper than `xcap` (`docs/figures.md` has
//! the figures); on every other platform, and where the server refuses its pixels, from `xcap`. Without the feature
//! `xcap` there is X11 alone. Nothing here looks at what a pixel shows, and nothing here moves the mouse.

#[cfg(not(any(feature = "xcap", target_os = "linux")))]
compile_error!("without the feature `xcap` Torres sees nothing but X11, on Linux: build with the default features");

mod info;
mod kind;
mod live;
mod monitors;
mod outer;
#[cfg(feature = "xcap")]
mod portable;
mod reports;
mod windows;
#[cfg(target_os = "linux")]
mod x11;

pub use info::{MonitorInfo, ScreenError, WindowInfo, is_wayland};
pub use kind::CaptureKind;
pub use live::LiveScreen;
pub use monitors::monitors;
pub use outer::outer_frame;
pub use reports::{Ping, prove_changes, when_closed};
pub use windows::{find_window, window, windows, windows_beside};
