//! What a located board carries, before anything is known of its pieces: which squares hold something, and which
//! side of the board the brighter army stands on.

use super::gray::LUMA;
use crate::geometry::{BoardRect, Orientation};
use image::RgbaImage;

/// Samples per side in the middle of a square.
const GRID: usize = 9;

/// How much of a square's side the samples span.
const SPAN: f64 = 0.62;

/// A sample differs from the square's own colour from this many levels of one channel on.
const DIFFERENT: u8 = 26;

/// The share of differing samples from which on a square holds something.
const HELD: f64 = 0.12;

/// The correlation between a piece's brightness and its row from which on the pieces tell the orientation.
const TELLING: f64 = 0.35;

/// What lies in each of the 64 cells, row by row from the upper left.
pub struct Content {
    cells: Vec<Cell>,
}

#[derive(Clone, Copy)]
struct Cell {
    row: usize,
    dark: bool,
    held: bool,
    brightness: f64,
}

impl Content {
    /// Looks at every square of a board.
    pub fn of(image: &RgbaImage, rect: &BoardRect) -> Content {
        let cells = (0..64).map(|index| cell(image, rect, index / 8, index % 8)).collect();
        Content { cells }
    }

    /// How many squares hold something.
    pub fn held(&self) -> usize {
        self.cells.iter().filter(|c| c.held).count()
    }

    /// White at the bottom if the brighter pieces stand lower, Black if they stand higher, `None` if that does not tell.
    pub fn orientation(&self) -> Option<Orientation> {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for dark in [false, true] {
            let held: Vec<&Cell> = self.cells.iter().filter(|c| c.held && c.dark == dark).collect();
            let mean = held.iter().map(|c| c.brightness).sum::<f64>() / held.len().max(1) as f64;
            points.extend(held.iter().map(|c| (c.row as f64 - 3.5, c.brightness - mean)));
        }
        let (mut cov, mut rows, mut levels) = (0.0, 0.0, 0.0);
        for (row, level) in &points {
            cov += row * level;
            rows += row * row;
            levels += level * level;
        }
        let flat = levels / (points.len().max(1) as f64) < 9.0;
        let correlation = cov / (rows * levels).sqrt();
        if points.len() < 4 || flat || correlation.is_nan() || correlation.abs() < TELLING {
            return None;
        }
        Some(if correlation > 0.0 {
            Orientation::White
        } else {
            Orientation::Black
        })
    }
}

fn cell(image: &RgbaImage, rect: &BoardRect, row: usize, column: usize) -> Cell {
    let (sx, sy) = (rect.width() / 8.0, rect.height() / 8.0);
    let (x, y) = (rect.x() + column as f64 * sx, rect.y() + row as f64 * sy);
    // Means of 3×3 pixels: the weave of a textured board is not a piece.
    let pixel = |fx: f64, fy: f64| {
        let (px, py) = ((x + fx * sx) as u32, (y + fy * sy) as u32);
        let mut sum = [0u32; 4];
        for (dx, dy) in (0..9).map(|k| (k % 3, k / 3)) {
            let at_x = (px + dx).saturating_sub(1).min(image.width().saturating_sub(1));
            let at_y = (py + dy).saturating_sub(1).min(image.height().saturating_sub(1));
            let p = image.get_pixel(at_x, at_y).0;
            (0..4).for_each(|c| sum[c] += u32::from(p[c]));
        }
        sum.map(|s| (s / 9) as u8)
    };
    // The square's own colour: the middle one of twelve points near its border, channel by channel.
    const BORDER: [f64; 4] = [0.09, 0.3, 0.7, 0.91];
    let border = BORDER.iter().flat_map(|&a| BORDER.iter().map(move |&b| (a, b)));
    let outer: Vec<[u8; 4]> = border
        .filter(|(a, b)| !(0.2..0.8).contains(a) || !(0.2..0.8).contains(b))
        .map(|(a, b)| pixel(a, b))
        .collect();
    let own: [u8; 3] = std::array::from_fn(|c| {
        let mut values: Vec<u8> = outer.iter().map(|p| p[c]).collect();
        values.sort_unstable();
        values[values.len() / 2]
    });
    let (mut different, mut sum) = (0, 0.0);
    for j in 0..GRID {
        for i in 0..GRID {
            let place = |k: usize| 0.5 + SPAN * ((k as f64 + 0.5) / GRID as f64 - 0.5);
            let p = pixel(place(i), place(j));
            sum += f64::from(LUMA.of(p));
            different += usize::from((0..3).any(|c| p[c].abs_diff(own[c]) > DIFFERENT));
        }
    }
    let samples = (GRID * GRID) as f64;
    Cell {
        row,
        dark: (row + column) % 2 == 1,
        held: different as f64 / samples > HELD,
        brightness: sum / samples,
    }
}
