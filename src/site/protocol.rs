//! What page and server say to each other over the WebSocket, one JSON object per message.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;
use torres_chess::{Side, TimeControl};

/// Whether a mouse button went down or up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PointerAction {
    /// Pressed.
    Down,
    /// Released.
    Up,
}

/// A mouse button's change, as the page received it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pointer {
    /// Down or up.
    #[serde(rename = "type")]
    pub action: PointerAction,
    /// From the page's left edge, in CSS pixels.
    pub x: f64,
    /// From the page's top edge, in CSS pixels.
    pub y: f64,
    /// From the screen's left edge, in CSS pixels, as the browser believes.
    pub screen_x: f64,
    /// From the screen's top edge, in CSS pixels, as the browser believes.
    pub screen_y: f64,
    /// 0 is the main button.
    pub button: u8,
    /// The board's square there.
    pub square: Option<String>,
}

/// A time control as numbers in messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockSetup {
    /// Time at the start, in ms.
    pub initial_ms: u64,
    /// Time gained with each move, in ms.
    pub increment_ms: u64,
}

impl From<ClockSetup> for TimeControl {
    fn from(clock: ClockSetup) -> TimeControl {
        TimeControl {
            initial: Duration::from_millis(clock.initial_ms),
            increment: Duration::from_millis(clock.increment_ms),
        }
    }
}

impl From<TimeControl> for ClockSetup {
    fn from(control: TimeControl) -> ClockSetup {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        ClockSetup {
            initial_ms: ms(control.initial),
            increment_ms: ms(control.increment),
        }
    }
}

/// The page's words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromPage {
    /// The player moved.
    Move {
        /// The game that the page shows.
        game: u32,
        /// How many plies had been played when the player moved.
        ply: usize,
        /// UCI.
        uci: String,
    },
    /// The player gives up.
    Resign {
        /// The game that the page shows.
        game: u32,
    },
    /// The player wants another game.
    NewGame {
        /// The player's colour.
        color: Side,
        /// The level of the site's own bot.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        level: Option<u8>,
        /// In place of a level, the name of an engine.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bot: Option<String>,
        /// Absent: the site's own, 15+10 unless it was started with another. Not on the page; for tests.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock: Option<ClockSetup>,
        /// Absent: the standard start. Not on the page; for tests.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fen: Option<String>,
    },
    /// No piece moves any more on the board that shows this position.
    AtRest {
        /// The game that the page shows.
        game: u32,
        /// Plies played in the position shown.
        ply: usize,
        /// Unix time in ms of the first frame at rest.
        t_ms: u64,
        /// True when the page drew the whole board anew, false when its last move came to rest.
        fresh: bool,
    },
    /// A mouse button went down or up.
    Pointer {
        /// Unix time in ms.
        t_ms: u64,
        /// Where and which.
        pointer: Pointer,
    },
}

/// The server's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToPage {
    /// All that a page shows. Sent after every change and to every page that connects.
    State(Box<State>),
    /// A message was not understood or could not be followed.
    Error {
        /// What is wrong and what to do.
        message: String,
    },
}

/// A move in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedMove {
    /// UCI, castling as the king's two steps.
    pub uci: String,
    /// SAN with check and mate signs.
    pub san: String,
}

/// Both clocks when the message was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockState {
    /// White's time left, in ms.
    pub white_ms: u64,
    /// Black's time left, in ms.
    pub black_ms: u64,
    /// Whose clock runs.
    pub running: Option<Side>,
}

/// How the game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultState {
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub score: String,
    /// Such as `checkmate`.
    pub reason: String,
    /// Who won, if anyone.
    pub winner: Option<Side>,
}

/// All that a page shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Counts the games since the site was started, from 1.
    pub game: u32,
    /// The player's colour.
    pub player: Side,
    /// The bot's name, with its level where it has one.
    pub bot: String,
    /// The bot's level; `None` for an engine under its own name.
    pub level: Option<usize>,
    /// How many levels there are.
    pub levels: usize,
    /// The engines that can be played beside the levels, by name.
    pub bots: Vec<String>,
    /// Where the game started.
    pub start_fen: String,
    /// The present position.
    pub fen: String,
    /// The moves so far.
    pub moves: Vec<ListedMove>,
    /// Whose turn it is.
    pub turn: Side,
    /// Whether the side to move is in check.
    pub check: bool,
    /// The player's legal moves, by origin; empty when it is not the player's turn.
    pub dests: BTreeMap<String, Vec<String>>,
    /// Both clocks.
    pub clock: ClockState,
    /// How it ended; `None` while it goes on.
    pub result: Option<ResultState>,
}
