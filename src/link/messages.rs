//! The socket's words: one JSON object per line, as `docs/contracts.md` writes them down.

use serde::{Deserialize, Serialize};

/// The protocol's version, said in both hellos.
pub(crate) const PROTOCOL: u32 = 1;

/// The longest line either side accepts, in bytes, the newline included.
pub(crate) const MAX_LINE: usize = 64 * 1024;

/// The longest time for a move that anybody may ask for, in ms: a day. What is longer is a slip, and clocks are not
/// added up to it.
pub const LONGEST_MOVE_MS: u64 = 86_400_000;

/// Upper bounds of a search; the first reached ends it, absent ones do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// White's remaining time in ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white_ms: Option<u64>,
    /// Black's remaining time in ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black_ms: Option<u64>,
    /// What White gains with each move, in ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white_inc_ms: Option<u64>,
    /// What Black gains with each move, in ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black_inc_ms: Option<u64>,
    /// Time for this move in ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_ms: Option<u64>,
    /// Depth in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// A position to think about: a FEN and the UCI moves played from it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Go {
    /// Chosen by the asker; the answer carries it.
    pub id: u64,
    /// Where the moves start, as FEN.
    pub fen: String,
    /// UCI moves played from there.
    #[serde(default)]
    pub moves: Vec<String>,
    /// When to stop.
    #[serde(default)]
    pub limits: Limits,
    /// Strength to play at, in Elo; `None` is full strength.
    #[serde(default)]
    pub elo: Option<u32>,
    /// A named style; none is known yet.
    #[serde(default)]
    pub style: Option<String>,
    /// Think on the opponent's time until `ponderhit` or `stop`.
    #[serde(default)]
    pub ponder: bool,
    /// Think until `stop`.
    #[serde(default)]
    pub infinite: bool,
}

/// What the bot says to the engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ToEngine {
    /// First message.
    Hello {
        /// The sender's protocol version.
        protocol: u32,
    },
    /// What was learned of the last game is forgotten.
    NewGame,
    /// Think.
    Go(Go),
    /// The pondered move was played: the search's limits count from now.
    PonderHit {
        /// Of the `go`.
        id: u64,
    },
    /// Answer now.
    Stop {
        /// Of the `go`.
        id: u64,
    },
    /// Are you there?
    Ping {
        /// Chosen by the asker.
        id: u64,
    },
}

/// A score from the side to move's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Moves to mate; negative when being mated.
    Mate(i32),
}

/// How a search is going.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Info {
    /// Of the `go`.
    pub id: u64,
    /// Completed depth in plies.
    pub depth: u32,
    /// From the side to move's view.
    pub score: Score,
    /// Nodes visited.
    pub nodes: u64,
    /// Nodes a second.
    pub nps: u64,
    /// Principal variation, UCI moves.
    #[serde(default)]
    pub pv: Vec<String>,
}

/// The answer to a `go`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BestMove {
    /// Of the `go`.
    pub id: u64,
    /// UCI move; `None` when there is no legal one.
    #[serde(rename = "move")]
    pub best: Option<String>,
    /// The reply to think about meanwhile.
    #[serde(default)]
    pub ponder: Option<String>,
    /// The position it answered for (after the moves).
    pub fen: String,
}

/// What the engine says to the bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum FromEngine {
    /// First message.
    Hello {
        /// The sender's protocol version.
        protocol: u32,
        /// The engine's name.
        name: String,
        /// The engine's version.
        version: String,
    },
    /// How the search is going.
    Info(Info),
    /// The search's result.
    BestMove(BestMove),
    /// I am here.
    Pong {
        /// Of the `ping`.
        id: u64,
    },
    /// Something could not be understood or done; the connection stays.
    Error {
        /// Of the message, if it had one.
        id: Option<u64>,
        /// What is wrong and what to do.
        message: String,
    },
}
