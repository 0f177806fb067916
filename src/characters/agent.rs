//! Thesis 001's agent: a budget of nodes, divided equally among the root's moves and spread below each of them; every
//! root move is searched by itself, with the full window and a table of its own, by a thread.
//!
//! How a node shares its budget among its moves is [`torres_study::share`].

use crate::search::{FULL, Found, MAX_PLY, Search};
use crate::style::Style;
use crate::value::{INFINITE, Value, from_node, from_root};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use torres_engine::Position;
use torres_engine::{Game, Move, SearchLimits};
use torres_study::{Entry, Stopped, Watch, Window, share};

/// The whole tree's nodes, where no limit says something else.
const NODES: u64 = 22_500_000;
/// A clock may end the thinking at any time: then smaller trees go first, each four times as large as the one before.
const SMALLER_TREES: u32 = 6;
/// The least depth below a root move, in plies, that trees of so many nodes can afford; the thesis' own is the first.
const LEAST: [(u64, usize); 5] = [(20_000_000, 4), (500_000, 3), (20_000, 2), (2_000, 1), (0, 0)];

/// What the agent's search is asked for.
pub(crate) struct Question<'a> {
    pub(crate) game: &'a Game,
    pub(crate) roots: &'a [Move],
    pub(crate) limits: &'a SearchLimits,
    /// Threads that search root moves beside each other.
    pub(crate) threads: usize,
    /// Of all tables together.
    pub(crate) hash_mib: usize,
}

/// The limits that hold for the agent's [`Watch`]: its nodes are a budget.
pub(crate) fn without_nodes(limits: &SearchLimits) -> SearchLimits {
    SearchLimits {
        nodes: None,
        ..limits.clone()
    }
}

/// The best move and the nodes visited; `None` when there is no move.
pub(crate) fn think(question: &Question, watch: &Watch) -> Option<(Found, u64)> {
    let mut found = Found {
        best: *question.roots.first()?,
        value: 0,
        depth: 0,
    };
    let mut visited = 0;
    // A single move needs no thought.
    if question.roots.len() == 1 {
        return Some((found, visited));
    }
    let limits = question.limits;
    let is_timed = limits.move_time.is_some() || limits.white.is_some() || limits.black.is_some();
    let most = limits.nodes.filter(|_| !limits.infinite).unwrap_or(NODES);
    let smaller = if is_timed || limits.infinite { SMALLER_TREES } else { 0 };
    for round in (0..=smaller).rev() {
        let budget = most >> (2 * round);
        let (answer, nodes) = search_all(question, watch, budget);
        visited += nodes;
        let Some(answer) = answer else { break };
        found = answer;
        watch.answer_is_ready();
    }
    Some((found, visited))
}

/// Searches each root move; nothing is found where one of them was not finished.
fn search_all(question: &Question, watch: &Watch, budget: u64) -> (Option<Found>, u64) {
    let roots = question.roots;
    let least = LEAST
        .iter()
        .find(|(nodes, _)| budget >= *nodes)
        .map_or(0, |&(_, least)| least);
    let most_plies = question
        .limits
        .depth
        .map_or(MAX_PLY, |depth| (depth.max(1) as usize).min(MAX_PLY));
    let (next, values) = (AtomicUsize::new(0), Mutex::new(vec![None; roots.len()]));
    let worker = || {
        let mut visited = 0;
        while let Some((index, &mv)) = Some(next.fetch_add(1, Relaxed)).and_then(|at| Some((at, roots.get(at)?))) {
            let mut search = Search::new(Style::AGENT, question.game, question.hash_mib / question.threads, watch);
            let tree = Tree { least, most_plies };
            let child = question.game.position().play(mv);
            let value = search.spread(&child, 1, budget / roots.len() as u64, tree, FULL);
            visited += search.nodes;
            // The values are whole whatever a panicking holder did.
            values.lock().unwrap_or_else(PoisonError::into_inner)[index] = value.ok().map(|value: Value| -value);
        }
        visited
    };
    let visited = thread::scope(|scope| {
        let helpers: Vec<_> = (1..question.threads).map(|_| scope.spawn(worker)).collect();
        worker() + helpers.into_iter().filter_map(|helper| helper.join().ok()).sum::<u64>()
    });
    let values = values.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut best: Option<Found> = None;
    for (&mv, value) in roots.iter().zip(values) {
        let Some(value) = value else {
            return (None, visited);
        };
        if best.is_none_or(|best| value > best.value) {
            best = Some(Found {
                best: mv,
                value,
                depth: least as u32 + 1,
            });
        }
    }
    (best, visited)
}

/// What bounds a tree beside its budget, in plies.
#[derive(Clone, Copy)]
struct Tree {
    /// Searched whatever the budget, counted from a root move's position.
    least: usize,
    /// Not searched beyond, counted from the root.
    most_plies: usize,
}

impl Search<'_> {
    /// The value of a position whose tree may have so many nodes, itself included; a bound where it lies outside the
    /// window.
    fn spread(
        &mut self,
        position: &Position,
        ply: usize,
        budget: u64,
        tree: Tree,
        mut window: Window,
    ) -> Result<Value, Stopped> {
        self.count()?;
        if let Some(value) = self.end(position, ply) {
            return Ok(value);
        }
        let left = budget.saturating_sub(1);
        if left == 0 && ply > tree.least || ply >= tree.most_plies {
            return Ok(self.style.evaluation.value(position));
        }
        // Found nearer the root, it was searched with more.
        if let Some(known) = self.table.get(&position.key())
            && known.depth <= ply as i32
        {
            let value = from_root(known.value, ply);
            if window.is_settled_by(value, known.bound) {
                return Ok(value);
            }
        }
        let mut moves = position.legal_moves();
        self.sort(position, &mut moves);
        let (asked, end) = (window, self.nodes + left);
        let mut best = -INFINITE;
        self.keys.push(position.key());
        for (index, &mv) in moves.iter().enumerate() {
            let part = share(end.saturating_sub(self.nodes), moves.len() - index - 1);
            let value = self.spread(&position.play(mv), ply + 1, part, tree, window.turned());
            let Ok(value) = value.map(|value| -value) else {
                self.keys.pop();
                return Err(Stopped);
            };
            best = best.max(value);
            window.alpha = window.alpha.max(value);
            if window.alpha >= window.beta {
                break;
            }
        }
        self.keys.pop();
        self.store(Entry {
            key: position.key(),
            best: None,
            value: from_node(best, ply),
            bound: asked.bound_of(best),
            depth: ply as i32,
        });
        Ok(best)
    }
}
