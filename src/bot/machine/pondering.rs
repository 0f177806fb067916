//! Thinking on the opponent's time: what to ponder on, and what becomes of it. Whatever such a search says is of no use
//! before the expected move is part of the game; until then the phase is [`Phase::Waiting`], in which no answer is
//! taken.

use super::{Fact, Machine, Order, Phase};
use shakmaty::Move;
use torres_chess::{parse_move, uci};
use torres_frame::Timestamp;
use torres_journal::PonderEnd;
use torres_link::messages::{BestMove, Go};

/// A search on the opponent's time.
#[derive(Clone, Debug, PartialEq)]
pub struct Pondering {
    /// The `go`'s id.
    pub id: u64,
    /// What the opponent is expected to play.
    pub reply: Move,
    /// The game's moves with it, UCI.
    moves: Vec<String>,
    since: Timestamp,
}

/// What the engine expects after the move that it gave last.
#[derive(Clone, Debug)]
pub(super) struct Expectation {
    /// The game's moves with ours, UCI.
    moves: Vec<String>,
    /// UCI.
    reply: String,
}

impl Machine {
    /// What is thought about on the opponent's time, if anything is.
    pub fn pondering(&self) -> Option<&Pondering> {
        self.pondering.as_ref()
    }

    /// Remembers what the engine expects after the move of its answer.
    pub(super) fn expect(&mut self, played: Move, answer: &BestMove) {
        self.expected = answer.ponder.as_ref().filter(|_| self.settings.ponder).map(|reply| {
            let mut moves = self.game.uci_moves();
            moves.push(uci(played));
            let reply = reply.clone();
            Expectation { moves, reply }
        });
    }

    /// The opponent is to move. Where our move before is the engine's, it thinks about the reply that it expects.
    pub(super) fn await_opponent(&mut self, now: Timestamp, orders: &mut Vec<Order>) {
        self.phase = Phase::Waiting;
        self.drop_pondering(PonderEnd::Dropped, now, orders);
        let Some((go, reply)) = self.question_to_ponder(now) else {
            return;
        };
        self.next_id += 1;
        self.pondering = Some(Pondering {
            id: go.id,
            reply,
            moves: go.moves.clone(),
            since: now,
        });
        orders.push(Order::Ponder(go));
    }

    fn question_to_ponder(&self, now: Timestamp) -> Option<(Go, Move)> {
        let expected = self.expected.as_ref()?;
        if expected.moves != self.game.uci_moves() {
            return None;
        }
        let reply = parse_move(&expected.reply, self.game.position()).ok()?;
        let mut after = self.game.clone();
        after.play(reply).ok()?;
        // Where the game would be over, there is nothing to think about.
        if after.end().is_some() || self.settings.plies.is_some_and(|plies| after.plies() >= plies) {
            return None;
        }
        let question = self.question(after.uci_moves(), now);
        Some((
            Go {
                ponder: true,
                ..question
            },
            reply,
        ))
    }

    /// We are to move: whether that very game was pondered on, so that its search goes on as our thought. Another
    /// search is dropped.
    pub(super) fn was_pondered(&mut self, now: Timestamp, orders: &mut Vec<Order>) -> bool {
        let Some(pondering) = self.pondering.take_if(|it| it.moves == self.game.uci_moves()) else {
            self.drop_pondering(PonderEnd::Miss, now, orders);
            return false;
        };
        self.asked += 1;
        self.phase = Phase::Thinking { id: pondering.id };
        orders.push(Order::Tell(pondering.ended(PonderEnd::Hit, now)));
        orders.push(Order::PonderHit(pondering.id));
        true
    }

    fn drop_pondering(&mut self, end: PonderEnd, now: Timestamp, orders: &mut Vec<Order>) {
        if let Some(pondering) = self.pondering.take() {
            orders.push(Order::Tell(pondering.ended(end, now)));
            orders.push(Order::StopThinking);
        }
    }

    /// Drops whatever the engine is thinking about.
    pub(super) fn drop_thought(&mut self, now: Timestamp, orders: &mut Vec<Order>) {
        if matches!(self.phase, Phase::Thinking { .. }) {
            orders.push(Order::StopThinking);
        }
        self.drop_pondering(PonderEnd::Dropped, now, orders);
    }
}

impl Pondering {
    fn ended(&self, end: PonderEnd, now: Timestamp) -> Fact {
        Fact::Pondered {
            id: self.id,
            expected: self.reply,
            end,
            took: now.since(self.since),
        }
    }
}
