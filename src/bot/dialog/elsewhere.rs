//! Four pieces of one size wherever the picture has changed, on the board or beside it: in a row, in a ring, or in a
//! window in the middle.

use super::change::{Tile, around, least_change, tiles};
use super::order::{costs_at, surest};
use super::{Offer, Offered, ROLES};
use image::RgbaImage;
use shakmaty::{Bitboard, Color, Piece, Role, Square};
use std::iter;
use torres_geometry::{BoardMap, BySquare, FramePx};
use torres_vision::appearance::FoundPiece;
use torres_vision::{Appearance, SquareReading};

/// Dialogs that lie elsewhere draw them larger or smaller still.
const SCALES_ELSEWHERE: [f64; 13] = [1.0, 1.5, 1.37, 1.25, 1.15, 1.07, 0.93, 0.87, 0.81, 0.75, 0.7, 0.65, 0.6];

/// A piece that is found elsewhere costs no more than this, as a mean over its body, 0 to 1. (On squares of 29 px,
/// drawn at four fifths: up to 0.43.)
const FITS: f32 = 0.5;

/// How many of the sizes at which the queen explains most are tried for the other pieces.
const SIZES: usize = 3;

/// Offered pieces are at least this far apart, in sides of the squares that they would stand on.
const APART: f64 = 0.7;

/// What is offered wherever the picture has changed, on the board or beside it: four pieces of one size, each of which
/// fits its place better than any other would. Every size of `SCALES_ELSEWHERE` is tried wherever something changed, which
/// takes long: for a picture at rest.
pub fn offer_elsewhere(
    before: (&RgbaImage, &BoardMap),
    now: (&RgbaImage, &BoardMap),
    color: Color,
    appearance: &Appearance,
) -> Option<Offer> {
    let stood = appearance.read(before.0, before.1).squares;
    let changed = tiles(before, now, least_change(before, &stood, color));
    offer_where(changed, &stood, now, color, appearance)
}

/// The same, if anything has changed beside the board: else a search of the board alone has found what there is.
pub fn offer_beside(
    before: (&RgbaImage, &BoardMap),
    now: (&RgbaImage, &BoardMap),
    color: Color,
    appearance: &Appearance,
) -> Option<Offer> {
    let stood = appearance.read(before.0, before.1).squares;
    let changed = tiles(before, now, least_change(before, &stood, color));
    let is_beside = changed.iter().any(|tile| tile.map != *now.1);
    is_beside.then(|| offer_where(changed, &stood, now, color, appearance))?
}

/// The same in these tiles, in which something has changed since this `stood` on the board.
fn offer_where(
    mut changed: Vec<Tile>,
    stood: &BySquare<SquareReading>,
    now: (&RgbaImage, &BoardMap),
    color: Color,
    appearance: &Appearance,
) -> Option<Offer> {
    let (image, map) = now;
    // No dialog offers a pawn: one stands where the move has led it, and waits.
    let pawns = pawns(now, color, appearance);
    changed
        .iter_mut()
        .filter(|tile| tile.map == *map)
        .for_each(|tile| tile.changed &= !pawns);
    let part = around(&changed)?;
    let square = map.square_rect(Square::A1);
    let find = |role, side| {
        let its_own = Some(Piece { color, role });
        let may_be = |middle: FramePx| {
            // One of its kind stood there before: a dialog's shadow may fall on it.
            let stands = map.square_at(middle).is_some_and(|square| {
                let at = map.center(square);
                stood[square].content == its_own && (at.x - middle.x).hypot(at.y - middle.y) < STAYED * side
            });
            let is_new = |tile: &Tile| is_over(middle, side, &tile.map, tile.changed);
            !stands && changed.iter().any(is_new)
        };
        appearance.find_piece((image, &part), &may_be, Piece { color, role }, side)
    };
    let sizes = SCALES_ELSEWHERE.map(|scale| scale * (square.width + square.height) / 2.0);
    let mut placed = of_one_size(&sizes, &find).into_iter();
    placed.find_map(|placed| placed_offer(placed, (image, map), color, appearance))
}

/// The grey level of the veil, and its opacity: a judgement, on the buttons of one page.
const VEIL: (u8, f32) = (255, 0.15);

/// The same pieces where buttons draw them half transparent over a pale board (chessboard-vue): their white is less than white, and
/// their black is grey.
pub fn through_veil(appearance: &Appearance) -> Appearance {
    appearance.veiled(VEIL.0, VEIL.1)
}

/// What is no farther from where a piece of its kind stood, in sides of its square, is that piece.
const STAYED: f64 = 0.2;

/// The squares on which a pawn of this colour is read for certain.
fn pawns((image, map): (&RgbaImage, &BoardMap), color: Color, appearance: &Appearance) -> Bitboard {
    let pawn = Some(Piece {
        color,
        role: Role::Pawn,
    });
    let read = appearance.read(image, map).squares;
    let pawns = read.iter().filter(|(_, read)| read.content == pawn && !read.doubtful);
    pawns.map(|(square, _)| square).collect()
}

/// A piece that was found, and the side of the square that it would stand on.
type Placed = (FoundPiece, f64);

/// How much of a picture a piece explains that is found in it: the side of its square, the more the better it fits. A
/// black queen drawn smaller fits a larger one's body as well, and any other black piece does.
fn explained((found, side): &Placed) -> f64 {
    side * f64::from(FITS - found.cost)
}

/// Four pieces of one size: the queen tells how large they are, or nearly so. Those that explain most come first.
pub(super) fn of_one_size(sizes: &[f64], find: &impl Fn(Role, f64) -> Option<FoundPiece>) -> Vec<[Placed; 4]> {
    let queens = sizes.iter().filter_map(|side| Some((find(Role::Queen, *side)?, *side)));
    let mut queens: Vec<Placed> = queens.collect();
    queens.sort_by(|a, b| explained(b).total_cmp(&explained(a)));
    queens.truncate(SIZES);
    let with_others = queens.into_iter().filter_map(|queen| {
        let others = ROLES.into_iter().skip(1);
        let others = others.filter_map(|role| Some((find(role, queen.1)?, queen.1)));
        // A piece that was never seen cannot be found.
        let placed: Vec<Placed> = iter::once(queen).chain(others).collect();
        placed.try_into().ok()
    });
    let in_all = |placed: &[Placed; 4]| placed.iter().map(explained).sum::<f64>();
    let mut all: Vec<[Placed; 4]> = with_others.filter(are_apart).collect();
    all.sort_by(|a, b| in_all(b).total_cmp(&in_all(a)));
    all
}

/// Whether a piece with this middle, drawn as on a square with this side, lies over one of these squares. One in the
/// middle of four squares need not change the one that its middle falls on.
fn is_over(middle: FramePx, side: f64, map: &BoardMap, squares: Bitboard) -> bool {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].map(|(x, y)| FramePx {
        x: middle.x + x * side / 4.0,
        y: middle.y + y * side / 4.0,
    });
    let mut over = corners.into_iter().filter_map(|corner| map.square_at(corner));
    over.any(|square| squares.contains(square))
}

/// What pieces found in these places offer, if each fits its place better than any other would.
fn placed_offer(
    placed: [Placed; 4],
    (image, map): (&RgbaImage, &BoardMap),
    color: Color,
    appearance: &Appearance,
) -> Option<Offer> {
    let in_line = in_line(&placed);
    let sure = in_line.iter().filter(|sure| **sure).count();
    if sure < placed.len() - 1 || !placed.iter().all(|place| place.0.cost <= FITS) {
        return None;
    }
    let costs: Vec<[f32; 4]> = placed
        .iter()
        .map(|(place, side)| costs_at((image, place.center, *side), color, appearance))
        .collect();
    let order = surest(&costs, false)?;
    (order == ROLES).then(|| Offer {
        places: std::array::from_fn(|nth| {
            let (piece, _) = &placed[nth];
            in_line[nth].then(|| Offered {
                at: map.board_point(piece.center),
                over: map.square_at(piece.center),
            })
        }),
    })
}

/// Which pieces have another in their row or their column, as in all dialogs: rows, columns and rings. A piece
/// elsewhere fits there by chance, such as a rook that is drawn smaller than the others (GNOME Chess).
fn in_line(placed: &[Placed; 4]) -> [bool; 4] {
    let are_in_line = |a: &Placed, b: &Placed| {
        let half = a.1.min(b.1) / 2.0;
        (a.0.center.x - b.0.center.x).abs() < half || (a.0.center.y - b.0.center.y).abs() < half
    };
    std::array::from_fn(|i| {
        let mut others = (0..placed.len()).filter(|j| *j != i);
        others.any(|j| are_in_line(&placed[i], &placed[j]))
    })
}

/// Whether no two of the pieces found are one.
fn are_apart(placed: &[Placed; 4]) -> bool {
    let distance = |a: FramePx, b: FramePx| (a.x - b.x).hypot(a.y - b.y);
    let mut pairs = placed
        .iter()
        .enumerate()
        .flat_map(|(i, a)| placed[..i].iter().map(move |b| (a, b)));
    pairs.all(|(a, b)| distance(a.0.center, b.0.center) >= APART * a.1.min(b.1))
}
