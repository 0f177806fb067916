//! Thesis 001's agent: material, a figure for rank and file, the squares that each side attacks, and check.

use super::{difference, sign};
use crate::value::{CENTIPAWN, PAWN, Value};
use torres_engine::{Bitboard, Color, Piece, Position, Role, Square};

/// A square that a side attacks.
const ATTACKED: Value = CENTIPAWN;
/// Giving check, or being in it.
const CHECK: Value = 5 * CENTIPAWN;
/// Being to move.
const TO_MOVE: Value = 10 * CENTIPAWN;

/// Figures in half units, rank 8 first; a unit is 0.05 pawns.
type Figures = [Value; 8];
const HALF_UNIT: Value = PAWN / 40;
const PAWN_RANKS: Figures = [9, 7, 5, 4, 3, 2, 1, 0];
const ROOK_RANKS: Figures = [10, 8, 6, 5, 4, 3, 2, 1];
const OTHER_RANKS: Figures = [8, 7, 6, 5, 4, 3, 2, 1];
/// From file a. Lopsided, as there.
const PAWN_FILES: Figures = [0, 1, 2, 2, 2, 1, 0, -1];
const BISHOP_FILES: Figures = [0, 1, 2, 3, 3, 2, 1, 0];
const QUEEN_FILES: Figures = [0, 1, 2, 4, 4, 2, 1, 0];

/// From White's view.
pub(super) fn value(position: &Position) -> Value {
    let men = difference(position, |piece, square| worth(piece.role) + figure(piece, square));
    let zones = zone(position, Color::White) - zone(position, Color::Black);
    // Whoever is in check is to move.
    let to_move = if position.in_check() { TO_MOVE - CHECK } else { TO_MOVE };
    men + zones * ATTACKED + sign(position.turn()) * to_move
}

fn worth(role: Role) -> Value {
    PAWN / 20
        * match role {
            Role::Pawn => 20,
            Role::Knight => 60,
            Role::Bishop => 63,
            Role::Rook => 100,
            Role::Queen => 180,
            Role::King => 2_000,
        }
}

fn figure(piece: Piece, square: Square) -> Value {
    let square = square.seen_by(piece.color);
    let (row, file) = (usize::from(7 - square.rank()), usize::from(square.file()));
    let (ranks, files) = match piece.role {
        Role::Pawn if row == 7 => return 0,
        Role::Pawn => (PAWN_RANKS, PAWN_FILES),
        Role::Rook => (ROOK_RANKS, PAWN_FILES),
        Role::Knight => (OTHER_RANKS, PAWN_FILES),
        Role::Queen if row > 0 => (OTHER_RANKS, QUEEN_FILES),
        Role::Bishop | Role::King | Role::Queen => (OTHER_RANKS, BISHOP_FILES),
    };
    (ranks[row] + files[file]) * HALF_UNIT
}

/// How many squares a side attacks. A slider sees through the king to which it gives check.
fn zone(position: &Position, color: Color) -> Value {
    let board = position.board();
    let occupied = board.occupied() & !Bitboard::of(position.king(!color));
    let attacked = board
        .color(color)
        .filter_map(|square| Some(board.piece_at(square)?.attacks(square, occupied)))
        .fold(Bitboard::EMPTY, |all, one| all | one);
    attacked.count() as Value
}
