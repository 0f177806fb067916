//! The promotion dialog: whether it is open, and where it offers which piece.
//!
//! chessground, chess.com and their like show a column of four pieces over the promotion's file, in orders of their
//! own. Others show them beside the file, in a row, in a ring, or in a window in the middle. So the pieces are looked
//! for: first in the column, then wherever the board changed.

use image::imageops::{FilterType, crop_imm, replace, resize};
use image::{Rgba, RgbaImage};
use shakmaty::{Bitboard, Chess, Color, Piece, Position, Rank, Role, Square};
use std::iter;
use torres_geometry::{BoardMap, BoardPoint, BoardRect, FramePx, FrameRect};
use torres_vision::Appearance;
use torres_vision::appearance::{FoundPiece, index};
use torres_vision::histogram::{Histogram, of_square, pixels};

/// The pieces that a pawn becomes.
const ROLES: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

/// Squares that a column covers differ from what was there before by at least this much on average (L1, 0 to 2), and
/// each by a part of it: a white bishop on white is not far from a black one on a light square. A shadow over the board
/// alone changes every square, so the squares beside the dialog are not looked at.
const COVERED: f32 = 0.5;
const EACH: f32 = 0.2;

/// Dialogs draw their pieces as large as the board's, or somewhat smaller.
const SCALES: [f64; 4] = [1.0, 0.9, 0.8, 0.7];

/// Dialogs that lie elsewhere draw them larger or smaller still.
const SCALES_ELSEWHERE: [f64; 13] = [1.0, 1.5, 1.37, 1.25, 1.15, 1.07, 0.93, 0.87, 0.81, 0.75, 0.7, 0.65, 0.6];

/// An order of pieces is believed when every other fits worse by this much: the mean cost of a square, 0 to 1.
const SURELY: f32 = 0.03;

/// A piece that is found elsewhere costs no more than this, as a mean over its body, 0 to 1. (On squares of 29 px,
/// drawn at four fifths: up to 0.43.)
const FITS: f32 = 0.5;

/// How many of the sizes at which the queen explains most are tried for the other pieces.
const SIZES: usize = 3;

/// Up to how many pixels beside the one found another piece is tried.
const SHIFTED_PX: f64 = 2.0;

/// A place that is found again may lie aside by this much, in 64ths of a square.
const WAVER: i32 = 8;

/// Offered pieces are at least this far apart, in sides of the squares that they would stand on.
const APART: f64 = 0.7;

/// Where an open dialog offers a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offered {
    /// The middle of the piece.
    pub at: BoardPoint,
    /// The square beneath it, if it lies on the board.
    pub over: Option<Square>,
}

impl Offered {
    /// Whether both are one place, as far as it can be measured: a picture that changes beside it moves what is found by
    /// a pixel or two.
    pub(crate) fn is_at(&self, other: &Offered) -> bool {
        let apart = (self.at.x - other.at.x).abs().max((self.at.y - other.at.y).abs());
        apart <= WAVER
    }
}

/// Where an open dialog offers which piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// In the order of [`ROLES`]; `None` for a piece whose place is not sure.
    places: [Option<Offered>; 4],
}

impl Offer {
    /// Where a piece is offered; `None` for a role that no pawn becomes.
    pub fn place(self, role: Role) -> Option<Offered> {
        let nth = ROLES.iter().position(|offered| *offered == role)?;
        self.places[nth]
    }

    /// The same, so many 64ths of a square to the right.
    #[cfg(test)]
    pub(crate) fn moved(self, by: i32) -> Offer {
        let moved = |offered: Offered| Offered {
            at: BoardPoint {
                x: offered.at.x + by,
                ..offered.at
            },
            ..offered
        };
        Offer {
            places: self.places.map(|place| place.map(moved)),
        }
    }

    /// One piece, and no other.
    pub(crate) fn of_one(role: Role, offered: Offered) -> Offer {
        Offer {
            places: ROLES.map(|of| (of == role).then_some(offered)),
        }
    }

    /// The offer of a column of squares from the promotion square towards the middle of the board, in chessground's
    /// order.
    pub fn chessground(promotion: Square, map: &BoardMap) -> Offer {
        Offer::column(promotion, ROLES, map)
    }

    fn column(promotion: Square, order: [Role; 4], map: &BoardMap) -> Offer {
        let place = |role: Role| {
            let steps = order.iter().position(|offered| *offered == role).unwrap_or(0);
            let square = square_at(promotion, steps).unwrap_or(promotion);
            Offered {
                at: map.middle(square),
                over: Some(square),
            }
        };
        Offer {
            places: ROLES.map(place).map(Some),
        }
    }
}

/// The square `steps` from the promotion square.
fn square_at(promotion: Square, steps: usize) -> Option<Square> {
    let inwards = if promotion.rank() == Rank::Eighth { -8 } else { 8 };
    promotion.offset(inwards * steps as i32)
}

/// What a column over the promotion's file offers a pawn of that colour, if it is open, compared with the board right
/// before the pawn was moved, and if its pieces can be told.
///
/// Each picture comes with the board's place in it. Pieces that look the same on the board, or were never seen, cannot
/// be told in the dialog either: then the order of the column is taken for chessground's, unless what can be told
/// speaks against it. A click that follows goes to a place of the dialog; the verification says what became of it.
pub fn offer(
    before: (&RgbaImage, &BoardMap),
    now: (&RgbaImage, &BoardMap),
    (promotion, color): (Square, Color),
    appearance: &Appearance,
) -> Option<Offer> {
    let squares: Vec<Square> = (0..ROLES.len())
        .filter_map(|steps| square_at(promotion, steps))
        .collect();
    let changes: Vec<f32> = squares.iter().map(|square| change(before, now, *square)).collect();
    let mean = changes.iter().sum::<f32>() / changes.len() as f32;
    if mean < COVERED || changes.iter().any(|change| *change < EACH) {
        return None;
    }
    let pieces = ROLES.map(|role| Piece { color, role });
    let unlearned = appearance.unlearned();
    let is_unknown = |piece: &Piece| unlearned.contains(piece) || appearance.alike().is_shared(index(Some(*piece)));
    let costs = costs(now, &squares, &pieces, appearance);
    let order =
        surest(&costs, pieces.iter().any(is_unknown)).or_else(|| in_one_size(now, &squares, color, appearance))?;
    Some(Offer::column(promotion, order, now.1))
}

/// The order of the pieces on these squares, in the size in which all fit best. Dark pieces fit into each other where
/// each may have another size.
fn in_one_size(
    (image, map): (&RgbaImage, &BoardMap),
    squares: &[Square],
    color: Color,
    appearance: &Appearance,
) -> Option<[Role; 4]> {
    let of_size = SCALES.map(|scale| {
        let costs: Vec<[f32; 4]> = squares
            .iter()
            .map(|square| {
                let rect = map.square_rect(*square);
                let middle = FramePx {
                    x: rect.x + rect.width / 2.0,
                    y: rect.y + rect.height / 2.0,
                };
                let side = scale * (rect.width + rect.height) / 2.0;
                costs_at((image, middle, side), color, appearance)
            })
            .collect();
        let least = |of: &[f32; 4]| of.iter().copied().fold(f32::INFINITY, f32::min);
        (costs.iter().map(least).sum::<f32>(), costs)
    });
    let (_, best) = of_size.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    surest(best, false)
}

/// How ill each piece, drawn as on a square with this side, fits about a place: in the order of [`ROLES`].
fn costs_at((image, middle, side): (&RgbaImage, FramePx, f64), color: Color, appearance: &Appearance) -> [f32; 4] {
    ROLES.map(|role| {
        let piece = Piece { color, role };
        appearance.piece_near(image, middle, SHIFTED_PX, piece, side).cost
    })
}

/// By how much a square differs from before (L1, 0 to 2).
fn change(before: (&RgbaImage, &BoardMap), now: (&RgbaImage, &BoardMap), square: Square) -> f32 {
    of_square(before.0, before.1, square).l1(&of_square(now.0, now.1, square))
}

/// What is offered wherever the picture has changed, on the board or beside it: four pieces of one size, each of which
/// fits its place better than any other would. Every size of `SCALES_ELSEWHERE` is tried wherever something changed, which
/// takes long: for a picture at rest.
pub fn offer_elsewhere(
    before: (&RgbaImage, &BoardMap),
    now: (&RgbaImage, &BoardMap),
    color: Color,
    appearance: &Appearance,
) -> Option<Offer> {
    let (image, map) = now;
    let mut changed = tiles(before, now);
    // No dialog offers a pawn: one stands where the move has led it, and waits.
    let pawns = pawns(now, color, appearance);
    changed
        .iter_mut()
        .filter(|tile| tile.map == *map)
        .for_each(|tile| tile.changed &= !pawns);
    let part = around(&changed)?;
    let square = map.square_rect(Square::A1);
    let stood = appearance.read(before.0, before.1).squares;
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

/// Sixty-four squares of the grid that goes on beyond the board's edges, the board itself or others: where they lie,
/// and which of them have changed.
struct Tile {
    map: BoardMap,
    changed: Bitboard,
}

/// All of a picture, in tiles, as far as something has changed.
fn tiles(before: (&RgbaImage, &BoardMap), now: (&RgbaImage, &BoardMap)) -> Vec<Tile> {
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
            changed: covered(before, now),
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
fn covered(before: (&RgbaImage, &BoardMap), now: (&RgbaImage, &BoardMap)) -> Bitboard {
    let differs = |square: &Square| {
        change(before, now, *square) >= EACH && change_under_a_veil(before, now, *square).is_none_or(|by| by >= EACH)
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

/// A piece that was found, and the side of the square that it would stand on.
type Placed = (FoundPiece, f64);

/// How much of a picture a piece explains that is found in it: the side of its square, the more the better it fits. A
/// black queen drawn smaller fits a larger one's body as well, and any other black piece does.
fn explained((found, side): &Placed) -> f64 {
    side * f64::from(FITS - found.cost)
}

/// Four pieces of one size: the queen tells how large they are, or nearly so. Those that explain most come first.
fn of_one_size(sizes: &[f64], find: &impl Fn(Role, f64) -> Option<FoundPiece>) -> Vec<[Placed; 4]> {
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

/// The part of the frame that holds what has changed, if that is as much as a dialog covers at least.
fn around(changed: &[Tile]) -> Option<FrameRect> {
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

/// As [`offer`], where nobody saw the board before the dialog opened: what lies beneath is this position, drawn as it
/// was learned.
pub fn offer_over(
    position: &Chess,
    promotion: Square,
    now: (&RgbaImage, &BoardMap),
    appearance: &Appearance,
) -> Option<Offer> {
    let orientation = now.1.orientation;
    let drawn = appearance.draw(position.board(), orientation);
    let rect = BoardRect::new(0.0, 0.0, f64::from(drawn.width()), f64::from(drawn.height())).ok()?;
    let map = BoardMap { rect, orientation };
    offer((&drawn, &map), now, (promotion, position.turn()), appearance)
}

/// Whether as many squares are covered as a dialog covers at least.
pub fn may_cover(covered: Bitboard) -> bool {
    covered.count() >= ROLES.len()
}

/// Whether a dialog is open that asks the side to move what one of its pawns becomes.
pub fn is_open_over(position: &Chess, now: (&RgbaImage, &BoardMap), appearance: &Appearance) -> bool {
    let promotions = position
        .legal_moves()
        .into_iter()
        .filter(|played| played.is_promotion());
    let squares: Bitboard = promotions.map(|played| played.to()).collect();
    let mut open = squares
        .into_iter()
        .filter(|square| offer_over(position, *square, now, appearance).is_some());
    open.next().is_some()
}

/// How ill each piece fits each square, at the size that fits best.
fn costs(
    (image, map): (&RgbaImage, &BoardMap),
    squares: &[Square],
    pieces: &[Piece; 4],
    appearance: &Appearance,
) -> Vec<[f32; 4]> {
    let mut costs = vec![[f32::INFINITY; 4]; squares.len()];
    for scale in SCALES {
        let mut enlarged = image.clone();
        for &square in squares {
            let rect = map.square_rect(square);
            let (width, height) = (rect.width * scale, rect.height * scale);
            let (x, y) = (
                rect.x + (rect.width - width) / 2.0,
                rect.y + (rect.height - height) / 2.0,
            );
            let inside = crop_imm(
                image,
                x.round() as u32,
                y.round() as u32,
                width.round() as u32,
                height.round() as u32,
            );
            let (whole_width, whole_height) = (rect.width.round() as u32, rect.height.round() as u32);
            let whole = resize(&*inside, whole_width, whole_height, FilterType::Triangle);
            replace(&mut enlarged, &whole, rect.x.round() as i64, rect.y.round() as i64);
        }
        for (least, &square) in costs.iter_mut().zip(squares) {
            // The square's own colour is the dialog's: only the pieces' bodies are compared.
            let found = appearance.reader(map).scores(&enlarged, square).body;
            for (least, piece) in least.iter_mut().zip(pieces) {
                *least = least.min(found[index(Some(*piece))]);
            }
        }
    }
    costs
}

/// The order that fits best, if every other fits clearly worse; chessground's, if nothing better is to be hoped for.
/// `costs` are place by place, in the order of [`ROLES`].
fn surest(costs: &[[f32; 4]], some_unknown: bool) -> Option<[Role; 4]> {
    let mut all: Vec<(f32, [usize; 4])> = orders()
        .into_iter()
        .map(|order| {
            // A piece that was never seen fits nowhere better than elsewhere.
            let cost: f32 = costs
                .iter()
                .zip(order)
                .map(|(square, role)| square[role].min(1.0))
                .sum();
            (cost / costs.len() as f32, order)
        })
        .collect();
    let usual = all.first().map_or(f32::INFINITY, |(cost, _)| *cost);
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (best, order) = *all.first()?;
    let (next, _) = *all.get(1)?;
    if some_unknown && usual - best < SURELY {
        return Some(ROLES);
    }
    (next - best >= SURELY).then_some(order.map(|role| ROLES[role]))
}

/// All orders of four.
fn orders() -> Vec<[usize; 4]> {
    let mut orders = Vec::with_capacity(24);
    for a in 0..4 {
        for b in 0..4 {
            for c in 0..4 {
                let order = [a, b, c, 6_usize.wrapping_sub(a + b + c)];
                if a != b && a != c && b != c {
                    orders.push(order);
                }
            }
        }
    }
    orders
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};
    use torres_calibration::Calibration;
    use torres_geometry::Orientation;

    /// A frame that shows an open dialog, and the pawn that it is for.
    type DialogFrame = (u32, (Square, Color));

    /// A recorded game whose frames show an open dialog.
    struct Recorded {
        name: &'static str,
        map: BoardMap,
        appearance: Appearance,
    }

    impl Recorded {
        fn new(name: &'static str, side: f64, orientation: Orientation) -> Recorded {
            let rect = BoardRect::new(14.0, 10.0, side, side).unwrap();
            let map = BoardMap { rect, orientation };
            let start = Recorded::picture(name, 0);
            let appearance = Appearance::learn(&start, &map, Chess::default().board()).unwrap();
            Recorded { name, map, appearance }
        }

        fn picture(name: &str, frame: u32) -> RgbaImage {
            let path = format!(
                "{}/../../fixtures/{name}/frames/{frame:04}.png",
                env!("CARGO_MANIFEST_DIR")
            );
            image::open(path).unwrap().into_rgba8()
        }

        /// What the picture offers, where there was the start position before.
        fn offer(&self, now: &RgbaImage, pawn: (Square, Color)) -> Option<Offer> {
            let before = Recorded::picture(self.name, 0);
            offer((&before, &self.map), (now, &self.map), pawn, &self.appearance)
        }

        fn offer_elsewhere(&self, now: &RgbaImage, pawn: (Square, Color)) -> Option<Offer> {
            let before = Recorded::picture(self.name, 0);
            offer_elsewhere((&before, &self.map), (now, &self.map), pawn.1, &self.appearance)
        }

        fn chessground(&self, pawn: (Square, Color)) -> Offer {
            Offer::chessground(pawn.0, &self.map)
        }

        /// The closed board with the dialog's squares about these points on the board, in squares from its upper left
        /// corner.
        fn moved(&self, open: &RgbaImage, promotion: Square, places: [(f64, f64); 4]) -> RgbaImage {
            self.moved_onto(Recorded::picture(self.name, 0), open, promotion, places)
        }

        /// The same on another picture of that board.
        fn moved_onto(
            &self,
            mut changed: RgbaImage,
            open: &RgbaImage,
            promotion: Square,
            places: [(f64, f64); 4],
        ) -> RgbaImage {
            let side = self.map.rect.width() / 8.0;
            let size = side.round() as u32;
            for (steps, (x, y)) in places.into_iter().enumerate() {
                let from = self.map.square_rect(square_at(promotion, steps).unwrap());
                let (left, top) = (from.x.round() as u32, from.y.round() as u32);
                let cut = crop_imm(open, left, top, from.width.round() as u32, from.height.round() as u32);
                let cut = resize(&*cut, size, size, FilterType::Triangle);
                let corner = |at: f64, origin: f64| (origin + at * side - f64::from(size) / 2.0).round() as i64;
                let (to_x, to_y) = (corner(x, self.map.rect.x()), corner(y, self.map.rect.y()));
                replace(&mut changed, &cut, to_x, to_y);
            }
            changed
        }

        /// The picture with the dialog's squares in another order.
        fn reordered(&self, now: &RgbaImage, promotion: Square, order: [usize; 4]) -> RgbaImage {
            let mut changed = now.clone();
            for (to, from) in order.into_iter().enumerate() {
                let rect = |steps| self.map.square_rect(square_at(promotion, steps).unwrap());
                let (from, to) = (rect(from), rect(to));
                let (x, y) = (from.x.round() as u32, from.y.round() as u32);
                let cut = crop_imm(now, x, y, from.width.round() as u32, from.height.round() as u32).to_image();
                replace(&mut changed, &cut, to.x.round() as i64, to.y.round() as i64);
            }
            changed
        }
    }

    /// Discs with smaller pieces and a white column; the pointer on one, a pawn behind others; both ways round.
    fn recorded() -> [(Recorded, Vec<DialogFrame>); 2] {
        let (white, black) = ((Square::C8, Color::White), (Square::D1, Color::Black));
        [
            (
                Recorded::new("promotion-dialogs", 256.0, Orientation::White),
                vec![(9, white), (10, white), (18, black), (19, black)],
            ),
            (
                Recorded::new("promotion-dialogs-black", 260.0, Orientation::Black),
                vec![(9, white), (17, black)],
            ),
        ]
    }

    #[test]
    fn the_pieces_tell_in_which_order_they_are_offered() {
        for (recorded, frames) in recorded() {
            for (frame, pawn) in frames {
                let now = Recorded::picture(recorded.name, frame);
                assert_eq!(
                    recorded.offer(&now, pawn),
                    Some(recorded.chessground(pawn)),
                    "{} {frame}",
                    recorded.name
                );
                for order in orders() {
                    let expected = Offer::column(pawn.0, order.map(|role| ROLES[role]), &recorded.map);
                    let changed = recorded.reordered(&now, pawn.0, order);
                    assert_eq!(
                        recorded.offer(&changed, pawn),
                        Some(expected),
                        "{} {frame}",
                        recorded.name
                    );
                }
            }
        }
    }

    #[test]
    fn a_dialog_that_is_not_open_or_cannot_be_read_offers_nothing() {
        let (recorded, frames) = &recorded()[0];
        let (frame, pawn) = frames[0];
        let (closed, open) = (
            Recorded::picture(recorded.name, 0),
            Recorded::picture(recorded.name, frame),
        );
        assert_eq!(recorded.offer(&closed, pawn), None);
        assert_eq!(
            recorded.offer(&open, (Square::F8, Color::White)),
            None,
            "it is over another file"
        );
        // One piece four times is no offer.
        assert_eq!(
            recorded.offer(&recorded.reordered(&open, pawn.0, [1, 1, 1, 1]), pawn),
            None
        );
    }

    #[test]
    fn a_dialog_that_leaves_one_of_its_squares_as_it_was_is_not_open_yet() {
        for (recorded, frames) in recorded() {
            let closed = Recorded::picture(recorded.name, 0);
            for (frame, pawn) in frames {
                let open = Recorded::picture(recorded.name, frame);
                for steps in 0..4 {
                    let mut partly = open.clone();
                    let rect = recorded.map.square_rect(square_at(pawn.0, steps).unwrap());
                    let (x, y) = (rect.x.round() as u32, rect.y.round() as u32);
                    let cut = crop_imm(&closed, x, y, rect.width.round() as u32, rect.height.round() as u32).to_image();
                    replace(&mut partly, &cut, i64::from(x), i64::from(y));
                    assert_eq!(recorded.offer(&partly, pawn), None, "{} {frame} {steps}", recorded.name);
                }
            }
        }
    }

    #[test]
    fn pieces_never_seen_are_taken_to_be_in_chessgrounds_order_unless_others_speak_against_it() {
        let (recorded, frames) = &recorded()[0];
        let (frame, pawn) = frames[0];
        let now = Recorded::picture(recorded.name, frame);
        // Learned where White has but king and pawns, and where it has a queen too.
        let learned = |pieces: &str| {
            let board: shakmaty::Board = pieces.parse().unwrap();
            let start = Recorded::picture(recorded.name, 0);
            let mut changed = start.clone();
            for square in Square::ALL
                .into_iter()
                .filter(|square| board.piece_at(*square).is_none())
            {
                let bare = if square.is_dark() { Square::A3 } else { Square::B3 };
                let (to, from) = (recorded.map.square_rect(square), recorded.map.square_rect(bare));
                let (x, y) = (from.x.round() as u32, from.y.round() as u32);
                let cut = crop_imm(&start, x, y, from.width.round() as u32, from.height.round() as u32).to_image();
                replace(&mut changed, &cut, to.x.round() as i64, to.y.round() as i64);
            }
            Recorded {
                name: recorded.name,
                map: recorded.map,
                appearance: Appearance::learn(&changed, &recorded.map, &board).unwrap(),
            }
        };
        let pawns = learned("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3");
        let queens = learned("4k3/pppppppp/8/8/8/8/PPPPPPPP/3QK3");
        assert_eq!(pawns.offer(&now, pawn), Some(recorded.chessground(pawn)));
        assert_eq!(queens.offer(&now, pawn), Some(recorded.chessground(pawn)));
        let queen_last = recorded.reordered(&now, pawn.0, [3, 1, 2, 0]);
        assert_eq!(
            queens.offer(&queen_last, pawn),
            None,
            "the queen is not first: what are the others?"
        );
    }

    #[test]
    fn the_dialog_grows_from_the_promotion_square_inwards() {
        let rect = BoardRect::new(0.0, 0.0, 512.0, 512.0).unwrap();
        let orientation = Orientation::White;
        let map = BoardMap { rect, orientation };
        let order = [Role::Bishop, Role::Rook, Role::Queen, Role::Knight];
        let place = |promotion, role| Offer::column(promotion, order, &map).place(role);
        for (promotion, role, over) in [
            (Square::B8, Role::Bishop, Square::B8),
            (Square::B8, Role::Knight, Square::B5),
            (Square::H1, Role::Queen, Square::H3),
        ] {
            let offered = place(promotion, role).unwrap();
            assert_eq!((offered.at, offered.over), (map.middle(over), Some(over)));
        }
        assert_eq!(place(Square::H1, Role::King), None);
    }

    #[test]
    fn pieces_offered_beside_the_file_in_a_row_in_a_ring_or_in_the_middle_are_found() {
        let column = [(3.0, 0.5), (3.0, 1.5), (3.0, 2.5), (3.0, 3.5)];
        let row = [(2.0, 4.0), (3.0, 4.0), (4.0, 4.0), (5.0, 4.0)];
        let ring = [(3.0, 3.0), (4.2, 3.0), (3.0, 4.2), (4.2, 4.2)];
        // The first ones are discs with pieces of four fifths the size, on squares of 32 pixels; the others are white,
        // on white squares.
        for (recorded, frames) in recorded() {
            let (frame, pawn) = frames[0];
            let open = Recorded::picture(recorded.name, frame);
            for places in [column, row, ring] {
                let now = recorded.moved(&open, pawn.0, places);
                let found = recorded.offer_elsewhere(&now, pawn);
                let found = found.unwrap_or_else(|| panic!("{}: {places:?}", recorded.name));
                for (role, (x, y)) in ROLES.into_iter().zip(places) {
                    let place = found.place(role).unwrap().at;
                    let off = (f64::from(place.x) / 64.0 - x).hypot(f64::from(place.y) / 64.0 - y);
                    assert!(
                        off < 0.15,
                        "{}: {role:?} is {off} squares away, {places:?}",
                        recorded.name
                    );
                }
            }
        }
    }

    /// As a page shows it that lays a shade over all but its dialog.
    #[test]
    fn pieces_of_the_board_that_a_dialog_shades_are_not_offered() {
        let row = [(2.0, 4.0), (3.0, 4.0), (4.0, 4.0), (5.0, 4.0)];
        for (recorded, frames) in recorded() {
            let (frame, pawn) = frames[0];
            let open = Recorded::picture(recorded.name, frame);
            for (left, over) in [(0.5, 0.0), (0.4, 12.0), (0.7, 60.0)] {
                let mut beneath = Recorded::picture(recorded.name, 0);
                for pixel in beneath.pixels_mut() {
                    for channel in &mut pixel.0[..3] {
                        *channel = (f32::from(*channel) * left + over).round() as u8;
                    }
                }
                let now = recorded.moved_onto(beneath, &open, pawn.0, row);
                let found = recorded.offer_elsewhere(&now, pawn);
                let found = found.unwrap_or_else(|| panic!("{}: {left} and {over}", recorded.name));
                for (role, (x, y)) in ROLES.into_iter().zip(row) {
                    let place = found.place(role).unwrap().at;
                    let off = (f64::from(place.x) / 64.0 - x).hypot(f64::from(place.y) / 64.0 - y);
                    assert!(off < 0.15, "{}: {role:?} is {off} squares away", recorded.name);
                }
            }
        }
    }

    /// What a page offered over a recorded board, which lies there and showed this before: the squares beneath. The board
    /// was learned as its calibration says, where it has one, or else from that picture.
    fn offered(
        pictures: &str,
        (at, side, orientation): (f64, f64, Orientation),
        (board, color): (&str, Color),
    ) -> [Option<Square>; 4] {
        let file = |name: &str| {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/vision");
            format!("{folder}/{pictures}{name}")
        };
        let picture = |name: &str| image::open(file(name)).unwrap().into_rgba8();
        let (before, open) = (picture("before.png"), picture("open.png"));
        let map = BoardMap {
            rect: BoardRect::new(at, at, side, side).unwrap(),
            orientation,
        };
        let learned = Calibration::load(file("calibration.json").as_ref()).map(|calibration| calibration.appearance);
        let learned = learned.or_else(|_| Appearance::learn(&before, &map, &board.parse().unwrap()));
        let appearance = learned.unwrap();
        let found = offer_elsewhere((&before, &map), (&open, &map), color, &appearance).expect("an offer");
        ROLES.map(|role| found.place(role).and_then(|offered| offered.over))
    }

    /// As react-chess-game shows it: a column at the other end of the file, the board shaded by a tenth.
    #[test]
    fn pieces_in_a_column_over_a_faintly_shaded_board_are_found() {
        let board = ("r4rk1/5ppp/2n1p3/1pp4P/1pP3n1/P2Pq3/2Q2bp1/R2K3R", Color::Black);
        let over = offered("dialog-over-a-shade/", (33.3, 540.0, Orientation::Black), board);
        assert_eq!(over, [Square::H5, Square::H7, Square::H6, Square::H8].map(Some));
    }

    /// Costs as on a page with black pieces in a white box, at 1, 0.75, 0.65 and 0.6 of the board's size (tuned-35-4 of
    /// `make soak-looks`): drawn smaller, all four fit best into the queen.
    #[test]
    fn pieces_that_fit_into_a_larger_one_when_drawn_smaller_are_found_in_their_size() {
        let find = |role, side: f64| {
            let nth = ROLES.iter().position(|offered| *offered == role)?;
            let (x, costs) = match side {
                62.0 => ([186.0, 247.0, 308.0, 370.0], [0.105, 0.058, 0.063, 0.103]),
                46.5 => ([186.0, 186.0, 186.0, 187.0], [0.081, 0.075, 0.082, 0.141]),
                40.3 => ([185.0, 185.0, 188.0, 249.0], [0.069, 0.072, 0.078, 0.139]),
                _ => ([185.0, 186.0, 184.0, 186.0], [0.072, 0.067, 0.081, 0.135]),
            };
            Some(FoundPiece {
                center: FramePx { x: x[nth], y: 280.0 },
                cost: costs[nth],
            })
        };
        let placed = of_one_size(&[62.0, 46.5, 40.3, 37.2], &find)[0];
        assert_eq!(
            placed.map(|(piece, side)| (piece.center.x, side)),
            [186.0, 247.0, 308.0, 370.0].map(|x| (x, 62.0))
        );
    }

    /// Outlines are half a cell wide: on squares of 40 px the queen fits nowhere but within a pixel of her place.
    #[test]
    fn pieces_with_fine_outlines_are_found() {
        let board = ("r1bq1bnr/1Pp2kpp/3ppp2/pB6/4P3/4BN2/PPP2PPP/RN1QK2R", Color::White);
        let over = offered("dialog-box/outlined-", (20.0, 320.0, Orientation::White), board);
        assert_eq!(over, [Square::C4, Square::D4, Square::E4, Square::F4].map(Some));
    }

    /// A queen that was seen on wooden squares of one colour only, between the points of whose crown a white box shows
    /// (unseen-42-5 of `make soak-looks`).
    #[test]
    fn a_crown_between_whose_points_another_ground_shows_is_found() {
        let board = ("2bqkbn1/P2p2pr/2p1pp2/p6p/3PPB2/1QPB1N2/1P3PPP/R3K2R", Color::White);
        let over = offered("dialog-box/crown-", (27.99, 463.97, Orientation::White), board);
        assert_eq!(over, [Square::C4, Square::D4, Square::E4, Square::F4].map(Some));
    }

    /// A ring of pieces at two thirds of the board's size, next to the pawn: the black queen fits into the pawn better.
    #[test]
    fn pieces_beside_the_pawn_that_waits_on_its_square_are_found() {
        let board = ("rnbqkbnr/2pppppp/8/3P4/6P1/1p3N2/PpP1PP1P/R2QKB1R", Color::Black);
        let over = offered("dialog-box/ring-", (8.01, 767.98, Orientation::Black), board);
        assert_eq!(over, [Square::B1, Square::C2, Square::A2, Square::B3].map(Some));
    }

    /// A sheet that slides in below the board, which it shades, lets its shadow fall on the last rank: that offers a queen,
    /// a rook, a bishop and a knight, too.
    #[test]
    fn pieces_at_home_on_which_a_dialogs_shadow_falls_are_not_offered() {
        let picture = |name: &str| {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/vision/dialog-box");
            image::open(format!("{folder}/sheet-{name}.png")).unwrap().into_rgba8()
        };
        let map = BoardMap {
            rect: BoardRect::new(21.0, 20.4, 536.0, 534.3).unwrap(),
            orientation: Orientation::Black,
        };
        let first = "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR".parse().unwrap();
        let appearance = Appearance::learn(&picture("first"), &map, &first).unwrap();
        let (before, open) = (picture("before"), picture("open"));
        let offer = offer_elsewhere((&before, &map), (&open, &map), Color::Black, &appearance);
        assert!(offer.is_none(), "{offer:?}");
    }

    #[test]
    fn a_piece_that_is_found_beside_the_row_of_the_others_is_not_offered() {
        let (recorded, frames) = &recorded()[0];
        let (frame, pawn) = frames[0];
        let open = Recorded::picture(recorded.name, frame);
        let now = recorded.moved(&open, pawn.0, [(1.5, 4.0), (3.0, 4.0), (4.5, 2.5), (6.0, 4.0)]);
        let found = recorded.offer_elsewhere(&now, pawn).expect("an offer");
        let offered = ROLES.map(|role| found.place(role).is_some());
        assert_eq!(offered, [true, true, false, true]);
    }

    #[test]
    fn pieces_of_a_dialog_that_reaches_beyond_the_board_or_lies_beside_it_are_found() {
        let (recorded, frames) = &recorded()[0];
        let (frame, pawn) = frames[0];
        let open = Recorded::picture(recorded.name, frame);
        let board = Recorded::picture(recorded.name, 0);
        // The board in a window that is twice as wide.
        let mut before = RgbaImage::from_pixel(2 * board.width(), board.height(), Rgba([70, 80, 90, 255]));
        replace(&mut before, &board, 0, 0);
        for column in [6.5, 10.0] {
            let row = [0.0, 1.0, 2.0, 3.0].map(|step| (column + step, 4.0));
            let now = recorded.moved_onto(before.clone(), &open, pawn.0, row);
            let (before, now) = ((&before, &recorded.map), (&now, &recorded.map));
            let found = offer_elsewhere(before, now, pawn.1, &recorded.appearance).expect("an offer");
            for (role, (x, y)) in ROLES.into_iter().zip(row) {
                let offered = found.place(role).expect("a place");
                let at = recorded.map.frame_point(offered.at);
                let side = recorded.map.rect.width() / 8.0;
                let (dx, dy) = (
                    at.x - recorded.map.rect.x() - x * side,
                    at.y - recorded.map.rect.y() - y * side,
                );
                assert!(dx.abs() < 3.0 && dy.abs() < 3.0, "{role:?}: {dx} {dy}");
                assert_eq!(offered.over.is_some(), x < 8.0);
            }
        }
    }

    #[test]
    fn three_pieces_or_one_twice_are_no_offer_elsewhere() {
        let (recorded, frames) = &recorded()[0];
        let (frame, pawn) = frames[0];
        let open = Recorded::picture(recorded.name, frame);
        let row = [(2.0, 4.0), (3.0, 4.0), (4.0, 4.0), (5.0, 4.0)];
        let three = recorded.moved(&open, pawn.0, [row[0], row[1], row[2], row[0]]);
        assert_eq!(
            recorded.offer_elsewhere(&three, pawn),
            None,
            "the bishop lies over the queen"
        );
        let twice = recorded.moved(&recorded.reordered(&open, pawn.0, [0, 1, 2, 1]), pawn.0, row);
        assert_eq!(
            recorded.offer_elsewhere(&twice, pawn),
            None,
            "two knights and no bishop"
        );
        let closed = Recorded::picture(recorded.name, 0);
        assert_eq!(recorded.offer_elsewhere(&closed, pawn), None, "no dialog is open");
    }
}
