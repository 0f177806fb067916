//! What the tracker says of a frame.

use super::PastMatch;
use crate::appearance::{BoardReading, SquareScores};
use shakmaty::{Chess, Move, Square};
use torres_geometry::BySquare;

/// What vision says of a frame, compared with the position believed so far.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "one reading lives at a time, and a doubt is rare"
)]
pub enum Reading {
    /// No square differs from the last frame that was understood: nothing happened.
    Unchanged,
    /// The picture moves or is not understood yet; look again.
    Moving,
    /// The whole board was read anew, and it shows the position believed.
    Stands,
    /// Moves were played: they explain the whole board.
    Played(ExplainedLine),
    /// The whole board shows something else than moves lead to: moves were taken back, a game began, the board was
    /// turned.
    Recalled(PastMatch),
    /// The picture is at rest and no legal line explains it, or more than one does.
    Unknown(Doubt),
    /// There is no board at its place any more.
    Lost,
}

impl Reading {
    /// Whether the position believed stands on the board.
    pub fn stands(&self) -> bool {
        matches!(self, Reading::Unchanged | Reading::Stands)
    }

    /// Whether it says which position stands on the board.
    pub fn is_understood(&self) -> bool {
        self.stands() || matches!(self, Reading::Played(_) | Reading::Recalled(_))
    }
}

/// The one legal line that explains the whole board.
#[derive(Clone, Debug)]
pub struct ExplainedLine {
    /// Moves from the believed position to the one seen; within the tracker none, where the believed position is seen.
    pub line: Vec<Move>,
    /// The position after the line.
    pub position: Chess,
    /// How sure the least sure square is, 0 to 1.
    pub confidence: f64,
    /// No other line leads to this position: these moves were played, in this order.
    pub only: bool,
}

impl ExplainedLine {
    /// The moves whose order was seen: none where other lines lead to the same position. To be held back shows nothing
    /// of the order.
    pub(super) fn order_seen(&self) -> &[Move] {
        if self.only { &self.line } else { &[] }
    }
}

/// Why a resting picture is not understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// What was read, square by square.
    pub reading: BoardReading,
    /// How every square compares with everything that may stand on it.
    pub scores: Box<BySquare<SquareScores>>,
    /// Squares that differ from the last frame that was understood; of a picture examined by itself, those that
    /// contradict the position.
    pub changed: Vec<Square>,
    /// The legal lines that come nearest, with their cost (0 is a perfect fit), best first.
    pub candidates: Vec<(Vec<Move>, f64)>,
}

/// What a single frame shows of a move, at the squares of that move alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveSigns {
    /// The moved piece is seen where the move ends.
    pub arrived: bool,
    /// Both its squares are marked as this board is known to mark the last move.
    pub marked: bool,
    /// Its origin does not show the piece any more.
    pub left: bool,
    /// The square where it ends shows what stood there before.
    pub awaited: bool,
}
