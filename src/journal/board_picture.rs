//! A board cut out of a frame, small, with a move drawn on it: what the contact sheet and the film are made of.

use image::imageops::{self, FilterType};
use image::{Rgba, RgbaImage};
use shakmaty::{CastlingSide, Move, Square};
use torres_geometry::{BoardMap, BoardRect};
use torres_picture::{Color, arrow, arrow_rim};

/// What lies around a board.
pub(super) const PAPER: Color = Rgba([38, 36, 33, 255]);
const ARROW: Color = Rgba([0, 92, 230, 165]);
const RIM: Color = Rgba([255, 255, 255, 210]);

/// The squares that a move's arrow joins: castling is drawn as the king's way.
pub(super) fn arrow_squares(played: Move) -> Option<(Square, Square)> {
    let from = played.from()?;
    let to = match played {
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(rook > king);
            Square::from_coords(side.king_to_file(), king.rank())
        }
        _ => played.to(),
    };
    Some((from, to))
}

/// Draws a move's arrow over a board.
pub(super) fn draw_move(picture: &mut RgbaImage, map: &BoardMap, from: Square, to: Square) {
    let width = map.square_rect(from).width * 0.2;
    let (start, end) = (map.center(from), map.center(to));
    arrow(picture, start, end, width, ARROW);
    // A light rim makes it stand out on every board.
    arrow_rim(picture, start, end, width, 1.5, RIM);
}

/// The board cut out and scaled to `side` pixels, and where its squares lie there.
pub(super) fn thumbnail(frame: &RgbaImage, map: &BoardMap, side: u32) -> Option<(RgbaImage, BoardMap)> {
    let rect = map.rect;
    let clip = |v: f64, end: u32| v.clamp(0.0, f64::from(end)) as u32;
    let (left, top) = (
        clip(rect.x().round(), frame.width()),
        clip(rect.y().round(), frame.height()),
    );
    let right = clip((rect.x() + rect.width()).round(), frame.width());
    let bottom = clip((rect.y() + rect.height()).round(), frame.height());
    if right <= left || bottom <= top {
        return None;
    }
    let scale = (f64::from(side) / rect.width(), f64::from(side) / rect.height());
    let cut = torres_frame::crop(frame, (left, top), (right - left, bottom - top));
    let fit = |length: u32, scale: f64| ((f64::from(length) * scale).round() as u32).clamp(1, side);
    let small = imageops::resize(
        &cut,
        fit(cut.width(), scale.0),
        fit(cut.height(), scale.1),
        FilterType::Triangle,
    );
    // A board partly outside the frame keeps its place.
    let mut picture = RgbaImage::from_pixel(side, side, PAPER);
    let place = |edge: u32, board_edge: f64, scale: f64| ((f64::from(edge) - board_edge) * scale).round() as i64;
    imageops::replace(
        &mut picture,
        &small,
        place(left, rect.x(), scale.0),
        place(top, rect.y(), scale.1),
    );
    let end = f64::from(side);
    let rect = BoardRect::new(0.0, 0.0, end, end).ok()?;
    Some((picture, BoardMap { rect, ..*map }))
}
