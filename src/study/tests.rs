//! The ways to search as UCI chooses them.

use super::*;
use torres_engine::{Position, Score};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn study(threads: usize, options: &[(&str, &str)]) -> Study {
    let mut study = Study::new(Engine::new(4));
    let engine = torres_engine::Options {
        threads,
        ..study.engine.options()
    };
    study.engine.set_options(engine);
    for (name, value) in options {
        assert_eq!(study.set_option(name, value), Some(Ok(())), "{name} {value}");
    }
    study
}

fn answer(study: &mut Study, fen: &str, limits: &SearchLimits) -> (SearchResult, Vec<SearchInfo>) {
    let game = Game::new(Position::from_fen(fen).unwrap());
    let mut infos = Vec::new();
    let result = study.search(&game, limits, &SearchControl::new(), &mut |info| infos.push(info));
    (result, infos)
}

fn nodes(nodes: u64) -> SearchLimits {
    SearchLimits {
        nodes: Some(nodes),
        ..SearchLimits::default()
    }
}

fn depth(depth: u32) -> SearchLimits {
    SearchLimits {
        depth: Some(depth),
        ..SearchLimits::default()
    }
}

#[test]
fn a_node_budget_is_kept_and_finds_what_is_forced() {
    let mut study = study(1, &[("nodebudget", "true")]);
    for budget in [0, 1000, 60_000] {
        let (result, infos) = answer(&mut study, KIWIPETE, &nodes(budget));
        let legal = Position::from_fen(KIWIPETE).unwrap().legal_moves();
        assert!(legal.contains(&result.best.unwrap()));
        // The least depth is kept whatever the budget.
        assert!(result.nodes <= budget.max(50_000), "{budget}: {}", result.nodes);
        assert_eq!(infos.len(), 1);
    }
    // A smothered mate: check after check, each with one answer.
    let (result, _) = answer(&mut study, "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", &nodes(20_000));
    assert_eq!(result.best.unwrap().to_string(), "f6a6");
}

#[test]
fn threads_find_a_mate_with_every_kind_of_table() {
    let mate = "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1";
    for tables in ["Mutexes", "PerThread"] {
        for threads in [1, 3] {
            let mut study = study(threads, &[("tables", tables)]);
            let (result, infos) = answer(&mut study, mate, &depth(5));
            assert_eq!(result.score, Score::Mate(3), "{tables} {threads}");
            assert_eq!(infos.last().unwrap().pv.first().copied(), result.best);
            // A limit of nodes is that of all threads together.
            let (result, _) = answer(&mut study, KIWIPETE, &nodes(100_000));
            assert!(
                (50_000..150_000).contains(&result.nodes),
                "{tables} {threads}: {}",
                result.nodes
            );
        }
    }
}

#[test]
fn the_search_keeps_to_the_moves_asked_for_and_to_the_clock() {
    let mut study = study(2, &[("tables", "mutexes")]);
    let position = Position::from_fen(KIWIPETE).unwrap();
    let asked = position.parse_uci("a2a3").unwrap();
    let limits = SearchLimits {
        search_moves: vec![asked],
        move_time: Some(std::time::Duration::from_millis(30)),
        ..SearchLimits::default()
    };
    assert_eq!(answer(&mut study, KIWIPETE, &limits).0.best, Some(asked));
}

#[test]
fn a_game_that_is_over_has_no_move() {
    for option in [("nodebudget", "true"), ("tables", "perthread")] {
        let (result, _) = answer(&mut study(1, &[option]), "8/8/8/8/8/3k4/3q4/3K4 w - - 0 1", &nodes(100));
        assert_eq!((result.best, result.score), (None, Score::Mate(0)));
    }
}

#[test]
fn what_is_no_value_changes_nothing() {
    let mut study = study(1, &[]);
    for (name, value) in [("nodebudget", "1"), ("tables", "many")] {
        assert!(study.set_option(name, value).unwrap().unwrap_err().contains(value));
    }
    assert_eq!(study.set_option("hash", "1"), None);
    assert_eq!((study.node_budget, study.tables), (false, Tables::LockFree));
}
