//! Small pictures as they stand in a calibration file: PNG, base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder, RgbaImage};
use torres_frame::decode::picture_sized;

/// The text of a picture with these pixels, row by row. Into memory a buffer of the stated size is always written, so
/// it is never `None`.
pub fn encoded(pixels: &[u8], (width, height): (u32, u32), color: ExtendedColorType) -> Option<String> {
    let mut png = Vec::new();
    let written = PngEncoder::new(&mut png).write_image(pixels, width, height, color);
    written.is_ok().then(|| STANDARD.encode(png))
}

/// The picture of this size that a text holds; `what` names it in a message.
///
/// # Errors
/// The text is no picture, or one of another size.
pub fn decoded(what: &str, text: &str, (width, height): (u32, u32)) -> Result<RgbaImage, String> {
    let bytes = STANDARD
        .decode(text)
        .map_err(|e| format!("{what} is not base64: {e}"))?;
    picture_sized(&bytes, (width, height)).map_err(|e| format!("{what} is not a PNG of {width}×{height} pixels: {e}"))
}
