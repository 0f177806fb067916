//! A game that our own move has ended: pages lay a notice over the board then, and the move may not be seen under it.
//!
//! Two hypotheses explain a board of which a part is hidden right after our move was entered: it was taken and ended
//! the game, or it was not. Of a hundred moves that were entered not one gets lost, and most pages that lay something
//! over their board do it at a game's end; in the two seconds after a move that was not taken hardly one in a thousand
//! does (judgements). That is more than 1000 to 1 for the end, unless the part that is not hidden contradicts it.

use shakmaty::{Bitboard, Board, File, Rank, Square};
use torres_geometry::BySquare;
use torres_vision::BoardReading;

/// From this many squares on, what lies over them is no piece that is being dragged.
pub const LEAST: usize = 6;
/// How many squares must be seen beside it.
const BESIDE: usize = 24;

/// Whether something of a notice's size lies over the board, and all squares beside it show these pieces.
pub fn lies_over(reading: &BoardReading, board: &Board) -> bool {
    let unlike = unlike(&reading.squares, board);
    unlike.count() >= LEAST && around(unlike).count() <= 64 - BESIDE
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
    use shakmaty::{Chess, Position};
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
}
