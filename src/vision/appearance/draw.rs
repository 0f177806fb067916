//! A position drawn with the board's own squares and pieces: for pictures of what no frame showed.

use super::super::patch::N;
use super::{Appearance, index};
use image::{Rgba, RgbaImage};
use shakmaty::{Board, Square};
use torres_geometry::{BoardMap, BoardRect, Orientation};

/// The board as it looks, as sharp as it was learned: eight squares of 24 pixels a side. A piece that was never seen
/// leaves its square empty.
pub fn draw(appearance: &Appearance, board: &Board, orientation: Orientation) -> RgbaImage {
    let side = 8 * N as u32;
    let ground = |square: Square| appearance.ground(square.is_dark());
    let mut picture = RgbaImage::new(side, side);
    let Ok(rect) = BoardRect::new(0.0, 0.0, f64::from(side), f64::from(side)) else {
        return picture;
    };
    let map = BoardMap { rect, orientation };
    for square in Square::ALL {
        let template = board
            .piece_at(square)
            .and_then(|piece| appearance.template(index(Some(piece))));
        let patch = template.map(|template| template.over(ground(square)));
        let corner = map.square_rect(square);
        for cell in 0..N * N {
            let color = patch.as_ref().unwrap_or(ground(square)).color(cell);
            let [r, g, b] = color.map(|level| level.clamp(0, 255) as u8);
            let (x, y) = (corner.x as u32 + (cell % N) as u32, corner.y as u32 + (cell / N) as u32);
            picture.put_pixel(x, y, Rgba([r, g, b, 255]));
        }
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use std::io::Cursor;

    /// An appearance whose only piece is a white king that fills its square with red.
    fn appearance() -> Appearance {
        let mut png = Cursor::new(Vec::new());
        let red = RgbaImage::from_pixel(N as u32, N as u32, Rgba([200, 0, 0, 255]));
        red.write_to(&mut png, image::ImageFormat::Png).unwrap();
        let png = base64::engine::general_purpose::STANDARD.encode(png.into_inner());
        let file = serde_json::json!({
            "light": [240, 240, 240], "dark": [80, 80, 80], "noise": 0.0,
            "pieces": {"K": {"png": png, "seen_on": {"light": true, "dark": true}}},
        });
        serde_json::from_value(file).unwrap()
    }

    #[test]
    fn every_square_has_its_colour_and_its_piece_whichever_way_the_board_is_turned() {
        // A black king that was never learned on e8.
        let board = Board::from_ascii_board_fen(b"4k3/8/8/8/8/8/8/K7").unwrap();
        for (orientation, (king, beside)) in [
            (Orientation::White, ((10, 180), (34, 180))),
            (Orientation::Black, ((180, 10), (156, 10))),
        ] {
            let picture = appearance().draw(&board, orientation);
            let at = |(x, y): (u32, u32)| picture.get_pixel(x, y).0;
            assert_eq!(picture.dimensions(), (192, 192));
            assert_eq!(at(king), [200, 0, 0, 255], "{orientation:?}: a1");
            assert_eq!(at(beside), [240, 240, 240, 255], "{orientation:?}: b1 is light");
            let of_color = |color: [u8; 4]| picture.pixels().filter(|pixel| pixel.0 == color).count();
            assert_eq!(of_color([240, 240, 240, 255]), 32 * N * N, "e8 is light, and empty");
            assert_eq!(of_color([80, 80, 80, 255]), 31 * N * N);
        }
    }
}
