//! What the machine wants done.

use super::aim::Aim;
use super::fact::Fact;
use super::pause::PauseReason;
use crate::game::End;
use torres_frame::Timestamp;
use torres_link::messages::Go;

/// What to do next.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Ask the engine.
    Think(Go),
    /// Ask the engine on the opponent's time, about the position after the move that is expected of them.
    Ponder(Go),
    /// They played it: the search with this id goes on as our thought.
    PonderHit(u64),
    /// Drop the question: the position changed.
    StopThinking,
    /// Do what was aimed at: the final check, awaited since this moment, let it pass.
    Perform(Aim, Timestamp),
    /// Take the pointer off the board, if it lies there where Torres has put it.
    TakeAside,
    /// Stop all input and tell the user why.
    Pause(PauseReason),
    /// Tell user and journal.
    Tell(Fact),
    /// Nothing more will come.
    Finish(Option<End>),
    /// Nothing more will come: the board shows the beginning of another game.
    Abandon,
}
