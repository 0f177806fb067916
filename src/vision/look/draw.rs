//! A position drawn with the board's own squares and pieces: for pictures of what no frame showed.

use super::super::patch::N;
use super::{Look, index};
use crate::geometry::{BoardMap, BoardRect, Orientation};
use image::{Rgba, RgbaImage};
use shakmaty::{Board, Square};

impl Look {
    /// The board as it looks, as sharp as it was learned: eight squares of 24 pixels a side. A piece that was never seen leaves its square empty.
    pub fn draw(&self, board: &Board, orientation: Orientation) -> RgbaImage {
        let side = 8 * N as u32;
        let plain = |square: Square| self.plain()[usize::from(square.is_dark())];
        let mut picture = RgbaImage::new(side, side);
        let Ok(rect) = BoardRect::new(0.0, 0.0, f64::from(side), f64::from(side)) else {
            return picture;
        };
        let map = BoardMap { rect, orientation };
        for square in Square::ALL {
            let template = board
                .piece_at(square)
                .and_then(|piece| self.template(index(Some(piece))));
            let patch = template.map(|template| template.over(plain(square)));
            let corner = map.square_rect(square);
            for cell in 0..N * N {
                let color = patch.as_ref().map_or(plain(square), |patch| patch.color(cell));
                let [r, g, b] = color.map(|level| level.clamp(0, 255) as u8);
                let (x, y) = (corner.x as u32 + (cell % N) as u32, corner.y as u32 + (cell / N) as u32);
                picture.put_pixel(x, y, Rgba([r, g, b, 255]));
            }
        }
        picture
    }
}
