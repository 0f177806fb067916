//! Games that end otherwise than on the board: resigned, aborted, drawn by agreement, lost on time. What such a page
//! means by its words is not read. But where the user showed the button of the next game, and it appears though it was
//! not to be seen while the game was played, the game is over.

use crate::game::{End, Game, Standstill};
use std::time::Duration;
use torres_frame::Timestamp;

/// Since when the button is seen, without a break and on a board that stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Offered(Option<Timestamp>);

impl Offered {
    /// A look says whether it is shown.
    pub fn is(&mut self, shown: bool, now: Timestamp) {
        self.0 = shown.then(|| self.0.unwrap_or(now));
    }

    /// The board has news, or nobody looked: it has to be seen for its whole time again. The bot's last move may be on
    /// its way still.
    pub fn begin_again(&mut self, now: Timestamp) {
        self.0 = self.0.map(|_| now);
    }

    /// Whether it is shown. Nothing is entered then.
    pub fn is_shown(&self) -> bool {
        self.0.is_some()
    }

    /// How the game ended, if the button has been shown for so long: a draw where one could be claimed, as sites give
    /// it then.
    pub fn ended(&self, game: &Game, patience: Duration, now: Timestamp) -> Option<End> {
        let end = match game.claimable() {
            Some(claim) => End::StoodStill(claim, Standstill::NextGame),
            None => End::Elsewhere,
        };
        (now.since(self.0?) >= patience).then_some(end)
    }
}
