//! What became certain: what user and journal are told.

use super::aim::{Aim, Attempt};
use super::pause::PauseReason;
use crate::game::Claim;
use shakmaty::{Color, Move};
use std::fmt;
use std::time::Duration;
use torres_calibration::Deselects;
use torres_journal::PonderEnd;

/// What became certain.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// A move is part of the game now.
    Played {
        /// The move.
        played: Move,
        /// Whose.
        by: Color,
        /// What it took on our clock.
        took: Duration,
        /// What its side had left there then.
        left: Duration,
        /// How it came about.
        origin: Origin,
    },
    /// A search on the opponent's time came to its end as such.
    Pondered {
        /// The `go`'s id.
        id: u64,
        /// What they were expected to play.
        expected: Move,
        /// Whether they did.
        end: PonderEnd,
        /// What was thought on their time.
        took: Duration,
    },
    /// How many plies were taken back on the board; they are no part of the game any more.
    TakenBack(usize),
    /// Either side may claim a draw from now on, as long as this holds.
    DrawClaimable(Claim),
    /// No move of the opponent's has come for so many seconds.
    NoReply(u64),
    /// Our move ends the game, and a notice lies over the board: the move was taken.
    EndUnderNotice,
    /// The same position, seen from the other side from now on.
    Turned,
    /// The final check did not let the aim pass, and it is given up.
    Refused(Aim, PauseReason),
    /// Our gesture was broken off, the piece put back; it follows once more.
    Withdrawn(Attempt),
    /// Our drag was given up on the piece's square, which the piece has not left: its target is clicked.
    GivenUp(Attempt),
    /// Our gesture changed nothing; the move is entered once more.
    NotLanded {
        /// What was tried.
        made: Attempt,
        /// What follows.
        next: Attempt,
    },
    /// How this board takes moves is known better now.
    Learned(Habit),
}

/// What a move of ours has taught about the board's way of taking moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habit {
    /// It takes clicks and no drags.
    Clicks,
    /// It takes drags after all.
    Drags,
    /// This puts down a selected piece.
    Deselects(Deselects),
    /// It loses a press while the opponent's piece is on its way.
    AtRest,
    /// It loses a press that comes sooner after the opponent's move, at rest or not.
    Ready(Duration),
    /// What lies under the pointer is drawn otherwise.
    Aside,
    /// It makes a queen of every pawn without asking.
    Queens,
    /// It takes a drag's place only from motions that follow the first ones.
    Steps,
    /// It takes a click's place from where the pointer is when it gets to it.
    Rests,
    /// It castles where the king is put onto its rook.
    OntoRook,
}

impl fmt::Display for Habit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Habit::Clicks => write!(f, "this board takes no drags: moves are entered by clicks from now on"),
            Habit::Drags => write!(f, "this board takes drags: moves are dragged from now on"),
            Habit::Deselects(Deselects::Empty) => {
                write!(f, "a click on an empty square puts a selected piece down here")
            }
            Habit::Deselects(Deselects::Piece) => write!(f, "a second click on a selected piece puts it down here"),
            Habit::AtRest => write!(
                f,
                "this board loses a press while the opponent's piece is on its way: its rest is waited for from now on"
            ),
            Habit::Ready(after) => write!(
                f,
                "this page loses a press soon after the opponent's move: {} ms are waited from now on",
                after.as_millis()
            ),
            Habit::Aside => write!(
                f,
                "what lies under the pointer looks otherwise here: it is taken off the board after each gesture from now on"
            ),
            Habit::Queens => write!(
                f,
                "this page makes a queen of a pawn without asking: no other piece is meant from now on"
            ),
            Habit::Steps => write!(
                f,
                "this board takes drags in steps: the pointer moves some more at the target from now on"
            ),
            Habit::Rests => write!(
                f,
                "this board takes a click where the pointer is a moment later: it rests between two clicks from now on"
            ),
            Habit::OntoRook => write!(
                f,
                "this board castles where the king is put onto its rook: it is entered so from now on"
            ),
        }
    }
}

/// How a move came about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Origin {
    /// The opponent played it.
    Opponent,
    /// We did, at this try; from the button's release to the proof.
    Landed {
        /// From 1 on.
        attempt: u8,
        /// From release to proof.
        after: Duration,
    },
    /// The user made it for our side, hands off as Torres was asked to be.
    ByHand,
    /// Our side made it, but we had not ordered it.
    NotOurs,
}
