//! Values of the characters' searches: whole thousandths of a centipawn, so that every weight of every evaluation but
//! the complex control's 200/v is exact.

use torres_engine::{Role, Score};

/// Thousandths of a centipawn, from the side to move's view unless something else is said.
pub(crate) type Value = i32;

/// A hundredth of a pawn.
pub(crate) const CENTIPAWN: Value = 1_000;
/// A pawn.
pub(crate) const PAWN: Value = 100 * CENTIPAWN;
/// Mate on the board is worth a thousand pawns; a mate in *n* plies *n* pawns less.
pub(crate) const MATE: Value = 1_000 * PAWN;
/// Values beyond this, to either side, are mates. No evaluation comes near.
pub(crate) const MATE_BOUND: Value = 800 * PAWN;
/// Above every value.
pub(crate) const INFINITE: Value = 2 * MATE;

/// Being mated here, so many plies from the root.
pub(crate) fn mated_in(ply: usize) -> Value {
    ply as Value * PAWN - MATE
}

/// A value that counts mates from the root, as one that counts them from a node so many plies from it.
pub(crate) fn from_node(value: Value, ply: usize) -> Value {
    match value.abs() {
        MATE_BOUND.. => value + value.signum() * ply as Value * PAWN,
        _ => value,
    }
}

/// The way back from [`from_node`].
pub(crate) fn from_root(value: Value, ply: usize) -> Value {
    match value.abs() {
        MATE_BOUND.. => value - value.signum() * ply as Value * PAWN,
        _ => value,
    }
}

/// As UCI tells it.
pub(crate) fn to_score(value: Value) -> Score {
    let plies = (MATE - value.abs()) / PAWN;
    match value {
        MATE_BOUND.. => Score::Mate((plies + 1) / 2),
        _ if value <= -MATE_BOUND => Score::Mate(-plies / 2),
        _ => Score::Cp(value / CENTIPAWN),
    }
}

/// What thesis 000's styles take a piece to be worth, in centipawns; the king counts nothing.
pub(crate) fn worth(role: Role) -> Value {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_told_in_moves_and_count_from_the_node_in_a_table() {
        assert_eq!(to_score(-mated_in(1)), Score::Mate(1));
        assert_eq!(to_score(-mated_in(3)), Score::Mate(2));
        assert_eq!(to_score(mated_in(0)), Score::Mate(0));
        assert_eq!(to_score(mated_in(4)), Score::Mate(-2));
        assert_eq!(to_score(-3 * PAWN), Score::Cp(-300));
        // Mated five plies from the root is mated two plies from a node at ply three.
        assert_eq!(from_node(mated_in(5), 3), mated_in(2));
        assert_eq!(from_root(mated_in(2), 3), mated_in(5));
        assert_eq!(from_node(PAWN, 3), PAWN);
    }
}
