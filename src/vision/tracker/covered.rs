//! Squares over which something lies: what is clicked there would not be the square.

use super::super::appearance::{SquareScores, is_covered};
use super::Tracker;
use super::painted::painted_over;
use shakmaty::{Bitboard, Board, Square};
use torres_frame::Frame;
use torres_geometry::BySquare;

impl Tracker {
    /// The squares that something lies over, by half or more, or over the middle of their piece, in the last frame taken in, where the board stands
    /// in this position.
    ///
    /// Stricter than what reading asks for: a square may be read from the half that shows, but a click goes to its middle.
    pub fn covered(&mut self, frame: &Frame, board: &Board) -> Bitboard {
        let Some(last_frame) = self.last_frame.as_mut() else {
            return Bitboard::EMPTY;
        };
        let hidden = covered(&last_frame.scores(&frame.image, &self.map, &self.appearance), board);
        let reader = self.appearance.reader(&self.map);
        let middle = |s: &Square| {
            let piece = board.piece_at(*s);
            piece.is_some_and(|piece| reader.is_middle_covered(&frame.image, *s, piece))
        };
        hidden | board.occupied().into_iter().filter(middle).collect::<Bitboard>()
    }
}

fn covered(scores: &BySquare<SquareScores>, board: &Board) -> Bitboard {
    let hidden = |s: Square| is_covered(&scores[s], board.piece_at(s));
    painted_over(scores) | Square::ALL.into_iter().filter(|s| hidden(*s)).collect::<Bitboard>()
}
