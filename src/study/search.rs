//! The textbook's search of one thread, and when it ends.

use super::table::{Entry, Table};
use super::window::Window;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use torres_engine::{Clock, Color, Game, HandMade, Move, Position, Score, SearchControl, SearchInfo, SearchLimits};

/// Deepest line from the root, in plies.
pub(super) const MAX_PLY: usize = 100;
/// Mate on the board; a mate in *n* plies is worth *n* less. No evaluation comes near.
const MATE: i32 = 31_000;
/// Above every value.
pub(super) const INFINITE: i32 = 32_000;
/// All values.
pub(super) const FULL: Window = Window::full(INFINITE);
/// Values beyond this, to either side, are mates.
const MATE_BOUND: i32 = MATE - MAX_PLY as i32;

/// Nodes after which a thread looks at clock, control and limits again.
const BLOCK: u64 = 256;
/// How many nodes are visited whatever the limits, until there is an answer.
const FIRST_NODES: u64 = 50_000;
/// Time kept back for what happens outside the search.
const OVERHEAD: Duration = Duration::from_millis(30);

/// The search was told to stop, or has reached a limit.
#[derive(Debug)]
pub struct Stopped;

/// When the threads of one search end.
pub struct Watch<'a> {
    control: &'a SearchControl,
    started: Instant,
    deadline: Option<Instant>,
    most_nodes: u64,
    /// Nodes that threads have visited or are about to visit.
    claimed: AtomicU64,
    /// There is an answer.
    answered: AtomicBool,
    /// The first thread has ended.
    finished: AtomicBool,
}

impl<'a> Watch<'a> {
    /// A search begins now.
    pub fn new(limits: &SearchLimits, turn: Color, control: &'a SearchControl) -> Watch<'a> {
        let clock = match turn {
            Color::White => limits.white,
            Color::Black => limits.black,
        };
        let time = [limits.move_time, clock.map(share)].into_iter().flatten().min();
        let started = Instant::now();
        Watch {
            control,
            started,
            deadline: time.filter(|_| !limits.infinite).map(|time| started + time),
            most_nodes: limits.nodes.filter(|_| !limits.infinite).unwrap_or(u64::MAX),
            claimed: AtomicU64::new(0),
            answered: AtomicBool::new(false),
            finished: AtomicBool::new(false),
        }
    }

    /// Nodes visited by threads that have ended.
    pub fn nodes(&self) -> u64 {
        self.claimed.load(Relaxed)
    }

    /// There is an answer: the limits hold from now on.
    pub fn answer_is_ready(&self) {
        self.answered.store(true, Relaxed);
    }

    /// Ends all threads.
    pub(super) fn finish(&self) {
        self.finished.store(true, Relaxed);
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Nodes that a thread may visit before it asks again.
    ///
    /// # Errors
    /// The search ends.
    pub fn claim(&self) -> Result<u64, Stopped> {
        let claimed = self.nodes();
        let left = self.most_nodes.saturating_sub(claimed);
        let is_over =
            || left == 0 || self.control.is_stopped() || self.deadline.is_some_and(|end| Instant::now() >= end);
        let limits_hold = self.answered.load(Relaxed) || claimed >= FIRST_NODES;
        if self.finished.load(Relaxed) || limits_hold && is_over() {
            return Err(Stopped);
        }
        let block = if left == 0 { BLOCK } else { left.min(BLOCK) };
        self.claimed.fetch_add(block, Relaxed);
        Ok(block)
    }
}

/// What a move may take of a clock.
fn share(clock: Clock) -> Duration {
    let usable = clock.remaining.saturating_sub(OVERHEAD).max(clock.remaining / 4);
    (usable / 30 + clock.increment / 2).min(usable / 4)
}

/// What a search found.
#[derive(Default)]
pub(crate) struct Outcome {
    /// The best line; its first move is the answer.
    pub(super) line: Vec<Move>,
    pub(super) value: i32,
    /// Last completed depth in plies.
    pub(super) depth: u32,
}

impl Outcome {
    pub(super) fn score(&self) -> Score {
        match self.value {
            MATE_BOUND.. => Score::Mate((MATE - self.value + 1) / 2),
            value if value <= -MATE_BOUND => Score::Mate(-(MATE + value) / 2),
            value => Score::Cp(value),
        }
    }

    pub(super) fn info(&self, watch: &Watch) -> SearchInfo {
        SearchInfo {
            depth: self.depth,
            selective_depth: self.line.len() as u32,
            line: 1,
            score: self.score(),
            nodes: watch.nodes(),
            time: watch.elapsed(),
            hash_full: 0,
            pv: self.line.clone(),
        }
    }
}

/// One thread's search.
pub(crate) struct Search<'a, T: Table> {
    table: T,
    pub(super) watch: &'a Watch<'a>,
    /// The moves that may be answered.
    roots: &'a [Move],
    evaluation: HandMade,
    /// Keys of the positions before the present one: the game's, then the line's.
    keys: Vec<u64>,
    /// How often a move from one square to another was the best.
    history: Vec<[u32; 64]>,
    /// The best line from each ply.
    lines: Vec<Vec<Move>>,
    /// Nodes visited by this thread.
    pub(super) nodes: u64,
    /// Nodes claimed and not yet visited.
    unspent: u64,
}

impl<T: Table> Drop for Search<'_, T> {
    fn drop(&mut self) {
        self.watch.claimed.fetch_sub(self.unspent, Relaxed);
    }
}

impl<'a, T: Table> Search<'a, T> {
    /// A thread's search below the present position of a game.
    pub(super) fn new(table: T, watch: &'a Watch<'a>, roots: &'a [Move], game: &Game) -> Search<'a, T> {
        Search {
            table,
            watch,
            roots,
            evaluation: HandMade::default(),
            keys: game.earlier_keys().to_vec(),
            history: vec![[0; 64]; 64],
            lines: vec![Vec::new(); MAX_PLY + 1],
            nodes: 0,
            unspent: 0,
        }
    }

    /// Iterative deepening: each iteration searches one ply deeper, with what those before have learned.
    pub(super) fn deepen(&mut self, position: &Position, most: u32) -> Outcome {
        let mut outcome = Outcome {
            line: self.roots[..1].to_vec(),
            ..Outcome::default()
        };
        for depth in 1..=most.min(MAX_PLY as u32 - 1) {
            let value = self.value(position, 0, depth as i32, FULL);
            let line = self.take_line();
            if !line.is_empty() {
                outcome.line = line;
            }
            let Ok(value) = value else { break };
            (outcome.value, outcome.depth) = (value, depth);
            self.watch.answer_is_ready();
        }
        outcome
    }

    /// Alpha-beta: the value of a position searched `depth` plies deep, a bound where it lies outside the window.
    fn value(&mut self, position: &Position, ply: usize, depth: i32, window: Window) -> Result<i32, Stopped> {
        // A check is no leaf.
        let depth = depth + i32::from(position.in_check());
        if depth <= 0 || ply >= MAX_PLY - 1 {
            return self.quiescence(position, ply, window);
        }
        if let Some(value) = self.enter(position, ply)? {
            return Ok(value);
        }
        let known = self.table.probe(position.key());
        if let Some(value) = known.and_then(|known| settles(known, ply, depth, window))
            && ply > 0
        {
            return Ok(value);
        }
        let moves = self.ordered(position, ply, known.and_then(|known| known.best));
        let (value, best) = self.best_of(position, ply, &moves, -INFINITE, window, |search, next, window, _| {
            search.value(next, ply + 1, depth - 1, window)
        })?;
        self.remember(position, ply, depth, (value, best), window);
        Ok(value)
    }

    /// The value of a position when only captures and promotions that do not lose material are played on; in check
    /// every move.
    pub(super) fn quiescence(&mut self, position: &Position, ply: usize, window: Window) -> Result<i32, Stopped> {
        if let Some(value) = self.enter(position, ply)? {
            return Ok(value);
        }
        if position.in_check() && ply < MAX_PLY - 1 {
            let moves = self.ordered(position, ply, None);
            let below = |search: &mut Self, next: &Position, window, _| search.quiescence(next, ply + 1, window);
            return Ok(self.best_of(position, ply, &moves, -INFINITE, window, below)?.0);
        }
        // Standing pat: nobody has to capture.
        let stand = self.evaluation.value(position);
        if stand >= window.beta || ply >= MAX_PLY - 1 {
            return Ok(stand);
        }
        let mut moves = self.ordered(position, ply, None);
        moves.retain(|&mv| !mv.is_quiet() && position.exchange_wins(mv, 0));
        let below = |search: &mut Self, next: &Position, window, _| search.quiescence(next, ply + 1, window);
        Ok(self.best_of(position, ply, &moves, stand, window, below)?.0)
    }

    /// Counts a node; its value where the game is over there.
    pub(super) fn enter(&mut self, position: &Position, ply: usize) -> Result<Option<i32>, Stopped> {
        if self.unspent == 0 {
            self.unspent = self.watch.claim()?;
        }
        self.unspent -= 1;
        self.nodes += 1;
        self.lines[ply].clear();
        if ply > 0 && self.is_draw(position) {
            return Ok(Some(0));
        }
        Ok(match position.count_legal_moves() {
            0 if position.in_check() => Some(ply as i32 - MATE),
            0 => Some(0),
            _ => None,
        })
    }

    /// Draws by fifty moves, material, or a position that was there before.
    fn is_draw(&self, position: &Position) -> bool {
        let reversible = usize::from(position.halfmove_clock()).min(self.keys.len());
        position.halfmove_clock() >= 100 && !position.in_check()
            || position.has_insufficient_material()
            || self.keys[self.keys.len() - reversible..].contains(&position.key())
    }

    /// The moves to try: the table's, captures (most valuable victim, least valuable attacker), promotions, the others
    /// by history.
    pub(super) fn ordered(&self, position: &Position, ply: usize, known: Option<Move>) -> Vec<Move> {
        let mut moves = match ply {
            0 => self.roots.to_vec(),
            _ => position.legal_moves(),
        };
        let worth = |square| position.board().role_at(square).map_or(0, |role| role as i64);
        moves.sort_by_cached_key(|&mv| {
            std::cmp::Reverse(match mv.is_quiet() {
                _ if Some(mv) == known => i64::MAX,
                false => (1 << 40) + 16 * worth(mv.to()) - worth(mv.from()),
                true => i64::from(self.history[mv.from().index()][mv.to().index()]),
            })
        });
        moves
    }

    /// Plays each move and asks `below` for its value in the turned window, until one reaches beta: the best value, if
    /// it is above `least`, and its move if it is above alpha. `below` is told how many moves come after it.
    pub(super) fn best_of(
        &mut self,
        position: &Position,
        ply: usize,
        moves: &[Move],
        least: i32,
        mut window: Window,
        mut below: impl FnMut(&mut Self, &Position, Window, usize) -> Result<i32, Stopped>,
    ) -> Result<(i32, Option<Move>), Stopped> {
        let (mut best, mut best_move) = (least, None);
        window.alpha = window.alpha.max(least);
        for (index, &mv) in moves.iter().enumerate() {
            self.keys.push(position.key());
            let value = below(self, &position.play(mv), window.turned(), moves.len() - index - 1);
            self.keys.pop();
            let value = -value?;
            best = best.max(value);
            if value <= window.alpha {
                continue;
            }
            best_move = Some(mv);
            let mut line = vec![mv];
            line.append(&mut self.lines[ply + 1]);
            self.lines[ply] = line;
            if value >= window.beta {
                if mv.is_quiet() {
                    self.history[mv.from().index()][mv.to().index()] += 1;
                }
                break;
            }
            window.alpha = value;
        }
        Ok((best, best_move))
    }

    /// The best line found from the root.
    pub(super) fn take_line(&mut self) -> Vec<Move> {
        std::mem::take(&mut self.lines[0])
    }

    /// The table's move in a position.
    pub(super) fn known_move(&self, position: &Position) -> Option<Move> {
        self.table.probe(position.key())?.best
    }

    /// What was found goes into the table; mates count from the node there.
    pub(super) fn remember(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        (value, best): (i32, Option<Move>),
        window: Window,
    ) {
        self.table.store(Entry {
            key: position.key(),
            best,
            value: if value.abs() >= MATE_BOUND {
                value + value.signum() * ply as i32
            } else {
                value
            },
            bound: window.bound_of(value),
            depth,
        });
    }
}

/// The value of an entry, if it settles a search to this depth in this window.
fn settles(known: Entry, ply: usize, depth: i32, window: Window) -> Option<i32> {
    let value = match known.value {
        value if value.abs() >= MATE_BOUND => value - value.signum() * ply as i32,
        value => value,
    };
    let settled = window.is_settled_by(value, known.bound);
    (known.depth >= depth && settled).then_some(value)
}
