//! Draws that may be claimed. Sites differ: some end the game then, some want a claim. Torres plays on while the board lets it and says that a
//! draw may be claimed; where the board takes no further move, or none comes, the game is drawn, and its termination says which it was.

use super::super::game::{Claim, End, Standstill};
use super::{Fact, Machine, Order, Phase};
use std::time::Duration;
use torres_frame::Timestamp;

/// Their next move may take so many times as long as their longest so far.
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
    /// The opponent's move took so long.
    pub fn replied_in(&mut self, took: Duration) {
        self.longest_reply = self.longest_reply.max(took);
    }

    /// Nobody looked for so long.
    pub fn forgive(&mut self, away: Duration) {
        self.waiting_since = self.waiting_since + away;
    }
}

impl Machine {
    /// The next turn begins: says that a draw may be claimed, once for as long as it may.
    pub(super) fn tell_of_claim(&mut self, now: Timestamp, orders: &mut Vec<Order>) {
        let claim = self.game.claimable();
        if let Some(new) = claim.filter(|_| claim != self.draws.told) {
            orders.push(Order::Tell(Fact::DrawClaimable(new)));
        }
        self.draws.told = claim;
        self.draws.waiting_since = now;
    }

    /// How the game ended, if the opponent could claim a draw, or the site gave it, and their move has not come within patience.
    pub(super) fn no_reply(&self, now: Timestamp) -> Option<End> {
        let claim = self.game.claimable().filter(|_| self.phase == Phase::Waiting)?;
        let waited = now.since(self.draws.waiting_since);
        let patience = self.settings.patience.no_reply.max(self.draws.longest_reply * LONGER);
        (waited >= patience).then_some(End::StoodStill(claim, Standstill::NoReply(waited.as_secs())))
    }

    /// How the game ended, if a draw could be claimed and the board took our move by neither gesture.
    pub(super) fn not_taken(&self) -> Option<End> {
        let claim = self.game.claimable()?;
        Some(End::StoodStill(claim, Standstill::MoveNotTaken))
    }
}
