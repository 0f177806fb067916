//! Captured pixels and where they come from.
//!
//! A [`Frame`] is pixels, the time they were taken, and where on the desktop they lie. A [`FrameSource`] hands
//! out frames: a live screen (`screen`) or a recording (`fixture`). [`folder`] is how frames lie on disk. Nothing here
//! interprets a pixel.

mod changes;
pub mod decode;
pub mod folder;
mod time;

pub use changes::{Changes, Reporter};
pub use time::{Clocks, Timestamp, WallTime, boot_id};

use image::RgbaImage;
use std::sync::Arc;
use torres_geometry::{DesktopPx, DesktopRect, FramePx};

/// A captured picture.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The pixels; alpha is always 255. Shared: what keeps a frame in mind costs no copy of it.
    pub image: Arc<RgbaImage>,
    /// When they were taken.
    pub at: Timestamp,
    /// Where the upper left pixel lies on the desktop.
    pub origin: DesktopPx,
}

impl Frame {
    /// Where a point of this frame lies on the desktop.
    pub fn to_desktop(&self, point: FramePx) -> DesktopPx {
        DesktopPx {
            x: self.origin.x + point.x,
            y: self.origin.y + point.y,
        }
    }
}

/// Why there is no next frame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A recording came to its end.
    #[error("no more frames")]
    Ended,
    /// What was captured is not there any more (window closed or minimised).
    #[error("{0} is not on the screen any more")]
    Gone(String),
    /// The platform refused.
    #[error("cannot capture the screen: {0}")]
    Failed(String),
}

/// Hands out frames, one after the other.
pub trait FrameSource {
    /// The next frame: for a live source a capture made now, for a recording the next stored one.
    fn next_frame(&mut self) -> Result<Frame, FrameError>;

    /// Reports of when the picture within a region may have changed, so that nobody has to look before; `None` from a source
    /// that cannot tell, which is looked at again and again instead.
    fn changes(&self, _region: DesktopRect) -> Option<Changes> {
        None
    }
}
