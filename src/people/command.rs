//! What a person asks of a game, and why it may be refused.

use serde::{Deserialize, Serialize};
use shakmaty::Color;
use shakmaty::uci::UciMove;

/// What one player may offer and the other accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Offer {
    /// The game is to end in a draw.
    Draw,
    /// One's own last move is to be taken back.
    Takeback,
    /// Another game with colours swapped; only after the end.
    Rematch,
}

/// What the player who stayed makes of a game that the other abandoned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Claim {
    /// It is won.
    Win,
    /// It is a draw.
    Draw,
}

/// What a person asks of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// To take the free seat.
    Join,
    /// To play a move.
    Move {
        /// The [turn](super::game::PeopleGame::turn) that the mover saw.
        turn: u32,
        /// The move.
        uci: UciMove,
    },
    /// To give up.
    Resign,
    /// To offer something.
    Offer(Offer),
    /// To accept what the other offers.
    Accept(Offer),
    /// To decline what the other offers, or withdraw what one offers oneself.
    Decline(Offer),
    /// To end a game that the other abandoned.
    Claim(Claim),
    /// To take the seat of a player who is away.
    AskSeat(Color),
    /// To let the person who asks have the other's seat.
    GiveSeat,
    /// To let them not have it.
    KeepSeat,
    /// To withdraw a game that nobody has joined.
    Withdraw,
    /// To take back one's own last move, against a computer.
    Undo,
    /// To stop the clocks and hide the board, against a computer.
    Pause,
    /// To go on after a pause.
    Resume,
}

/// Why a command is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// Only a player may do this.
    #[error("you watch this game; only its players may do that")]
    Watching,
    /// Both seats are taken, or the seat's owner is there.
    #[error("that seat is taken")]
    SeatTaken,
    /// The other player is to be another person.
    #[error("you have a seat in this game already")]
    OwnGame,
    /// Nobody has joined yet.
    #[error("wait until somebody has joined")]
    NotBegun,
    /// The game has begun.
    #[error("the game has begun")]
    Begun,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The game is not over yet.
    #[error("the game goes on")]
    NotOver,
    /// The position has changed since.
    #[error("the position has changed since")]
    Stale,
    /// It is the other's turn.
    #[error("it is the other side's turn")]
    NotYourTurn,
    /// Not a legal move.
    #[error("that move is not legal")]
    Illegal,
    /// There is nothing like that to accept, decline or take back.
    #[error("there is nothing to accept, decline or take back")]
    Nothing,
    /// The same offer stands, or was made since one's last move.
    #[error("that was offered already")]
    Offered,
    /// The other player is there, or was until a moment ago.
    #[error("the other player has not been away for long enough")]
    NotAway,
    /// What was asked could not be written down.
    #[error("the server could not write that down; try again")]
    NotKept,
    /// The game is paused.
    #[error("the game is paused")]
    Paused,
    /// Only whoever made a game against a computer may do this.
    #[error("only in a game against a computer, and only whoever made it, may do that")]
    NotOwner,
    /// More is asked than a person asks.
    #[error("too many messages; wait a moment")]
    TooFast,
}
