//! A square's picture at a fixed size, whatever its size on the screen: what looks are made of and compared by.

use crate::geometry::FrameRect;
use image::RgbaImage;

/// Cells per side.
pub const N: usize = 24;

/// A pixel is shared between cells in parts of this many: fine enough for small squares, and no sum overflows.
const PART: usize = 64;

/// Cells of a patch.
pub const CELLS: usize = N * N;

/// Red, green and blue of every cell, row by row, 0 to 255.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// One plane per channel.
    pub planes: [[i16; CELLS]; 3],
}

impl Patch {
    /// The colour of a cell.
    pub fn color(&self, cell: usize) -> [i16; 3] {
        [self.planes[0][cell], self.planes[1][cell], self.planes[2][cell]]
    }
}

/// Where a patch is taken from: a square in whole pixels.
///
/// Browsers draw squares and pieces at whole pixels also where a board's squares are fractional, some a pixel wider than others; each
/// is brought to the same cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Left edge, in pixels; may lie outside the picture.
    pub x: i64,
    /// Upper edge.
    pub y: i64,
    /// Width in pixels, at least 1.
    pub width: usize,
    /// Height in pixels, at least 1.
    pub height: usize,
}

impl Cut {
    /// The whole pixels that a rectangle covers.
    pub fn of(r: FrameRect) -> Cut {
        let (x, y) = (r.x.round(), r.y.round());
        let length = |from: f64, to: f64| ((to.round() - from) as usize).max(1);
        Cut {
            x: x as i64,
            y: y as i64,
            width: length(x, r.x + r.width),
            height: length(y, r.y + r.height),
        }
    }

    /// The same size, a pixel away to each side.
    pub fn beside(self) -> [Cut; 8] {
        [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)].map(|(dx, dy)| Cut {
            x: self.x + dx,
            y: self.y + dy,
            ..self
        })
    }

    /// One edge, or two that meet, a pixel farther out or in; the left and the upper one stay.
    pub fn stretched(self) -> [Cut; 8] {
        [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)].map(|(dx, dy)| Cut {
            width: self.width.saturating_add_signed(dx).max(1),
            height: self.height.saturating_add_signed(dy).max(1),
            ..self
        })
    }

    /// The square's picture, by area averaging. Pixels outside the picture repeat its border.
    pub fn take(self, image: &RgbaImage) -> Patch {
        let mut patch = Patch {
            planes: [[0; CELLS]; 3],
        };
        if image.width() == 0 || image.height() == 0 {
            return patch;
        }
        let columns = Bounds::new(self.width);
        let lines = Bounds::new(self.height);
        let mut sums = vec![0u32; self.width * 4];
        for row in 0..N {
            self.add_rows(image, lines.0[row], lines.0[row + 1], &mut sums);
            for column in 0..N {
                let area = (columns.size(column) * lines.size(row)).max(1);
                let total = columns.add_up(&sums, column);
                for (plane, sum) in patch.planes.iter_mut().zip(total) {
                    plane[row * N + column] = ((sum + area / 2) / area) as i16;
                }
            }
        }
        patch
    }

    /// Adds up, column by column, the rows of pixels that a row of cells covers, the first and the last in part.
    fn add_rows(self, image: &RgbaImage, from: (usize, u32), to: (usize, u32), sums: &mut [u32]) {
        sums.fill(0);
        let (width, height) = (image.width() as usize, image.height() as usize);
        let inside = self.x >= 0 && self.x as usize + self.width <= width;
        for y in from.0..=to.0.min(self.height - 1) {
            let start = if y == from.0 { from.1 } else { 0 };
            let end = if y == to.0 { to.1 } else { PART as u32 };
            if end <= start {
                continue;
            }
            let weight = end - start;
            let py = (self.y + y as i64).clamp(0, height as i64 - 1) as usize;
            let row = &image.as_raw()[py * width * 4..(py + 1) * width * 4];
            if inside {
                let part = &row[self.x as usize * 4..][..sums.len()];
                for (sum, value) in sums.iter_mut().zip(part) {
                    *sum = sum.wrapping_add(u32::from(*value).wrapping_mul(weight));
                }
            } else {
                for (k, sum) in sums.iter_mut().enumerate() {
                    let px = (self.x + (k / 4) as i64).clamp(0, width as i64 - 1) as usize;
                    *sum += u32::from(row[px * 4 + k % 4]) * weight;
                }
            }
        }
    }
}

/// For every cell boundary along one side, the pixel in which it falls and the share of that pixel before it, in [`PART`]s.
#[derive(Clone, Copy)]
struct Bounds([(usize, u32); N + 1]);

impl Bounds {
    fn new(length: usize) -> Bounds {
        Bounds(std::array::from_fn(|k| {
            let place = k * length * PART / N;
            (place / PART, (place % PART) as u32)
        }))
    }

    /// Red, green and blue of one cell, from the sums of every column of pixels.
    fn add_up(&self, sums: &[u32], cell: usize) -> [u32; 3] {
        let (from, to) = (self.0[cell], self.0[cell + 1]);
        let pixels = sums.as_chunks::<4>().0;
        let mut total = [0u32; 3];
        let mut add = |pixel: Option<&[u32; 4]>, weight: u32| {
            if let Some(pixel) = pixel {
                (0..3).for_each(|c| total[c] = total[c].wrapping_add(pixel[c].wrapping_mul(weight)));
            }
        };
        if from.0 == to.0 {
            add(pixels.get(from.0), to.1 - from.1);
            return total;
        }
        add(pixels.get(from.0), PART as u32 - from.1);
        for pixel in &pixels[from.0 + 1..to.0] {
            add(Some(pixel), PART as u32);
        }
        if to.1 > 0 {
            add(pixels.get(to.0), to.1);
        }
        total
    }

    /// The extent of a cell, in [`PART`]s of a pixel.
    fn size(&self, k: usize) -> u32 {
        let place = |(pixel, part): (usize, u32)| (pixel * PART) as u32 + part;
        place(self.0[k + 1]) - place(self.0[k])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_flat_square_keeps_its_colour_at_every_size(side in 5usize..180, color in any::<[u8; 3]>()) {
            let image = RgbaImage::from_pixel(200, 200, Rgba([color[0], color[1], color[2], 255]));
            let patch = Cut { x: 3, y: 5, width: side, height: side + 1 }.take(&image);
            for cell in 0..CELLS {
                for (value, truth) in patch.color(cell).into_iter().zip(color) {
                    prop_assert!((value - i16::from(truth)).abs() <= 1);
                }
            }
        }

        #[test]
        fn the_mean_brightness_is_kept(side in 24usize..100, seed in any::<u8>()) {
            let image = RgbaImage::from_fn(100, 100, |x, y| {
                let v = ((x * 7 + y * 13 + u32::from(seed)) % 251) as u8;
                Rgba([v, 255 - v, v / 2, 255])
            });
            let patch = Cut { x: 0, y: 0, width: side, height: side }.take(&image);
            let mean = patch.planes[0].iter().map(|v| f64::from(*v)).sum::<f64>() / CELLS as f64;
            let mut truth = 0.0;
            for y in 0..side {
                for x in 0..side {
                    truth += f64::from(image.get_pixel(x as u32, y as u32).0[0]);
                }
            }
            prop_assert!((mean - truth / (side * side) as f64).abs() < 1.0);
        }
    }

    #[test]
    fn a_vertical_edge_stays_where_it_is() {
        let image = RgbaImage::from_fn(60, 60, |x, _| {
            if x < 30 {
                Rgba([0, 0, 0, 255])
            } else {
                Rgba([200, 200, 200, 255])
            }
        });
        let patch = Cut {
            x: 0,
            y: 0,
            width: 60,
            height: 60,
        }
        .take(&image);
        assert_eq!(patch.color(N / 2 - 1), [0; 3]);
        assert_eq!(patch.color(N / 2), [200; 3]);
    }
}
