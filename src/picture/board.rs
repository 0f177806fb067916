//! A board's grid over a picture of it.

use super::{Color, fill_rect, outline, shape, text, text_width};
use image::{Rgba, RgbaImage};
use shakmaty::Square;
use torres_geometry::{BoardMap, FramePx, FrameRect};

/// Draws the lines between the squares, the board's edge, and each square's name in its upper left corner.
pub fn grid(image: &mut RgbaImage, map: &BoardMap, color: Color) {
    for square in Square::ALL {
        outline(image, map.square_rect(square), 1.0, color);
    }
    for square in Square::ALL {
        name_square(image, map, square, color);
    }
}

/// Draws a frame just inside a square's edges, `thickness` pixels wide.
pub fn outline_square(image: &mut RgbaImage, map: &BoardMap, square: Square, thickness: f64, color: Color) {
    let inner = shape::grown(map.square_rect(square), -thickness / 2.0);
    outline(image, inner, thickness, color);
}

/// Writes a square's name on a dark plate, readable on any board.
fn name_square(image: &mut RgbaImage, map: &BoardMap, square: Square, color: Color) {
    let rect = map.square_rect(square);
    let size = (rect.height / 4.5).clamp(9.0, 18.0);
    let name = square.to_string();
    let plate = FrameRect {
        x: rect.x + 1.0,
        y: rect.y + 1.0,
        width: text_width(size, &name) + 4.0,
        height: size + 1.0,
    };
    fill_rect(image, plate, Rgba([0, 0, 0, 150]));
    let at = FramePx {
        x: plate.x + 2.0,
        y: plate.y,
    };
    text(image, at, size, Rgba([color.0[0], color.0[1], color.0[2], 255]), &name);
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres_geometry::{BoardRect, Orientation};

    #[test]
    fn the_grid_lies_on_the_edges_between_squares() {
        let background = Rgba([90, 90, 90, 255]);
        let mut image = RgbaImage::from_pixel(500, 500, background);
        let map = BoardMap {
            rect: BoardRect::new(50.0, 50.0, 400.0, 400.0).unwrap(),
            orientation: Orientation::White,
        };
        grid(&mut image, &map, Rgba([255, 255, 0, 255]));
        for edge in 0..9 {
            let at = 50 + 50 * edge;
            assert_ne!(*image.get_pixel(at, 135), background, "vertical line {edge}");
            assert_ne!(*image.get_pixel(135, at), background, "horizontal line {edge}");
        }
        assert_eq!(*image.get_pixel(85, 85), background, "a square's inside stays visible");
        assert_eq!(*image.get_pixel(20, 250), background, "outside the board");
    }
}
