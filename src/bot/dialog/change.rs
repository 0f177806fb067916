//! What differs from the picture before a dialog opened, by more than what lies evenly over it.

use super::ROLES;
use image::{Rgba, RgbaImage};
use shakmaty::{Bitboard, Color, Role, Square};
use torres_geometry::{BoardMap, BoardRect, BySquare, FrameRect};
use torres_vision::SquareReading;
use torres_vision::histogram::{Histogram, of_square, pixels};

/// By how much a square that a dialog covers differs at least (L1, 0 to 2): a white bishop on white is not far from a
/// black one on a light square.
pub(super) const EACH: f32 = 0.2;

/// A piece that is offered changes a square by at least this share of what one on the board does: it may be drawn smaller.
const OF_A_PIECE: f32 = 0.6;

/// What changes a square by less (L1, 0 to 2) is no piece: black ones on nearly black squares would ask for nothing.
/// (Thin lines: 0.053.)
const LEAST: f32 = 0.04;

/// By how much a square differs from before (L1, 0 to 2).
pub(super) fn change(before: (&RgbaImage, &BoardMap), now: (&RgbaImage, &BoardMap), square: Square) -> f32 {
    of_square(before.0, before.1, square).l1(&of_square(now.0, now.1, square))
}

/// Sixty-four squares of the grid that goes on beyond the board's edges, the board itself or others: where they lie,
/// and which of them have changed.
pub(super) struct Tile {
    pub map: BoardMap,
    pub changed: Bitboard,
}

/// By how much a square differs at least on which a piece of this colour comes up (L1, 0 to 2): [`EACH`], or less where its
/// pieces are thin lines. A piece on the board before the dialog tells, beside an empty square.
/// `stood` is what was read on it.
pub(super) fn least_change(before: (&RgbaImage, &BoardMap), stood: &BySquare<SquareReading>, color: Color) -> f32 {
    let look = |square| of_square(before.0, before.1, square);
    let certain = || stood.iter().filter(|(_, read)| !read.doubtful);
    let empty: Vec<(Square, Histogram)> = certain()
        .filter(|(_, read)| read.content.is_none())
        .map(|(square, _)| (square, look(square)))
        .collect();
    let officers = certain().filter(|(_, read)| {
        read.content
            .is_some_and(|piece| piece.color == color && piece.role != Role::Pawn)
    });
    let changes = officers.flat_map(|(square, _)| {
        let alike = empty
            .iter()
            .filter(move |(empty, _)| empty.is_dark() == square.is_dark());
        let shown = look(square);
        alike.map(move |(_, bare)| shown.l1(bare))
    });
    (OF_A_PIECE * changes.fold(f32::INFINITY, f32::min)).clamp(LEAST, EACH)
}

/// All of a picture, in tiles, as far as something has changed, by as much as `least` (L1, 0 to 2).
pub(super) fn tiles(before: (&RgbaImage, &BoardMap), now: (&RgbaImage, &BoardMap), least: f32) -> Vec<Tile> {
    let (was, is) = (before.1.rect, now.1.rect);
    let reach = |start: f64, side: f64, length: u32| {
        let end = f64::from(length) - start - side;
        -(start / side).ceil() as i32..=(end / side).ceil() as i32
    };
    let columns = reach(is.x(), is.width(), now.0.width());
    let rows = reach(is.y(), is.height(), now.0.height());
    let places = columns.flat_map(|column| rows.clone().map(move |row| (f64::from(column), f64::from(row))));
    let tile = |(column, row): (f64, f64)| {
        let beyond = |map: &BoardMap, rect: BoardRect| BoardMap {
            rect: rect.translated(column * rect.width(), row * rect.height()),
            ..*map
        };
        let (before, now) = ((before.0, &beyond(before.1, was)), (now.0, &beyond(now.1, is)));
        Tile {
            map: *now.1,
            changed: covered(before, now, least),
        }
    };
    places.map(tile).filter(|tile| !tile.changed.is_empty()).collect()
}

/// Whether a square lies within a picture.
fn lies_in((image, map): (&RgbaImage, &BoardMap), square: Square) -> bool {
    let rect = map.square_rect(square);
    let within = |from: f64, length: f64, end: u32| from >= -0.5 && from + length <= f64::from(end) + 0.5;
    within(rect.x, rect.width, image.width()) && within(rect.y, rect.height, image.height())
}

/// The squares that a dialog may cover: those that differ from before by more than what lies evenly over them, such as
/// a shade over the board or the dialog's own ground. Else the board's own pieces would be taken for offered ones.
fn covered(before: (&RgbaImage, &BoardMap), now: (&RgbaImage, &BoardMap), least: f32) -> Bitboard {
    let differs = |square: &Square| {
        change(before, now, *square) >= least && change_under_a_veil(before, now, *square).is_none_or(|by| by >= least)
    };
    let seen = Square::ALL
        .into_iter()
        .filter(|square| lies_in(before, *square) && lies_in(now, *square));
    seen.filter(differs).collect()
}

/// By how much a square differs (L1, 0 to 2) from what it was under an even veil: each channel is `left · before +
/// veil`, with `left` from 0 to 1, as the least squares over its pixels tell. `None` where the square is not of one size
/// in both pictures.
fn change_under_a_veil(before: (&RgbaImage, &BoardMap), now: (&RgbaImage, &BoardMap), square: Square) -> Option<f32> {
    let cut = |(image, map): (&RgbaImage, &BoardMap)| {
        let (x, y) = pixels(map, square);
        let (width, height) = ((x.1 - x.0) as u32, (y.1 - y.0) as u32);
        torres_frame::crop(image, (x.0 as u32, y.0 as u32), (width, height))
    };
    let (mut was, is) = (cut(before), cut(now));
    if was.dimensions() != is.dimensions() {
        return None;
    }
    for channel in 0..3 {
        let level = |pixel: &Rgba<u8>| f64::from(pixel[channel]);
        let mean =
            |image: &RgbaImage| image.pixels().map(level).sum::<f64>() / f64::from(image.width() * image.height());
        let (was_mean, is_mean) = (mean(&was), mean(&is));
        let (mut spread, mut together) = (0.0, 0.0);
        for (was, is) in was.pixels().zip(is.pixels()) {
            let aside = level(was) - was_mean;
            spread += aside * aside;
            together += aside * (level(is) - is_mean);
        }
        let left = if spread > 0.0 {
            (together / spread).clamp(0.0, 1.0)
        } else {
            0.0
        };
        for pixel in was.pixels_mut() {
            pixel[channel] = (is_mean + left * (level(pixel) - was_mean)).round() as u8;
        }
    }
    let whole = |image: &RgbaImage| Histogram::of(image, (0, image.width() as usize), (0, image.height() as usize));
    Some(whole(&was).l1(&whole(&is)))
}

/// The part of the frame that holds what has changed, if that is as much as a dialog covers at least.
pub(super) fn around(changed: &[Tile]) -> Option<FrameRect> {
    let rects = changed
        .iter()
        .flat_map(|tile| tile.changed.into_iter().map(|square| tile.map.square_rect(square)));
    let rects: Vec<FrameRect> = rects.collect();
    if rects.len() < ROLES.len() {
        return None;
    }
    let least = |of: fn(&FrameRect) -> f64| rects.iter().map(of).fold(f64::INFINITY, f64::min);
    let most = |of: fn(&FrameRect) -> f64| rects.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    let (x, y) = (least(|rect| rect.x), least(|rect| rect.y));
    Some(FrameRect {
        x,
        y,
        width: most(|rect| rect.x + rect.width) - x,
        height: most(|rect| rect.y + rect.height) - y,
    })
}
