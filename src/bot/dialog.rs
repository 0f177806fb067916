//! The promotion dialog of chessground, of chess.com and their like: a column of four pieces over the promotion's file. Whether it is open,
//! and where it offers which piece: pages have their own orders, so the pieces are looked at.

use crate::geometry::{BoardMap, BoardRect};
use crate::vision::Look;
use crate::vision::histogram::of_square;
use crate::vision::look::index;
use image::RgbaImage;
use image::imageops::{FilterType, crop_imm, replace, resize};
use shakmaty::{Bitboard, Chess, Color, Piece, Position, Rank, Role, Square};

/// The pieces that a pawn becomes.
const ROLES: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

/// Squares that the dialog covers differ from what was there before by at least this much on average (L1, 0 to 2), and each by a part of it: a
/// white bishop on white is not far from a black one on a light square. A shadow over the board alone changes every square, so the squares
/// beside the dialog are not looked at.
const COVERED: f32 = 0.5;
const EACH: f32 = 0.2;

/// Dialogs draw their pieces as large as the board's, or somewhat smaller.
const SCALES: [f64; 4] = [1.0, 0.9, 0.8, 0.7];

/// An order of pieces is believed when every other fits worse by this much: the mean cost of a square, 0 to 1.
const SURELY: f32 = 0.03;

/// What an open dialog offers, from the promotion square towards the middle of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer([Role; 4]);

impl Offer {
    /// The order of chessground and Lichess.
    pub const CHESSGROUND: Offer = Offer(ROLES);

    /// Where a piece is offered; `None` for a role that no pawn becomes.
    pub fn square(self, promotion: Square, role: Role) -> Option<Square> {
        let steps = self.0.iter().position(|offered| *offered == role)?;
        square_at(promotion, steps)
    }
}

/// The square so many steps from the promotion square.
fn square_at(promotion: Square, steps: usize) -> Option<Square> {
    let inwards = if promotion.rank() == Rank::Eighth { -8 } else { 8 };
    promotion.offset(inwards * steps as i32)
}

/// What the dialog offers a pawn of that colour, if it covers its four squares, compared with the board right before the pawn was moved, and
/// if its pieces can be told.
///
/// Each picture comes with the board's place in it. Pieces that look the same on the board, or were never seen, cannot be told in the dialog either:
/// then its order is taken for chessground's, unless what can be told speaks against it. A click that follows goes to a square of the dialog; the verification says what became of it.
pub fn offer(
    before: (&RgbaImage, &BoardMap),
    now: (&RgbaImage, &BoardMap),
    (promotion, color): (Square, Color),
    look: &Look,
) -> Option<Offer> {
    let squares: Vec<Square> = (0..ROLES.len())
        .filter_map(|steps| square_at(promotion, steps))
        .collect();
    let changes: Vec<f32> = squares
        .iter()
        .map(|square| of_square(before.0, before.1, *square).l1(&of_square(now.0, now.1, *square)))
        .collect();
    let mean = changes.iter().sum::<f32>() / changes.len() as f32;
    if mean < COVERED || changes.iter().any(|change| *change < EACH) {
        return None;
    }
    let pieces = ROLES.map(|role| Piece { color, role });
    let unlearned = look.unlearned();
    let is_unknown = |piece: &Piece| unlearned.contains(piece) || look.alike().is_shared(index(Some(*piece)));
    surest(&costs(now, &squares, &pieces, look), pieces.iter().any(is_unknown))
}

/// The same where nobody saw the board before the dialog opened: what lies beneath is this position, drawn as it was learned.
pub fn offer_over(position: &Chess, promotion: Square, now: (&RgbaImage, &BoardMap), look: &Look) -> Option<Offer> {
    let orientation = now.1.orientation;
    let drawn = look.draw(position.board(), orientation);
    let rect = BoardRect::new(0.0, 0.0, f64::from(drawn.width()), f64::from(drawn.height())).ok()?;
    let map = BoardMap { rect, orientation };
    offer((&drawn, &map), now, (promotion, position.turn()), look)
}

/// Whether a dialog is open that asks the side to move what one of its pawns becomes.
pub fn is_open_over(position: &Chess, now: (&RgbaImage, &BoardMap), look: &Look) -> bool {
    let promotions = position
        .legal_moves()
        .into_iter()
        .filter(|played| played.is_promotion());
    let squares: Bitboard = promotions.map(|played| played.to()).collect();
    let mut open = squares
        .into_iter()
        .filter(|square| offer_over(position, *square, now, look).is_some());
    open.next().is_some()
}

/// How ill each piece fits each square, at the size that fits best.
fn costs((image, map): (&RgbaImage, &BoardMap), squares: &[Square], pieces: &[Piece; 4], look: &Look) -> Vec<[f32; 4]> {
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
            let found = look.reader(map).scores(&enlarged, square).body;
            for (least, piece) in least.iter_mut().zip(pieces) {
                *least = least.min(found[index(Some(*piece))]);
            }
        }
    }
    costs
}

/// The order that fits best, if every other fits clearly worse; chessground's, if nothing better is to be hoped for.
fn surest(costs: &[[f32; 4]], some_unknown: bool) -> Option<Offer> {
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
        return Some(Offer::CHESSGROUND);
    }
    (next - best >= SURELY).then_some(Offer(order.map(|role| ROLES[role])))
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
    use crate::geometry::{BoardRect, Orientation};
    use shakmaty::{Chess, Position};

    /// A frame that shows an open dialog, and the pawn that it is for.
    type Shown = (u32, (Square, Color));

    /// A recorded game whose frames show an open dialog.
    struct Recorded {
        name: &'static str,
        map: BoardMap,
        look: Look,
    }

    impl Recorded {
        fn new(name: &'static str, side: f64, orientation: Orientation) -> Recorded {
            let rect = BoardRect::new(14.0, 10.0, side, side).unwrap();
            let map = BoardMap { rect, orientation };
            let start = Recorded::picture(name, 0);
            let look = Look::learn(&start, &map, Chess::default().board()).unwrap();
            Recorded { name, map, look }
        }

        fn picture(name: &str, frame: u32) -> RgbaImage {
            let path = format!("{}/fixtures/{name}/frames/{frame:04}.png", env!("CARGO_MANIFEST_DIR"));
            image::open(path).unwrap().into_rgba8()
        }

        /// What the picture offers, where there was the start position before.
        fn offer(&self, now: &RgbaImage, pawn: (Square, Color)) -> Option<Offer> {
            let before = Recorded::picture(self.name, 0);
            offer((&before, &self.map), (now, &self.map), pawn, &self.look)
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
    fn recorded() -> [(Recorded, Vec<Shown>); 2] {
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
                    Some(Offer::CHESSGROUND),
                    "{} {frame}",
                    recorded.name
                );
                for order in orders() {
                    let expected = Offer(order.map(|role| ROLES[role]));
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
                look: Look::learn(&changed, &recorded.map, &board).unwrap(),
            }
        };
        let pawns = learned("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3");
        let queens = learned("4k3/pppppppp/8/8/8/8/PPPPPPPP/3QK3");
        assert_eq!(pawns.offer(&now, pawn), Some(Offer::CHESSGROUND));
        assert_eq!(queens.offer(&now, pawn), Some(Offer::CHESSGROUND));
        let queen_last = recorded.reordered(&now, pawn.0, [3, 1, 2, 0]);
        assert_eq!(
            queens.offer(&queen_last, pawn),
            None,
            "the queen is not first: what are the others?"
        );
    }

    #[test]
    fn the_dialog_grows_from_the_promotion_square_inwards() {
        let offer = Offer([Role::Bishop, Role::Rook, Role::Queen, Role::Knight]);
        assert_eq!(offer.square(Square::B8, Role::Bishop), Some(Square::B8));
        assert_eq!(offer.square(Square::B8, Role::Knight), Some(Square::B5));
        assert_eq!(offer.square(Square::H1, Role::Queen), Some(Square::H3));
        assert_eq!(offer.square(Square::H1, Role::King), None);
    }
}
