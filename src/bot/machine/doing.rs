//! What the machine is doing, in the words that the terminal and the watch page share.

use super::{Machine, Phase};

impl Machine {
    /// What it is doing, in words.
    pub fn doing(&self) -> &'static str {
        match self.phase {
            Phase::Waiting if self.pondering.is_some() => "waiting for the bot's move, pondering",
            Phase::Waiting => "waiting for the bot's move",
            Phase::Thinking { .. } => "thinking",
            Phase::Advised(_) => "your move",
            Phase::Poised(..) => "looking once more before the move",
            Phase::Acting(_) => "moving the piece",
            Phase::Verifying { .. } | Phase::Deselected { .. } => "looking whether the move landed",
            Phase::Paused(_) => "paused",
            Phase::Over(_) => "the game is over",
        }
    }
}
