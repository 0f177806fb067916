//! Some pages draw what lies under the pointer otherwise: they light its square, or the button of a notice. What is not
//! understood may lie under it. So the pointer is taken off the board then, and the board is looked at again; where
//! that helped, it is taken off after each gesture.

use super::PauseReason;
use std::time::Duration;
use torres_frame::Timestamp;

/// What is understood so soon after the pointer went off the board may be understood because it went: time for the page
/// to draw, and for a picture that must stand before it is believed.
const HELPED_WITHIN: Duration = Duration::from_secs(1);

/// Where the pointer is, as far as this matters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Aside {
    /// It was taken off the board, or was not there, and no gesture was made since.
    is_off: bool,
    /// When it was taken off since the board is not understood.
    taken: Option<Timestamp>,
    /// Only the square where it lay has changed since.
    changed_there: bool,
}

impl Aside {
    /// What is seen has not been understood since then, and something may lie under the pointer, for all that is known:
    /// whether it is to be taken off the board now.
    pub fn is_worth_trying(
        &mut self,
        (since, reason): (Timestamp, &PauseReason),
        patience: Duration,
        now: Timestamp,
    ) -> bool {
        let is_read = matches!(reason, PauseReason::BoardMoves | PauseReason::Opponent(_));
        let tries = now.since(since) >= patience && !is_read && !self.is_off;
        self.is_off |= tries;
        tries
    }

    /// The pointer was to be taken off the board, while what is seen was not understood or was; whether it was there to
    /// be taken.
    pub fn taken(&mut self, moved: bool, is_strange: bool, now: Timestamp) {
        *self = Aside {
            is_off: true,
            taken: (moved && is_strange).then_some(now),
            changed_there: false,
        };
    }

    /// Whether only the square where the pointer lay has changed since it was taken off the board.
    pub fn changed(&mut self, there_alone: bool) {
        self.changed_there = there_alone;
    }

    /// What is seen is understood: whether that is because the pointer has just gone. Where another square has changed
    /// too, a piece was on its way, as on a busy machine.
    pub fn helped(&mut self, now: Timestamp) -> bool {
        let taken = self.taken.take();
        self.changed_there && taken.is_some_and(|taken| now.since(taken) <= HELPED_WITHIN)
    }
}
