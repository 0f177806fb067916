//! What goes into the state machine and what comes out of it.

use super::dialog::{Offer, Offered};
use super::game::{Claim, End};
use super::gesture::Manner;
use shakmaty::{Color, Move, Role, Square};
use std::fmt;
use std::time::Duration;
use torres_calibration::{Deselects, Way};
use torres_chess::uci;
use torres_frame::Timestamp;
use torres_journal::PonderEnd;
use torres_link::messages::{BestMove, Go};
use torres_vision::Reading;
use torres_vision::clock::ClockTime;

/// One attempt at entering our move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attempt {
    /// The move.
    pub played: Move,
    /// How it is entered.
    pub manner: Manner,
    /// From 1 on.
    pub number: u8,
    /// How often this attempt was broken off, the piece put back, since the board moved meanwhile.
    pub withdrawn: u8,
    /// Whether the piece of a promotion was chosen in the dialog.
    pub chosen: bool,
    /// Whether it began before the opponent's piece was seen at rest.
    pub hasty: bool,
}

impl Attempt {
    /// The first attempt at a move.
    pub fn first(played: Move, manner: Manner) -> Attempt {
        Attempt {
            played,
            manner,
            number: 1,
            withdrawn: 0,
            chosen: false,
            hasty: false,
        }
    }

    /// The same move once more, in this manner.
    pub fn next(self, manner: Manner) -> Attempt {
        Attempt {
            number: self.number + 1,
            ..Attempt::first(self.played, manner)
        }
    }

    /// Whether the page has had nothing of this move yet.
    pub fn is_untouched(&self) -> bool {
        self.number == 1 && self.withdrawn == 0
    }
}

/// What is to be done once the final check before it lets it pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// Enter our move.
    Enter {
        /// Which attempt.
        attempt: Attempt,
        /// Where the piece stands.
        from: Square,
        /// Where the piece goes.
        to: Square,
    },
    /// Choose the piece of a promotion in the open dialog.
    Choose {
        /// The move.
        attempt: Attempt,
        /// Where the dialog offers the piece.
        offered: Offered,
    },
    /// Drop a selection by a click that does nothing else.
    Deselect {
        /// The attempt that left the selection.
        made: Attempt,
        /// The attempt that follows.
        next: Attempt,
        /// An empty square to which no piece can go, or that of the piece itself.
        square: Square,
    },
    /// Show our move to the user, who makes it.
    Advise(Move),
}

impl Aim {
    /// The squares that the pointer goes to, in order: nothing may lie over them. A piece that is selected, and may be drawn larger for that, is
    /// not gone to.
    pub fn squares(&self) -> Vec<Square> {
        match *self {
            Aim::Enter { attempt, to, .. } if attempt.manner == Manner::Target => vec![to],
            Aim::Enter { from, to, .. } => vec![from, to],
            Aim::Choose { offered, .. } => offered.over.into_iter().collect(),
            Aim::Deselect { square, .. } => vec![square],
            Aim::Advise(_) => Vec::new(),
        }
    }

    /// Whether the board must show the position believed: while the promotion dialog is open it does not.
    pub fn needs_position(&self) -> bool {
        !matches!(self, Aim::Choose { .. })
    }

    /// The move, or the square of a click, as the journal names it.
    pub fn name(&self) -> String {
        match self {
            Aim::Enter { attempt, .. } => uci(attempt.played),
            Aim::Choose { offered, .. } => match offered.over {
                Some(square) => square.to_string(),
                None => "beside the board".to_owned(),
            },
            Aim::Deselect { square, .. } => square.to_string(),
            Aim::Advise(played) => uci(*played),
        }
    }
}

/// What the final check before an aim shows, where the board stands as the aim needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FinalCheck {
    /// Nothing speaks against it.
    Clear,
    /// Nothing but that the opponent's piece, whose move is known, was not seen at rest yet.
    Stirring,
    /// The board lies elsewhere than in the look before.
    BoardMoved,
    /// Something lies over a square that the pointer would go to.
    Covered(Square),
    /// The page was laid out anew and the opponent panel was found elsewhere: it must be there in the next look too.
    PanelMoved,
    /// The opponent panel does not look as the user vouched for.
    PanelChanged {
        /// In words.
        why: String,
        /// The page has just been laid out anew: it may not be drawn whole yet.
        may_settle: bool,
    },
}

/// Why input is stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PauseReason {
    /// All gestures were made and the board stands as before.
    NotLanded,
    /// The same, where the user has allowed one way only.
    NotLandedBy(Way),
    /// What the board shows is explained by no legal line.
    Unknown,
    /// The same, where our pawn is to be promoted and no dialog is understood.
    Promotion(Role),
    /// Something lies over a square that would have to be clicked.
    Covered(Square),
    /// The board is not where it was and was not found elsewhere.
    BoardLost,
    /// The board does not stay in its place.
    BoardMoves,
    /// The opponent panel does not look as the user vouched for.
    Opponent(String),
    /// The engine gave no move that can be played.
    Engine(String),
    /// A gesture could not be made.
    Gesture(String),
    /// The user asked for it.
    User,
}

impl fmt::Display for PauseReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PauseReason::NotLanded => write!(f, "the move did not land by drag nor by clicks; look at the board"),
            PauseReason::NotLandedBy(Way::Drag) => write!(
                f,
                "the move did not land by drag, the only way that --by allows; look at the board, or let it be clicked: --by clicks"
            ),
            PauseReason::NotLandedBy(Way::Clicks) => write!(
                f,
                "the move did not land by clicks, the only way that --by allows; look at the board, or let it be dragged: --by drag"
            ),
            PauseReason::Unknown => write!(f, "no legal move explains what the board shows"),
            PauseReason::Promotion(role) => write!(
                f,
                "a pawn is promoted, and the pieces that the page offers are not understood; choose the {} on the page",
                format!("{role:?}").to_lowercase()
            ),
            PauseReason::Covered(square) => write!(
                f,
                "something lies over {square}, where a click would hit it; take it away"
            ),
            PauseReason::BoardLost => write!(f, "the board is not on the screen any more; bring it into view"),
            PauseReason::BoardMoves => write!(f, "the board does not stay in its place; leave its window where it is"),
            PauseReason::Opponent(why) => write!(f, "the opponent panel changed: {why}"),
            PauseReason::Engine(why) => write!(f, "the engine gave no playable move: {why}"),
            PauseReason::Gesture(why) => write!(f, "the mouse could not make the move: {why}"),
            PauseReason::User => write!(f, "the user asked for it"),
        }
    }
}

/// What happened.
#[derive(Debug)]
pub enum Event<'a> {
    /// Vision read a frame, compared with the position believed.
    Saw(&'a Reading),
    /// Whether a look that shows the position before our move, which was entered already, shows its piece selected.
    Selected(bool),
    /// The site's clock of that side shows this.
    ClockRead(Color, ClockTime),
    /// The page shows the button of the next game, which was not to be seen while the game was played; or does not any more.
    NextGame(bool),
    /// Whether something lies over the board, and the rest of it shows the position in which the move that was entered ends the game.
    Notice(bool),
    /// The promotion dialog is open, and offers this.
    DialogOpen(Offer),
    /// A promotion dialog that was left open lies over the board, and waits for the move that is being thought about.
    DialogWaits,
    /// The engine answered.
    Answered(&'a BestMove),
    /// The engine failed for good.
    EngineFailed(String),
    /// The final check before the aim was made, and the board stands as the aim needs it.
    FinalCheck(FinalCheck),
    /// The gesture was made; the button was released then.
    Performed(Timestamp),
    /// The board moved during the gesture: the piece was put back on its square, where the button was released.
    Withdrawn,
    /// The gesture could not be made.
    Failed(PauseReason),
    /// The pointer was to be taken off the board; whether it lay there, where Torres had put it, and was.
    TakenAside(bool),
    /// The user wants to go on; the next reading is a fresh look.
    Resumed,
    /// The user wants a pause.
    PauseWanted,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Ask the engine.
    Think(Go),
    /// Ask the engine on the opponent's time, about the position after this move of theirs.
    Ponder(Go, Move),
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
    /// So many plies were taken back on the board, and are no part of the game any more.
    TakenBack(usize),
    /// Either side may claim a draw from now on, as long as this holds.
    DrawClaimable(Claim),
    /// Our move ends the game, and a notice lies over the board: the move was taken.
    EndUnderNotice,
    /// The same position, seen from the other side from now on.
    Turned,
    /// The final check did not let the aim pass, and it is given up.
    Withheld(Aim, PauseReason),
    /// Our gesture was broken off, the piece put back; it follows once more.
    Withdrawn(Attempt),
    /// Our gesture changed nothing; the move is entered once more.
    NotLanded {
        /// What was tried.
        made: Attempt,
        /// What follows.
        next: Attempt,
    },
    /// How this board takes moves is known better now.
    Learned(Lesson),
}

/// What a move of ours has taught about the board's way of taking moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lesson {
    /// It takes clicks and no drags.
    Clicks,
    /// It takes drags after all.
    Drags,
    /// This puts down a selected piece.
    Deselects(Deselects),
    /// It loses a press while the opponent's piece is on its way.
    AtRest,
    /// What lies under the pointer is drawn otherwise.
    Aside,
    /// It makes a queen of every pawn without asking.
    Queens,
}

impl fmt::Display for Lesson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lesson::Clicks => write!(f, "this board takes no drags: moves are entered by clicks from now on"),
            Lesson::Drags => write!(f, "this board takes drags: moves are dragged from now on"),
            Lesson::Deselects(Deselects::Empty) => {
                write!(f, "a click on an empty square puts a selected piece down here")
            }
            Lesson::Deselects(Deselects::Piece) => write!(f, "a second click on a selected piece puts it down here"),
            Lesson::AtRest => write!(
                f,
                "this board loses a press while the opponent's piece is on its way: its rest is waited for from now on"
            ),
            Lesson::Aside => write!(
                f,
                "what lies under the pointer looks otherwise here: it is taken off the board after each gesture from now on"
            ),
            Lesson::Queens => write!(
                f,
                "this page makes a queen of a pawn without asking: no other piece is meant from now on"
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

/// The move as text, for messages.
pub fn describe(attempt: &Attempt) -> String {
    format!("{} by {}", uci(attempt.played), attempt.manner.name())
}
