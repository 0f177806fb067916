//! How this board takes moves: what the user said of it, and what games have taught.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How moves are to be entered, by the user's word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// By drags, and by clicks once a drag does not land.
    #[default]
    Auto,
    /// Dragged, never clicked.
    Drag,
    /// By a click on the piece and one on its target, never dragged.
    Clicks,
}

/// What a board takes as a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// The piece is dragged to its target.
    Drag,
    /// The piece is clicked, and then its target.
    Clicks,
}

/// What puts down a piece that is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Deselects {
    /// A click on an empty square to which no piece can go.
    Empty,
    /// Another click on the piece.
    Piece,
}

/// How this board takes moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveInput {
    /// By the user's word.
    #[serde(default)]
    pub by: By,
    /// What it takes, where a game has shown that for certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takes: Option<Way>,
    /// What puts down a selected piece, where that was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deselects: Option<Deselects>,
    /// The page draws the square under the pointer differently, and it was read only after the pointer had left the
    /// board. So the pointer leaves the board after each gesture.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub aside: bool,
    /// It made a queen of a pawn that was to become another piece, without asking: every pawn becomes a queen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub queens: bool,
    /// It takes a drag's place only from the motions of the pointer that follow the first ones: the pointer makes some
    /// more at the target. It rests where the button was pressed, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub steps: bool,
    /// It takes a click's place from where the pointer is when it gets to it: the pointer rests on the first of two.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rests: bool,
    /// It castles where the king is put onto its rook, and not two squares to the side.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub onto_rook: bool,
    /// It lost a press while the opponent's piece was still moving: Torres waits until the board rests. Known for one
    /// run only.
    #[serde(skip)]
    pub at_rest: bool,
    /// It lost a press that came sooner after the opponent's move began to show, though the board was at rest: that long
    /// is waited. Known for one run only.
    #[serde(skip)]
    pub ready_after: Duration,
}

impl MoveInput {
    /// Whether nothing is said or known.
    pub fn is_plain(&self) -> bool {
        *self == MoveInput::default()
    }

    /// The way in which a move is entered first.
    pub fn first(&self) -> Way {
        match self.by {
            By::Drag => Way::Drag,
            By::Clicks => Way::Clicks,
            By::Auto => self.takes.unwrap_or(Way::Drag),
        }
    }

    /// This, as a file says it, with what a game has shown. Where the command line said how to move (`way_is_said`), the
    /// game has shown nothing of that.
    pub fn learned(self, shown: MoveInput, way_is_said: bool) -> MoveInput {
        let way = if way_is_said { self } else { shown };
        MoveInput {
            by: self.by,
            takes: way.takes,
            deselects: way.deselects,
            at_rest: self.at_rest,
            ready_after: self.ready_after,
            ..shown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_of_which_nothing_is_known_is_dragged_on() {
        let input: MoveInput = serde_json::from_str("{}").unwrap();
        assert!(input.is_plain());
        assert_eq!(input.first(), Way::Drag);
    }

    #[test]
    fn the_user_s_word_counts_more_than_what_was_learned() {
        let learned = MoveInput {
            takes: Some(Way::Clicks),
            ..MoveInput::default()
        };
        assert_eq!(learned.first(), Way::Clicks);
        let by = |by| MoveInput { by, ..learned }.first();
        assert_eq!((by(By::Drag), by(By::Clicks)), (Way::Drag, Way::Clicks));
    }

    #[test]
    fn what_a_game_has_shown_is_learned_but_how_to_move_where_the_user_said_it() {
        let shown = MoveInput {
            by: By::Clicks,
            takes: Some(Way::Clicks),
            deselects: Some(Deselects::Piece),
            rests: true,
            at_rest: true,
            ready_after: Duration::from_secs(1),
            ..MoveInput::default()
        };
        let file = MoveInput::default();
        let rests = MoveInput { rests: true, ..file };
        assert_eq!(file.learned(shown, true), rests);
        let both = MoveInput {
            takes: Some(Way::Clicks),
            deselects: Some(Deselects::Piece),
            ..rests
        };
        assert_eq!(file.learned(shown, false), both);
    }

    #[test]
    fn what_is_kept_is_what_the_file_says() {
        let input = MoveInput {
            by: By::Auto,
            takes: Some(Way::Clicks),
            deselects: Some(Deselects::Piece),
            aside: true,
            queens: true,
            steps: true,
            rests: true,
            onto_rook: true,
            at_rest: true,
            ready_after: Duration::from_millis(400),
        };
        let written = serde_json::to_string(&input).unwrap();
        assert_eq!(
            written,
            r#"{"by":"auto","takes":"clicks","deselects":"piece","aside":true,"queens":true,"steps":true,"rests":true,"onto_rook":true}"#
        );
        let read: MoveInput = serde_json::from_str(&written).unwrap();
        assert_eq!(
            read,
            MoveInput {
                at_rest: false,
                ready_after: Duration::ZERO,
                ..input
            }
        );
        assert!(serde_json::from_str::<MoveInput>(r#"{"by":"foot"}"#).is_err());
    }
}
