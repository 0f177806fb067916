//! The way to the engine process: messages, client, server, and the supervisor that replaces a dead, silent or
//! babbling engine.
//!
//! Whoever wants a move uses the [`Thinker`] trait and does not learn which engine answers, or how often it had to be
//! restarted. No chess is played here: positions are FEN text and moves are UCI text. The search lives in `engine`,
//! the decision what to do with a move in `bot`.

pub mod messages;

use messages::{BestMove, Go, Info};

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ThinkError {
    /// The engine could not be started, or not again.
    #[error("the engine cannot be started: {0}")]
    Start(String),
    /// The engine died, fell silent or babbled more often than it was worth restarting.
    #[error("the engine failed {failures} times in a row: {last}")]
    GaveUp {
        /// How often it was asked.
        failures: u32,
        /// What happened the last time.
        last: String,
    },
    /// The engine refused the request.
    #[error("the engine refused: {0}")]
    Refused(String),
}

/// What happened to the engine behind a [`Thinker`] that its user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThinkEvent {
    /// The search goes on.
    Info(Info),
    /// The engine was replaced and asked again, for this reason.
    Restarted(String),
}

/// Anything that can be asked for a move: the engine process, a UCI engine, a supervisor around either.
pub trait Thinker: Send {
    /// Forgets what was learned of the last game.
    fn new_game(&mut self) -> impl Future<Output = Result<(), ThinkError>> + Send;

    /// Asks for a move and waits for the answer; `on_event` hears how it goes.
    ///
    /// Cancel-safe: dropping the future tells the engine to stop, and its late answer is dropped.
    /// The answer's position is *not* compared here: its user compares it with the position that it holds.
    fn think(
        &mut self,
        go: Go,
        on_event: &mut (dyn FnMut(ThinkEvent) + Send),
    ) -> impl Future<Output = Result<BestMove, ThinkError>> + Send;
}
