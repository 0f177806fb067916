//! Pictures from files: refused by what their header says, before a byte is decoded, when they are larger than any
//! screen.
//!
//! A picture of a few hundred kilobytes may unfold to gigabytes. All doors through which a file's picture comes in lead
//! here.

use image::{DynamicImage, ImageDecoder, ImageError, ImageReader, RgbaImage};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Seek};
use std::path::Path;

/// The largest picture, in pixels: two 8K screens (7680 × 4320) side by side are a little smaller. As RGBA it takes 256
/// MiB.
const MOST_PIXELS: u64 = 1 << 26;

/// Why a file is no picture that is read.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// The file cannot be read.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// It is no picture, or a damaged one.
    #[error("{0}")]
    Picture(#[from] ImageError),
    /// It is larger than any screen.
    #[error("it has {width} × {height} pixels, more than the {} million that are read: no screen is so large", MOST_PIXELS / 1_000_000)]
    TooLarge {
        /// Its width, by its header.
        width: u32,
        /// Its height.
        height: u32,
    },
    /// It is not of the one size that is wanted.
    #[error("it has {width} × {height} pixels")]
    OtherSize {
        /// Its width, by its header.
        width: u32,
        /// Its height.
        height: u32,
    },
}

/// The picture in a file.
///
/// # Errors
/// It cannot be read, is no picture, or is larger than [`MOST_PIXELS`].
pub fn picture_in(path: &Path) -> Result<RgbaImage, DecodeError> {
    Ok(decoded(BufReader::new(File::open(path)?), fits_a_screen)?.into_rgba8())
}

/// The picture in bytes that were kept in a file.
///
/// # Errors
/// It is no picture, or is larger than [`MOST_PIXELS`].
pub fn picture_of(bytes: &[u8]) -> Result<DynamicImage, DecodeError> {
    decoded(Cursor::new(bytes), fits_a_screen)
}

/// The picture of exactly this size in bytes that were kept in a file.
///
/// # Errors
/// It is no picture, or one of another size.
pub fn picture_sized(bytes: &[u8], size: (u32, u32)) -> Result<RgbaImage, DecodeError> {
    let is_it = |(width, height)| match (width, height) == size {
        true => Ok(()),
        false => Err(DecodeError::OtherSize { width, height }),
    };
    Ok(decoded(Cursor::new(bytes), is_it)?.into_rgba8())
}

fn fits_a_screen((width, height): (u32, u32)) -> Result<(), DecodeError> {
    match u64::from(width) * u64::from(height) <= MOST_PIXELS {
        true => Ok(()),
        false => Err(DecodeError::TooLarge { width, height }),
    }
}

fn decoded(
    bytes: impl BufRead + Seek,
    fits: impl FnOnce((u32, u32)) -> Result<(), DecodeError>,
) -> Result<DynamicImage, DecodeError> {
    let decoder = ImageReader::new(bytes).with_guessed_format()?.into_decoder()?;
    fits(decoder.dimensions())?;
    Ok(DynamicImage::from_decoder(decoder)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A PNG whose header says this size, and in which no pixel follows.
    fn header(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header().unwrap();
        writer.write_chunk(png::chunk::IDAT, &[]).unwrap();
        drop(writer);
        bytes
    }

    #[test]
    fn a_picture_larger_than_any_screen_is_refused_by_its_header() {
        for (width, height) in [(11_000, 11_000), (8193, 8192), (40_000_000, 2)] {
            let refused = picture_of(&header(width, height)).unwrap_err();
            let told = refused.to_string();
            match refused {
                DecodeError::TooLarge { .. } => assert!(told.contains(&format!("{width} × {height}")), "{told}"),
                other => panic!("{width} × {height}: {other:?}"),
            }
        }
        // Large enough for two 8K screens: it is read, and has no pixels.
        for (width, height) in [(2 * 7680, 4320), (7680, 2 * 4320), (8192, 8192)] {
            let read = picture_of(&header(width, height));
            assert!(
                matches!(read, Err(DecodeError::Picture(_))),
                "{width} × {height}: {read:?}"
            );
        }
    }

    #[test]
    fn a_picture_of_one_size_is_refused_by_its_header_when_it_has_another() {
        let mut bytes = Cursor::new(Vec::new());
        let red = RgbaImage::from_pixel(3, 2, image::Rgba([200, 0, 0, 255]));
        red.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
        assert_eq!(picture_sized(bytes.get_ref(), (3, 2)).unwrap(), red);
        for size in [(2, 3), (3, 3)] {
            let refused = picture_sized(bytes.get_ref(), size);
            assert!(
                matches!(refused, Err(DecodeError::OtherSize { width: 3, height: 2 })),
                "{refused:?}"
            );
        }
        assert!(matches!(picture_sized(b"none", (3, 2)), Err(DecodeError::Picture(_))));
    }
}
