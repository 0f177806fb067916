//! Some pages draw what lies under the pointer otherwise: they light its square, or the button of a notice. What is not understood may lie under it. So
//! the pointer is taken off the board then, and the board is looked at again; where that helped, it is taken off after each gesture.

use super::{Fact, Machine, Order, PauseReason};
use std::time::Duration;
use torres_frame::Timestamp;

/// What is understood so soon after the pointer went off the board is understood because it went: time for the page to draw, and for a picture that must
/// stand before it is believed.
const HELPED_WITHIN: Duration = Duration::from_secs(1);

/// Where the pointer is, as far as this matters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Aside {
    /// It was taken off the board, or was not there, and no gesture was made since.
    is_off: bool,
    /// When it was taken off since the board is not understood.
    taken: Option<Timestamp>,
}

impl Machine {
    /// The pointer may lie over the board: the game begins, or a gesture was made.
    pub(super) fn touched_board(&mut self, orders: &mut Vec<Order>) {
        self.aside = Aside::default();
        if self.habits.hand().aside && !self.settings.hands_off {
            orders.push(Order::TakeAside);
        }
    }

    /// What is seen has not been understood since then, for this reason. It may lie under the pointer.
    pub(super) fn may_lie_under_pointer(
        &mut self,
        (since, reason): (Timestamp, &PauseReason),
        now: Timestamp,
        orders: &mut Vec<Order>,
    ) {
        let is_read = matches!(reason, PauseReason::BoardMoves | PauseReason::Opponent(_));
        let is_due = now.since(since) >= self.settings.patience.aside;
        if is_due && !is_read && !self.aside.is_off && !self.settings.hands_off {
            self.aside.is_off = true;
            orders.push(Order::TakeAside);
        }
    }

    /// The pointer was to be taken off the board; whether it was.
    pub(super) fn taken_aside(&mut self, moved: bool, now: Timestamp) {
        let is_strange = self.strange.is_some();
        self.aside = Aside {
            is_off: true,
            taken: (moved && is_strange).then_some(now),
        };
    }

    /// What is seen is understood.
    pub(super) fn understood(&mut self, now: Timestamp, orders: &mut Vec<Order>) {
        self.strange = None;
        let helped = self.aside.taken.take();
        if helped.is_some_and(|taken| now.since(taken) <= HELPED_WITHIN) {
            let lesson = self.habits.cleared_by_going_aside();
            orders.extend(lesson.map(|lesson| Order::Tell(Fact::Learned(lesson))));
        }
    }
}
