//! What one thread found, and which of two threads' findings is the better.

use super::super::Move;
use super::super::value::{Value, is_mate};

/// What one thread found.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// Never empty.
    pub(super) line: Vec<Move>,
    pub(super) value: Value,
    /// Last completed depth.
    pub(super) depth: i32,
}

impl Outcome {
    /// The deeper of two; of two as deep, or when it mates, the better.
    pub(super) fn or_better(self, other: Outcome) -> Outcome {
        let better = other.value > self.value && (other.depth >= self.depth || is_mate(other.value))
            || other.depth > self.depth && !is_mate(self.value) && !is_mate(other.value);
        if better { other } else { self }
    }
}
