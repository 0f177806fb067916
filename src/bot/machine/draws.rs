//! Draws that may be claimed. Sites differ: some end the game then, some want a claim. Torres plays on while the board
//! lets it and says that a draw may be claimed; where the board takes no further move, or none comes, the game is
//! drawn, and its termination says which it was.

use crate::game::{Claim, End, Game, Standstill};
use std::time::Duration;

/// What is kept in mind for a draw that may be claimed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Draws {
    /// The claim that the user was told of.
    told: Option<Claim>,
}

impl Draws {
    /// The next turn of a game begins: the draw that may be claimed, if the user was not told of it yet.
    pub fn next_turn(&mut self, game: &Game) -> Option<Claim> {
        let claim = game.claimable();
        let new = claim.filter(|_| claim != self.told);
        self.told = claim;
        new
    }
}

/// How the game ended, if the opponent, whose move has not come for this long, could claim a draw, or the site gave it.
pub(super) fn no_reply(game: &Game, waited: Duration) -> Option<End> {
    let claim = game.claimable()?;
    Some(End::StoodStill(claim, Standstill::NoReply(waited.as_secs())))
}

/// How the game ended, if a draw could be claimed and the board took our move by neither gesture.
pub(super) fn not_taken(game: &Game) -> Option<End> {
    let claim = game.claimable()?;
    Some(End::StoodStill(claim, Standstill::MoveNotTaken))
}
