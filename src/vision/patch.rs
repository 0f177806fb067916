//! A square's picture at a fixed size, whatever its size on the screen: what looks are made of and compared by.

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

/// Where patches are taken from: the upper left pixel of a square and its side in whole pixels.
///
/// Browsers draw the pieces of a board at whole pixels, so squares of a fractional board are cut at whole pixels too: equal
/// squares then give equal patches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Left edge, in pixels; may lie outside the picture.
    pub x: i64,
    /// Upper edge.
    pub y: i64,
    /// Side in pixels.
    pub side: usize,
}

/// Cuts squares of one size out of pictures and brings them to [`N`]×[`N`] cells by area averaging.
#[derive(Clone, Debug)]
pub struct Sampler {
    side: usize,
    /// For every cell boundary, the pixel in which it falls and the share of that pixel before it, in [`PART`]s.
    bounds: [(usize, u32); N + 1],
}

impl Sampler {
    /// For squares of that many pixels a side (at least 1).
    pub fn new(side: usize) -> Sampler {
        let side = side.max(1);
        let bounds = std::array::from_fn(|k| {
            let place = k * side * PART / N;
            (place / PART, (place % PART) as u32)
        });
        Sampler { side, bounds }
    }

    /// The side of the squares that it takes.
    pub fn side(&self) -> usize {
        self.side
    }

    /// Takes one square. Pixels outside the picture repeat its border.
    pub fn take(&self, image: &RgbaImage, cut: Cut) -> Patch {
        let mut patch = Patch {
            planes: [[0; CELLS]; 3],
        };
        if image.width() == 0 || image.height() == 0 {
            return patch;
        }
        let mut rows = CellRows::new(self.side);
        for (row, (from, to)) in self.bounds.iter().zip(&self.bounds[1..]).enumerate() {
            // The rows that this cell row covers, the first and the last in part.
            let mut sums = [[0u32; N]; 3];
            for y in from.0..=to.0.min(self.side - 1) {
                let start = if y == from.0 { from.1 } else { 0 };
                let end = if y == to.0 { to.1 } else { PART as u32 };
                if end <= start {
                    continue;
                }
                let line = rows.line(self, image, cut, y);
                for (sum, values) in sums.iter_mut().zip(line) {
                    for (s, v) in sum.iter_mut().zip(values) {
                        *s += v * (end - start);
                    }
                }
            }
            let height = self.cell_size(row);
            for (plane, sum) in patch.planes.iter_mut().zip(&sums) {
                for (column, (cell, s)) in plane[row * N..(row + 1) * N].iter_mut().zip(sum).enumerate() {
                    let area = (self.cell_size(column) * height).max(1);
                    *cell = ((s + area / 2) / area) as i16;
                }
            }
        }
        patch
    }

    /// The extent of a cell, in [`PART`]s of a pixel.
    fn cell_size(&self, k: usize) -> u32 {
        let place = |(pixel, part): (usize, u32)| (pixel * PART) as u32 + part;
        place(self.bounds[k + 1]) - place(self.bounds[k])
    }
}

/// Sums along one row of pixels, cell by cell; remembers the last row, which two cell rows may share.
struct CellRows {
    at: Option<usize>,
    prefix: Vec<[u32; 3]>,
    line: [[u32; N]; 3],
}

impl CellRows {
    fn new(side: usize) -> CellRows {
        CellRows {
            at: None,
            prefix: vec![[0; 3]; side + 1],
            line: [[0; N]; 3],
        }
    }

    fn line(&mut self, sampler: &Sampler, image: &RgbaImage, cut: Cut, y: usize) -> &[[u32; N]; 3] {
        if self.at == Some(y) {
            return &self.line;
        }
        self.at = Some(y);
        self.sum_up(image, cut, y);
        // Running sums at the cell boundaries; a boundary inside a pixel takes its share of it.
        let mut before = [0u32; 3];
        for (k, &(pixel, share)) in sampler.bounds.iter().enumerate() {
            let here = self.prefix[pixel];
            let next = self.prefix[(pixel + 1).min(sampler.side)];
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
            let patch = Sampler::new(side).take(&image, Cut { x: 3, y: 5, side });
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
            let patch = Sampler::new(side).take(&image, Cut { x: 0, y: 0, side });
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
        let patch = Sampler::new(60).take(&image, Cut { x: 0, y: 0, side: 60 });
        assert_eq!(patch.color(N / 2 - 1), [0; 3]);
        assert_eq!(patch.color(N / 2), [200; 3]);
    }
}
