//! What the machine is doing.

use super::super::game::End;
use super::{Aim, Attempt, PauseReason, Poise, Standing};
use shakmaty::{Move, Square};
use torres_frame::Timestamp;

/// What the machine is doing.
#[derive(Clone, Debug, PartialEq)]
pub enum Phase {
    /// The opponent's turn.
    Waiting,
    /// Our turn: the engine was asked.
    Thinking {
        /// The `go`'s id.
        id: u64,
    },
    /// Our move was shown to the user, who makes it or another one.
    Advised(Move),
    /// A gesture, or a move to be shown, is meant: the look that lets it pass is awaited.
    Poised(Aim, Poise),
    /// A gesture was ordered and is being performed.
    Acting(Aim),
    /// The gesture is done: did the move land?
    Verifying {
        /// Which attempt.
        attempt: Attempt,
        /// When the button was released.
        released: Timestamp,
        /// For how long the position before has been seen standing.
        standing: Standing,
    },
    /// A deselecting click is done; the next attempt follows when the board stands.
    Deselected {
        /// The attempt that may have left a selection.
        made: Attempt,
        /// The attempt that follows.
        next: Attempt,
        /// Where it was clicked; `None` where there was nothing to click.
        clicked: Option<Square>,
        /// Whether the piece was seen selected before.
        selected: bool,
        /// For how long the board has been seen standing.
        standing: Standing,
    },
    /// All input is stopped until the user resumes.
    Paused(PauseReason),
    /// The game is over, or as many plies are played as were asked for.
    Over(Option<End>),
}
