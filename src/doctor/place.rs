//! Where a square of one colour lies in a picture.

use image::RgbaImage;
use torres_geometry::FramePx;

/// How much a channel may differ from the page's: desktops correct colours a little.
const TOLERANCE: u8 = 24;
/// The share of the rectangle around the colour that must be of it.
const FILLED: f64 = 0.97;
/// Fewer pixels on a side are no square of the page.
const LEAST: u32 = 20;

/// A square as it was seen, in pixels of the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FoundSquare {
    pub center: FramePx,
    pub side: f64,
}

/// The square of this colour; `None` where there is none, or something covers a part of it.
pub(super) fn find(picture: &RgbaImage, color: [u8; 3]) -> Option<FoundSquare> {
    let alike = |pixel: &image::Rgba<u8>| pixel.0.iter().zip(color).all(|(a, b)| a.abs_diff(b) <= TOLERANCE);
    let (mut left, mut top, mut right, mut bottom, mut count) = (u32::MAX, u32::MAX, 0, 0, 0u32);
    for (x, y, pixel) in picture.enumerate_pixels() {
        if alike(pixel) {
            (left, right) = (left.min(x), right.max(x + 1));
            (top, bottom) = (top.min(y), bottom.max(y + 1));
            count += 1;
        }
    }
    let (width, height) = (right.checked_sub(left)?, bottom.checked_sub(top)?);
    let filled = f64::from(count) / (f64::from(width) * f64::from(height));
    if width < LEAST || width.abs_diff(height) > 1 || filled < FILLED {
        return None;
    }
    Some(FoundSquare {
        center: FramePx {
            x: f64::from(left + right) / 2.0,
            y: f64::from(top + bottom) / 2.0,
        },
        side: f64::from(width + height) / 2.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;

    const PINK: [u8; 3] = [208, 0, 111];

    fn picture(x: u32, y: u32, side: u32) -> RgbaImage {
        RgbaImage::from_fn(400, 300, |at_x, at_y| {
            let inside = (x..x + side).contains(&at_x) && (y..y + side).contains(&at_y);
            Rgba(if inside {
                [200, 6, 111, 255]
            } else {
                [244, 239, 230, 255]
            })
        })
    }

    #[test]
    fn a_square_is_found_where_it_lies() {
        let seen = find(&picture(40, 70, 120), PINK).unwrap();
        assert_eq!((seen.center, seen.side), (FramePx { x: 100.0, y: 130.0 }, 120.0));
    }

    #[test]
    fn a_covered_square_and_other_colours_are_not_it() {
        let mut covered = picture(40, 70, 120);
        for x in 60..100 {
            for y in 80..130 {
                covered.put_pixel(x, y, Rgba([0, 0, 0, 255]));
            }
        }
        assert_eq!(find(&covered, PINK), None);
        assert_eq!(find(&picture(40, 70, 120), [0, 87, 208]), None);
        assert_eq!(find(&picture(40, 70, 4), PINK), None);
    }
}
