//! Why input is stopped, and how the user is told.

use shakmaty::{Role, Square};
use std::fmt;
use torres_calibration::Way;

/// Why input is stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PauseReason {
    /// All gestures were made and the board stands as before.
    NotLanded,
    /// The same, where the user has allowed one way only.
    NotLandedBy(Way),
    /// What the board shows is explained by no legal line.
    Unknown,
    /// The same, where something of a notice's size lies over a board that is as it was.
    Notice,
    /// Our pawn is to be promoted, and no dialog is understood.
    Promotion(Role),
    /// The same, where the dialog lies over the opponent panel.
    PromotionOverPanel(Role),
    /// The piece was clicked in the dialog, and the board stands as before: the page may want the choice confirmed.
    PromotionNotConfirmed(Role),
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
    /// A gesture could not be made: why, and what to do.
    Gesture(String),
    /// The user asked for it.
    User,
}

impl PauseReason {
    /// Whether the user is asked to choose what our pawn becomes.
    pub(crate) fn asks_for_piece(&self) -> bool {
        matches!(
            self,
            PauseReason::Promotion(_) | PauseReason::PromotionOverPanel(_) | PauseReason::PromotionNotConfirmed(_)
        )
    }
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
            PauseReason::Unknown => write!(
                f,
                "no legal line explains what the board shows; take away what lies over it, or end this game if it is over"
            ),
            PauseReason::Notice => write!(
                f,
                "something lies over a part of the board: take it away, or end this game if it is over"
            ),
            PauseReason::Promotion(role) => write!(
                f,
                "a pawn is promoted, and the pieces that the page offers are not understood; choose the {} on the page",
                format!("{role:?}").to_lowercase()
            ),
            PauseReason::PromotionOverPanel(role) => write!(
                f,
                "a pawn is promoted, and the pieces are offered over the bot's name, without which nothing is clicked; choose the {} on the page",
                format!("{role:?}").to_lowercase()
            ),
            PauseReason::PromotionNotConfirmed(role) => write!(
                f,
                "the {} was clicked for a pawn's promotion, and the board stands as before; choose it on the page, and press what confirms the choice",
                format!("{role:?}").to_lowercase()
            ),
            PauseReason::Covered(square) => write!(
                f,
                "something lies over {square}, where a click would hit it; take it away"
            ),
            PauseReason::BoardLost => write!(f, "the board is not on the screen any more; bring it into view"),
            PauseReason::BoardMoves => write!(f, "the board does not stay in its place; leave its window where it is"),
            PauseReason::Opponent(why) => write!(f, "the opponent panel changed: {why}"),
            PauseReason::Engine(why) => write!(
                f,
                "the engine gave no playable move: {why}; go on to ask it again, or play with another one: --engine"
            ),
            PauseReason::Gesture(why) => write!(f, "the mouse could not make the move: {why}"),
            PauseReason::User => write!(f, "the user asked for it"),
        }
    }
}
