//! Our own move, from the gesture to the proof: the piece of a promotion, and the second try. The verdict follows the table
//! *Verification* of `docs/design.md`.

use super::super::dialog::Offer;
use super::super::gesture::{endpoints, idle_square};
use super::{Aim, Attempt, Fact, Machine, Order, PauseReason, Phase, Standing};
use crate::frame::Timestamp;
use shakmaty::{Move, Square};

/// An attempt that the board's moving broke off so often is given up.
const MAX_WITHDRAWN: u8 = 10;

impl Machine {
    /// The promotion whose dialog must be open before the piece is chosen. It may be open already where a gesture is meant only: another run, or
    /// the one before a pause, was stopped in it.
    pub fn awaited_dialog(&self) -> Option<Square> {
        match &self.phase {
            Phase::Verifying { attempt, .. }
            | Phase::Poised(Aim::Enter { attempt, .. } | Aim::Choose { attempt, .. }, _) => {
                let waits = attempt.played.promotion().is_some() && !attempt.chosen;
                waits.then(|| attempt.played.to())
            }
            _ => None,
        }
    }

    /// The move that was made by our gesture, as long as it is not seen for certain.
    pub fn entered(&self) -> Option<Move> {
        match &self.phase {
            Phase::Verifying { attempt, .. } => Some(attempt.played),
            _ => None,
        }
    }

    pub(super) fn enter(&mut self, attempt: Attempt, now: Timestamp, orders: &mut Vec<Order>) {
        match endpoints(self.game.position(), attempt.played) {
            Some((from, to)) => self.poise(Aim::Enter { attempt, from, to }, now),
            None => {
                let reason = PauseReason::Gesture("such a move has no origin".to_owned());
                self.pause(reason, now, orders);
            }
        }
    }

    /// The dialog is open: the piece is chosen in it.
    pub(super) fn choose(&mut self, offer: Offer, now: Timestamp) {
        let (Phase::Verifying { attempt, .. }
        | Phase::Poised(Aim::Enter { attempt, .. } | Aim::Choose { attempt, .. }, _)) = self.phase
        else {
            return;
        };
        let offered = attempt
            .played
            .promotion()
            .and_then(|role| offer.square(attempt.played.to(), role));
        let Some(square) = offered.filter(|_| !attempt.chosen) else {
            return;
        };
        let aim = Aim::Choose { attempt, square };
        if self.aim() != Some(aim) {
            self.poise(aim, now);
        }
    }

    pub(super) fn performed(&mut self, released: Timestamp) {
        match self.phase {
            Phase::Acting(Aim::Enter { attempt, .. }) => self.verify(attempt, released),
            Phase::Acting(Aim::Choose { attempt, .. }) => self.verify(
                Attempt {
                    chosen: true,
                    ..attempt
                },
                released,
            ),
            Phase::Acting(Aim::Deselect { next, .. }) => self.await_deselected(next),
            _ => {}
        }
    }

    /// Looks for what became of the gesture.
    pub(super) fn verify(&mut self, attempt: Attempt, released: Timestamp) {
        self.phase = Phase::Verifying {
            attempt,
            released,
            standing: Standing::default(),
        };
    }

    /// The board moved during the gesture, and the piece was put back. It may be selected now.
    pub(super) fn withdrawn(&mut self, now: Timestamp, orders: &mut Vec<Order>) {
        let Phase::Acting(Aim::Enter { attempt, .. }) = self.phase else {
            return;
        };
        if attempt.withdrawn >= MAX_WITHDRAWN {
            return self.pause(PauseReason::BoardMoves, now, orders);
        }
        orders.push(Order::Tell(Fact::Withdrawn(attempt)));
        let again = Attempt {
            withdrawn: attempt.withdrawn + 1,
            ..attempt
        };
        self.deselect(again, again, now);
    }

    /// The position from before our move stands on the board though the gesture is done.
    pub(super) fn stands_after_gesture(&mut self, now: Timestamp, orders: &mut Vec<Order>) {
        let patience = self.settings.patience;
        match &mut self.phase {
            Phase::Verifying { attempt, standing, .. } => {
                let made = *attempt;
                if standing.seen(now) >= patience.not_landed {
                    self.not_landed(made, now, orders);
                }
            }
            Phase::Deselected { next, standing } => {
                let next = *next;
                if standing.seen(now) >= patience.deselected {
                    self.enter(next, now, orders);
                }
            }
            _ => {}
        }
    }

    fn not_landed(&mut self, attempt: Attempt, now: Timestamp, orders: &mut Vec<Order>) {
        if attempt.number >= 2 {
            if let Some(end) = self.not_taken() {
                return self.finish(Some(end), now, orders);
            }
            return self.pause(PauseReason::NotLanded, now, orders);
        }
        orders.push(Order::Tell(Fact::NotLanded(attempt)));
        self.deselect(attempt, attempt.next(), now);
    }

    /// Drops what the attempt that was made may have left selected; the next one follows.
    fn deselect(&mut self, made: Attempt, next: Attempt, now: Timestamp) {
        match idle_square(self.game.position()) {
            Some(square) => self.poise(Aim::Deselect { made, next, square }, now),
            // A board without such a square: the next gesture begins on the same piece anyway.
            None => self.await_deselected(next),
        }
    }

    fn await_deselected(&mut self, next: Attempt) {
        self.phase = Phase::Deselected {
            next,
            standing: Standing::default(),
        };
    }
}
