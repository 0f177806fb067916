//! Says whether a picture shows a line of letters. A panel is compared pixel by pixel, so it tells one name from
//! another only where a name is drawn; a plain surface, a border, a gradient, noise or a single letter looks the same
//! whoever plays.
//!
//! Letters are strokes: narrow marks, darker or brighter than what lies on both sides of them, several side by side in
//! one row, and wholly inside the picture. Torres does not read which letters they are.

use image::RgbImage;
use std::ops::RangeInclusive;
use torres_vision::joined::{Joined, joined};

/// How far from a stroke its ground lies at most, on both sides, in pixels: bold type of 70 px is not wider.
const REACH: usize = 12;
/// The heights of a stroke and what it is joined to, in pixels: from an "x" of 11 px type to a line of 70 px type. A
/// word of joined letters is no higher.
const HEIGHTS: RangeInclusive<usize> = 5..=72;
/// The fewest strokes in one row of a line of letters. One letter has at most four (W, @), three letters five (Bot), as
/// do most pairs with a number behind them.
const STROKES: usize = 5;
/// Letters of one line differ in height by this many fifths at most: an "l" and an "a" by seven.
const ALIKE: usize = 8;
/// The fewest such rows: small letters are five pixels high and more.
const ROWS: usize = 3;
/// This share of a picture with letters is calm, every pixel like its neighbours. Panels of sites have 0.60 and more,
/// bold letters with a shadow cut out close around them 0.37, noise of any strength next to none.
const CALM: f64 = 0.25;

/// Whether letters stand in a line somewhere in the picture, by strokes that stand out by `contrast` (levels of 255);
/// pixels that differ by less than half of that are alike.
pub(super) fn has_letters(picture: &RgbImage, contrast: u8) -> bool {
    calm_share(picture, contrast / 2) >= CALM
        && [Ink::Dark, Ink::Bright]
            .into_iter()
            .any(|ink| strokes_in_line(picture, ink, contrast) >= STROKES)
}

/// What letters are drawn with, compared with their ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ink {
    Dark,
    Bright,
}

/// The share of pixels that are like their four neighbours.
fn calm_share(picture: &RgbImage, tolerance: u8) -> f64 {
    let alike = |x: u32, y: u32| {
        let here = picture.get_pixel(x, y);
        let beside = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
        let mut beside = beside.into_iter().filter_map(|(x, y)| picture.get_pixel_checked(x, y));
        beside.all(|other| (0..3).all(|c| here.0[c].abs_diff(other.0[c]) <= tolerance))
    };
    let calm = picture.enumerate_pixels().filter(|(x, y, _)| alike(*x, *y)).count();
    calm as f64 / f64::from(picture.width() * picture.height()).max(1.0)
}

/// How many strokes of about one height stand side by side in each of the [`ROWS`] rows that have most.
fn strokes_in_line(picture: &RgbImage, ink: Ink, contrast: u8) -> usize {
    let width = picture.width() as usize;
    let strokes = strokes(picture, ink, contrast);
    let heights = heights(&strokes, width);
    let mut counts: Vec<usize> = heights
        .chunks(width.max(1))
        .map(|row| {
            let mut found: Vec<usize> = row
                .chunk_by(|a, b| (*a == 0) == (*b == 0))
                .filter_map(|run| run.iter().max().copied())
                .filter(|height| HEIGHTS.contains(height))
                .collect();
            found.sort_unstable();
            // A border around a letter is no letter.
            let middle = found.get(found.len() / 2).copied().unwrap_or(0);
            let alike = |height: &&usize| 5 * middle <= ALIKE * **height && 5 * **height <= ALIKE * middle;
            found.iter().filter(alike).count()
        })
        .collect();
    counts.sort_unstable();
    counts.iter().rev().nth(ROWS - 1).copied().unwrap_or(0)
}

/// Which pixels belong to strokes: the top-hat of each row, `min(left, right) − here`, where left and right are the
/// strongest ground within [`REACH`] on either side, in the channel where it is largest.
fn strokes(picture: &RgbImage, ink: Ink, contrast: u8) -> Vec<bool> {
    let width = picture.width() as usize;
    let mut strokes = vec![false; width * picture.height() as usize];
    for channel in 0..3 {
        let level = |pixel: &image::Rgb<u8>| match ink {
            Ink::Dark => pixel.0[channel],
            Ink::Bright => 255 - pixel.0[channel],
        };
        for (row, strokes) in picture.rows().zip(strokes.chunks_mut(width.max(1))) {
            let row: Vec<u8> = row.map(level).collect();
            for (x, is_stroke) in strokes.iter_mut().enumerate() {
                let ground = |side: &[u8]| side.iter().max().copied().unwrap_or(0);
                let left = ground(&row[x.saturating_sub(REACH)..x]);
                let right = ground(&row[x + 1..(x + 1 + REACH).min(width)]);
                *is_stroke |= left.min(right).saturating_sub(row[x]) >= contrast;
            }
        }
    }
    strokes
}

/// For each pixel of a stroke the height of all that it is joined to; 0 elsewhere, and where that reaches the picture's
/// edge: what is cut off there is no letter.
fn heights(strokes: &[bool], width: usize) -> Vec<usize> {
    let size = (width, strokes.len() / width.max(1));
    let mut heights = vec![0; strokes.len()];
    let joined = joined(strokes, width, (1, 1)).into_iter();
    for Joined { pixels, area } in joined.filter(|mark| !mark.area.is_cut(size)) {
        pixels.into_iter().for_each(|pixel| heights[pixel] = area.height());
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgb, Rgba, RgbaImage};
    use torres_geometry::{FramePx, FrameRect};
    use torres_picture::{outline, text};

    const CONTRAST: u8 = 40;
    const GROUND: Rgba<u8> = Rgba([38, 36, 33, 255]);
    const INK: Rgba<u8> = Rgba([186, 186, 186, 255]);

    fn rgb(picture: RgbaImage) -> RgbImage {
        image::DynamicImage::ImageRgba8(picture).into_rgb8()
    }

    fn written(size: f64, words: &str, (ground, ink): (Rgba<u8>, Rgba<u8>)) -> RgbaImage {
        let mut picture = RgbaImage::from_pixel(300, 60, ground);
        text(&mut picture, FramePx { x: 20.0, y: 12.0 }, size, ink, words);
        picture
    }

    #[test]
    fn names_are_letters_in_any_size_and_either_ink() {
        let names = [
            "Bot",
            "B0t",
            "Max",
            "Ivy",
            "maia1",
            "Martin",
            "Zuse",
            "ROBOT-7",
            "Nelson (1300)",
            "Шахматист-бот",
        ];
        for name in names {
            for size in [14.0, 16.0, 24.0, 34.0] {
                for colors in [(GROUND, INK), (INK, GROUND)] {
                    let picture = rgb(written(size, name, colors));
                    assert!(has_letters(&picture, CONTRAST), "{name} of {size} px, {colors:?}");
                }
            }
        }
    }

    #[test]
    fn a_title_with_a_shadow_is_one_also_cut_out_closely() {
        let mut bar = RgbaImage::from_pixel(300, 60, Rgba([136, 170, 215, 255]));
        // Bold, as window managers write it: twice, a pixel apart; and its shadow.
        for (at, color) in [(22.0, [90, 115, 150]), (20.0, [255; 3]), (21.0, [255; 3])] {
            let ink = Rgba([color[0], color[1], color[2], 255]);
            let y = if at > 21.0 { 13.0 } else { 12.0 };
            text(&mut bar, FramePx { x: at, y }, 15.0, ink, "Torres practice site");
        }
        let width = torres_picture::text_width(15.0, "Torres practice site") as u32;
        let close = image::imageops::crop_imm(&rgb(bar), 18, 12, width + 8, 16).to_image();
        let share = calm_share(&close, CONTRAST / 2);
        assert!(share < 0.5, "{share} is not close");
        assert!(has_letters(&close, CONTRAST), "{share}");
    }

    #[test]
    fn one_letter_is_no_name_and_neither_is_one_in_a_border() {
        for letter in ["l", "o", "B", "m", "W", "@", "8", "♞", "."] {
            for size in [12.0, 16.0, 24.0, 34.0] {
                let mut picture = written(size, letter, (GROUND, INK));
                assert!(!has_letters(&rgb(picture.clone()), CONTRAST), "{letter} of {size} px");
                let around = FrameRect {
                    x: 4.0,
                    y: 4.0,
                    width: 280.0,
                    height: 52.0,
                };
                outline(&mut picture, around, 2.0, INK);
                assert!(
                    !has_letters(&rgb(picture), CONTRAST),
                    "{letter} of {size} px in a border"
                );
            }
        }
    }

    #[test]
    fn a_name_that_is_cut_off_above_or_too_faint_to_be_told_is_none() {
        let whole = rgb(written(24.0, "Leonardo", (GROUND, INK)));
        let cut = image::imageops::crop_imm(&whole, 0, 22, 300, 8).to_image();
        assert!(has_letters(&whole, CONTRAST) && !has_letters(&cut, CONTRAST));
        let faint = rgb(written(24.0, "Leonardo", (GROUND, Rgba([66, 64, 61, 255]))));
        assert!(!has_letters(&faint, CONTRAST));
    }

    #[test]
    fn surfaces_borders_gradients_stripes_and_noise_are_no_letters() {
        let plain = |width, height| RgbImage::from_pixel(width, height, Rgb([240, 240, 240]));
        let mut button = RgbaImage::from_pixel(120, 40, Rgba([200, 200, 200, 255]));
        for inset in [0.0, 6.0] {
            let rect = FrameRect {
                x: inset,
                y: inset,
                width: 119.0 - 2.0 * inset,
                height: 39.0 - 2.0 * inset,
            };
            outline(&mut button, rect, 1.0, Rgba([20, 20, 20, 255]));
        }
        let mut seed = 1u32;
        let mut random = move || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        };
        let mut noise =
            |least: u8, range: u8| RgbImage::from_fn(200, 48, |_, _| Rgb([0; 3].map(|_: u8| least + random() % range)));
        let cases = [
            ("a pixel", plain(1, 1)),
            ("a square", plain(25, 25)),
            ("a surface", plain(336, 48)),
            ("a button", rgb(button)),
            (
                "a gradient",
                RgbImage::from_fn(236, 48, |x, y| Rgb([x as u8, y as u8, 255 - x as u8])),
            ),
            (
                "stripes",
                RgbImage::from_fn(236, 48, |x, y| Rgb([if (x + y) % 8 < 4 { 255 } else { 130 }; 3])),
            ),
            ("a little noise", noise(120, 16)),
            ("noise", noise(80, 64)),
            ("much noise", noise(0, 255)),
        ];
        for (name, picture) in cases {
            assert!(!has_letters(&picture, CONTRAST), "{name}");
        }
    }
}
