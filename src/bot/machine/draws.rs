//! Draws that may be claimed. Sites differ: some end the game then, some want a claim. Torres plays on while the board
//! lets it and says that a draw may be claimed; where the board takes no further move, or none comes, the game is
//! drawn, and its termination says which it was.

use crate::game::{Claim, End, Game, Standstill};
use std::time::Duration;
use torres_frame::Timestamp;

/// How many times as long as their longest so far their next move may take.
const LONGER: u32 = 3;

/// What is kept in mind for a draw that may be claimed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Draws {
    /// The claim that the user was told of.
    told: Option<Claim>,
    /// The opponent's longest thought.
    longest_reply: Duration,
    /// Since when their move has been waited for, in time in which somebody looked.
    waiting_since: Timestamp,
}

impl Draws {
    /// Takes note of how long the opponent's move took.
    pub fn replied_in(&mut self, took: Duration) {
        self.longest_reply = self.longest_reply.max(took);
    }

    /// Counts out a time in which nobody looked.
    pub fn forgive(&mut self, away: Duration) {
        self.waiting_since = self.waiting_since + away;
    }

    /// The next turn of a game begins: the draw that may be claimed, if the user was not told of it yet.
    pub fn next_turn(&mut self, game: &Game, now: Timestamp) -> Option<Claim> {
        let claim = game.claimable();
        let new = claim.filter(|_| claim != self.told);
        self.told = claim;
        self.waiting_since = now;
        new
    }

    /// How the game ended, if the opponent, who is waited for, could claim a draw, or the site gave it, and their move
    /// has not come within this time at least.
    pub fn no_reply(&self, game: &Game, patience: Duration, now: Timestamp) -> Option<End> {
        let claim = game.claimable()?;
        let waited = now.since(self.waiting_since);
        (waited >= patience.max(self.longest_reply * LONGER))
            .then_some(End::StoodStill(claim, Standstill::NoReply(waited.as_secs())))
    }
}

/// How the game ended, if a draw could be claimed and the board took our move by neither gesture.
pub(super) fn not_taken(game: &Game) -> Option<End> {
    let claim = game.claimable()?;
    Some(End::StoodStill(claim, Standstill::MoveNotTaken))
}
