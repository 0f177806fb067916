//! Squares on which a piece would be lost to a lesser one.

use super::super::{Bitboard, Move, Position, Role, attacks};
use super::params::THREAT_WEIGHT;

/// What the side to move's pieces have to fear.
pub(super) struct Threats {
    /// Squares that a pawn of the other side attacks.
    by_pawns: Bitboard,
    /// Squares that a pawn, knight or bishop attacks.
    by_minors: Bitboard,
    /// Squares that anything less than a queen and a king attacks.
    by_rooks: Bitboard,
}

impl Threats {
    pub(super) fn of(position: &Position) -> Threats {
        let (board, them) = (position.board(), !position.turn());
        let (theirs, occupied) = (board.color(them), board.occupied());
        let attacked = |role: Role| {
            let by = |all, square| all | attacks::piece(role, square, occupied);
            (theirs & board.role(role)).fold(Bitboard::EMPTY, by)
        };
        let by_pawns = attacks::pawns(them, theirs & board.role(Role::Pawn));
        let by_minors = by_pawns | attacked(Role::Knight) | attacked(Role::Bishop);
        Threats {
            by_pawns,
            by_minors,
            by_rooks: by_minors | attacked(Role::Rook),
        }
    }

    /// What a quiet move deserves, in the measure of history, for a piece that it takes out of danger; less than 0
    /// where it takes one into danger. The dearer the piece, the more.
    #[inline]
    pub(super) fn bonus(&self, position: &Position, mv: Move) -> i32 {
        let (feared, weight) = match position.board().role_at(mv.from()) {
            Some(Role::Knight | Role::Bishop) => (self.by_pawns, 1),
            Some(Role::Rook) => (self.by_minors, 2),
            Some(Role::Queen) => (self.by_rooks, 3),
            _ => return 0,
        };
        let is_feared = |square| i32::from(feared.contains(square));
        (is_feared(mv.from()) - is_feared(mv.to())) * weight * THREAT_WEIGHT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bonus(fen: &str, uci: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        let moves = position.legal_moves();
        let mv = moves.iter().find(|mv| mv.to_string() == uci).unwrap();
        Threats::of(&position).bonus(&position, *mv) / THREAT_WEIGHT
    }

    #[test]
    fn a_piece_that_flees_a_lesser_one_counts_by_its_worth() {
        // The pawn attacks d4 and f4, the knight b4 and d4 among others, the rook the a file.
        let fen = |piece: &str| format!("4k3/8/2n5/r3p3/3{piece}4/8/8/4K3 w - - 0 1");
        assert_eq!(bonus(&fen("N"), "d4b3"), 1);
        assert_eq!(bonus(&fen("R"), "d4d3"), 2);
        assert_eq!(bonus(&fen("R"), "d4b4"), 0, "out of one danger into another");
        assert_eq!(bonus(&fen("Q"), "d4d3"), 3);
        assert_eq!(bonus(&fen("Q"), "d4a1"), 0, "the rook's file is no place for a queen");
        // A rook is nothing that a knight has to fear.
        assert_eq!(bonus("4k3/8/8/r7/8/1N6/8/4K3 w - - 0 1", "b3a1"), 0);
        assert_eq!(bonus("4k3/8/8/2p5/8/5N2/8/4K3 w - - 0 1", "f3d4"), -1);
        assert_eq!(bonus("4k3/8/8/2p5/8/8/8/3K4 w - - 0 1", "d1e1"), 0);
    }
}
