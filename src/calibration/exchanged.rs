//! Whether king and queen look exchanged: then the board may be a mirror image of one, and every move would be
//! misunderstood. Pieces are learned by where they stand, so nothing else tells before one of the two has moved.
//!
//! In most piece sets the queen's crown is wide and the cross on the king is not.

use image::RgbaImage;
use shakmaty::{Color, Role};
use torres_geometry::{BoardMap, FrameRect};

/// From this many levels of one channel on a pixel is not of its square.
const INK: u8 = 40;
/// The part of a piece's height that is its top.
const TOP: f64 = 0.2;
/// Left out at each side of a square, as a share of it: frames, coordinates, the neighbour's pixels.
const EDGE: f64 = 1.0 / 12.0;
/// A piece has at least this share of its square's height.
const MIN_HEIGHT: f64 = 1.0 / 3.0;
/// How much wider the top of the piece on the king's square is than that of the queen's, in shares of each piece's width: on
/// none of 89 rendered boards is it in both colours (docs/programs.md).
const EXCHANGED: f64 = 0.3;

/// Whether on a board with these kings and queens, one of each colour, those of both colours look exchanged.
pub fn look_exchanged(picture: &RgbaImage, map: &BoardMap, pieces: &shakmaty::Board) -> bool {
    let only = |color: Color, role: Role| {
        let all = pieces.by_piece(role.of(color));
        all.single_square()
            .and_then(|square| top_width(picture, &map.square_rect(square)))
    };
    let is_exchanged = |color| match (only(color, Role::King), only(color, Role::Queen)) {
        (Some(king), Some(queen)) => king - queen > EXCHANGED,
        _ => false,
    };
    Color::ALL.into_iter().all(is_exchanged)
}

/// How wide the upper part of the piece on a square is, as a share of the piece's width.
fn top_width(picture: &RgbaImage, square: &FrameRect) -> Option<f64> {
    let (left, top) = (square.x.round() as u32 + 1, square.y.round() as u32 + 1);
    let (width, height) = (square.width as u32 - 2, square.height as u32 - 2);
    let edge = ((f64::from(width) * EDGE) as u32).max(2);
    if left + width > picture.width() || top + height > picture.height() || width <= 2 * edge {
        return None;
    }
    let color = |x: u32, y: u32| picture.get_pixel(left + x, top + y).0;
    let ground: [u8; 3] = std::array::from_fn(|channel| {
        // A piece may stand on its square's lower edge.
        let beside = (0..height * 4 / 5).flat_map(|y| (0..edge).chain(width - edge..width).map(move |x| (x, y)));
        let mut levels: Vec<u8> = beside.map(|(x, y)| color(x, y)[channel]).collect();
        let middle = levels.len() / 2;
        *levels.select_nth_unstable(middle).1
    });
    let is_ink = |x: u32, y: u32| (0..3).any(|c| color(x, y)[c].abs_diff(ground[c]) > INK);
    let in_row = |y: u32| (edge..width - edge).filter(move |x| is_ink(*x, y));
    let is_piece = |y: &u32| in_row(*y).nth(1).is_some();
    let first = (1..height - 1).find(is_piece)?;
    let last = (1..height - 1).rev().find(is_piece)?;
    let extent = |rows: std::ops::RangeInclusive<u32>| {
        let columns: Vec<u32> = rows.flat_map(in_row).collect();
        let (left, right) = (columns.iter().min()?, columns.iter().max()?);
        Some(f64::from(right + 1 - left))
    };
    let tall = last + 1 - first;
    if f64::from(tall) < MIN_HEIGHT * f64::from(height) {
        return None;
    }
    let top_rows = (f64::from(tall) * TOP).round() as u32;
    Some(extent(first..=first + top_rows.max(1) - 1)? / extent(first..=last)?)
}
