//! Whether a gesture of ours that did not land left its piece selected: told by comparing the board with how it looked
//! before the gesture.
//!
//! Sites show a selection on the piece's square, on the squares to which it can go, or on neither.

use super::gesture::endpoints;
use image::RgbaImage;
use shakmaty::{Bitboard, Chess, Move, Position, Square};
use torres_geometry::BoardMap;
use torres_vision::differ::{differing, differs};

/// A picture of the board, and where in it the board lies.
pub type Pictured<'a> = (&'a RgbaImage, &'a BoardMap);

/// The squares on which a page may show that it has taken the press of a move that is entered: where its piece stands and
/// where that may go. Of the moves before, a page may draw the last one's marks later than its piece: its squares say
/// nothing.
fn answers(position: &Chess, entered: Move, before: &[Move]) -> Option<(Bitboard, Square)> {
    let (from, to) = endpoints(position, entered)?;
    let moves = position.legal_moves();
    let own = moves.iter().filter(|m| m.from() == Some(from));
    let reached: Bitboard = own.filter_map(|m| Some(endpoints(position, *m)?.1)).collect();
    let marked: Bitboard = before
        .last()
        .into_iter()
        .flat_map(|m| [m.from(), Some(m.to())])
        .flatten()
        .collect();
    Some(((reached | Bitboard::from(from)) & !marked, to))
}

/// Whether the board, on which the position stands as before the move was entered, shows its piece selected now. What
/// the pointer rests on, the move's target, may look otherwise for that alone. So may the target of our own move before
/// it, of the `moves` before: a page that frames what was pressed last takes that frame away now.
pub fn is_selected((before, now): (Pictured, Pictured), position: &Chess, entered: Move, moves: &[Move]) -> bool {
    let Some((answers, to)) = answers(position, entered, moves) else {
        return false;
    };
    let pressed: Bitboard = moves.iter().rev().nth(1).map(|own| own.to()).into_iter().collect();
    let shown = answers & !Bitboard::from(to) & !pressed;
    shown.into_iter().any(|square| differs(before, now, square))
}

/// Whether the page has drawn anything between the two pictures that may be its answer to a move that is entered. Beside
/// the board, and through its rounded corners, a page may always move.
pub fn has_answered((before, now): (Pictured, Pictured), position: &Chess, entered: Move, moves: &[Move]) -> bool {
    answers(position, entered, moves).is_none_or(|(answers, _)| {
        let mut answers = answers.into_iter();
        answers.any(|square| differing(before, now, square) > 0.0)
    })
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
        is_selected(
            ((&marked(&[]), &map()), (&marked(squares), &map())),
            &position,
            entered,
            &[],
        )
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

    #[test]
    fn a_mark_of_the_move_before_that_is_drawn_late_is_no_answer() {
        let start = Chess::default()
            .play(parse_move("d2d4", &Chess::default()).unwrap())
            .unwrap();
        let last = parse_move("c7c5", &start).unwrap();
        let position = start.play(last).unwrap();
        let entered = parse_move("d4d5", &position).unwrap();
        let (bare, map) = (marked(&[]), map());
        let told = |squares: &[Square]| {
            let now = marked(squares);
            let pictures = ((&bare, &map), (&now, &map));
            (
                is_selected(pictures, &position, entered, &[last]),
                has_answered(pictures, &position, entered, &[last]),
            )
        };
        assert_eq!(told(&[Square::C7, Square::C5, Square::H1]), (false, false));
        assert_eq!(told(&[Square::D4]), (true, true));
        assert_eq!(
            told(&[Square::D5]),
            (false, true),
            "the pointer is there, and the piece may be"
        );
    }

    /// Reported (a newspaper's page): a drag did nothing but take the frame off the pawn that was clicked there a move
    /// before.
    #[test]
    fn a_frame_that_goes_from_where_our_move_before_ended_is_no_selection() {
        let mut position = Chess::default();
        let mut moves = Vec::new();
        for text in ["e2e4", "d7d5", "f1d3"] {
            let played = parse_move(text, &position).unwrap();
            position = position.play(played).unwrap();
            moves.push(played);
        }
        let entered = parse_move("d5e4", &position).unwrap();
        let map = map();
        let told = |before: &[Square], now: &[Square]| {
            let pictures = [marked(before), marked(now)];
            let [before, now] = [(&pictures[0], &map), (&pictures[1], &map)];
            is_selected((before, now), &position, entered, &moves)
        };
        assert!(!told(&[Square::D5], &[Square::E4]));
        assert!(told(&[], &[Square::D4]), "where else it can go");
    }
}
