//! The promotion dialog of chessground and its like: where it offers which piece, and whether it is open.

use crate::geometry::BoardMap;
use crate::vision::histogram::of_square;
use image::RgbaImage;
use shakmaty::{Rank, Role, Square};

/// The order in which the dialog offers the pieces, from the promotion square towards the middle of the board.
const OFFERED: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

/// A square that the dialog covers differs from what was there before by at least this much (L1, 0 to 2). A shadow over
/// the board alone changes every square by that much, so the squares beside the dialog are not looked at.
const COVERED: f32 = 0.4;

/// Where the dialog offers a piece; `None` for a role that no pawn becomes.
pub fn dialog_square(promotion: Square, role: Role) -> Option<Square> {
    let steps = OFFERED.iter().position(|r| *r == role)? as i32;
    let inwards = if promotion.rank() == Rank::Eighth { -8 } else { 8 };
    promotion.offset(inwards * steps)
}

/// Whether the dialog covers its four squares, compared with the board right before the pawn was moved.
///
/// Each picture comes with the board's place in it. A click that follows goes to a square of the dialog; should it have
/// been something else, the click selects at most a piece, and the verification says what became of it.
pub fn dialog_open(before: (&RgbaImage, &BoardMap), now: (&RgbaImage, &BoardMap), promotion: Square) -> bool {
    OFFERED
        .iter()
        .filter_map(|role| dialog_square(promotion, *role))
        .all(|square| of_square(before.0, before.1, square).l1(&of_square(now.0, now.1, square)) >= COVERED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{BoardRect, Orientation};
    use image::Rgba;

    #[test]
    fn the_dialog_grows_from_the_promotion_square_inwards() {
        assert_eq!(dialog_square(Square::B8, Role::Queen), Some(Square::B8));
        assert_eq!(dialog_square(Square::B8, Role::Bishop), Some(Square::B5));
        assert_eq!(dialog_square(Square::H1, Role::Knight), Some(Square::H2));
        assert_eq!(dialog_square(Square::H1, Role::King), None);
    }

    #[test]
    fn the_dialog_is_open_only_when_all_four_squares_are_covered() {
        let map = BoardMap {
            rect: BoardRect::new(0.0, 0.0, 400.0, 400.0).unwrap(),
            orientation: Orientation::White,
        };
        let before = RgbaImage::from_pixel(400, 400, Rgba([181, 136, 99, 255]));
        let mut now = before.clone();
        let cover = |picture: &mut RgbaImage, rows: std::ops::Range<u32>| {
            for y in rows {
                for x in 50..100 {
                    picture.put_pixel(x, y, Rgba([250, 250, 250, 255]));
                }
            }
        };
        cover(&mut now, 0..150);
        assert!(!dialog_open((&before, &map), (&now, &map), Square::B8));
        cover(&mut now, 150..200);
        assert!(dialog_open((&before, &map), (&now, &map), Square::B8));
        assert!(!dialog_open((&before, &map), (&now, &map), Square::C8));
    }
}
