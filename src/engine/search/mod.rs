//! The search: iterative deepening around a principal variation search, and the [`Engine`] that remembers between
//! searches.
//!
//! [`node`] is alpha-beta with its steps, [`quiescence`] its continuation at the leaves, [`picker`] and [`history`]
//! order the moves, [`watch`] says when to stop, and every number is in [`params`].

mod history;
mod node;
mod params;
mod picker;
mod quiescence;
mod watch;

use super::tt::TranspositionTable;
use super::value::{DRAW, INFINITE, MATE, MAX_PLY, Value, is_mate, mated_in, to_score};
use super::{Game, Move, Position, SearchControl, SearchInfo, SearchLimits, SearchResult};
use history::{History, PieceTo, Trail};
use params::{ASPIRATION_DEPTH, ASPIRATION_WIDEST, ASPIRATION_WIDTH, MAX_DEPTH};
use picker::Lists;
use watch::{Stopped, Watch};

/// The search and what it remembers from move to move.
pub struct Engine {
    table: TranspositionTable,
    history: History,
    reductions: node::Reductions,
}

impl Engine {
    /// An engine with a transposition table of so many MiB (at least 1, at most 32 GiB).
    pub fn new(hash_mib: usize) -> Engine {
        Engine {
            table: TranspositionTable::new(hash_mib),
            history: History::new(),
            reductions: node::Reductions::new(),
        }
    }

    /// The largest transposition table, in MiB.
    pub const MAX_HASH_MIB: usize = TranspositionTable::MAX_MIB;

    /// Replaces the transposition table by an empty one of so many MiB.
    pub fn resize_hash(&mut self, hash_mib: usize) {
        // The old one goes first, so that both need not fit.
        self.table = TranspositionTable::new(1);
        self.table = TranspositionTable::new(hash_mib);
    }

    /// Forgets what was learned of the last game.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.history.clear();
    }

    /// Thinks until a limit is reached or `control` says stop; `report` hears of each completed iteration.
    ///
    /// Blocks its thread; another one holds a clone of `control`. With limits of depth or nodes only, the answer depends
    /// on nothing but the game and what the engine has searched since [`new_game`](Engine::new_game).
    pub fn search(
        &mut self,
        game: &Game,
        limits: &SearchLimits,
        control: &SearchControl,
        report: &mut dyn FnMut(SearchInfo),
    ) -> SearchResult {
        self.table.age();
        self.history.forget_killers();
        let mut search = Search {
            table: &mut self.table,
            history: &mut self.history,
            reductions: &self.reductions,
            watch: Watch::new(limits, game.position().turn(), control),
            keys: game.earlier_keys().to_vec(),
            stack: (0..=MAX_PLY).map(|_| Frame::default()).collect(),
            spare_lists: Vec::new(),
            selective_depth: 0,
        };
        let result = search.deepen(game.position(), limits, report);
        wait_for_leave(limits, control);
        result
    }
}

/// Nothing is answered before an endless search is stopped, or a pondering one has its answer asked for.
fn wait_for_leave(limits: &SearchLimits, control: &SearchControl) {
    let timed = limits.white.is_some() || limits.black.is_some() || limits.move_time.is_some();
    let bounded = timed || limits.depth.is_some() || limits.nodes.is_some();
    if limits.infinite || !bounded {
        control.wait_for_stop();
    } else if limits.ponder {
        control.wait_for_stop_or_hit();
    }
}

/// One search.
struct Search<'a> {
    table: &'a mut TranspositionTable,
    history: &'a mut History,
    reductions: &'a node::Reductions,
    watch: Watch<'a>,
    /// Keys of all positions before the present one that may be repeated: the game's, then the line's.
    keys: Vec<u64>,
    stack: Vec<Frame>,
    spare_lists: Vec<Lists>,
    selective_depth: usize,
}

/// What a node's relatives want to know of it.
#[derive(Default)]
struct Frame {
    /// The best line found from here.
    pv: Vec<Move>,
    /// Static evaluation; `None` in check.
    eval: Option<Value>,
    /// The move being searched; `None` for a pass.
    moved: Option<PieceTo>,
    /// Quiet moves searched before it.
    quiets: Vec<(Move, PieceTo)>,
}

/// The values of interest: above `alpha`, below `beta`.
#[derive(Clone, Copy, Debug)]
struct Window {
    alpha: Value,
    beta: Value,
}

impl Window {
    const FULL: Window = Window {
        alpha: -INFINITE,
        beta: INFINITE,
    };

    /// The narrowest: is it above alpha or not?
    fn null(alpha: Value) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    fn around(value: Value, below: Value, above: Value) -> Window {
        let edge = |width: Value| if width > ASPIRATION_WIDEST { INFINITE } else { width };
        Window {
            alpha: (value - edge(below)).max(-INFINITE),
            beta: (value + edge(above)).min(INFINITE),
        }
    }

    /// Whether there is a value inside: a node of the principal variation.
    fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }

    /// As the other side sees it.
    fn turned(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

impl Search<'_> {
    /// Iterative deepening: each iteration searches one ply deeper, with what the ones before have learned.
    fn deepen(
        &mut self,
        position: &Position,
        limits: &SearchLimits,
        report: &mut dyn FnMut(SearchInfo),
    ) -> SearchResult {
        let legal = position.legal_moves();
        let Some(&first) = legal.first() else {
            return self.no_move(position);
        };
        let most = limits
            .depth
            .filter(|_| !limits.infinite)
            .map_or(MAX_DEPTH, |depth| depth.clamp(1, 100) as i32);
        let (mut line, mut value, mut completed) = (vec![first], DRAW, 0);
        let mut stable_iterations = 0;
        for depth in 1..=most {
            let searched = self.aspire(position, depth, value);
            let new_line = std::mem::take(&mut self.stack[0].pv);
            let Ok(new_value) = searched else {
                // What an unfinished iteration has found better than the finished one's move is better.
                if !new_line.is_empty() {
                    line = new_line;
                }
                break;
            };
            stable_iterations = if new_line.first() == line.first() {
                stable_iterations + 1
            } else {
                0
            };
            let fall = if depth > 1 { value - new_value } else { 0 };
            (line, value, completed) = (new_line, new_value, depth);
            self.watch.answer_is_ready();
            report(self.info(depth, value, &line));
            if self.watch.is_enough(stable_iterations, fall, legal.len() == 1) || self.is_settled(depth, value) {
                break;
            }
        }
        let best = line.first().copied().unwrap_or(first);
        SearchResult {
            best: Some(best),
            ponder: line
                .get(1)
                .copied()
                .or_else(|| self.expected_reply(&position.play(best))),
            score: to_score(value),
            depth: completed as u32,
            nodes: self.watch.nodes(),
        }
    }

    /// Searches in a narrow window around the value of the iteration before, wider until the value lies inside.
    fn aspire(&mut self, position: &Position, depth: i32, expected: Value) -> Result<Value, Stopped> {
        self.selective_depth = 0;
        if depth < ASPIRATION_DEPTH {
            return self.search_node(position, 0, depth, Window::FULL);
        }
        let (mut below, mut above) = (ASPIRATION_WIDTH, ASPIRATION_WIDTH);
        loop {
            let window = Window::around(expected, below, above);
            let value = self.search_node(position, 0, depth, window)?;
            if value <= window.alpha {
                below *= 3;
            } else if value >= window.beta {
                above *= 3;
            } else {
                return Ok(value);
            }
        }
    }

    fn info(&self, depth: i32, value: Value, line: &[Move]) -> SearchInfo {
        SearchInfo {
            depth: depth as u32,
            selective_depth: self.selective_depth as u32,
            score: to_score(value),
            nodes: self.watch.nodes(),
            time: self.watch.elapsed(),
            hash_full: self.table.full(),
            pv: line.to_vec(),
        }
    }

    /// A mate that was searched twice as deep as it is long is not worth the clock's time.
    fn is_settled(&self, depth: i32, value: Value) -> bool {
        self.watch.is_timed() && is_mate(value) && depth > 2 * (MATE - value.abs())
    }

    fn no_move(&self, position: &Position) -> SearchResult {
        let value = if position.in_check() { mated_in(0) } else { DRAW };
        SearchResult {
            best: None,
            ponder: None,
            score: to_score(value),
            depth: 0,
            nodes: 0,
        }
    }

    /// What the transposition table expects to be played.
    fn expected_reply(&self, position: &Position) -> Option<Move> {
        self.table
            .probe(position.key(), 1)?
            .mv
            .filter(|&mv| position.is_legal(mv))
    }

    /// Plays a move (or passes) at a ply and searches on with `below`.
    #[inline]
    fn descend<T>(
        &mut self,
        position: &Position,
        ply: usize,
        moved: Option<PieceTo>,
        below: impl FnOnce(&mut Self) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        self.keys.push(position.key());
        self.stack[ply].moved = moved;
        let result = below(self);
        self.keys.pop();
        result
    }

    /// The moves that led to a ply.
    fn trail(&self, ply: usize) -> Trail {
        let back = |plies: usize| self.stack[ply.checked_sub(plies)?].moved;
        [back(1), back(2)]
    }

    /// Puts a move before the line found below it.
    fn update_line(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.stack.split_at_mut(ply + 1);
        let line = &mut here[ply].pv;
        line.clear();
        line.push(mv);
        if let Some(next) = below.first() {
            line.extend_from_slice(&next.pv);
        }
    }

    /// Draws that need no search: repetition, 50 moves, material.
    fn is_draw(&self, position: &Position, ply: usize) -> bool {
        if position.halfmove_clock() >= 100 {
            return !position.in_check() || position.has_legal_move();
        }
        position.has_insufficient_material() || self.is_repetition(position, ply)
    }

    /// Within the line one earlier occurrence is enough (what was worth repeating once is again); before it, two.
    fn is_repetition(&self, position: &Position, ply: usize) -> bool {
        let key = position.key();
        let reversible = usize::from(position.halfmove_clock()).min(self.keys.len());
        let mut earlier = 0;
        // The same side was to move an even number of plies ago, and no position comes back in fewer than four.
        for plies in (4..=reversible).step_by(2) {
            if self.keys[self.keys.len() - plies] == key {
                earlier += 1;
                if plies < ply || earlier == 2 {
                    return true;
                }
            }
        }
        false
    }

    fn take_lists(&mut self) -> Lists {
        self.spare_lists.pop().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
