//! Thesis 000's piece-square tables: the widely known "simplified evaluation" of T. Michniewski
//! (<https://www.chessprogramming.org/Simplified_Evaluation_Function>), with a king that passes from its opening table
//! to its endgame table as men go.

use super::control::TO_MOVE;
use super::{difference, sign};
use crate::value::{CENTIPAWN, Value, worth};
use torres_engine::{Piece, Position, Role, Square};

/// Men left with which only the king's endgame table counts.
const ENDGAME: Value = 6;
/// Men of a full board.
const FULL: Value = 32;

/// Centipawns on files a to d, rank 8 first; e to h are the same mirrored.
type Half = [[Value; 4]; 8];

const PAWN: Half = [
    [0, 0, 0, 0],
    [50, 50, 50, 50],
    [10, 10, 20, 30],
    [5, 5, 10, 25],
    [0, 0, 0, 20],
    [5, -5, -10, 0],
    [5, 10, 10, -20],
    [0, 0, 0, 0],
];
const KNIGHT: Half = [
    [-50, -40, -30, -30],
    [-40, -20, 0, 0],
    [-30, 0, 10, 15],
    [-30, 5, 15, 20],
    [-30, 0, 15, 20],
    [-30, 5, 10, 15],
    [-40, -20, 0, 5],
    [-50, -40, -30, -30],
];
const BISHOP: Half = [
    [-20, -10, -10, -10],
    [-10, 0, 0, 0],
    [-10, 0, 5, 10],
    [-10, 5, 5, 10],
    [-10, 0, 10, 10],
    [-10, 10, 10, 10],
    [-10, 5, 0, 0],
    [-20, -10, -10, -10],
];
const ROOK: Half = [
    [0, 0, 0, 0],
    [5, 10, 10, 10],
    [-5, 0, 0, 0],
    [-5, 0, 0, 0],
    [-5, 0, 0, 0],
    [-5, 0, 0, 0],
    [-5, 0, 0, 0],
    [0, 0, 0, 5],
];
/// The only one that is not the same on both wings.
const QUEEN: [[Value; 8]; 8] = [
    [-20, -10, -10, -5, -5, -10, -10, -20],
    [-10, 0, 0, 0, 0, 0, 0, -10],
    [-10, 0, 5, 5, 5, 5, 0, -10],
    [-5, 0, 5, 5, 5, 5, 0, -5],
    [0, 0, 5, 5, 5, 5, 0, -5],
    [-10, 5, 5, 5, 5, 5, 0, -10],
    [-10, 0, 5, 0, 0, 0, 0, -10],
    [-20, -10, -10, -5, -5, -10, -10, -20],
];
const KING_OPENING: Half = [
    [-30, -40, -40, -50],
    [-30, -40, -40, -50],
    [-30, -40, -40, -50],
    [-30, -40, -40, -50],
    [-20, -30, -30, -40],
    [-10, -20, -20, -20],
    [20, 20, 0, 0],
    [20, 30, 10, 0],
];
const KING_ENDGAME: Half = [
    [-50, -40, -30, -20],
    [-30, -20, -10, 0],
    [-30, -10, 20, 30],
    [-30, -10, 30, 40],
    [-30, -10, 30, 40],
    [-30, -10, 20, 30],
    [-30, -30, 0, 0],
    [-50, -30, -30, -30],
];

/// From White's view.
pub(super) fn value(position: &Position) -> Value {
    let men = position.board().occupied().count() as Value;
    let placed = difference(position, |piece, square| {
        worth(piece.role) * CENTIPAWN + placement(piece, square, men)
    });
    placed + sign(position.turn()) * TO_MOVE * CENTIPAWN
}

pub(super) fn placement(piece: Piece, square: Square, men: Value) -> Value {
    // Rank 8 stands first, and tables are White's.
    let square = square.seen_by(piece.color);
    let (row, file) = (usize::from(7 - square.rank()), usize::from(square.file()));
    let half = |table: &Half| table[row][file.min(7 - file)];
    let centipawns = match piece.role {
        Role::Pawn => half(&PAWN),
        Role::Knight => half(&KNIGHT),
        Role::Bishop => half(&BISHOP),
        Role::Rook => half(&ROOK),
        Role::Queen => QUEEN[row][file],
        Role::King => {
            // The stage is 1 - max(0, n - T)/(32 - T): 0 with a full board, 1 with T men.
            let opening = (men - ENDGAME).max(0);
            let endgame = FULL - ENDGAME - opening;
            return (half(&KING_OPENING) * opening + half(&KING_ENDGAME) * endgame) * CENTIPAWN / (FULL - ENDGAME);
        }
    };
    centipawns * CENTIPAWN
}
