//! The search as its users see it.

use super::super::{Clock, Score};
use super::*;
use std::time::Duration;

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).unwrap())
}

fn depth(depth: u32) -> SearchLimits {
    SearchLimits {
        depth: Some(depth),
        ..SearchLimits::default()
    }
}

fn search(game: &Game, limits: SearchLimits) -> (SearchResult, Vec<SearchInfo>) {
    let mut infos = Vec::new();
    let result = Engine::new(8).search(game, &limits, &SearchControl::new(), &mut |info| infos.push(info));
    (result, infos)
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn mates_are_found_and_counted() {
    // Composed or well-known mates; the number of moves is theirs.
    for (fen, moves, best) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1, Some("a1a8")),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, Some("a1a6")),
        (
            "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1",
            3,
            Some("f8c5"),
        ),
        ("8/8/8/8/8/3k4/3q4/3K4 w - - 0 1", 0, None),
    ] {
        let (result, _) = search(&game(fen), depth(16));
        assert_eq!(result.score, Score::Mate(moves), "{fen}");
        assert_eq!(result.best.map(|mv| mv.to_string()).as_deref(), best, "{fen}");
    }
    let (mated, _) = search(&game("7k/8/8/8/8/8/5PPP/r1r3K1 w - - 0 1"), depth(3));
    assert_eq!((mated.best, mated.score), (None, Score::Mate(0)));
    let (losing, _) = search(&game("8/8/8/8/8/1r6/r7/4K2k w - - 0 1"), depth(6));
    assert_eq!(losing.score, Score::Mate(-1));
}

#[test]
fn stalemate_is_no_mate() {
    let (result, _) = search(&game("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1"), depth(4));
    assert_eq!((result.best, result.score), (None, Score::Cp(0)));
}

#[test]
fn a_lost_side_repeats_and_a_winning_one_does_not() {
    // Far behind: only checks without end, Qe1+, Kh2 Qh4+, Kg1 Qe1+, save Black, who is mated next otherwise.
    let behind = game("6k1/RQ3ppp/1R6/8/7q/8/6P1/6K1 b - - 0 1");
    let (drawn, _) = search(&behind, depth(8));
    assert_eq!(drawn.score, Score::Cp(0));
    assert!(behind.position().play(drawn.best.unwrap()).in_check());

    // White is winning; the shuffle would be the third occurrence.
    let mut won = game("7k/8/8/8/8/8/R7/K7 w - - 0 1");
    for text in ["a2b2", "h8g8", "b2a2", "g8h8", "a2b2", "h8g8", "b2a2", "g8h8"] {
        won.play_uci(text).unwrap();
    }
    let (result, _) = search(&won, depth(9));
    assert_ne!(result.best.unwrap().to_string(), "a2b2");
    assert!(
        matches!(result.score, Score::Cp(300..) | Score::Mate(1..)),
        "{:?}",
        result.score
    );
}

#[test]
fn the_hundredth_half_move_draws_unless_it_mates() {
    let (drawn, _) = search(&game("7k/8/8/8/8/8/q7/7K b - - 99 80"), depth(4));
    assert_eq!(drawn.score, Score::Cp(0));
    let (mating, _) = search(&game("7k/8/6K1/8/8/8/Q7/8 w - - 99 80"), depth(4));
    assert_eq!(mating.score, Score::Mate(1));
}

#[test]
fn the_search_is_the_same_each_time() {
    for limits in [
        depth(9),
        SearchLimits {
            nodes: Some(30_000),
            ..SearchLimits::default()
        },
    ] {
        let (first, second) = (search(&game(KIWIPETE), limits), search(&game(KIWIPETE), limits));
        assert_eq!(first.0, second.0);
        let lines = |infos: &[SearchInfo]| -> Vec<_> {
            infos
                .iter()
                .map(|info| (info.score, info.nodes, info.pv.clone()))
                .collect()
        };
        assert_eq!(lines(&first.1), lines(&second.1));
    }
}

#[test]
fn new_game_forgets_everything() {
    let mut engine = Engine::new(8);
    let mut run = || {
        engine.new_game();
        engine.search(&game(KIWIPETE), &depth(8), &SearchControl::new(), &mut |_| {})
    };
    assert_eq!(run(), run());
}

#[test]
fn each_iteration_is_reported_with_a_legal_line() {
    let game = game(KIWIPETE);
    let (result, infos) = search(&game, depth(8));
    assert_eq!(
        infos.iter().map(|info| info.depth).collect::<Vec<_>>(),
        (1..=8).collect::<Vec<_>>()
    );
    for info in &infos {
        let mut position = *game.position();
        assert!(!info.pv.is_empty());
        for mv in &info.pv {
            position = position.play_uci(&mv.to_string()).unwrap();
        }
    }
    let last = infos.last().unwrap();
    assert_eq!(
        (result.best, result.score, result.nodes),
        (last.pv.first().copied(), last.score, last.nodes)
    );
    assert_eq!(result.ponder, last.pv.get(1).copied());
}

#[test]
fn however_little_it_may_do_it_gives_a_legal_move() {
    let ms = Duration::from_millis;
    let flagging = Clock {
        remaining: ms(1),
        increment: ms(0),
    };
    for limits in [
        SearchLimits {
            nodes: Some(1),
            ..SearchLimits::default()
        },
        SearchLimits {
            nodes: Some(0),
            ..SearchLimits::default()
        },
        SearchLimits {
            move_time: Some(ms(0)),
            ..SearchLimits::default()
        },
        SearchLimits {
            move_time: Some(ms(1)),
            ..SearchLimits::default()
        },
        SearchLimits {
            white: Some(flagging),
            black: Some(flagging),
            ..SearchLimits::default()
        },
        SearchLimits {
            white: Some(Clock::default()),
            ..SearchLimits::default()
        },
        depth(0),
    ] {
        let (result, infos) = search(&game(KIWIPETE), limits);
        assert!(game(KIWIPETE).position().legal_moves().contains(&result.best.unwrap()));
        assert_eq!(
            infos.first().map(|info| info.depth),
            Some(1),
            "the first iteration completes: {limits:?}"
        );
    }
}

#[test]
fn the_first_limit_reached_ends_the_search() {
    let (by_depth, _) = search(
        &game(KIWIPETE),
        SearchLimits {
            nodes: Some(100_000_000),
            ..depth(4)
        },
    );
    assert_eq!(by_depth.depth, 4);
    let (by_nodes, _) = search(
        &game(KIWIPETE),
        SearchLimits {
            nodes: Some(5000),
            ..depth(90)
        },
    );
    assert_eq!(by_nodes.nodes, 5000);
}

#[test]
fn an_endless_search_ends_when_told_and_not_before() {
    // Mated in the corner, nothing to search: it still waits.
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", KIWIPETE] {
        for limits in [
            SearchLimits {
                infinite: true,
                ..depth(2)
            },
            SearchLimits::default(),
            SearchLimits {
                ponder: true,
                ..depth(2)
            },
        ] {
            let control = SearchControl::new();
            let (sender, receiver) = std::sync::mpsc::channel();
            std::thread::scope(|scope| {
                let for_search = control.clone();
                scope.spawn(move || {
                    let result = Engine::new(1).search(&game(fen), &limits, &for_search, &mut |_| {});
                    sender.send((result, for_search.is_stopped())).unwrap();
                });
                control.stop();
                let (_, stopped) = receiver.recv().unwrap();
                assert!(stopped, "answered before it was told to: {limits:?}");
            });
        }
    }
}

#[test]
fn a_ponder_hit_lets_the_limits_count() {
    let control = SearchControl::new();
    let limits = SearchLimits {
        ponder: true,
        ..depth(3)
    };
    std::thread::scope(|scope| {
        let searching = scope.spawn(|| Engine::new(1).search(&game(KIWIPETE), &limits, &control, &mut |_| {}));
        control.ponder_hit();
        assert_eq!(searching.join().unwrap().depth, 3);
    });
    assert!(!control.is_stopped());
}
