//! Attempts at our move, and what is aimed at: a gesture that is meant, and made once the final check lets it pass.

use crate::dialog::Offered;
use crate::gesture::Manner;
use shakmaty::{Bitboard, Chess, Move, Position, Square};
use std::time::Duration;
use torres_chess::uci;

/// One attempt at entering our move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attempt {
    /// The move.
    pub played: Move,
    /// How it is entered.
    pub manner: Manner,
    /// The king that castles is put onto its rook, and not two squares to the side.
    pub onto_rook: bool,
    /// From 1 on.
    pub number: u8,
    /// How often this attempt was broken off, the piece put back: the board moved meanwhile, or the piece did not.
    pub withdrawn: u8,
    /// Whether the piece of a promotion was chosen in the dialog.
    pub chosen: bool,
    /// Whether the user was asked to choose it, and has gone on since.
    pub asked: bool,
    /// Whether it began before the opponent's piece was seen at rest.
    pub hasty: bool,
    /// How long after the last change on the board began to show it began.
    pub after: Duration,
}

impl Attempt {
    /// The first attempt at a move.
    pub fn first(played: Move, manner: Manner) -> Attempt {
        Attempt {
            played,
            manner,
            onto_rook: false,
            number: 1,
            withdrawn: 0,
            chosen: false,
            asked: false,
            hasty: false,
            after: Duration::ZERO,
        }
    }

    /// The same move once more, in this manner. Castling is tried both ways in turn: programs differ in which they take.
    pub fn next(self, manner: Manner) -> Attempt {
        Attempt {
            onto_rook: self.played.is_castle() && !self.onto_rook,
            number: self.number + 1,
            ..Attempt::first(self.played, manner)
        }
    }

    /// Whether the piece of a promotion was chosen, by Torres or by the user who was asked to.
    pub(crate) fn is_piece_chosen(&self) -> bool {
        self.chosen || self.asked
    }

    /// Whether the page has had nothing of this move yet.
    pub(crate) fn is_untouched(&self) -> bool {
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
    /// The squares that the pointer goes to, in order: nothing may lie over them. A piece that is selected, and may be
    /// drawn larger for that, is not gone to.
    pub fn squares(&self) -> Vec<Square> {
        match *self {
            Aim::Enter { attempt, to, .. } if attempt.manner == Manner::Target => vec![to],
            Aim::Enter { from, to, .. } => vec![from, to],
            Aim::Choose { offered, .. } => offered.over.into_iter().collect(),
            Aim::Deselect { square, .. } => vec![square],
            Aim::Advise(_) => Vec::new(),
        }
    }

    /// Whether the button goes down on this square of the aim: on a drag's target it goes up only.
    pub(crate) fn presses(&self, square: Square) -> bool {
        match *self {
            Aim::Enter { attempt, from, .. } if attempt.manner == Manner::Drag => square == from,
            _ => true,
        }
    }

    /// The empty squares to which the piece may go, where an earlier part of this attempt may have left it selected: pages
    /// mark them then.
    pub(crate) fn selected_targets(&self, position: &Chess) -> Option<Bitboard> {
        let Aim::Enter { attempt, .. } = self else { return None };
        if attempt.is_untouched() {
            return None;
        }
        let moves = position.legal_moves().into_iter();
        let own = moves.filter(|played| played.from() == attempt.played.from() && !played.is_capture());
        let target = |played: Move| match played.castling_side() {
            Some(side) => side.king_to(position.turn()),
            None => played.to(),
        };
        Some(own.map(target).collect())
    }

    /// Whether the board must show the position believed: while the promotion dialog is open it does not.
    pub(crate) fn needs_position(&self) -> bool {
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

/// The move as text, for messages.
pub fn describe(attempt: &Attempt) -> String {
    format!("{} by {}", uci(attempt.played), attempt.manner.name())
}
