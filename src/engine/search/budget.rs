//! Node budget: the other way to spend a limit of nodes, as the thesis does it. Instead of searching the whole tree ever
//! deeper, a node gets a budget and spreads it over its moves: each child gets its share of what is left, and what it does
//! not use goes to the next. So forced lines, which use little, are followed far, and no iteration is left unfinished.

use super::super::tt::{Bound, Known};
use super::super::value::{INFINITE, MAX_PLY, Value, mated_in};
use super::super::{Position, SearchInfo};
use super::params::{BUDGET_MIN_PLIES, MOST_SPREAD, SPREAD_AGAIN};
use super::picker::{MovePicker, moved};
use super::root::Outcome;
use super::watch::Stopped;
use super::{Search, Window};

impl Search<'_> {
    /// Spreads so many nodes over the tree below the root.
    pub(super) fn spread(&mut self, position: &Position, nodes: u64, report: &mut dyn FnMut(SearchInfo)) -> Outcome {
        // A shallow search first: it gives an answer whatever happens, and orders the first moves.
        let limits = super::SearchLimits {
            depth: Some(BUDGET_MIN_PLIES as u32),
            ..super::SearchLimits::default()
        };
        let mut outcome = self.deepen(position, &limits, 1, super::Reporting::Silent);
        let mut budget = nodes.saturating_sub(self.watch.nodes());
        // Where moves refute early most shares come back unused: then all is spread again, more freely, in the order that
        // was learned.
        while self.watch.nodes() < nodes {
            let before = self.watch.nodes();
            let searched = self.spread_node(position, 0, budget, Window::FULL);
            let line = std::mem::take(&mut self.stack[0].pv);
            if !line.is_empty() {
                outcome.line = line;
            }
            let Ok(value) = searched else { break };
            outcome.value = value;
            let used = (self.watch.nodes() - before).max(1);
            let left = nodes.saturating_sub(self.watch.nodes());
            if left < used || budget > nodes.saturating_mul(MOST_SPREAD) {
                break;
            }
            budget = budget.saturating_mul(SPREAD_AGAIN);
        }
        outcome.depth = outcome.depth.max(outcome.line.len() as i32);
        report(self.info(&outcome, 1));
        outcome
    }

    /// The value of a position whose tree may have so many nodes; the minimum depth is kept whatever the budget.
    fn spread_node(&mut self, position: &Position, ply: usize, budget: u64, window: Window) -> Result<Value, Stopped> {
        if ply > 0 && self.is_draw(position, ply) {
            self.stack[ply].pv.clear();
            return Ok(self.draw(ply));
        }
        let legal = position.count_legal_moves();
        // With less than a node for each move nothing is left to spread.
        if ply >= BUDGET_MIN_PLIES && (budget <= legal && !position.in_check() || budget == 0) || ply >= MAX_PLY - 1 {
            return self.quiescence(position, ply, window);
        }
        self.watch.visit()?;
        self.stack[ply].pv.clear();
        self.selective_depth = self.selective_depth.max(ply);
        if legal == 0 {
            return Ok(if position.in_check() {
                mated_in(ply)
            } else {
                self.draw(ply)
            });
        }

        let known = self.table.probe(position.key(), ply);
        let mut picker = MovePicker::new(
            position,
            known.and_then(|known| known.mv),
            [None; 2],
            self.trail(ply),
            &self.memory.history,
            Default::default(),
        );
        let end = self.watch.nodes() + budget;
        let (mut window, asked) = (window, window);
        let (mut best, mut best_move, mut moves_left) = (-INFINITE, None, legal);
        while let Some(mv) = picker.next(position, &self.memory.history) {
            if ply == 0 && !self.root.is_wanted(mv) {
                continue;
            }
            let share = end.saturating_sub(self.watch.nodes()) / moves_left.max(1);
            moves_left = moves_left.saturating_sub(1);
            let next = position.play(mv);
            let value = self.descend(position, ply, Some(moved(position, mv)), |search| {
                Ok(-search.spread_node(&next, ply + 1, share, window.turned())?)
            })?;
            if value > best {
                best = value;
                if value > window.alpha {
                    best_move = Some(mv);
                    self.update_line(ply, mv);
                    if value >= window.beta {
                        break;
                    }
                    window.alpha = value;
                }
            }
        }
        let bound = match best {
            _ if best >= asked.beta => Bound::Lower,
            _ if best_move.is_some() => Bound::Exact,
            _ => Bound::Upper,
        };
        let facts = Known {
            mv: best_move,
            value: best,
            bound,
            // Only its move is of use to a search that counts in plies.
            depth: 0,
            eval: None,
        };
        self.table.store(position.key(), ply, facts);
        Ok(best)
    }
}
