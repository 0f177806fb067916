//! The bench: fixed positions to a fixed depth. Its node count is the search's signature, its speed the machine's.

use super::{Engine, Game, Position, SearchControl, SearchLimits};
use std::time::{Duration, Instant};

/// Depth of each search when none is asked for, in plies.
pub const DEFAULT_DEPTH: u32 = 14;

/// Transposition table, in MiB; a search's nodes depend on it.
pub const HASH_MIB: usize = 16;

/// Openings, middlegames and endgames of every kind; the second to sixth are the chess programming wiki's perft
/// positions, the endgames are textbook ones.
pub const POSITIONS: [&str; 16] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 2 6",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8",
    "2r3k1/pp3ppp/2n1b3/3pP3/3P4/P2B1N2/5PPP/2R3K1 b - - 0 22",
    "r2q1rk1/1b2bppp/p1n1pn2/1pp5/3P4/PBN1PN2/1P2QPPP/R1BR2K1 w - - 0 12",
    "8/5pk1/4p1p1/3pP2p/3P1P1P/r5P1/1R3K2/8 w - - 0 40",
    "8/8/1p1k4/p2p4/P2P1K2/1P6/8/8 w - - 0 50",
    "3k4/3pp3/8/8/8/8/3PP3/3K4 w - - 0 1",
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "8/8/4k3/3n4/8/4B3/4KP2/8 w - - 0 1",
];

/// What the bench counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bench {
    /// Nodes visited, all positions together.
    pub nodes: u64,
    /// Time it took.
    pub time: Duration,
}

impl Bench {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

/// Searches every position to a depth, each as the first of a new game; `report` hears of each: its FEN and nodes.
pub fn bench(depth: u32, report: &mut dyn FnMut(&str, u64)) -> Bench {
    bench_of(&mut Engine::new(HASH_MIB), depth, report)
}

/// The same by an engine with settings of its own, whose nodes depend on them and on the size of its table.
pub fn bench_of(engine: &mut Engine, depth: u32, report: &mut dyn FnMut(&str, u64)) -> Bench {
    let limits = SearchLimits {
        depth: Some(depth),
        ..SearchLimits::default()
    };
    let started = Instant::now();
    let mut nodes = 0;
    for fen in POSITIONS {
        let Ok(position) = Position::from_fen(fen) else {
            continue;
        };
        engine.new_game();
        let result = engine.search(&Game::new(position), &limits, &SearchControl::new(), &mut |_| {});
        report(fen, result.nodes);
        nodes += result.nodes;
    }
    Bench {
        nodes,
        time: started.elapsed(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_searched_and_the_count_is_a_signature() {
        let mut searched = Vec::new();
        let first = bench(4, &mut |fen, nodes| searched.push((fen.to_owned(), nodes)));
        assert_eq!(
            searched.iter().map(|(fen, _)| fen.as_str()).collect::<Vec<_>>(),
            POSITIONS
        );
        assert_eq!(searched.iter().map(|(_, nodes)| nodes).sum::<u64>(), first.nodes);
        assert_eq!(bench(4, &mut |_, _| {}).nodes, first.nodes);
    }
}
