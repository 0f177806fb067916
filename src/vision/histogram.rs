//! Per-square RGB histograms: what wakes everything else.
//!
//! Each channel has [`BINS`] bins; a value is shared between the two nearest bin centres (a Parzen estimate with a
//! triangular window), so that dither of a level or two moves a small share of the mass instead of all of it.

use image::RgbaImage;
use serde::{Deserialize, Serialize};
use shakmaty::Square;
use torres_geometry::{BoardMap, BySquare};

/// Bins per channel.
pub(crate) const BINS: usize = 16;

/// Levels between two bin centres.
const WIDTH: usize = 256 / BINS;

/// A square's colours: for each channel the share of pixels by bin, each channel's bins adding up to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    bins: [[f32; BINS]; 3],
}

impl Histogram {
    /// The colours of the pixels in a rectangle of the picture (columns `x.0..x.1`, rows `y.0..y.1`), cut to the
    /// picture.
    pub fn of(image: &RgbaImage, x: (usize, usize), y: (usize, usize)) -> Histogram {
        let (width, height) = (image.width() as usize, image.height() as usize);
        let (left, right) = (x.0.min(width), x.1.min(width));
        let mut counts = [[0u32; 256]; 3];
        for row in y.0.min(height)..y.1.min(height) {
            let start = (row * width + left) * 4;
            let end = (row * width + right.max(left)) * 4;
            for pixel in image.as_raw()[start..end].as_chunks::<4>().0 {
                counts[0][usize::from(pixel[0])] += 1;
                counts[1][usize::from(pixel[1])] += 1;
                counts[2][usize::from(pixel[2])] += 1;
            }
        }
        Histogram {
            bins: counts.map(|channel| share(&channel)),
        }
    }

    /// The L1 distance, averaged over the channels: 0 for equal colours, 2 for no colour in common.
    pub fn l1(&self, other: &Histogram) -> f32 {
        let channels = self.bins.iter().zip(&other.bins);
        let distance: f32 = channels
            .map(|(a, b)| a.iter().zip(b).map(|(p, q)| (p - q).abs()).sum::<f32>())
            .sum();
        distance / 3.0
    }
}

/// Counts of the 256 levels to shares of the bins, each level split between its two nearest bin centres.
fn share(counts: &[u32; 256]) -> [f32; BINS] {
    let total: u32 = counts.iter().sum();
    let mut bins = [0.0; BINS];
    if total == 0 {
        return bins;
    }
    for (level, &count) in counts.iter().enumerate() {
        // In half levels, to hit the middle between the levels of a bin exactly.
        let place = 2 * level + 1;
        let above = (place + WIDTH) / (2 * WIDTH);
        let part = ((place + WIDTH) % (2 * WIDTH)) as f32 / (2 * WIDTH) as f32;
        let mass = count as f32 / total as f32;
        bins[above.saturating_sub(1)] += mass * (1.0 - part);
        bins[above.min(BINS - 1)] += mass * part;
    }
    bins
}

/// The histograms of all 64 squares.
pub type Histograms = BySquare<Histogram>;

/// The L1 distance from which on a square counts as changed. Infinite: no square ever does.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NoiseThreshold(f32);

impl NoiseThreshold {
    /// For a screen without noise: a cursor's tip changes more.
    pub(crate) const CLEAN: NoiseThreshold = NoiseThreshold(0.012);

    /// A threshold of that distance; values below [`NoiseThreshold::CLEAN`] are raised to it.
    pub fn new(l1: f32) -> NoiseThreshold {
        NoiseThreshold(if l1.is_nan() {
            Self::CLEAN.0
        } else {
            l1.max(Self::CLEAN.0)
        })
    }

    /// The threshold as a distance, 0 to 2.
    pub fn get(self) -> f32 {
        self.0
    }

    /// Learns the threshold from frames in which nothing happened: twice the largest distance between neighbours.
    pub fn measure(frames: &[RgbaImage], map: &BoardMap) -> NoiseThreshold {
        let all: Vec<Histograms> = frames.iter().map(|f| histograms(f, map)).collect();
        let pairs = all.iter().zip(all.iter().skip(1));
        let largest = pairs
            .flat_map(|(a, b)| Square::ALL.map(|s| a[s].l1(&b[s])))
            .fold(0.0, f32::max);
        NoiseThreshold::new(2.0 * largest)
    }
}

impl Default for NoiseThreshold {
    fn default() -> Self {
        NoiseThreshold::CLEAN
    }
}

/// The whole pixels of a square: columns and rows, as half-open ranges.
pub fn pixels(map: &BoardMap, square: Square) -> ((usize, usize), (usize, usize)) {
    let r = map.square_rect(square);
    let range = |from: f64, length: f64| {
        (
            from.round().max(0.0) as usize,
            (from + length).round().max(0.0) as usize,
        )
    };
    (range(r.x, r.width), range(r.y, r.height))
}

/// The histogram of one square.
pub fn of_square(image: &RgbaImage, map: &BoardMap, square: Square) -> Histogram {
    let (x, y) = pixels(map, square);
    Histogram::of(image, x, y)
}

/// The histograms of all squares.
pub fn histograms(image: &RgbaImage, map: &BoardMap) -> Histograms {
    BySquare::from_fn(|square| of_square(image, map, square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;
    use proptest::prelude::*;

    fn flat(color: [u8; 3]) -> Histogram {
        let image = RgbaImage::from_pixel(9, 7, Rgba([color[0], color[1], color[2], 255]));
        Histogram::of(&image, (0, 9), (0, 7))
    }

    proptest! {
        #[test]
        fn every_channel_adds_up_to_one(pixels in proptest::collection::vec(any::<[u8; 4]>(), 24)) {
            let image = RgbaImage::from_raw(6, 4, pixels.concat()).unwrap();
            let histogram = Histogram::of(&image, (0, 6), (0, 4));
            for channel in &histogram.bins {
                prop_assert!((channel.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            }
        }

        #[test]
        fn the_distance_is_a_distance_between_0_and_2(a in any::<[u8; 3]>(), b in any::<[u8; 3]>(), c in any::<[u8; 3]>()) {
            let (a, b, c) = (flat(a), flat(b), flat(c));
            prop_assert!(a.l1(&a) == 0.0);
            prop_assert!((0.0..=2.0001).contains(&a.l1(&b)));
            prop_assert!((a.l1(&b) - b.l1(&a)).abs() < 1e-6);
            prop_assert!(a.l1(&c) <= a.l1(&b) + b.l1(&c) + 1e-5);
        }

        #[test]
        fn dither_of_one_level_stays_far_below_a_change(color in proptest::array::uniform3(1u8..=254)) {
            let dithered = color.map(|v| v + 1);
            prop_assert!(flat(color).l1(&flat(dithered)) <= 2.0 / WIDTH as f32 + 1e-5);
        }
    }

    #[test]
    fn black_and_white_have_nothing_in_common() {
        assert!((flat([0; 3]).l1(&flat([255; 3])) - 2.0).abs() < 1e-5);
    }

    #[test]
    fn a_rectangle_beyond_the_picture_is_cut() {
        let image = RgbaImage::from_pixel(4, 4, Rgba([10, 20, 30, 255]));
        assert_eq!(
            Histogram::of(&image, (2, 9), (3, 9)),
            Histogram::of(&image, (0, 4), (0, 4))
        );
    }
}
