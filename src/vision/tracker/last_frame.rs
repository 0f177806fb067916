//! What the tracker remembers of the last frame: its pixels, histograms and, where they were needed, scores.
//!
//! Rows that are byte for byte those of the last frame are recognised first, so that a frame in which nothing happened
//! costs one comparison of memory and no histogram.

use super::super::appearance::{Appearance, SquareScores};
use super::super::histogram::{self, Histogram, Histograms};
use image::RgbaImage;
use shakmaty::{Bitboard, Square};
use torres_geometry::{BoardMap, BySquare};

/// Values that differ by no more than this between two frames are the same.
const DITHER: u8 = 8;

/// A square on which no more pixels than this differ is the same: a browser draws the rounded corner of a square a
/// little otherwise each time. A piece that moves by a tenth of a pixel changes its whole outline.
const FLICKER: usize = 5;

/// The last frame's board.
#[derive(Clone, Debug)]
pub struct LastFrame {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
    cells: BySquare<((usize, usize), (usize, usize))>,
    histograms: Histograms,
    scores: BySquare<Option<SquareScores>>,
}

impl LastFrame {
    /// Takes in a first frame.
    pub fn new(image: &RgbaImage, map: &BoardMap) -> LastFrame {
        LastFrame {
            width: image.width(),
            height: image.height(),
            pixels: image.as_raw().clone(),
            cells: BySquare::from_fn(|s| histogram::pixels(map, s)),
            histograms: histogram::histograms(image, map),
            scores: BySquare::from_fn(|_| None),
        }
    }

    /// Takes in the next frame and says on which squares it is not that of the last one, dither aside: a piece that
    /// slides within its square keeps the histogram. `None` when the frames have different sizes and cannot be
    /// compared.
    pub fn update(&mut self, image: &RgbaImage) -> Option<Bitboard> {
        if (image.width(), image.height()) != (self.width, self.height) {
            return None;
        }
        let mut stirred = Bitboard::EMPTY;
        for square in self.touched(image) {
            let (x, y) = self.cells[square];
            self.histograms[square] = Histogram::of(image, x, y);
            self.scores[square] = None;
            if self.copy(image, x, y) {
                stirred.add(square);
            }
        }
        Some(stirred)
    }

    /// Squares of which a byte differs.
    fn touched(&self, image: &RgbaImage) -> Bitboard {
        let stride = self.width as usize * 4;
        let now = image.as_raw();
        let mut touched = Bitboard::EMPTY;
        for rank in 0..8 {
            let squares: Vec<Square> = Square::ALL
                .into_iter()
                .filter(|s| u32::from(s.rank()) == rank)
                .collect();
            let Some((_, rows)) = squares.first().map(|s| self.cells[*s]) else {
                continue;
            };
            let left = squares.iter().map(|s| self.cells[*s].0.0).min().unwrap_or(0);
            let right = squares.iter().map(|s| self.cells[*s].0.1).max().unwrap_or(0);
            for y in rows.0.min(self.height as usize)..rows.1.min(self.height as usize) {
                let part = |x: (usize, usize)| {
                    let (from, to) = (x.0.min(self.width as usize), x.1.min(self.width as usize));
                    y * stride + from * 4..y * stride + to * 4
                };
                let whole = part((left, right));
                if now[whole.clone()] == self.pixels[whole] {
                    continue;
                }
                for &square in &squares {
                    let piece = part(self.cells[square].0);
                    if !touched.contains(square) && now[piece.clone()] != self.pixels[piece] {
                        touched.add(square);
                    }
                }
            }
        }
        touched
    }

    /// Copies a square; says whether it differs by more than dither and flicker.
    fn copy(&mut self, image: &RgbaImage, x: (usize, usize), y: (usize, usize)) -> bool {
        let mut stirred = 0;
        let stride = self.width as usize * 4;
        let (from, to) = (x.0.min(self.width as usize) * 4, x.1.min(self.width as usize) * 4);
        for row in y.0.min(self.height as usize)..y.1.min(self.height as usize) {
            let range = row * stride + from..row * stride + to;
            let (old, new) = (&mut self.pixels[range.clone()], &image.as_raw()[range]);
            if old != new {
                let differs = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > DITHER);
                stirred += old.chunks_exact(4).zip(new.chunks_exact(4)).filter(differs).count();
                old.copy_from_slice(new);
            }
        }
        stirred > FLICKER
    }

    /// The frame's histograms.
    pub fn histograms(&self) -> &Histograms {
        &self.histograms
    }

    /// Squares that differ by more than `threshold` from other histograms.
    pub fn differing(&self, other: &Histograms, threshold: f32) -> Bitboard {
        Square::ALL
            .into_iter()
            .filter(|s| self.histograms[*s].l1(&other[*s]) > threshold)
            .collect()
    }

    /// The scores of all squares; those of squares that did not change are not computed again.
    pub fn scores(&mut self, image: &RgbaImage, map: &BoardMap, appearance: &Appearance) -> BySquare<SquareScores> {
        let reader = appearance.reader(map);
        BySquare::from_fn(|square| {
            self.scores[square]
                .get_or_insert_with(|| reader.scores(image, square))
                .clone()
        })
    }

    /// The appearance has changed: every square is scored anew.
    pub fn forget_scores(&mut self) {
        self.scores = BySquare::from_fn(|_| None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;
    use torres_geometry::{BoardRect, Orientation};

    #[test]
    fn a_few_pixels_of_a_corner_are_no_motion_and_an_outline_is() {
        let map = BoardMap {
            rect: BoardRect::new(0.0, 0.0, 320.0, 320.0).unwrap(),
            orientation: Orientation::White,
        };
        let still = RgbaImage::from_pixel(320, 320, Rgba([100, 100, 100, 255]));
        let stirred = |pixels: u32, level: u8| {
            let mut next = still.clone();
            (0..pixels).for_each(|k| next.put_pixel(81 + k, 2, Rgba([100, level, 100, 255])));
            LastFrame::new(&still, &map).update(&next).unwrap()
        };
        assert_eq!(stirred(5, 200), Bitboard::EMPTY);
        assert_eq!(stirred(30, 108), Bitboard::EMPTY, "dither");
        assert_eq!(stirred(12, 114), Bitboard::from(Square::C8));
    }
}
