//! A square's picture at a fixed size, whatever its size on the screen: what appearances are made of and compared by.

use image::RgbaImage;
use torres_geometry::FrameRect;

/// Cells per side.
pub const N: usize = 24;

/// A pixel is shared between cells in at most so many parts: fine enough for small squares.
const PARTS: usize = 64;

/// A cell's side is at most about so many parts: the sum of a column of pixels fits 16 bits.
const LONGEST: usize = 256;

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

    /// How far a cell is from the same cell of another picture, in levels of the channel that differs most.
    pub fn distance(&self, other: &Patch, cell: usize) -> i16 {
        distance(self.color(cell), other.color(cell))
    }

    /// The same seen from so many cells farther right and down, one at most; what lies beyond the border is not known, so
    /// its own cells go on.
    pub fn seen_from(&self, x: f32, y: f32) -> Patch {
        let planes = self.planes.each_ref();
        Patch {
            planes: planes.map(|plane| seen_along(&seen_along(plane, x, 1), y, N)),
        }
    }

    /// The mean of that over all cells.
    pub fn mean_distance(&self, other: &Patch) -> f32 {
        (0..CELLS).map(|k| f32::from(self.distance(other, k))).sum::<f32>() / CELLS as f32
    }

    /// By how many levels two thirds of some cells differ at most: as many lie within one standard deviation of a normal
    /// distribution.
    pub fn deviation(&self, other: &Patch, cells: &[usize]) -> i16 {
        let mut apart: Vec<i16> = cells.iter().map(|k| self.distance(other, *k)).collect();
        apart.sort_unstable();
        apart.get(apart.len() * 2 / 3).copied().unwrap_or(0)
    }

    /// Mean difference of the channels of all cells, in levels.
    pub fn mean_difference(&self, other: &Patch) -> f32 {
        let planes = self.planes.iter().zip(&other.planes);
        let sum: i32 = planes
            .flat_map(|(a, b)| a.iter().zip(b))
            .map(|(a, b)| i32::from((a - b).abs()))
            .sum();
        sum as f32 / (3 * CELLS) as f32
    }
}

/// A plane seen from so many cells farther on, one at most, along its rows (a stride of 1) or its columns (of `N`);
/// between two cells by linear interpolation.
fn seen_along(plane: &[i16; CELLS], by: f32, stride: usize) -> [i16; CELLS] {
    let share = by.abs().min(1.0);
    std::array::from_fn(|k| {
        let place = k / stride % N;
        let next = match by > 0.0 {
            true if place + 1 < N => k + stride,
            false if place > 0 => k - stride,
            _ => k,
        };
        (f32::from(plane[k]) * (1.0 - share) + f32::from(plane[next]) * share).round() as i16
    })
}

/// How far two colours are from each other, in levels of the channel that differs most.
pub fn distance(a: [i16; 3], b: [i16; 3]) -> i16 {
    (0..3).map(|c| (a[c] - b[c]).abs()).max().unwrap_or(0)
}

/// The middle value of some cells, channel by channel.
pub fn median(patch: &Patch, cells: &[usize]) -> [i16; 3] {
    std::array::from_fn(|c| {
        let mut values: Vec<i16> = cells.iter().map(|k| patch.planes[c][*k]).collect();
        if values.is_empty() {
            return 0;
        }
        let middle = values.len() / 2;
        // Where most cells are of one colour, almost any is the middle one, and counting is faster than selecting.
        let any = values[middle];
        let less = values.iter().filter(|v| **v < any).count();
        let same = values.iter().filter(|v| **v == any).count();
        if (less..less + same).contains(&middle) {
            return any;
        }
        *values.select_nth_unstable(middle).1
    })
}

/// A pixel to each side and to each corner.
const AWAY: [(isize, isize); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];

/// Where a patch is taken from: a square in whole pixels.
///
/// Browsers draw squares and pieces at whole pixels also where a board's squares are fractional, some a pixel wider
/// than others; each is brought to the same cells.
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
        AWAY.map(|(dx, dy)| self.moved(dx, dy))
    }

    /// The right or the lower edge, or both, a pixel farther out or in; the left and the upper one stay.
    pub fn stretched(self) -> [Cut; 8] {
        AWAY.map(|(dx, dy)| self.grown(dx, dy))
    }

    /// The left or the upper edge, or both, a pixel farther out or in; the right and the lower one stay.
    pub fn stretched_back(self) -> [Cut; 8] {
        AWAY.map(|(dx, dy)| self.moved(dx, dy).grown(-dx, -dy))
    }

    /// The same size, pushed aside by a border of two or three pixels.
    pub fn pushed(self) -> [Cut; 2] {
        [2, 3].map(|width| self.moved(width, width))
    }

    /// So many cells across and down, in pixels.
    pub fn pixels(self, x: f32, y: f32) -> [f32; 2] {
        [x * self.width as f32 / N as f32, y * self.height as f32 / N as f32]
    }

    fn moved(self, dx: isize, dy: isize) -> Cut {
        Cut {
            x: self.x + dx as i64,
            y: self.y + dy as i64,
            ..self
        }
    }

    fn grown(self, dx: isize, dy: isize) -> Cut {
        Cut {
            width: self.width.saturating_add_signed(dx).max(1),
            height: self.height.saturating_add_signed(dy).max(1),
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
        let mut sums = vec![0u16; self.width * 4];
        let mut divisor = Divisor::new(1);
        let [red, green, blue] = &mut patch.planes;
        for row in 0..N {
            self.add_rows(image, &lines, row, &mut sums);
            for column in 0..N {
                let area = columns.size(column) * lines.size(row);
                if divisor.by != area {
                    divisor = Divisor::new(area);
                }
                let total = columns.add_up(&sums, column);
                let cell = row * N + column;
                red[cell] = divisor.mean(total[0]);
                green[cell] = divisor.mean(total[1]);
                blue[cell] = divisor.mean(total[2]);
            }
        }
        patch
    }

    /// Adds up, column by column, the rows of pixels that a row of cells covers, the first and the last in part.
    fn add_rows(self, image: &RgbaImage, lines: &Bounds, row: usize, sums: &mut [u16]) {
        let (from, to) = (lines.places[row], lines.places[row + 1]);
        sums.fill(0);
        let (width, height) = (image.width() as usize, image.height() as usize);
        let inside = self.x >= 0 && self.x as usize + self.width <= width;
        for y in from.0..=to.0.min(self.height - 1) {
            let start = if y == from.0 { from.1 } else { 0 };
            let end = if y == to.0 { to.1 } else { lines.parts };
            if end <= start {
                continue;
            }
            let weight = (end - start) as u16;
            let py = (self.y + y as i64).clamp(0, height as i64 - 1) as usize;
            let row = &image.as_raw()[py * width * 4..(py + 1) * width * 4];
            if inside {
                let part = &row[self.x as usize * 4..][..sums.len()];
                for (sum, value) in sums.iter_mut().zip(part) {
                    *sum = sum.wrapping_add(u16::from(*value).wrapping_mul(weight));
                }
            } else {
                for (k, sum) in sums.iter_mut().enumerate() {
                    let px = (self.x + (k / 4) as i64).clamp(0, width as i64 - 1) as usize;
                    *sum = sum.wrapping_add(u16::from(row[px * 4 + k % 4]).wrapping_mul(weight));
                }
            }
        }
    }
}

/// For every cell boundary along one side, the pixel in which it falls and how many parts of that pixel lie before it.
struct Bounds {
    places: [(usize, u32); N + 1],
    /// Of a pixel.
    parts: u32,
}

impl Bounds {
    fn new(length: usize) -> Bounds {
        let mut parts = PARTS;
        while parts > 1 && length * parts > LONGEST * N {
            parts /= 2;
        }
        let place = |k: usize| (k * length * parts / N / parts, (k * length * parts / N % parts) as u32);
        Bounds {
            places: std::array::from_fn(place),
            parts: parts as u32,
        }
    }

    /// Red, green, blue and alpha of one cell, from the sums of every column of pixels.
    fn add_up(&self, sums: &[u16], cell: usize) -> [u32; 4] {
        let (from, to) = (self.places[cell], self.places[cell + 1]);
        let pixels = sums.as_chunks::<4>().0;
        let part = |at: usize, parts: u32| pixels[at].map(|sum| u32::from(sum) * parts);
        if from.0 == to.0 {
            return part(from.0, to.1 - from.1);
        }
        let mut whole = [0u32; 4];
        for pixel in &pixels[from.0 + 1..to.0] {
            whole = std::array::from_fn(|c| whole[c] + u32::from(pixel[c]));
        }
        let first = part(from.0, self.parts - from.1);
        // The last cell ends where the square does: no pixel follows.
        let last = if to.1 > 0 { part(to.0, to.1) } else { [0; 4] };
        std::array::from_fn(|c| whole[c] * self.parts + first[c] + last[c])
    }

    /// The extent of a cell, in parts of a pixel.
    fn size(&self, k: usize) -> u32 {
        let place = |(pixel, part): (usize, u32)| pixel as u32 * self.parts + part;
        place(self.places[k + 1]) - place(self.places[k])
    }
}

/// Divides by the same number again and again: multiplying by its reciprocal is several times faster.
struct Divisor {
    by: u32,
    reciprocal: u64,
}

impl Divisor {
    /// A cell's area in parts of pixels, at most 2^16 or so; a cell without any has no colour.
    fn new(by: u32) -> Divisor {
        Divisor {
            by,
            reciprocal: (1u64 << 42) / u64::from(by.max(1)) + 1,
        }
    }

    /// The mean of a cell whose values add up to this, at most 255 times its area, rounded. The product stays below 2^50,
    /// its error below 2^25: too little to reach the next whole number, which is 2^42 / `by` away at least.
    fn mean(&self, total: u32) -> i16 {
        ((u64::from(total + self.by / 2) * self.reciprocal) >> 42) as i16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_flat_square_keeps_its_colour_at_every_size(side in 5usize..400, color in any::<[u8; 3]>()) {
            let image = RgbaImage::from_pixel(420, 420, Rgba([color[0], color[1], color[2], 255]));
            let patch = Cut { x: 3, y: 5, width: side, height: side + 1 }.take(&image);
            for cell in 0..CELLS {
                for (value, truth) in patch.color(cell).into_iter().zip(color) {
                    prop_assert!((value - i16::from(truth)).abs() <= 1);
                }
            }
        }

        #[test]
        fn a_slope_seen_from_aside_is_higher_by_what_it_rises(x in -1f32..1.0, y in -1f32..1.0) {
            let slope = Patch { planes: [std::array::from_fn(|k| (6 * (k % N) + 4 * (k / N)) as i16); 3] };
            let aside = slope.seen_from(x, y);
            for k in (0..CELLS).filter(|k| [k % N, k / N].iter().all(|place| (1..N - 1).contains(place))) {
                let rises = f32::from(aside.planes[1][k] - slope.planes[1][k]);
                prop_assert!((rises - 6.0 * x - 4.0 * y).abs() <= 1.0);
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
