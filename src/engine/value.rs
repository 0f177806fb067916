//! Search values: centipawns from the side to move's view, with mates far outside the range of evaluations.

use super::Score;

/// Centipawns, or a mate's distance below [`MATE`].
pub(super) type Value = i32;

/// Deepest line from the root, in plies.
pub(super) const MAX_PLY: usize = 128;

/// A draw.
pub(super) const DRAW: Value = 0;
/// Mate on the board; a mate in *n* plies is worth *n* less.
pub(super) const MATE: Value = 31_000;
/// Above every value.
pub(super) const INFINITE: Value = 32_000;
/// The least value that means a forced mate.
pub(super) const MATE_BOUND: Value = MATE - MAX_PLY as Value;
/// The greatest value that means being mated by force.
pub(super) const MATED_BOUND: Value = -MATE_BOUND;
/// Evaluations stay strictly below the mates.
pub(super) const EVAL_LIMIT: Value = MATE_BOUND - 1;

/// Being mated here, so many plies from the root.
#[inline(always)]
pub(super) const fn mated_in(ply: usize) -> Value {
    ply as Value - MATE
}

/// Mating so many plies from the root.
#[inline(always)]
pub(super) const fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// Whether a value means a forced mate, for either side.
#[inline(always)]
pub(super) const fn is_mate(value: Value) -> bool {
    value.abs() >= MATE_BOUND
}

/// As the engine's users see it.
pub(super) fn to_score(value: Value) -> Score {
    match value {
        MATE_BOUND.. => Score::Mate((MATE - value + 1) / 2),
        ..=MATED_BOUND => Score::Mate(-(MATE + value) / 2),
        _ => Score::Cp(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_told_in_moves() {
        assert_eq!(to_score(mate_in(1)), Score::Mate(1));
        assert_eq!(to_score(mate_in(3)), Score::Mate(2));
        assert_eq!(to_score(mated_in(0)), Score::Mate(0));
        assert_eq!(to_score(mated_in(2)), Score::Mate(-1));
        assert_eq!(to_score(mated_in(4)), Score::Mate(-2));
        assert_eq!(to_score(-35), Score::Cp(-35));
        assert_eq!(to_score(EVAL_LIMIT), Score::Cp(EVAL_LIMIT));
    }
}
