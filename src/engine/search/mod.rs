//! The search: iterative deepening around a principal variation search, and the [`Engine`] that remembers between
//! searches.
//!
//! [`root`] deepens, [`node`] is alpha-beta with its steps, [`pruning`] and [`depths`] say what is not searched or less
//! deep, [`deferral`] spreads threads over the tree, [`quiescence`] goes on at the leaves, [`picker`] and [`history`]
//! order the moves, with [`threats`], [`correction`] mends evaluations, [`watch`] says when to stop, and every number
//! is in [`params`].

mod correction;
mod deferral;
mod depths;
mod history;
mod node;
mod outcome;
mod params;
mod picker;
mod pruning;
mod quiescence;
mod root;
mod strength;
mod threats;
mod watch;
mod worker;

use super::evaluator::{Evaluation, Evaluator};
use super::free_memory::{NoMemory, largest_table};
use super::nnue::Network;
use super::time::OVERHEAD;
use super::tt::{Room, TranspositionTable};
use super::value::{DRAW, mated_in, to_score};
use super::{Game, Position, SearchControl, SearchInfo, SearchLimits, SearchResult};
use deferral::Deferral;
use depths::Reductions;
use outcome::Outcome;
use root::Reporting;
use std::sync::Arc;
use std::time::Duration;
use strength::Handicap;
use watch::{Team, Watch};
use worker::{Search, ThreadState, Window};

/// How the engine goes about its searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Search threads, at least one.
    pub threads: usize,
    /// Best lines to report, at least one.
    pub multi_pv: usize,
    /// Time kept back of each clock for what happens outside the search.
    pub move_overhead: Duration,
    /// Strength to play at, in Elo; full strength when absent or at least [`Engine::MAX_ELO`].
    pub elo: Option<u32>,
    /// What it would give for not drawing, in centipawns: more than 0 against a weaker opponent, less against a
    /// stronger.
    pub contempt: i32,
    /// Which evaluation it asks at full strength.
    pub evaluation: Evaluation,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            multi_pv: 1,
            move_overhead: OVERHEAD,
            elo: None,
            contempt: 0,
            evaluation: Evaluation::default(),
        }
    }
}

/// The search and what it remembers from move to move.
pub struct Engine {
    options: Options,
    hash_mib: usize,
    /// All threads share it.
    table: TranspositionTable,
    /// One for each thread.
    states: Vec<ThreadState>,
    reductions: Reductions,
    network: Option<Arc<Network>>,
}

impl Engine {
    /// The weakest level that can be asked for, in Elo.
    pub const MIN_ELO: u32 = strength::MIN_ELO;
    /// From this Elo on it plays at full strength.
    pub const MAX_ELO: u32 = strength::MAX_ELO;
    /// The most contempt, to either side, in centipawns.
    pub const MAX_CONTEMPT: i32 = 100;
    /// The most threads, each of which needs a few MiB.
    pub const MAX_THREADS: usize = 256;
    /// The largest transposition table, in MiB, on a machine with memory for it.
    pub const MAX_HASH_MIB: usize = TranspositionTable::MAX_MIB;

    /// The largest transposition table that this machine's memory gives just now, in MiB, to an engine that has one of
    /// `held_mib`.
    pub fn largest_hash_mib(held_mib: usize) -> usize {
        largest_table(held_mib)
    }

    /// An engine with a transposition table of so many MiB (at least 1) and one thread, for which the memory must be
    /// there.
    pub fn new(hash_mib: usize) -> Engine {
        Engine::with_table(hash_mib, TranspositionTable::new(hash_mib))
    }

    /// The same where somebody else chose the size.
    ///
    /// # Errors
    /// There is no memory for it.
    pub fn try_new(hash_mib: usize) -> Result<Engine, NoMemory> {
        let room = room_for(hash_mib, 0)?;
        Ok(Engine::with_table(hash_mib, room.table()))
    }

    fn with_table(hash_mib: usize, table: TranspositionTable) -> Engine {
        let network = Network::embedded();
        Engine {
            options: Options::default(),
            hash_mib,
            table,
            states: vec![ThreadState::new(Evaluator::new(
                Evaluation::default(),
                network.as_ref(),
            ))],
            reductions: Reductions::new(),
            network,
        }
    }

    /// The size of its transposition table, in MiB.
    pub fn hash_mib(&self) -> usize {
        self.hash_mib
    }

    /// How it goes about its searches.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Changes how it goes about its searches.
    pub fn set_options(&mut self, options: Options) {
        let evaluation_before = self.evaluation();
        let threads = options.threads.clamp(1, Engine::MAX_THREADS);
        self.options = Options {
            threads,
            contempt: options.contempt.clamp(-Engine::MAX_CONTEMPT, Engine::MAX_CONTEMPT),
            ..options
        };
        if self.evaluation() != evaluation_before {
            self.forget_values();
        }
        let (evaluation, network) = (self.evaluation(), self.network.clone());
        let evaluator = || Evaluator::new(evaluation, network.as_ref());
        self.states.resize_with(threads, || ThreadState::new(evaluator()));
    }

    /// Which evaluation it asks: levels are held back from what they are with the one made by hand.
    fn evaluation(&self) -> Evaluation {
        match self.options.elo.and_then(Handicap::of) {
            Some(_) => Evaluation::HandMade,
            None => self.options.evaluation,
        }
    }

    /// Asks this network from now on, where [`Options::evaluation`] says so.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.network = Some(network);
        self.forget_values();
    }

    /// Values of another evaluation say nothing about the present one's.
    fn forget_values(&mut self) {
        self.new_game();
        let evaluation = self.evaluation();
        for state in &mut self.states {
            state.evaluator = Evaluator::new(evaluation, self.network.as_ref());
        }
    }

    /// Replaces the transposition table by an empty one of so many MiB.
    ///
    /// # Errors
    /// There is no memory for it; the old one stays.
    pub fn resize_hash(&mut self, hash_mib: usize) -> Result<(), NoMemory> {
        let room = room_for(hash_mib, self.hash_mib)?;
        self.table.refill(room);
        self.hash_mib = hash_mib;
        Ok(())
    }

    /// Forgets what was learned of the last game.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.states.iter_mut().for_each(ThreadState::clear);
    }

    /// Thinks until a limit is reached or `control` says stop; `report` hears of each completed iteration.
    ///
    /// Blocks its thread; another one holds a clone of `control`. On one thread and with limits of depth or nodes only,
    /// the answer depends on nothing but the game and what the engine has searched since
    /// [`new_game`](Engine::new_game).
    pub fn search(
        &mut self,
        game: &Game,
        limits: &SearchLimits,
        control: &SearchControl,
        report: &mut dyn FnMut(SearchInfo),
    ) -> SearchResult {
        self.table.age();
        let result = self.think(game, limits, control, report);
        wait_for_leave(limits, control);
        result
    }

    /// Lazy SMP (<https://www.chessprogramming.org/Lazy_SMP>): all threads search the same position, and help each
    /// other through what they leave in the table.
    fn think(
        &mut self,
        game: &Game,
        limits: &SearchLimits,
        control: &SearchControl,
        report: &mut dyn FnMut(SearchInfo),
    ) -> SearchResult {
        let (position, options) = (game.position(), self.options);
        let handicap = options.elo.and_then(Handicap::of);
        let limits = &weakened(limits, handicap);
        let (table, reductions) = (&self.table, &self.reductions);
        let team = Team::new(self.states.len());
        let deferral = (self.states.len() > 1).then(Deferral::new);
        let search = |thread: usize, state| {
            let watch = Watch::new(limits, position.turn(), options.move_overhead, control, &team, thread);
            Search {
                deferral: deferral.as_ref(),
                contempt: options.contempt,
                ..Search::new(game, limits, table, state, (reductions, handicap), watch)
            }
        };
        let Some((first, helpers)) = self.states.split_first_mut() else {
            return no_move(position, report);
        };
        std::thread::scope(|scope| {
            let mut main = search(0, first);
            if main.root.is_empty() {
                return no_move(position, report);
            }
            let helpers: Vec<_> = helpers
                .iter_mut()
                .enumerate()
                .filter_map(|(index, state)| {
                    let mut helper = search(index + 1, state);
                    let deepen = move || helper.deepen(position, limits, 1, Reporting::Silent);
                    // Without a thread there is one helper less.
                    std::thread::Builder::new().spawn_scoped(scope, deepen).ok()
                })
                .collect();
            let answer = main.deepen(position, limits, options.multi_pv, Reporting::To(report));
            team.finish();
            // A helper that broke down has no say; the first thread has an answer all the same.
            let others: Vec<Outcome> = helpers.into_iter().filter_map(|helper| helper.join().ok()).collect();
            let best = if options.multi_pv > 1 {
                answer
            } else {
                others.into_iter().fold(answer, Outcome::or_better)
            };
            main.answer(position, best)
        })
    }
}

/// The limits, with no more nodes than the handicap leaves.
fn weakened(limits: &SearchLimits, handicap: Option<Handicap>) -> SearchLimits {
    let nodes = [limits.nodes, handicap.map(|handicap| handicap.nodes)];
    SearchLimits {
        nodes: nodes.into_iter().flatten().min(),
        ..limits.clone()
    }
}

/// Room for a table of so many MiB in place of one of `held_mib`, if there is memory for it.
fn room_for(hash_mib: usize, held_mib: usize) -> Result<Room, NoMemory> {
    let most = Engine::largest_hash_mib(held_mib);
    if hash_mib > most {
        return Err(NoMemory::TooLarge { wanted: hash_mib, most });
    }
    Room::of(hash_mib).map_err(|_| NoMemory::Refused { wanted: hash_mib })
}

/// There is nothing to think about: the game is over, which is told at once.
fn no_move(position: &Position, report: &mut dyn FnMut(SearchInfo)) -> SearchResult {
    let score = to_score(if position.in_check() { mated_in(0) } else { DRAW });
    report(SearchInfo {
        depth: 0,
        selective_depth: 0,
        line: 1,
        score,
        nodes: 0,
        time: Duration::ZERO,
        hash_full: 0,
        pv: Vec::new(),
    });
    SearchResult {
        best: None,
        ponder: None,
        score,
        depth: 0,
        nodes: 0,
    }
}

/// Nothing is answered before an endless search is stopped, or a pondering one has its answer asked for.
fn wait_for_leave(limits: &SearchLimits, control: &SearchControl) {
    let timed = limits.white.is_some() || limits.black.is_some() || limits.move_time.is_some();
    let bounded = timed || limits.depth.is_some() || limits.nodes.is_some() || limits.mate.is_some();
    if limits.infinite || !bounded {
        control.wait_for_stop();
    } else if limits.ponder {
        control.wait_for_stop_or_hit();
    }
}

#[cfg(test)]
mod tests;
