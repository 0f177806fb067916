//! What happens in a game, as it is kept on disk and told to clients.

use super::command::Offer;
use super::game_id::GameId;
use super::person::{Owned, Person};
use serde::{Deserialize, Serialize};
use shakmaty::ByColor;
use std::time::Duration;
use torres_chess::Side;
use torres_site::game::Ending;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The winner mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side can mate any more.
    InsufficientMaterial,
    /// The same position for the third time.
    ThreefoldRepetition,
    /// Fifty moves of each side without a capture or a pawn's move.
    FiftyMoves,
    /// A flag fell.
    Time,
    /// The loser gave up.
    Resignation,
    /// Both agreed on a draw.
    Agreement,
    /// One player was away for too long.
    Abandoned,
    /// Whoever made the game took it from the list before it began.
    Withdrawn,
}

impl Reason {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::InsufficientMaterial => "insufficient material",
            Reason::ThreefoldRepetition => "threefold repetition",
            Reason::FiftyMoves => "fifty moves",
            Reason::Time => "time",
            Reason::Resignation => "resignation",
            Reason::Agreement => "agreement",
            Reason::Abandoned => "abandoned",
            Reason::Withdrawn => "withdrawn",
        }
    }

    /// Whether the position itself is the reason: such an end is lifted with the move that led to it.
    pub fn is_on_the_board(self) -> bool {
        match self {
            Reason::Checkmate
            | Reason::Stalemate
            | Reason::InsufficientMaterial
            | Reason::ThreefoldRepetition
            | Reason::FiftyMoves => true,
            Reason::Time | Reason::Resignation | Reason::Agreement | Reason::Abandoned | Reason::Withdrawn => false,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Why.
    pub reason: Reason,
    /// Who won, if anyone.
    pub winner: Option<Side>,
}

impl End {
    /// `1-0`, `0-1`, `1/2-1/2`, or PGN's `*` for a game that had hardly begun.
    pub fn score(self) -> &'static str {
        match (self.reason, self.winner) {
            (Reason::Withdrawn, _) => "*",
            (_, Some(Side::White)) => "1-0",
            (_, Some(Side::Black)) => "0-1",
            (_, None) => "1/2-1/2",
        }
    }
}

impl From<Ending> for End {
    fn from(ending: Ending) -> End {
        let reason = match ending {
            Ending::Checkmate { .. } => Reason::Checkmate,
            Ending::Stalemate => Reason::Stalemate,
            Ending::InsufficientMaterial => Reason::InsufficientMaterial,
            Ending::ThreefoldRepetition => Reason::ThreefoldRepetition,
            Ending::FiftyMoves => Reason::FiftyMoves,
            Ending::Time { .. } => Reason::Time,
            Ending::Resignation { .. } => Reason::Resignation,
            // No engine plays here.
            Ending::EngineFailed => Reason::Withdrawn,
        };
        End {
            reason,
            winner: ending.winner().map(Side::from),
        }
    }
}

/// What both clocks show, in ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// White's time left.
    pub white_ms: u64,
    /// Black's time left.
    pub black_ms: u64,
}

impl From<Times> for ByColor<Duration> {
    fn from(times: Times) -> ByColor<Duration> {
        ByColor {
            white: Duration::from_millis(times.white_ms),
            black: Duration::from_millis(times.black_ms),
        }
    }
}

/// What happened in a game. The changes of a game are numbered from 1 and kept; a game is what they add up to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Change {
    /// Somebody made a game in which a computer may play: its first change.
    Opened(Owned),
    /// A person took a free seat.
    Joined {
        /// Which.
        seat: Side,
        /// Who.
        person: Person,
    },
    /// A move was played.
    Moved {
        /// UCI, castling as the king's two steps.
        uci: String,
        /// Both clocks after it; none in a game without clocks.
        times: Option<Times>,
    },
    /// Something was offered.
    Offered {
        /// By whom.
        by: Side,
        /// What.
        offer: Offer,
    },
    /// An offer was declined or withdrawn.
    Declined {
        /// By whom.
        by: Side,
        /// What.
        offer: Offer,
    },
    /// Moves were taken back.
    TookBack {
        /// How many.
        plies: usize,
        /// Both clocks then.
        times: Option<Times>,
    },
    /// A person asks for the seat of a player who is away.
    SeatAsked {
        /// Which.
        seat: Side,
        /// Who asks.
        person: Person,
    },
    /// The player who stayed does not want that person.
    SeatKept {
        /// Which.
        seat: Side,
    },
    /// That person has the seat now.
    Replaced {
        /// Which.
        seat: Side,
        /// Who has it.
        person: Person,
    },
    /// The game ended.
    Ended {
        /// How.
        end: End,
        /// Both clocks then.
        times: Option<Times>,
    },
    /// Both play again.
    Rematch {
        /// The next game.
        game: GameId,
    },
    /// The clocks stand, and nobody may move.
    Paused {
        /// Both clocks then.
        times: Option<Times>,
    },
    /// The pause is over.
    Resumed {
        /// Both clocks then.
        times: Option<Times>,
    },
}
