//! Finds dots beside a name. A site draws them to say who is there, and changes them by itself; so they are left out of
//! what is compared. A dot is one mark, round or square, without a hole or a notch, of one colour within a rim that may
//! have another, and stands before or behind everything else in the panel. No letter is a dot: a letter that is as wide as
//! high is not filled like that. A mark that stands among others may be part of a name.

use image::{Rgb, RgbImage};
use std::ops::RangeInclusive;
use torres_vision::joined::{Area, Joined, joined};

/// The widths and heights of a dot, in pixels: the smallest are those of 11 px type, the largest as high as a row.
const SIZE: RangeInclusive<usize> = 7..=40;
/// Its width and height differ by at most a fourth.
const ASPECT: (usize, usize) = (4, 3);
/// How much of its rectangle is filled at least, in hundredths: a circle fills 78, and its blended edge counts.
const FILLED: usize = 70;
/// A rim takes a quarter of its width on each side, and of its height, at most.
const RIM: usize = 4;
/// How much of what is within the rim has one colour at least, in hundredths.
const PLAIN: usize = 90;
/// The fewest pixels of its inside.
const INSIDE: usize = 9;
/// The least distance to everything else, in pixels. The letters of a word are nearer to each other.
const APART: usize = 3;
/// How many pixels around it are left out with it: a ring in its place may be a little larger.
const AROUND: usize = 2;

/// A part of a picture, in whole pixels, its right and lower edge beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Part {
    /// An area with so many pixels around it, across and down.
    pub(super) fn around(area: &Area, (across, down): (usize, usize)) -> Part {
        Part {
            left: area.left.saturating_sub(across),
            top: area.top.saturating_sub(down),
            right: area.right + across + 1,
            bottom: area.bottom + down + 1,
        }
    }

    /// Whether a pixel lies in it.
    pub(crate) fn has(&self, x: u32, y: u32) -> bool {
        (self.left..self.right).contains(&(x as usize)) && (self.top..self.bottom).contains(&(y as usize))
    }
}

/// The dots beside the name, with what is around them; pixels whose channels differ by no more than `tolerance` are
/// alike.
pub(super) fn dots(picture: &RgbImage, tolerance: u8) -> Vec<Part> {
    let marks = marks(picture, tolerance);
    let mut dots = Vec::new();
    for mark in &marks {
        let others = || marks.iter().filter(|other| !std::ptr::eq(*other, mark));
        let before = others().all(|other| mark.part.right + APART <= other.part.left);
        let behind = others().all(|other| other.part.right + APART <= mark.part.left);
        if marks.len() > 1 && (before || behind) && mark.is_dot(picture, tolerance) {
            let Part {
                left,
                top,
                right,
                bottom,
            } = mark.part;
            dots.push(Part {
                left: left.saturating_sub(AROUND),
                top: top.saturating_sub(AROUND),
                right: right + AROUND,
                bottom: bottom + AROUND,
            });
        }
    }
    dots
}

/// The picture without these parts.
pub(super) fn painted_over(picture: &RgbImage, parts: &[Part], ground: [u8; 3]) -> RgbImage {
    let mut painted = picture.clone();
    for (x, y, pixel) in painted.enumerate_pixels_mut() {
        if parts.iter().any(|part| part.has(x, y)) {
            *pixel = Rgb(ground);
        }
    }
    painted
}

/// Pixels that touch each other and are not of the picture's commonest colour.
struct Mark {
    pixels: Vec<(usize, usize)>,
    part: Part,
}

impl Mark {
    fn is_dot(&self, picture: &RgbImage, tolerance: u8) -> bool {
        let Part {
            left,
            top,
            right,
            bottom,
        } = self.part;
        let (width, height) = (right - left, bottom - top);
        let (most, least) = (width.max(height), width.min(height));
        let is_cut = left == 0 || top == 0 || right >= picture.width() as usize || bottom >= picture.height() as usize;
        if is_cut || !SIZE.contains(&width) || !SIZE.contains(&height) || ASPECT.1 * most > ASPECT.0 * least {
            return false;
        }
        // Filled from edge to edge in every row and column.
        let mut rows = vec![(0, usize::MAX, 0); height];
        let mut columns = vec![(0, usize::MAX, 0); width];
        for (x, y) in &self.pixels {
            for (line, at) in [(&mut rows[y - top], *x), (&mut columns[x - left], *y)] {
                *line = (line.0 + 1, line.1.min(at), line.2.max(at));
            }
        }
        let is_whole = |(count, first, last): &(usize, usize, usize)| *count == last + 1 - first;
        if !rows.iter().chain(&columns).all(is_whole) || 100 * self.pixels.len() < FILLED * width * height {
            return false;
        }
        let (rim_across, rim_down) = ((width / RIM).max(1), (height / RIM).max(1));
        let is_inside = |(x, y): &&(usize, usize)| {
            let (row, column) = (rows[y - top], columns[x - left]);
            (row.1 + rim_across..=row.2.saturating_sub(rim_across)).contains(x)
                && (column.1 + rim_down..=column.2.saturating_sub(rim_down)).contains(y)
        };
        let color = |(x, y): &(usize, usize)| picture.get_pixel(*x as u32, *y as u32).0;
        let inside: Vec<[u8; 3]> = self.pixels.iter().filter(is_inside).map(color).collect();
        let middle = color(&((left + right) / 2, (top + bottom) / 2));
        let plain = inside.iter().filter(|pixel| are_alike(**pixel, middle, tolerance));
        inside.len() >= INSIDE && 100 * plain.count() >= PLAIN * inside.len()
    }
}

/// The commonest colour; of several the brightest. `None` of none.
pub(super) fn commonest(colors: impl Iterator<Item = [u8; 3]>) -> Option<[u8; 3]> {
    let mut counts = std::collections::HashMap::new();
    colors.for_each(|color| *counts.entry(color).or_insert(0u32) += 1);
    let most = counts.into_iter().max_by_key(|(color, count)| (*count, *color));
    most.map(|(color, _)| color)
}

fn are_alike(a: [u8; 3], b: [u8; 3], tolerance: u8) -> bool {
    (0..3).all(|c| a[c].abs_diff(b[c]) <= tolerance)
}

/// All marks.
fn marks(picture: &RgbImage, tolerance: u8) -> Vec<Mark> {
    let width = picture.width() as usize;
    let ground = commonest(picture.pixels().map(|pixel| pixel.0)).unwrap_or_default();
    let is_mark: Vec<bool> = picture
        .pixels()
        .map(|pixel| !are_alike(pixel.0, ground, tolerance))
        .collect();
    let mark = |Joined { pixels, area }: Joined| Mark {
        pixels: pixels.into_iter().map(|pixel| (pixel % width, pixel / width)).collect(),
        part: Part {
            left: area.left,
            top: area.top,
            right: area.right + 1,
            bottom: area.bottom + 1,
        },
    };
    joined(&is_mark, width, (1, 1)).into_iter().map(mark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};
    use torres_geometry::FramePx;
    use torres_picture::text;

    const GROUND: Rgba<u8> = Rgba([38, 36, 33, 255]);
    const INK: Rgba<u8> = Rgba([186, 186, 186, 255]);
    const GREEN: [u8; 3] = [91, 143, 34];
    const TOLERANCE: u8 = 20;

    /// A disc with a blended edge, or a ring where it has a hole.
    fn disc(picture: &mut RgbaImage, (x, y): (f64, f64), radius: f64, hole: f64, color: [u8; 3]) {
        for (at_x, at_y, pixel) in picture.enumerate_pixels_mut() {
            let apart = (f64::from(at_x) + 0.5 - x).hypot(f64::from(at_y) + 0.5 - y);
            let share = (radius + 0.5 - apart).clamp(0.0, 1.0) * (apart - hole + 0.5).clamp(0.0, 1.0);
            for (level, color) in pixel.0.iter_mut().zip(color) {
                let ground = f64::from(*level);
                *level = (ground + share * (f64::from(color) - ground)).round() as u8;
            }
        }
    }

    fn row(name: &str, size: f64) -> RgbaImage {
        let mut picture = RgbaImage::from_pixel(320, 60, GROUND);
        text(&mut picture, FramePx { x: 34.0, y: 12.0 }, size, INK, name);
        picture
    }

    fn dots_in(picture: RgbaImage) -> usize {
        dots(&image::DynamicImage::ImageRgba8(picture).into_rgb8(), TOLERANCE).len()
    }

    #[test]
    fn a_dot_before_or_behind_a_name_is_found_and_one_among_its_words_is_none() {
        for radius in [3.5, 4.0, 5.0, 6.0, 8.0, 12.0] {
            for x in [16.0, 16.3, 300.0] {
                let mut picture = row("Robin the bot", 16.0);
                disc(&mut picture, (x, 22.0), radius, -1.0, GREEN);
                assert_eq!(dots_in(picture), 1, "a radius of {radius} at {x}");
            }
        }
        let mut among = row("Robin", 16.0);
        text(&mut among, FramePx { x: 120.0, y: 12.0 }, 16.0, INK, "Turing");
        disc(&mut among, (105.0, 22.0), 5.0, -1.0, GREEN);
        assert_eq!(dots_in(among), 0);
        let mut ring = row("Robin", 16.0);
        disc(&mut ring, (16.0, 22.0), 6.0, 4.0, GREEN);
        assert_eq!(dots_in(ring), 0, "a ring may be a letter");
        let mut alone = RgbaImage::from_pixel(60, 40, GROUND);
        disc(&mut alone, (20.0, 20.0), 6.0, -1.0, GREEN);
        assert_eq!(dots_in(alone), 0, "there is nothing that it stands beside");
    }

    /// Page `isobar`: a dot of the colour that the bot has, in a rim, another one in the next game.
    #[test]
    fn a_dot_in_a_rim_is_found_and_a_picture_in_a_disc_is_none() {
        const RIM: [u8; 3] = [230, 230, 230];
        for (radius, inner) in [(4.5, 3.5), (6.0, 4.5), (9.5, 7.0), (12.0, 9.0)] {
            let mut picture = row("Robin the bot", 16.0);
            disc(&mut picture, (17.0, 22.0), radius, -1.0, RIM);
            disc(&mut picture, (17.0, 22.0), inner, -1.0, GREEN);
            assert_eq!(dots_in(picture), 1, "a radius of {radius}");
        }
        let mut picture = row("Robin the bot", 16.0);
        disc(&mut picture, (17.0, 22.0), 12.0, -1.0, RIM);
        disc(&mut picture, (15.0, 22.0), 4.0, -1.0, GREEN);
        assert_eq!(dots_in(picture), 0, "it has two colours");
    }

    #[test]
    fn no_letter_is_a_dot_at_any_size() {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@#&%!?.,:;-_+*/()[]{}<>=~^|$§";
        for letter in letters.chars() {
            for size in [8.0, 9.0, 10.0, 11.0, 12.0, 14.0, 16.0, 20.0, 28.0, 40.0] {
                // Before and behind a name, apart from it.
                for name in [format!("{letter}  Robin"), format!("Robin  {letter}")] {
                    assert_eq!(dots_in(row(&name, size)), 0, "{name} of {size} px");
                }
            }
        }
    }
}
