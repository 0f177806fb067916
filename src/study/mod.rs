//! What the first thesis asked for, to be compared with the engine: a limit of nodes that is spread over the tree
//! ([`budget`]), and transposition tables that threads share behind mutexes or do not share at all ([`table`]).
//!
//! The search here is the plain one of the textbooks ([`search`]): alpha-beta with a quiescence search, a table and an
//! ordering by history. It prunes and reduces nothing, so that what is compared shows. Rules and evaluation are the
//! engine's. `docs/engine/ledger.md` has the figures.
//!
//! [`Study`] has options of `torres uci`: `NodeBudget` and `Tables` choose such a search; without them the engine
//! plays:
//!
//! ```text
//! torres ladder --engine "torres uci" --option NodeBudget=true --against "torres uci" --limits nodes=10000
//! torres site --bot "Mutexes=torres uci;Tables=Mutexes;Threads=2;movetime=1000"
//! ```

mod budget;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod window;

pub use budget::share;
pub use search::{Stopped, Watch};
pub use table::{Bound, Entry};
pub use window::Window;

use search::{Outcome, Search};
use std::thread;
use table::{Table, WithMutexes};
use torres_engine::uci::Player;
use torres_engine::{Engine, Game, Move, SearchControl, SearchInfo, SearchLimits, SearchResult};

/// How the threads of a search keep what they found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tables {
    /// As the engine does: in one table without locks.
    #[default]
    LockFree,
    /// In one table, each of its parts behind a mutex.
    Mutexes,
    /// Each in a table of its own.
    PerThread,
}

/// The engine, or in its place one of the ways to search that are compared with it.
pub struct Study {
    engine: Engine,
    node_budget: bool,
    tables: Tables,
}

impl Study {
    /// The engine, until an option chooses another way.
    pub fn new(engine: Engine) -> Study {
        Study {
            engine,
            node_budget: false,
            tables: Tables::default(),
        }
    }

    /// Lazy SMP: all threads deepen at the same root; the first one's answer counts. They help each other by the table,
    /// if they share it.
    fn deepen<T: Table + Send>(
        &self,
        tables: Vec<T>,
        watch: &Watch,
        roots: &[Move],
        game: &Game,
        depth: u32,
    ) -> Outcome {
        let mut searches = tables.into_iter().map(|table| Search::new(table, watch, roots, game));
        let Some(mut first) = searches.next() else {
            return Outcome::default();
        };
        thread::scope(|scope| {
            for mut helper in searches {
                scope.spawn(move || helper.deepen(game.position(), depth));
            }
            let outcome = first.deepen(game.position(), depth);
            watch.finish();
            outcome
        })
    }

    fn think(&self, game: &Game, limits: &SearchLimits, watch: &Watch) -> Outcome {
        let position = game.position();
        let mut roots = position.legal_moves();
        if roots.iter().any(|mv| limits.search_moves.contains(mv)) {
            roots.retain(|mv| limits.search_moves.contains(mv));
        }
        if self.node_budget
            && let Some(nodes) = limits.nodes
        {
            return Search::new(table::of(self.engine.hash_mib()), watch, &roots, game).spread(position, nodes);
        }
        let threads = self.engine.options().threads;
        let depth = limits.depth.filter(|_| !limits.infinite).unwrap_or(u32::MAX);
        match self.tables {
            Tables::PerThread => {
                let tables = (0..threads).map(|_| table::of(self.engine.hash_mib() / threads));
                self.deepen(tables.collect(), watch, &roots, game, depth)
            }
            Tables::LockFree | Tables::Mutexes => {
                let table = WithMutexes::of(self.engine.hash_mib());
                self.deepen(vec![&table; threads], watch, &roots, game, depth)
            }
        }
    }
}

impl Player for Study {
    fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    fn more_options(&self) -> Vec<String> {
        [
            "option name NodeBudget type check default false",
            "option name Tables type combo default LockFree var LockFree var Mutexes var PerThread",
        ]
        .map(String::from)
        .to_vec()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Option<Result<(), String>> {
        let refused = || Err(format!("'{value}' is not a value for {name}; it is unchanged"));
        match name {
            "nodebudget" => match value.to_ascii_lowercase().parse() {
                Ok(on) => self.node_budget = on,
                Err(_) => return Some(refused()),
            },
            "tables" => match value.to_ascii_lowercase().as_str() {
                "lockfree" => self.tables = Tables::LockFree,
                "mutexes" => self.tables = Tables::Mutexes,
                "perthread" => self.tables = Tables::PerThread,
                _ => return Some(refused()),
            },
            _ => return None,
        }
        Some(Ok(()))
    }

    /// The study's own searches begin each with an empty table. They do not think on the opponent's time: they begin
    /// when the expected move was played.
    fn search(
        &mut self,
        game: &Game,
        limits: &SearchLimits,
        control: &SearchControl,
        report: &mut dyn FnMut(SearchInfo),
    ) -> SearchResult {
        let is_study = self.node_budget && limits.nodes.is_some() || self.tables != Tables::LockFree;
        if !is_study || game.position().count_legal_moves() == 0 {
            return self.engine.search(game, limits, control, report);
        }
        if limits.ponder && !limits.infinite {
            control.wait_for_stop_or_hit();
        }
        let watch = Watch::new(limits, game.position().turn(), control);
        let outcome = self.think(game, limits, &watch);
        report(outcome.info(&watch));
        if limits.infinite {
            control.wait_for_stop();
        }
        SearchResult {
            best: outcome.line.first().copied(),
            ponder: outcome.line.get(1).copied(),
            score: outcome.score(),
            depth: outcome.depth,
            nodes: watch.nodes(),
        }
    }
}
