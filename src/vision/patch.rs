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

    /// The same size some pixels away.
    pub fn shifted(self, dx: i64, dy: i64) -> Cut {
        Cut {
            x: self.x + dx,
            y: self.y + dy,
            ..self
        }
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
        let mut rows = CellRows::new(columns);
        for row in 0..N {
            // The rows of pixels that this row of cells covers, the first and the last in part.
            let (from, to) = (lines.0[row], lines.0[row + 1]);
            let mut sums = [[0u32; N]; 3];
            for y in from.0..=to.0.min(self.height - 1) {
                let start = if y == from.0 { from.1 } else { 0 };
                let end = if y == to.0 { to.1 } else { PART as u32 };
                if end <= start {
                    continue;
                }
                let line = rows.line(image, self, y);
                for (sum, values) in sums.iter_mut().zip(line) {
                    for (s, v) in sum.iter_mut().zip(values) {
                        *s += v * (end - start);
                    }
                }
            }
            for (plane, sum) in patch.planes.iter_mut().zip(&sums) {
                for (column, (cell, s)) in plane[row * N..(row + 1) * N].iter_mut().zip(sum).enumerate() {
                    let area = (columns.size(column) * lines.size(row)).max(1);
                    *cell = ((s + area / 2) / area) as i16;
                }
            }
        }
        patch
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

    /// The extent of a cell, in [`PART`]s of a pixel.
    fn size(&self, k: usize) -> u32 {
        let place = |(pixel, part): (usize, u32)| (pixel * PART) as u32 + part;
        place(self.0[k + 1]) - place(self.0[k])
    }
}

/// Sums along one row of pixels, cell by cell; remembers the last row, which two cell rows may share.
struct CellRows {
    columns: Bounds,
    at: Option<usize>,
    prefix: Vec<[u32; 3]>,
    line: [[u32; N]; 3],
}

impl CellRows {
    fn new(columns: Bounds) -> CellRows {
        CellRows {
            columns,
            at: None,
            prefix: vec![[0; 3]; columns.0[N].0 + 1],
            line: [[0; N]; 3],
        }
    }

    fn line(&mut self, image: &RgbaImage, cut: Cut, y: usize) -> &[[u32; N]; 3] {
        if self.at == Some(y) {
            return &self.line;
        }
        self.at = Some(y);
        self.sum_up(image, cut, y);
        // Running sums at the cell boundaries; a boundary inside a pixel takes its share of it.
        let mut before = [0u32; 3];
        let last = self.prefix.len() - 1;
        for (k, &(pixel, share)) in self.columns.0.iter().enumerate() {
            let here = self.prefix[pixel];
            let next = self.prefix[(pixel + 1).min(last)];
            for c in 0..3 {
                let at = here[c] * PART as u32 + (next[c] - here[c]) * share;
                if k > 0 {
                    self.line[c][k - 1] = at - before[c];
                }
                before[c] = at;
            }
        }
        &self.line
    }

    fn sum_up(&mut self, image: &RgbaImage, cut: Cut, y: usize) {
        let (width, height) = (image.width() as i64, image.height() as i64);
        let py = (cut.y + y as i64).clamp(0, height - 1);
        let row = &image.as_raw()[(py * width * 4) as usize..((py + 1) * width * 4) as usize];
        let pixels = row.as_chunks::<4>().0;
        let mut sum = [0u32; 3];
        let inside = cut.x >= 0 && cut.x + (self.prefix.len() as i64) <= width + 1;
        for k in 1..self.prefix.len() {
            let px = cut.x + k as i64 - 1;
            let px = if inside { px } else { px.clamp(0, width - 1) };
            let pixel = pixels[px as usize];
            for c in 0..3 {
                sum[c] += u32::from(pixel[c]);
            }
            self.prefix[k] = sum;
        }
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
