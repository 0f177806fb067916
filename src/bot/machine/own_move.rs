//! Our own move, from the order to the proof: the gesture, the piece of a promotion, and the second try. The verdict follows the table
//! *Verification* of `docs/design.md`.

use super::super::dialog::Offer;
use super::super::game::fen;
use super::super::gesture::{deselecting_square, endpoints};
use super::{Attempt, Fact, Machine, Order, PauseReason, Phase, Purpose};
use crate::frame::Timestamp;
use crate::vision::Reading;
use shakmaty::uci::UciMove;
use shakmaty::{Move, Position, Square};

impl Machine {
    /// The promotion whose dialog must be open before the piece is chosen.
    pub fn awaited_dialog(&self) -> Option<Square> {
        match &self.phase {
            Phase::Verifying { attempt, .. } if attempt.played.promotion().is_some() && !attempt.chosen => {
                Some(attempt.played.to())
            }
            _ => None,
        }
    }

    /// Puts the move that was ordered in place of another one in a line, where both lines end in the same position: a
    /// pawn's piece that was captured at once leaves no trace of which it was.
    pub fn prefer_ordered(&self, line: &mut Vec<Move>) {
        let Phase::Verifying { attempt, .. } = &self.phase else {
            return;
        };
        let (mut seen, mut meant) = (self.game.position().clone(), self.game.position().clone());
        let mut ordered = Vec::new();
        for (index, &played) in line.iter().enumerate() {
            let instead = match index {
                0 => Ok(attempt.played),
                // The same squares; what is captured there may be another piece.
                _ => UciMove::from_standard(played).to_move(&meant),
            };
            let Ok(instead) = instead else { return };
            seen.play_unchecked(played);
            meant.play_unchecked(instead);
            ordered.push(instead);
        }
        if fen(&seen) == fen(&meant) {
            *line = ordered;
        }
    }

    pub(super) fn enter(&mut self, attempt: Attempt, now: Timestamp, orders: &mut Vec<Order>) {
        let Some((from, to)) = endpoints(self.game.position(), attempt.played) else {
            return self.pause(
                PauseReason::Gesture("such a move has no origin".to_owned()),
                now,
                orders,
            );
        };
        self.phase = Phase::Acting(attempt, Purpose::Move);
        orders.push(Order::Enter {
            from,
            to,
            manner: attempt.manner,
            number: attempt.number,
        });
    }

    /// The last look before a gesture showed another position than the one it was meant for: the game goes on from there.
    pub(super) fn overtaken(&mut self, reading: &Reading, now: Timestamp, orders: &mut Vec<Order>) {
        self.phase = match self.phase {
            Phase::Advised(_) | Phase::Acting(Attempt { number: 1, .. }, Purpose::Move) => Phase::Waiting,
            // A gesture was made before; what is seen now may be its late effect.
            Phase::Acting(attempt, _) => Phase::Verifying {
                attempt,
                released: now,
                standing: None,
            },
            _ => return,
        };
        self.saw(reading, now, orders);
        if self.phase == Phase::Waiting {
            self.next_turn(now, orders);
        }
    }

    pub(super) fn choose(&mut self, offer: Offer, orders: &mut Vec<Order>) {
        let Phase::Verifying { attempt, .. } = self.phase else {
            return;
        };
        let choice = attempt
            .played
            .promotion()
            .and_then(|role| offer.square(attempt.played.to(), role));
        if let (Some(square), false) = (choice, attempt.chosen) {
            self.phase = Phase::Acting(
                Attempt {
                    chosen: true,
                    ..attempt
                },
                Purpose::Choice,
            );
            orders.push(Order::Click(square, Purpose::Choice));
        }
    }

    pub(super) fn performed(&mut self, released: Timestamp) {
        self.phase = match self.phase.clone() {
            Phase::Acting(attempt, Purpose::Move | Purpose::Choice) => Phase::Verifying {
                attempt,
                released,
                standing: None,
            },
            Phase::Acting(attempt, Purpose::Deselect) => Phase::Deselected {
                attempt,
                standing: None,
            },
            other => other,
        };
    }

    /// The position from before our move stands on the board though the gesture is done.
    pub(super) fn stands_after_gesture(&mut self, now: Timestamp, orders: &mut Vec<Order>) {
        let patience = self.settings.patience;
        match self.phase.clone() {
            Phase::Verifying {
                attempt,
                released,
                standing,
            } => {
                let since = standing.unwrap_or(now);
                if now.since(since) < patience.not_landed {
                    self.phase = Phase::Verifying {
                        attempt,
                        released,
                        standing: Some(since),
                    };
                } else {
                    self.not_landed(attempt, now, orders);
                }
            }
            Phase::Deselected { attempt, standing } => {
                let since = standing.unwrap_or(now);
                if now.since(since) < patience.deselected {
                    self.phase = Phase::Deselected {
                        attempt,
                        standing: Some(since),
                    };
                } else {
                    let again = Attempt {
                        manner: attempt.manner.other(),
                        number: attempt.number + 1,
                        chosen: false,
                        ..attempt
                    };
                    self.enter(again, now, orders);
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
        match deselecting_square(self.game.position()) {
            Some(square) => {
                self.phase = Phase::Acting(attempt, Purpose::Deselect);
                orders.push(Order::Click(square, Purpose::Deselect));
            }
            // A board without such a square: the second gesture begins on the same piece anyway.
            None => {
                self.phase = Phase::Deselected {
                    attempt,
                    standing: None,
                }
            }
        }
    }
}
