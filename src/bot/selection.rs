//! Whether a gesture of ours that did not land left its piece selected: told by comparing the board with how it looked
//! before the gesture.
//!
//! Sites show a selection on the piece's square, on the squares to which it can go, or on neither.

use super::gesture::endpoints;
use image::RgbaImage;
use shakmaty::{Bitboard, Chess, Move, Position};
use torres_geometry::BoardMap;
use torres_vision::differ::differs;

/// A picture of the board, and where in it the board lies.
pub type Pictured<'a> = (&'a RgbaImage, &'a BoardMap);

/// Whether the board, on which the position stands as before the move was entered, shows its piece selected now. What
/// the pointer rests on, the move's target, may look otherwise for that alone.
pub fn is_selected(before: Pictured, now: Pictured, position: &Chess, entered: Move) -> bool {
    let Some((from, to)) = endpoints(position, entered) else {
        return false;
    };
    let moves = position.legal_moves();
    let own = moves.iter().filter(|m| m.from() == Some(from));
    let reached: Bitboard = own.filter_map(|m| Some(endpoints(position, *m)?.1)).collect();
    let shown = (reached | Bitboard::from(from)) & !Bitboard::from(to);
    shown.into_iter().any(|square| differs(before, now, square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;
    use shakmaty::Square;
    use torres_chess::parse_move;
    use torres_geometry::{BoardRect, Orientation};

    fn map() -> BoardMap {
        BoardMap {
            rect: BoardRect::new(20.0, 30.0, 400.0, 400.0).unwrap(),
            orientation: Orientation::White,
        }
    }

    fn marked(squares: &[Square]) -> RgbaImage {
        let mut picture = RgbaImage::from_pixel(450, 450, Rgba([180, 140, 100, 255]));
        for square in squares {
            let middle = map().center(*square);
            for (dx, dy) in (0..64).map(|k| (k % 8, k / 8)) {
                picture.put_pixel(middle.x as u32 + dx, middle.y as u32 + dy, Rgba([150, 140, 100, 255]));
            }
        }
        picture
    }

    fn selected(text: &str, squares: &[Square]) -> bool {
        let position = Chess::default();
        let entered = parse_move(text, &position).unwrap();
        is_selected((&marked(&[]), &map()), (&marked(squares), &map()), &position, entered)
    }

    #[test]
    fn a_selection_is_seen_on_the_piece_or_on_where_else_it_can_go() {
        assert!(!selected("e2e4", &[]));
        assert!(selected("e2e4", &[Square::E2]));
        assert!(selected("e2e4", &[Square::E3]));
        assert!(!selected("e2e4", &[Square::E4]), "the pointer is there");
        assert!(!selected("e2e4", &[Square::D2, Square::D3]), "another piece's");
        assert!(selected("g1f3", &[Square::H3]));
    }
}
