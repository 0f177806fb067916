//! Ways of getting pixels.

use image::RgbaImage;
use torres_geometry::DesktopRect;

/// A way of getting pixels, from the fastest to the most portable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureKind {
    /// The X server writes into memory that we share with it (MIT-SHM).
    SharedMemory,
    /// The X server sends the pixels over its socket (`GetImage`).
    Socket,
    /// Whatever `xcap` does on this platform, where Torres was built with it.
    Portable,
}

impl CaptureKind {
    /// All that Torres was built with, in the order in which they are tried.
    pub const ALL: [CaptureKind; 2 + cfg!(feature = "xcap") as usize] = [
        CaptureKind::SharedMemory,
        CaptureKind::Socket,
        #[cfg(feature = "xcap")]
        CaptureKind::Portable,
    ];
}

impl std::fmt::Display for CaptureKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            CaptureKind::SharedMemory => "X11 shared memory",
            CaptureKind::Socket => "X11 GetImage",
            CaptureKind::Portable => "xcap",
        })
    }
}

/// One backend: pixels of a rectangle that lies within the monitor.
pub(super) trait Capture: Send {
    fn capture(&mut self, rect: DesktopRect) -> Result<RgbaImage, String>;
}
