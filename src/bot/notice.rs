//! A game that our own move has ended: pages lay a notice over the board then, and the move may not be seen under it.
//! Others grey or darken the board, so that no square is read as it was learned.
//!
//! Two hypotheses explain a board of which a part is hidden right after our move was entered: it was taken and ended
//! the game, or it was not. Of a hundred moves that were entered not one gets lost, and most pages that lay something
//! over their board do it at a game's end; in the two seconds after a move that was not taken hardly one in a thousand
//! does (judgements). That is more than 1000 to 1 for the end, unless the part that is not hidden contradicts it.

use image::RgbaImage;
use shakmaty::{Bitboard, Board, File, Rank, Square};
use torres_geometry::{BoardMap, BySquare};
use torres_vision::{Appearance, BoardReading};

/// From this many squares on, what lies over them is no piece that is being dragged.
pub const LEAST: usize = 6;
/// How many squares must be seen beside it.
const BESIDE: usize = 24;

/// A square that shows what it should through a filter differs by no more than this, as a share of the board's contrast.
/// (Greyed and darkened squares: 0.00 to 0.21; one that a piece just leaves: 0.58, with another piece: 0.8 or more.)
const FILTERED: f32 = 0.3;
/// By how much less the squares of a move differ together where it was made.
const MADE: f32 = 0.5;

/// Whether something of a notice's size lies over the board, and all squares beside it show these pieces.
pub fn lies_over(reading: &BoardReading, board: &Board) -> bool {
    is_notice(unlike(&reading.squares, board))
}

/// Whether these squares may be hidden by a notice.
fn is_notice(unlike: Bitboard) -> bool {
    unlike.count() >= LEAST && around(unlike).count() <= 64 - BESIDE
}

/// Whether the whole board is seen through a filter, such as one that greys or darkens it, and shows these pieces
/// rather than those before our move, or has a notice over it besides.
pub fn shows_through_filter(
    appearance: &Appearance,
    (image, map): (&RgbaImage, &BoardMap),
    (before, after): (&Board, &Board),
) -> bool {
    let differs = |board| appearance.unlike_through_filter(image, map, board);
    let (was, is) = (differs(before), differs(after));
    let (moved, rest): (Vec<Square>, Vec<Square>) = Square::ALL
        .into_iter()
        .partition(|square| before.piece_at(*square) != after.piece_at(*square));
    let unlike: Bitboard = Square::ALL
        .into_iter()
        .filter(|square| is[*square] > FILTERED)
        .collect();
    let together = |of: &BySquare<f32>| moved.iter().map(|square| of[*square]).sum::<f32>();
    let is_made = together(&is) + MADE <= together(&was);
    let is_board = 4 * rest.iter().filter(|square| unlike.contains(**square)).count() <= rest.len();
    (is_made && is_board) || is_notice(unlike)
}

/// Squares that do not show for certain what the board has there.
fn unlike(squares: &BySquare<torres_vision::SquareReading>, board: &Board) -> Bitboard {
    let differs = |s: &Square| squares[*s].doubtful || squares[*s].content != board.piece_at(*s);
    Square::ALL.into_iter().filter(differs).collect()
}

/// The smallest rectangle of squares around some.
fn around(squares: Bitboard) -> Bitboard {
    let files = File::ALL
        .into_iter()
        .filter(|file| !(squares & Bitboard::from(*file)).is_empty());
    let ranks = Rank::ALL
        .into_iter()
        .filter(|rank| !(squares & Bitboard::from(*rank)).is_empty());
    let (files, ranks): (Vec<File>, Vec<Rank>) = (files.collect(), ranks.collect());
    let (Some(left), Some(right), Some(low), Some(high)) = (files.first(), files.last(), ranks.first(), ranks.last())
    else {
        return Bitboard::EMPTY;
    };
    let is_within = |s: &Square| (*left..=*right).contains(&s.file()) && (*low..=*high).contains(&s.rank());
    Square::ALL.into_iter().filter(is_within).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;
    use shakmaty::{Chess, Position};
    use torres_geometry::{BoardRect, Orientation};
    use torres_vision::SquareReading;

    /// The start position, of which these squares are hidden.
    fn hidden(squares: Bitboard) -> (BoardReading, Board) {
        let board = Chess::default().board().clone();
        let squares = BySquare::from_fn(|s| SquareReading {
            content: board.piece_at(s).filter(|_| !squares.contains(s)),
            confidence: 0.5,
            doubtful: squares.contains(s),
        });
        (BoardReading { squares }, board)
    }

    fn rectangle(files: std::ops::RangeInclusive<u32>, ranks: std::ops::RangeInclusive<u32>) -> Bitboard {
        let is_in = |s: &Square| files.contains(&u32::from(s.file())) && ranks.contains(&u32::from(s.rank()));
        Square::ALL.into_iter().filter(is_in).collect()
    }

    fn lies(squares: Bitboard) -> bool {
        let (reading, board) = hidden(squares);
        lies_over(&reading, &board)
    }

    #[test]
    fn a_notice_hides_some_of_the_board_and_not_most_of_it() {
        assert!(lies(rectangle(0..=5, 4..=6)));
        assert!(lies(rectangle(0..=7, 2..=5)));
        assert!(!lies(Bitboard::FULL));
        assert!(!lies(rectangle(0..=7, 1..=6)), "next to nothing is seen beside it");
        assert!(!lies(rectangle(3..=4, 3..=4)), "a dragged piece");
        assert!(!lies(Bitboard::EMPTY));
    }

    #[test]
    fn what_contradicts_the_end_beside_the_notice_makes_it_no_notice() {
        let (mut reading, board) = hidden(rectangle(0..=5, 4..=6));
        assert!(lies_over(&reading, &board));
        // Another piece in the opposite corner: no rectangle that leaves enough is around both.
        reading.squares[Square::H1].content = None;
        assert!(!lies_over(&reading, &board));
    }

    /// A board as it was learned, on which a queen mates, before and after; and how it looks.
    fn mate() -> (Appearance, BoardMap, [Board; 2]) {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../calibration/practice-site.json");
        let appearance = torres_calibration::Calibration::load(path.as_ref()).unwrap().appearance;
        let map = BoardMap {
            rect: BoardRect::new(0.0, 0.0, 192.0, 192.0).unwrap(),
            orientation: Orientation::White,
        };
        let boards = [
            "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR",
            "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR",
        ];
        (appearance, map, boards.map(|board| board.parse().unwrap()))
    }

    /// Greyed by 85 % and darkened by 30 %.
    fn greyed(mut picture: RgbaImage) -> RgbaImage {
        for pixel in picture.pixels_mut() {
            let [r, g, b, _] = pixel.0.map(f64::from);
            let grey = 0.2126 * r + 0.7152 * g + 0.0722 * b;
            (0..3).for_each(|c| pixel.0[c] = (0.7 * (0.85 * grey + 0.15 * f64::from(pixel.0[c]))) as u8);
        }
        picture
    }

    #[test]
    fn on_a_greyed_board_a_mate_is_seen_and_what_was_before_is_not_taken_for_it() {
        let (appearance, map, [before, after]) = mate();
        let shows = |picture: &RgbaImage| shows_through_filter(&appearance, (picture, &map), (&before, &after));
        let drawn = |board: &Board| greyed(appearance.draw(board, map.orientation));
        assert!(shows(&drawn(&after)));
        assert!(!shows(&drawn(&before)));
        let other = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR"
            .parse()
            .unwrap();
        assert!(!shows(&drawn(&other)));
        let with_notice = |board: &Board, lies: (i64, i64)| {
            let mut picture = drawn(board);
            let notice = RgbaImage::from_pixel(120, 72, Rgba([250, 250, 250, 255]));
            image::imageops::replace(&mut picture, &notice, lies.0, lies.1);
            picture
        };
        assert!(shows(&with_notice(&after, (36, 60))));
        assert!(!shows(&with_notice(&before, (0, 100))));
        assert!(!shows(&RgbaImage::from_pixel(192, 192, Rgba([40, 40, 40, 255]))));
    }
}
