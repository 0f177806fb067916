//! A column of four pieces over the promotion's file, from its square towards the middle of the board.

use super::change::{EACH, change};
use super::order::{costs_at, surest};
use super::{Offer, ROLES, square_at};
use image::RgbaImage;
use image::imageops::{FilterType, crop_imm, replace, resize};
use shakmaty::{Bitboard, Chess, Color, Piece, Position, Role, Square};
use torres_geometry::{BoardMap, BoardRect, FramePx};
use torres_vision::Appearance;
use torres_vision::appearance::index;

/// Squares that a column covers differ from what was there before by at least this much on average (L1, 0 to 2), and
/// each by [`EACH`]. A shadow over the board alone changes every square, so the squares beside the dialog are not looked
/// at.
const COVERED: f32 = 0.5;

/// Dialogs draw their pieces as large as the board's, or somewhat smaller.
const SCALES: [f64; 4] = [1.0, 0.9, 0.8, 0.7];

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
