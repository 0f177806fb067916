//! The door between search and evaluation: whatever values positions comes in through [`Evaluation`], today the
//! hand-crafted terms of [`eval`](super::eval), later perhaps a trained network.

use super::Position;
use super::value::Value;

pub(super) use super::eval::HandCrafted;

/// Values positions without looking ahead. Each search thread has its own, so that it may keep tables between calls.
pub(super) trait Evaluation: Default + Send {
    /// Centipawns from the side to move's view, strictly between the mates; for a position that is not in check.
    fn value(&mut self, position: &Position) -> Value;
}

impl Evaluation for HandCrafted {
    #[inline]
    fn value(&mut self, position: &Position) -> Value {
        HandCrafted::value(self, position)
    }
}
