//! Boards drawn square by square: looks, frames and clutter that the rendered frames do not have.

use image::{Rgba, RgbaImage};
use shakmaty::Color;
use torres::geometry::{BoardRect, FramePx, FrameRect, Orientation};
use torres::picture::{fill_rect, text};

pub type Rgb = [u8; 3];

pub const WHITE: Rgb = [255, 255, 255];

pub fn rgba([r, g, b]: Rgb) -> Rgba<u8> {
    Rgba([r, g, b, 255])
}

/// A page of one colour.
pub fn page(width: u32, height: u32, color: Rgb) -> RgbaImage {
    RgbaImage::from_pixel(width, height, rgba(color))
}

/// A rectangle of whole pixels.
pub fn rectangle(image: &mut RgbaImage, [x, y, width, height]: [f64; 4], color: Rgb) {
    fill_rect(image, FrameRect { x, y, width, height }, rgba(color));
}

/// How a board is drawn.
#[derive(Clone, Copy)]
pub struct Style {
    /// Colour of the light and of the dark squares.
    pub squares: [Rgb; 2],
    /// Pixels of a line of that colour between neighbouring squares.
    pub gap: (u32, Rgb),
    /// By how many levels the squares darken towards their border.
    pub shade: u8,
    pub bottom: Orientation,
}

impl Style {
    pub fn plain(light: Rgb, dark: Rgb) -> Style {
        Style {
            squares: [light, dark],
            gap: (0, [0, 0, 0]),
            shade: 0,
            bottom: Orientation::White,
        }
    }
}

/// Draws a board with a piece (a disc with a rim) wherever the placement has one, rank 8 first.
pub fn board(image: &mut RgbaImage, corner: (u32, u32), square: u32, placement: &str, style: Style) -> BoardRect {
    let mut ranks: Vec<String> = placement.split('/').map(expanded).collect();
    if style.bottom.bottom() == Color::Black {
        ranks.reverse();
    }
    if !is_a_file_left(style.bottom) {
        ranks = ranks.iter().map(|r| r.chars().rev().collect()).collect();
    }
    let side = 8 * square;
    for (dx, dy) in (0..side).flat_map(|dy| (0..side).map(move |dx| (dx, dy))) {
        let (column, row) = (dx / square, dy / square);
        let piece = ranks[row as usize].as_bytes()[column as usize];
        let own = style.squares[((column + row) % 2) as usize];
        let color = pixel((dx % square, dy % square), square, piece, own, style);
        image.put_pixel(corner.0 + dx, corner.1 + dy, rgba(color));
    }
    BoardRect::new(
        f64::from(corner.0),
        f64::from(corner.1),
        f64::from(side),
        f64::from(side),
    )
    .unwrap()
}

fn expanded(rank: &str) -> String {
    let piece = |c: char| c.to_digit(10).map_or(c.to_string(), |n| ".".repeat(n as usize));
    rank.chars().map(piece).collect()
}

fn pixel((x, y): (u32, u32), square: u32, piece: u8, own: Rgb, style: Style) -> Rgb {
    let inset = x.min(y).min(square - 1 - x).min(square - 1 - y);
    if 2 * inset < style.gap.0 {
        return style.gap.1;
    }
    let middle = f64::from(square) / 2.0;
    let from_middle = (f64::from(x) + 0.5 - middle).hypot(f64::from(y) + 0.5 - middle) / f64::from(square);
    let (body, rim) = if piece.is_ascii_uppercase() { (250, 20) } else { (25, 5) };
    match (piece, from_middle) {
        (b'.', _) | (_, 0.36..) => {
            let share = 1.0 - (f64::from(inset) / (0.12 * f64::from(square))).min(1.0);
            own.map(|c| c.saturating_sub((f64::from(style.shade) * share) as u8))
        }
        (_, 0.31..) => [rim; 3],
        _ => [body; 3],
    }
}

/// Writes the coordinates below and to the left of a board.
pub fn coordinates(image: &mut RgbaImage, rect: &BoardRect, bottom: Orientation, color: Rgb) {
    let square = rect.width() / 8.0;
    let size = 0.3 * square;
    for k in 0..8usize {
        let file = if is_a_file_left(bottom) { k } else { 7 - k };
        let rank = if bottom.bottom() == Color::White { 8 - k } else { k + 1 };
        let (file, rank) = (&"abcdefgh"[file..=file], rank.to_string());
        let middle = (k as f64 + 0.5) * square - size / 2.0;
        let below = FramePx {
            x: rect.x() + middle,
            y: rect.y() + rect.height() + 0.1 * square,
        };
        let beside = FramePx {
            x: rect.x() - 0.4 * square,
            y: rect.y() + middle,
        };
        text(image, below, size, rgba(color), file);
        text(image, beside, size, rgba(color), &rank);
    }
}

fn is_a_file_left(orientation: Orientation) -> bool {
    (orientation.bottom() == Color::White) != orientation.is_mirrored()
}

/// A checker pattern of any number of cells.
pub fn checkers(image: &mut RgbaImage, corner: (u32, u32), cell: u32, (columns, rows): (u32, u32), colors: [Rgb; 2]) {
    for (dx, dy) in (0..rows * cell).flat_map(|dy| (0..columns * cell).map(move |dx| (dx, dy))) {
        let color = colors[((dx / cell + dy / cell) % 2) as usize];
        if corner.0 + dx < image.width() && corner.1 + dy < image.height() {
            image.put_pixel(corner.0 + dx, corner.1 + dy, rgba(color));
        }
    }
}
