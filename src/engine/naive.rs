//! A stand-in behind the engine's search until the real one lands.

use super::*;

/// The search and what it remembers from move to move.
pub struct Engine {}

impl Engine {
    /// An engine with a transposition table of so many MiB.
    pub fn new(_hash_mib: usize) -> Engine {
        Engine {}
    }

    /// Forgets what was learned of the last game.
    pub fn new_game(&mut self) {}

    /// Thinks until a limit is reached or `control` says stop; `report` hears of each completed iteration.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &SearchLimits,
        control: &SearchControl,
        report: &mut dyn FnMut(SearchInfo),
    ) -> SearchResult {
        if limits.infinite {
            control.wait_for_stop();
        } else if limits.ponder {
            control.wait_for_stop_or_hit();
        }
        let best = game.position().legal_moves().first().copied();
        report(SearchInfo {
            depth: 1,
            selective_depth: 1,
            score: Score::Cp(0),
            nodes: 1,
            time: std::time::Duration::ZERO,
            hash_full: 0,
            pv: best.into_iter().collect(),
        });
        SearchResult {
            best,
            ponder: None,
            score: Score::Cp(0),
            depth: 1,
            nodes: 1,
        }
    }
}
