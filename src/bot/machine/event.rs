//! What goes into the machine.

use super::pause::PauseReason;
use crate::dialog::Offer;
use shakmaty::{Color, Square};
use torres_frame::Timestamp;
use torres_link::messages::BestMove;
use torres_vision::Reading;
use torres_vision::clock::ClockTime;

/// What happened.
#[derive(Debug)]
pub enum Event<'a> {
    /// Vision read a frame, compared with the position believed.
    Saw(&'a Reading),
    /// Whether a look that shows the position before our move, which was entered already, shows its piece selected.
    Selected(bool),
    /// The site's clock of that side was seen, whether it can be read or not.
    ClockSeen {
        /// Whose it is.
        color: Color,
        /// Whether it shows what it showed at the look before.
        is_same: bool,
    },
    /// The site's clock of that side shows this.
    ClockRead(Color, ClockTime),
    /// Whether the page names the opponent, where the opponent's move has been waited for.
    OpponentNamed(bool),
    /// Whether something stands on the page, beside the board, that did not right after our last move.
    PageChanged(bool),
    /// The page shows the button of the next game, which was not to be seen while the game was played; or does not any
    /// more.
    NextGame(bool),
    /// Whether something lies over the board, and the rest of it shows the position in which the move that was entered
    /// ends the game.
    Notice(bool),
    /// The promotion dialog is open, and offers this.
    DialogOpen(Offer),
    /// Something of a dialog's size lies over the board, on which the position before our promotion stands: it asks for
    /// the piece, and is not read.
    DialogUnread,
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
    /// The page has drawn something on the board since the gesture was made.
    Drew,
    /// The program with the board does not get to its events since our gesture, or gets to them again.
    Hangs(bool),
    /// The drag that was just made needed steps, or was made again in steps: the pointer moved some more at its target.
    DraggedInSteps,
    /// The board moved during the gesture: the piece was put back on its square, where the button was released.
    Withdrawn,
    /// The piece did not follow the pointer, which was taken back to its square, where the button was released then.
    NotFollowed(Timestamp),
    /// The gesture could not be made.
    Failed(PauseReason),
    /// The pointer was to be taken off the board; whether it lay there, where Torres had put it, and was.
    TakenAside(bool),
    /// Whether all that changed on the board since the pointer was taken off it is the square where the pointer lay.
    ChangedUnderPointer(bool),
    /// The user wants to go on; the next reading is a fresh look.
    Resumed,
    /// The user wants a pause.
    PauseWanted,
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
