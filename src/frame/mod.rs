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

    /// Where a point of the desktop lies in this frame, if it does: beside it too.
    pub fn to_frame(&self, point: DesktopPx) -> FramePx {
        FramePx {
            x: point.x - self.origin.x,
            y: point.y - self.origin.y,
        }
    }
}

/// The part of a picture that begins at this pixel and has this width and height, as far as it lies within. Line by
/// line, where [`image::imageops::crop_imm`] goes pixel by pixel.
pub fn crop(image: &RgbaImage, (x, y): (u32, u32), (width, height): (u32, u32)) -> RgbaImage {
    let (x, y) = (x.min(image.width()), y.min(image.height()));
    let (width, height) = (width.min(image.width() - x), height.min(image.height() - y));
    let mut part = RgbaImage::new(width, height);
    let bytes = |pixels: u32| 4 * pixels as usize;
    let lines = image.chunks_exact(bytes(image.width()).max(1)).skip(y as usize);
    for (to, line) in part.chunks_exact_mut(bytes(width).max(1)).zip(lines) {
        to.copy_from_slice(&line[bytes(x)..][..bytes(width)]);
    }
    part
}

/// Why there is no next frame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A recording came to its end.
    #[error("the recording has no more frames; take a longer one")]
    Ended,
    /// What was captured is not there any more (window closed or minimised).
    #[error("{0} is not on the screen any more; bring it back into view")]
    Gone(String),
    /// The platform refused.
    #[error("cannot capture the screen: {0}; `torres doctor` says more")]
    Failed(String),
    /// A recording's picture, of this name, cannot be decoded.
    #[error("{0} is no picture that can be read: {1}; copy the recording again, or make a new one")]
    Unreadable(String, String),
}

/// Hands out frames, one after the other.
pub trait FrameSource {
    /// The next frame: for a live source a capture made now, for a recording the next stored one.
    fn next_frame(&mut self) -> Result<Frame, FrameError>;

    /// Reports of when the picture within a region may have changed, so that nobody has to look before; `None` from a
    /// source that cannot tell, which is looked at again and again instead.
    fn changes(&self, _region: DesktopRect) -> Option<Changes> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, imageops};

    #[test]
    fn a_part_is_cut_out_as_far_as_it_lies_within() {
        let image = RgbaImage::from_fn(7, 5, |x, y| Rgba([x as u8, y as u8, 0, 255]));
        for at in [(0, 0), (2, 1), (6, 4), (7, 0), (0, 5), (9, 9)] {
            for size in [(7, 5), (3, 2), (1, 1), (0, 3), (3, 0), (20, 20)] {
                let expected = imageops::crop_imm(&image, at.0, at.1, size.0, size.1).to_image();
                assert_eq!(crop(&image, at, size), expected, "{size:?} at {at:?}");
            }
        }
        assert_eq!(crop(&RgbaImage::new(0, 0), (0, 0), (1, 1)), RgbaImage::new(0, 0));
    }
}
