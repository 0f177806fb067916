//! Games that end otherwise than on the board: resigned, aborted, drawn by agreement, lost on time. What such a page means by its words is not
//! read. But where the user showed the button of the next game, and it appears though it was not to be seen while the game was played, the game is over.

use super::super::game::{End, Standstill};
use super::{Machine, Order, Phase};
use torres_frame::Timestamp;

/// Since when the button is seen, without a break and on a board that stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Offered(Option<Timestamp>);

impl Offered {
    /// A look says whether it is shown.
    pub fn is(&mut self, shown: bool, now: Timestamp) {
        self.0 = shown.then(|| self.0.unwrap_or(now));
    }

    /// The board has news, or nobody looked: it has to be seen for its whole time again. The bot's last move may be on its way still.
    pub fn begin_again(&mut self, now: Timestamp) {
        self.0 = self.0.map(|_| now);
    }
}

impl Machine {
    /// Whether the page shows the button of the next game. Nothing is entered then.
    pub fn is_offered(&self) -> bool {
        self.offered.0.is_some()
    }

    /// How the game ended, if the button has been shown for its time: a draw where one could be claimed, as sites give it then.
    pub(super) fn ended_elsewhere(&self, now: Timestamp) -> Option<End> {
        let since = self.offered.0?;
        let end = match self.game.claimable() {
            Some(claim) => End::StoodStill(claim, Standstill::NextGame),
            None => End::Elsewhere,
        };
        (now.since(since) >= self.settings.patience.offered).then_some(end)
    }

    /// The position believed stands on the board, and the page shows the button: no gesture is made, none is made again.
    pub(super) fn stands_while_offered(&mut self, now: Timestamp, orders: &mut Vec<Order>) {
        let is_played = !matches!(self.phase, Phase::Acting(_) | Phase::Paused(_) | Phase::Over(_));
        if let Some(end) = self.ended_elsewhere(now).filter(|_| is_played) {
            self.finish(Some(end), now, orders);
        }
    }
}
