//! Capturing by `xcap`: every platform that it knows.

use super::live::Capture;
use crate::geometry::DesktopRect;
use image::RgbaImage;

/// One monitor, captured by `xcap`.
pub(super) struct PortableCapture {
    handle: xcap::Monitor,
    rect: DesktopRect,
}

impl PortableCapture {
    pub fn new(handle: xcap::Monitor, rect: DesktopRect) -> PortableCapture {
        PortableCapture { handle, rect }
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
            Err(xcap::XCapError::InvalidCaptureRegion(_)) => {
                let whole = self.handle.capture_image().map_err(|e| e.to_string())?;
                let (width, height) = whole.dimensions();
                if x + rect.width > width || y + rect.height > height {
                    return Err(format!("the monitor's picture is only {width}×{height} px"));
                }
                Ok(image::imageops::crop_imm(&whole, x, y, rect.width, rect.height).to_image())
            }
            Err(error) => Err(error.to_string()),
        }
    }
}
