//! Squares over which something lies: what is clicked there would not be the square.

use super::super::look::{SquareScores, index, is_covered};
use super::Tracker;
use super::painted::{goes_on, painted_over};
use crate::frame::Frame;
use crate::geometry::BySquare;
use shakmaty::{Bitboard, Board, Piece, Square};

/// Of a piece or of an empty square's middle, this share may be hidden by what reaches into the square: its middle is free.
const TOUCHED: f32 = 0.1;

/// A colour is another square's, or a thing's, from so many levels on.
const FOREIGN: i16 = 24;

impl Tracker {
    /// The squares that something lies over in the last frame taken in, where the board stands in this position: those that are hidden by half
    /// or more, and those into which something reaches from the next square.
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
    let painted = painted_over(scores);
    Square::ALL
        .into_iter()
        .filter(|s| {
            painted.contains(*s) || hidden(*s) || is_touched(&scores[*s], board.piece_at(*s)) && is_reached(scores, *s)
        })
        .collect()
}

fn is_touched(scores: &SquareScores, content: Option<Piece>) -> bool {
    scores.body[index(content)] > TOUCHED
}

/// Whether a colour that is neither the square's own nor its frame's goes on into the square from one of the other colour.
fn is_reached(scores: &BySquare<SquareScores>, s: Square) -> bool {
    goes_on(scores, s).any(|color| {
        let foreign = |own: [i16; 3]| (0..3).any(|c| (color[c] - own[c]).abs() > FOREIGN);
        foreign(scores[s].margin) && foreign(scores[s].ring)
    })
}
