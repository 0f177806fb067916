//! Squares over which something lies: what is clicked there would not be the square.

use super::super::look::{SquareScores, is_covered};
use super::Tracker;
use super::painted::painted_over;
use crate::frame::Frame;
use crate::geometry::BySquare;
use shakmaty::{Bitboard, Board, Square};

impl Tracker {
    /// The squares that something lies over, by half or more, in the last frame taken in, where the board stands in this position.
    ///
    /// Stricter than what reading asks for: a square may be read from the half that shows, but a click goes to its middle.
    pub fn covered(&mut self, frame: &Frame, board: &Board) -> Bitboard {
        let memory = self.memory.as_mut();
        memory.map_or(Bitboard::EMPTY, |memory| {
            covered(&memory.scores(&frame.image, &self.map, &self.look), board)
        })
    }
}

fn covered(scores: &BySquare<SquareScores>, board: &Board) -> Bitboard {
    let hidden = |s: Square| is_covered(&scores[s], board.piece_at(s));
    painted_over(scores) | Square::ALL.into_iter().filter(|s| hidden(*s)).collect::<Bitboard>()
}
