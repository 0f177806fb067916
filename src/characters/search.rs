//! The search that characters share: fail-soft alpha-beta, deepened iteration by iteration, as plain as the theses have
//! it. What distinguishes them is in [`Style`].

use crate::style::{History, Iterations, Memory, Repeats, Style};
use crate::value::{INFINITE, MATE_BOUND, Value, from_node, from_root, mated_in};
use std::collections::HashMap;
use torres_engine::{Game, Move, Position};
use torres_study::{Entry, Stopped, Watch, Window};

/// Deepest line from the root, in plies.
pub(crate) const MAX_PLY: usize = 100;
/// What an entry of the table takes, in bytes.
const ENTRY_BYTES: usize = 48;

/// All values.
pub(crate) const FULL: Window = Window::full(INFINITE);

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) best: Move,
    /// From the side to move's view.
    pub(crate) value: Value,
    /// Last completed depth in plies.
    pub(crate) depth: u32,
}

/// One thread's search.
pub(crate) struct Search<'a> {
    pub(crate) style: Style,
    pub(crate) watch: &'a Watch<'a>,
    /// Keys of the game's positions, the present one included, then of the line's.
    pub(crate) keys: Vec<u64>,
    game_keys: usize,
    pub(crate) table: HashMap<u64, Entry>,
    /// The most entries that the table may have.
    pub(crate) capacity: usize,
    history: History,
    /// Nodes claimed from the watch and not yet visited.
    unspent: u64,
    /// Nodes visited.
    pub(crate) nodes: u64,
}

impl<'a> Search<'a> {
    /// A search that knows nothing yet, with a table of so many MiB if its style has one.
    pub(crate) fn new(style: Style, game: &Game, hash_mib: usize, watch: &'a Watch<'a>) -> Search<'a> {
        let keys: Vec<u64> = game
            .earlier_keys()
            .iter()
            .copied()
            .chain([game.position().key()])
            .collect();
        Search {
            style,
            watch,
            game_keys: keys.len(),
            keys,
            table: HashMap::new(),
            capacity: hash_mib.max(1) * 1024 * 1024 / ENTRY_BYTES,
            history: History::new(),
            unspent: 0,
            nodes: 0,
        }
    }

    /// Iterative deepening over these moves; `None` when there is none.
    pub(crate) fn deepen(&mut self, position: &Position, roots: &[Move], most: u32) -> Option<Found> {
        let mut found = Found {
            best: *roots.first()?,
            value: 0,
            depth: 0,
        };
        for depth in 1..=most.min(self.style.most_depth) {
            if self.style.table == Memory::EachIteration {
                self.table.clear();
            }
            let (begun, finished) = match self.style.iterations {
                Iterations::Guesses => self.guess(position, roots, depth, found),
                Iterations::Plain => self.iteration(position, roots, depth, None, FULL),
                Iterations::Partial => {
                    let first = Some(found.best).filter(|_| found.depth > 0);
                    self.iteration(position, roots, depth, first, FULL)
                }
            };
            let counts = finished.is_ok() || self.style.iterations == Iterations::Partial;
            if let Some((best, value)) = begun.filter(|_| counts) {
                (found.best, found.value) = (best, value);
            }
            if finished.is_err() {
                break;
            }
            found.depth = depth;
            self.watch.answer_is_ready();
        }
        Some(found)
    }

    /// MTD(f): the value lies between two bounds, and each search with an empty window moves one of them to what it
    /// returns, until they meet (A. Plaat and others, "Best-first fixed-depth minimax algorithms", 1996).
    fn guess(
        &mut self,
        position: &Position,
        roots: &[Move],
        depth: u32,
        before: Found,
    ) -> (Option<(Move, Value)>, Result<(), Stopped>) {
        let (mut low, mut high) = (-INFINITE, INFINITE);
        let (mut value, mut best) = (before.value, before.best);
        while low < high {
            let beta = if value == low { value + 1 } else { value };
            let window = Window { alpha: beta - 1, beta };
            let (found, finished) = self.iteration(position, roots, depth, Some(best), window);
            let (Some((mv, bound)), Ok(())) = (found, finished) else {
                return (Some((best, value)), Err(Stopped));
            };
            value = bound;
            if bound >= beta {
                // Only such a move is known to be good.
                (best, low) = (mv, bound);
            } else {
                high = bound;
            }
        }
        (Some((best, value)), Ok(()))
    }

    /// The best of the root's moves that were searched so many plies deep, and whether all were.
    pub(crate) fn iteration(
        &mut self,
        position: &Position,
        roots: &[Move],
        depth: u32,
        first: Option<Move>,
        mut window: Window,
    ) -> (Option<(Move, Value)>, Result<(), Stopped>) {
        let mut moves = roots.to_vec();
        self.style.order.sort(position, &mut moves, first, &self.history);
        let mut best: Option<(Move, Value)> = None;
        if let Err(stopped) = self.count() {
            return (None, Err(stopped));
        }
        for mv in moves {
            let value = match self.value(&position.play(mv), 1, depth - 1, window.turned()) {
                Ok(value) => -value,
                Err(stopped) => return (best, Err(stopped)),
            };
            if best.is_none_or(|(_, before)| value > before) {
                best = Some((mv, value));
            }
            window.alpha = window.alpha.max(value);
            if window.alpha >= window.beta {
                self.history.add(position, mv);
                break;
            }
        }
        (best, Ok(()))
    }

    /// Alpha-beta: the value of a position searched so many plies deep, a bound where it lies outside the window.
    fn value(&mut self, position: &Position, ply: usize, depth: u32, mut window: Window) -> Result<Value, Stopped> {
        self.count()?;
        // The end is tested before the leaf is.
        if let Some(value) = self.end(position, ply) {
            return Ok(value);
        }
        if depth == 0 || ply >= MAX_PLY {
            return if self.style.quiescence {
                self.quiescence(position, ply, window)
            } else {
                Ok(self.style.evaluation.value(position))
            };
        }
        let known = self.known(position, depth);
        if let Some(known) = known {
            let value = from_root(known.value, ply);
            if self.is_deep_enough(known, depth) && window.is_settled_by(value, known.bound) {
                return Ok(value);
            }
        }
        let mut moves = position.legal_moves();
        let first = known
            .filter(|_| self.style.table == Memory::Kept)
            .and_then(|known| known.best);
        self.style.order.sort(position, &mut moves, first, &self.history);
        let asked = window;
        let (mut best, mut best_move) = (-INFINITE, None);
        self.keys.push(position.key());
        for mv in moves {
            let value = match self.value(&position.play(mv), ply + 1, depth - 1, window.turned()) {
                Ok(value) => -value,
                Err(stopped) => {
                    self.keys.pop();
                    return Err(stopped);
                }
            };
            if value > best {
                (best, best_move) = (value, Some(mv));
            }
            window.alpha = window.alpha.max(value);
            if window.alpha >= window.beta {
                self.history.add(position, mv);
                break;
            }
        }
        self.keys.pop();
        self.remember(position, ply, depth, (best, best_move), asked);
        Ok(best)
    }

    /// The value when only captures are played on, and nobody has to.
    fn quiescence(&mut self, position: &Position, ply: usize, mut window: Window) -> Result<Value, Stopped> {
        let mut best = self.style.evaluation.value(position);
        window.alpha = window.alpha.max(best);
        if window.alpha >= window.beta || ply >= MAX_PLY {
            return Ok(best);
        }
        let mut moves = position.legal_moves();
        moves.retain(|mv| mv.is_capture());
        self.sort(position, &mut moves);
        for mv in moves {
            let next = position.play(mv);
            self.count()?;
            let value = match self.end(&next, ply + 1) {
                Some(value) => -value,
                None => -self.quiescence(&next, ply + 1, window.turned())?,
            };
            best = best.max(value);
            window.alpha = window.alpha.max(value);
            if window.alpha >= window.beta {
                break;
            }
        }
        Ok(best)
    }

    /// Sorts moves as the style has them.
    pub(crate) fn sort(&self, position: &Position, moves: &mut [Move]) {
        self.style.order.sort(position, moves, None, &self.history);
    }

    /// A node more.
    pub(crate) fn count(&mut self) -> Result<(), Stopped> {
        if self.unspent == 0 {
            self.unspent = self.watch.claim()?;
        }
        self.unspent -= 1;
        self.nodes += 1;
        Ok(())
    }

    /// The value of a position in which the game is over, or which counts as a draw.
    pub(crate) fn end(&self, position: &Position, ply: usize) -> Option<Value> {
        match position.count_legal_moves() {
            0 if position.in_check() => Some(mated_in(ply)),
            0 => Some(0),
            _ => {
                let is_draw = position.halfmove_clock() >= 100
                    || position.has_insufficient_material()
                    || self.has_repeated(position);
                is_draw.then_some(0)
            }
        }
    }

    fn has_repeated(&self, position: &Position) -> bool {
        let key = position.key();
        match self.style.repeats {
            Repeats::InGame => self.keys[..self.game_keys].contains(&key),
            Repeats::Third => self.keys.iter().filter(|&&earlier| earlier == key).count() >= 2,
        }
    }

    /// What the table knows, where the draw by fifty moves cannot come into it: that depends on how a position was
    /// reached.
    fn known(&self, position: &Position, depth: u32) -> Option<Entry> {
        if self.style.table == Memory::None || u32::from(position.halfmove_clock()) + depth >= 100 {
            return None;
        }
        self.table.get(&position.key()).copied()
    }

    fn is_deep_enough(&self, known: Entry, depth: u32) -> bool {
        match self.style.table {
            Memory::None => false,
            Memory::EachIteration => known.depth == depth as i32,
            Memory::Kept => known.depth >= depth as i32,
        }
    }

    fn remember(
        &mut self,
        position: &Position,
        ply: usize,
        depth: u32,
        (value, best): (Value, Option<Move>),
        window: Window,
    ) {
        if self.style.table == Memory::None || u32::from(position.halfmove_clock()) + depth >= 100 {
            return;
        }
        let entry = Entry {
            key: position.key(),
            best,
            value: from_node(value, ply),
            bound: window.bound_of(value),
            depth: depth as i32,
        };
        self.store(entry);
    }

    /// Into the table, unless it is full of others.
    pub(crate) fn store(&mut self, entry: Entry) {
        if self.table.len() < self.capacity || self.table.contains_key(&entry.key) {
            self.table.insert(entry.key, entry);
        }
    }
}

// A mate at the deepest ply is still told from an evaluation.
const _: () = assert!(crate::value::MATE - (MAX_PLY as Value + 64) * crate::value::PAWN > MATE_BOUND);
