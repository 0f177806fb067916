//! What a position is worth without looking ahead: one function for each way to judge, and an enum of them.
//!
//! All count from White's view; [`Evaluation::value`] turns that to the side to move's. Definitions are the theses';
//! `docs/characters.md` says what was decided where they are silent or err.

pub(crate) mod control;
pub(crate) mod digits;
pub(crate) mod squares;
#[cfg(test)]
mod tests;
pub(crate) mod trade;
pub(crate) mod zones;

use super::value::Value;
use control::Control;
use torres_engine::{Color, Piece, Position, Square};

/// A way to judge positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evaluation {
    /// Controlled squares.
    Control(Control),
    /// Piece-square tables.
    Squares,
    /// Material, and a digit for each square.
    Digits,
    /// Material, and the squares that each side attacks.
    Zones,
    /// Material that makes the side ahead trade, and position where material does not decide.
    Trade,
}

impl Evaluation {
    /// The position's value from the side to move's view.
    pub(crate) fn value(self, position: &Position) -> Value {
        let white = self.white_value(position);
        match position.turn() {
            Color::White => white,
            Color::Black => -white,
        }
    }

    fn white_value(self, position: &Position) -> Value {
        match self {
            Evaluation::Control(control) => control::value(position, control),
            Evaluation::Squares => squares::value(position),
            Evaluation::Digits => digits::value(position),
            Evaluation::Zones => zones::value(position),
            Evaluation::Trade => trade::value(position),
        }
    }
}

/// The sum over all men, White's less Black's.
fn difference(position: &Position, mut of: impl FnMut(Piece, Square) -> Value) -> Value {
    let board = position.board();
    board
        .occupied()
        .filter_map(|square| Some((board.piece_at(square)?, square)))
        .map(|(piece, square)| sign(piece.color) * of(piece, square))
        .sum()
}

fn sign(color: Color) -> Value {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// Steps along files and ranks to the nearest of the four squares in the middle.
fn to_centre(square: Square) -> Value {
    let steps = |at: u8| (Value::from(at) - 3).abs().min((Value::from(at) - 4).abs());
    steps(square.file()) + steps(square.rank())
}
