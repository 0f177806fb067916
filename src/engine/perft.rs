//! Perft: the number of leaves of the tree of legal moves, the classic test of move generation.

use super::movegen::Wanted;
use super::{Move, Position};

/// Leaves at a depth in plies; depth 0 is the position itself. The last ply is counted without making its moves.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves(),
        _ => {
            let mut leaves = 0;
            position.for_each_move(Wanted::ALL, |mv| {
                let mut next = *position;
                next.make(mv);
                leaves += perft(&next, depth - 1);
            });
            leaves
        }
    }
}

/// Leaves below each legal move, at a depth of at least 1.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let below = depth.saturating_sub(1);
    position
        .legal_moves()
        .into_iter()
        .map(|mv| (mv, perft(&position.play(mv), below)))
        .collect()
}
