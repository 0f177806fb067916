//! Drawing on pictures that a person will look at: text, arrows, outlines, and a board's grid with square names.
//!
//! The contact sheet of a game, the annotated picture of a calibration and an explained screenshot are drawn with
//! these. Shapes are antialiased and may be translucent; coordinates are those of
//! [`FramePx`](torres_geometry::FramePx), so that pixel (0, 0) covers the area from 0 to 1. What to draw, and why, is
//! for other rooms to say; nothing here reads a pixel to learn something from it.

mod board;
mod shape;
mod text;

pub use board::{grid, outline_square};
pub use shape::{arrow, arrow_rim, fill_rect, hatch, outline};
pub use text::{text, text_width, wrapped};

use image::{Rgba, RgbaImage};

/// A colour with its opacity: red, green, blue, alpha.
pub type Color = Rgba<u8>;

/// Lays `color` over a pixel; `coverage` (0 to 1) says how much of the pixel the shape covers.
fn blend(image: &mut RgbaImage, x: u32, y: u32, color: Color, coverage: f64) {
    let Some(pixel) = image.get_pixel_mut_checked(x, y) else {
        return;
    };
    let opacity = f64::from(color.0[3]) / 255.0 * coverage.clamp(0.0, 1.0);
    let mix = |below: u8, above: u8| (f64::from(below) + (f64::from(above) - f64::from(below)) * opacity).round() as u8;
    let ([r, g, b, a], [cr, cg, cb, _]) = (pixel.0, color.0);
    pixel.0 = [mix(r, cr), mix(g, cg), mix(b, cb), mix(a, 255)];
}
