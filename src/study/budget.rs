//! Node budget: the other way to spend a limit of nodes. Instead of searching the whole tree ever deeper, a node gets a
//! budget and spreads it over its moves: each child gets its share of what is left, and what it does not use goes to
//! the next. So forced lines, which use little, are followed far, and no iteration is left unfinished.

use super::search::{FULL, INFINITE, MAX_PLY, Outcome, Search, Stopped};
use super::table::Table;
use super::window::Window;
use torres_engine::Position;

/// Plies from the root that are searched whatever the budget.
const LEAST_PLIES: usize = 2;
/// What is left unused is spread again as if it were this many times as much.
const SPREAD_AGAIN: u64 = 4;
/// The most times as much, about, as which it is spread.
const MOST_SPREAD: u64 = 1 << 20;

/// A move's part of the nodes that are left, when `after` moves come after it. What it does not use stays for those.
pub fn share(left: u64, after: usize) -> u64 {
    left / (after as u64 + 1)
}

impl<T: Table> Search<'_, T> {
    /// Spreads `nodes` over the tree below the root.
    pub(super) fn spread(&mut self, position: &Position, nodes: u64) -> Outcome {
        // A shallow search first: it gives an answer whatever happens, and orders the first moves.
        let mut outcome = self.deepen(position, LEAST_PLIES as u32);
        let mut budget = nodes.saturating_sub(self.nodes);
        // Where moves refute early most shares come back unused: then all is spread again, more freely, in the order
        // that was learned.
        while self.nodes < nodes {
            let before = self.nodes;
            let value = self.spread_node(position, 0, budget, FULL);
            let line = self.take_line();
            if !line.is_empty() {
                outcome.line = line;
            }
            let Ok(value) = value else { break };
            outcome.value = value;
            let used = (self.nodes - before).max(1);
            if nodes.saturating_sub(self.nodes) < used || budget > nodes.saturating_mul(MOST_SPREAD) {
                break;
            }
            budget = budget.saturating_mul(SPREAD_AGAIN);
        }
        outcome.depth = outcome.depth.max(outcome.line.len() as u32);
        outcome
    }

    /// The value of a position whose tree may have `budget` nodes; the least depth is kept whatever the budget.
    fn spread_node(&mut self, position: &Position, ply: usize, budget: u64, window: Window) -> Result<i32, Stopped> {
        let moves = position.count_legal_moves();
        // With less than a node for each move nothing is left to spread.
        if ply >= LEAST_PLIES && (budget <= moves && !position.in_check() || budget == 0) || ply >= MAX_PLY - 1 {
            return self.quiescence(position, ply, window);
        }
        if let Some(value) = self.enter(position, ply)? {
            return Ok(value);
        }
        let moves = self.ordered(position, ply, self.known_move(position));
        let end = self.nodes + budget;
        let found = self.best_of(
            position,
            ply,
            &moves,
            -INFINITE,
            window,
            |search, next, window, after| {
                let share = share(end.saturating_sub(search.nodes), after);
                search.spread_node(next, ply + 1, share, window)
            },
        )?;
        // Only its move is of use to a search that counts in plies.
        self.remember(position, ply, 0, found, window);
        Ok(found.0)
    }
}
