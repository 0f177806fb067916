//! The way to the engine process: messages, client, server, and the supervisor that replaces a dead, silent or
//! babbling engine.
//!
//! Whoever wants a move uses the [`Thinker`] trait and does not learn which engine answers, or how often it had to be
//! restarted. No chess is played here: positions are FEN text and moves are UCI text. The search lives in `engine`,
//! the decision what to do with a move in `bot`.
//!
//! | file | what it holds |
//! |---|---|
//! | [`messages`], [`framing`] | the words, and how they become lines of bytes |
//! | [`address`] | sockets and their names, open to their owner only |
//! | [`server`] | the engine's side: connections, sessions, search threads |
//! | [`client`], [`process`], [`group`], [`uci`] | our side: a connection, the process behind it and its group, an engine that speaks UCI instead |
//! | [`answer`] | may this answer be believed? |
//! | [`supervisor`], [`policy`] | asks, watches, replaces, asks again, also on the opponent's time; and how patiently |
//!
//! ```no_run
//! use torres_link::{Thinker, process::EngineCommand, supervisor::Supervisor, uci::UciCommand};
//! # async fn example(go: torres_link::messages::Go) -> Result<(), Box<dyn std::error::Error>> {
//! let mut ours = Supervisor::new(EngineCommand::of("target/release/torres"));
//! let mut theirs = Supervisor::new("stockfish".parse::<UciCommand>()?);
//! for engine in [&mut ours, &mut theirs] {
//!     engine.new_game().await?;
//!     let answer = engine.think(go.clone(), &mut |event| println!("{event:?}")).await?;
//!     println!("{:?}", answer.best);
//! }
//! # Ok(())
//! # }
//! ```

#[macro_use]
extern crate torres_printing;

pub mod address;
pub mod answer;
pub mod client;
mod conversation;
pub(crate) mod framing;
mod fuzz_tests;
mod group;
pub mod messages;
pub mod policy;
pub mod process;
pub mod server;
pub mod supervisor;
pub mod uci;

use client::EngineClient;
use futures_util::future::BoxFuture;
use messages::{BestMove, Go, Info};
use tokio::time::Instant;

/// What can be wrong with an engine. What to do is said by whoever tells it: it is often replaced, and nothing is to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It closed the connection: it died.
    #[error("the engine is gone")]
    Gone,
    /// It sent something that is no message, or that nobody asked for.
    #[error("the engine babbles: {0}")]
    Babble(String),
    /// It did not say what it should have said by now.
    #[error("the engine is silent: {0}")]
    Silent(String),
}

/// Something that starts engines, as often as it is asked: what a [`Supervisor`](supervisor::Supervisor) needs to
/// replace one.
pub trait Launch: Send {
    /// Starts an engine and says hello to it. Dropping the client ends the engine.
    ///
    /// Fails with what is wrong and what to do.
    fn launch(&mut self) -> BoxFuture<'_, Result<EngineClient, String>>;
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ThinkError {
    /// The engine could not be started, or not again.
    #[error("the engine cannot be started: {0}")]
    Start(String),
    /// The engine died, fell silent or babbled more often than it was worth restarting.
    #[error("the engine failed {failures} times in a row: {last}; start it by itself to see why")]
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
    /// The engine was replaced and asked again, for this reason; asked again only after the hit, where it pondered.
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

    /// Whether it thinks on the opponent's time when asked to [`ponder`](Self::ponder); not before an engine runs.
    fn can_ponder(&self) -> bool;

    /// Asks on the opponent's time about the position after the move that they are expected to play.
    ///
    /// `hit` resolves when they have played it, to the moment from which the limits count; until then nothing is
    /// returned, neither an answer nor an error. Where the engine failed meanwhile it is asked anew after the hit.
    /// Cancel-safe like [`think`](Self::think): dropping the future is how another move, or none, is told.
    fn ponder(
        &mut self,
        go: Go,
        hit: impl Future<Output = Instant> + Send,
        on_event: &mut (dyn FnMut(ThinkEvent) + Send),
    ) -> impl Future<Output = Result<BestMove, ThinkError>> + Send;
}
