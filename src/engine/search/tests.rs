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
        let (first, second) = (
            search(&game(KIWIPETE), limits.clone()),
            search(&game(KIWIPETE), limits.clone()),
        );
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
        let (result, infos) = search(&game(KIWIPETE), limits.clone());
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
                let (for_search, limits) = (control.clone(), &limits);
                scope.spawn(move || {
                    let result = Engine::new(1).search(&game(fen), limits, &for_search, &mut |_| {});
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

fn engine_with(options: Options) -> Engine {
    let mut engine = Engine::new(8);
    engine.set_options(options);
    engine
}

fn search_with(options: Options, fen: &str, limits: &SearchLimits) -> (SearchResult, Vec<SearchInfo>) {
    let mut infos = Vec::new();
    let result = engine_with(options).search(&game(fen), limits, &SearchControl::new(), &mut |info| infos.push(info));
    (result, infos)
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let position = Position::from_fen(KIWIPETE).unwrap();
    for text in ["a2a3", "e1g1"] {
        let limits = SearchLimits {
            search_moves: vec![position.parse_uci(text).unwrap()],
            ..depth(6)
        };
        let (result, infos) = search(&game(KIWIPETE), limits);
        assert_eq!(result.best.unwrap().to_string(), text);
        assert!(infos.iter().all(|info| info.pv[0].to_string() == text));
    }
    // None of them legal: as if none had been asked for.
    let elsewhere = Position::start().parse_uci("e2e4").unwrap();
    let limits = SearchLimits {
        search_moves: vec![elsewhere],
        ..depth(4)
    };
    assert_eq!(search(&game(KIWIPETE), limits).0, search(&game(KIWIPETE), depth(4)).0);
}

#[test]
fn a_pawn_whose_new_piece_is_taken_at_once_becomes_a_queen() {
    let position = Position::from_fen("r5nr/p1P3pk/8/8/8/8/8/K7 w - - 0 1").unwrap();
    let position = position.play_uci("a1a2").unwrap().play_uci("h7h6").unwrap();
    let instead = |ours: &str, reply: &str| {
        let first = position.parse_uci(ours).unwrap();
        let line = [first, position.play(first).parse_uci(reply).unwrap()];
        root::queen_instead(&line, position.legal_moves().iter().copied()).map(|mv| mv.to_string())
    };
    assert_eq!(instead("c7c8r", "a8c8").as_deref(), Some("c7c8q"));
    assert_eq!(instead("c7c8b", "a8c8").as_deref(), Some("c7c8q"));
    assert_eq!(instead("c7c8r", "a7a6"), None, "it may stay a rook for a reason");
    assert_eq!(instead("c7c8n", "a8c8"), None, "a knight goes elsewhere");
    assert_eq!(instead("c7c8q", "a8c8"), None);
    let only = position.parse_uci("c7c8r").unwrap();
    let line = [only, position.play(only).parse_uci("a8c8").unwrap()];
    assert_eq!(
        root::queen_instead(&line, std::iter::once(only)),
        None,
        "it was not asked for"
    );
}

#[test]
fn several_lines_begin_with_different_moves_and_the_best_comes_first() {
    let options = Options {
        multi_pv: 4,
        ..Options::default()
    };
    let (result, infos) = search_with(options, KIWIPETE, &depth(7));
    for deep in 1..=7 {
        let lines: Vec<_> = infos.iter().filter(|info| info.depth == deep).collect();
        assert_eq!(lines.iter().map(|info| info.line).collect::<Vec<_>>(), [1, 2, 3, 4]);
        let first: std::collections::HashSet<_> = lines.iter().map(|info| info.pv[0]).collect();
        assert_eq!(first.len(), 4, "at depth {deep}");
    }
    let last = &infos[infos.len() - 4..];
    assert_eq!(result.best, Some(last[0].pv[0]));
    let value = |info: &SearchInfo| match info.score {
        Score::Cp(cp) => cp,
        Score::Mate(moves) => 30_000 - moves,
    };
    assert!(
        last.windows(2).all(|pair| value(&pair[0]) >= value(&pair[1])),
        "{last:?}"
    );
    // There are no more lines than moves.
    let (_, infos) = search_with(options, "7k/8/6K1/8/8/8/8/R7 b - - 0 1", &depth(3));
    assert!(infos.iter().all(|info| info.line == 1));
}

#[test]
fn a_search_for_a_mate_ends_with_it() {
    let limits = SearchLimits {
        mate: Some(2),
        ..SearchLimits::default()
    };
    let (result, _) = search(&game("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"), limits);
    assert_eq!(result.score, Score::Mate(2));
}

#[test]
fn threads_together_answer_as_one_would() {
    let options = Options {
        threads: 3,
        ..Options::default()
    };
    let mut engine = engine_with(options);
    let mate = game("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1");
    let result = engine.search(&mate, &depth(12), &SearchControl::new(), &mut |_| {});
    assert_eq!(result.score, Score::Mate(3));
    // It stays usable, and a limit of nodes is that of all threads together.
    let limits = SearchLimits {
        nodes: Some(100_000),
        ..SearchLimits::default()
    };
    let result = engine.search(&game(KIWIPETE), &limits, &SearchControl::new(), &mut |_| {});
    assert!((50_000..150_000).contains(&result.nodes), "{}", result.nodes);
}

#[test]
fn contempt_is_what_the_side_to_move_would_give_for_not_drawing() {
    let limits = SearchLimits {
        depth: Some(4),
        ..SearchLimits::default()
    };
    for (contempt, score) in [(0, 0), (40, -40), (-25, 25), (5000, -100)] {
        let options = Options {
            contempt,
            ..Options::default()
        };
        // A knight alone mates nobody, so that every line is a draw.
        for fen in ["4k3/8/8/8/8/8/8/4K2N w - - 0 1", "4k3/8/8/8/8/8/8/4K2N b - - 0 1"] {
            let (result, _) = search_with(options, fen, &limits);
            assert_eq!(result.score, Score::Cp(score), "{contempt} {fen}");
        }
    }
}

/// Positions as they are from the other side.
fn mirrored(fen: &str) -> String {
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let other = |c: char| {
        if c.is_uppercase() {
            c.to_ascii_lowercase()
        } else {
            c.to_ascii_uppercase()
        }
    };
    let ranks = fields[0]
        .split('/')
        .rev()
        .map(|rank| rank.chars().map(other).collect::<String>());
    fields[0] = ranks.collect::<Vec<_>>().join("/");
    fields[1] = if fields[1] == "w" { "b" } else { "w" }.to_owned();
    fields.join(" ")
}

/// Rooks and pawns, neither side better; the side to move may repeat for the third time, or go on.
#[test]
fn with_contempt_a_draw_is_worse_than_an_even_game_for_either_colour() {
    let shuffle = ["d1c1", "d8c8", "c1d1", "c8d8", "d1c1", "d8c8", "c1d1", "c8d8"];
    // Black's choice; mirrored, it is White's.
    let start = "3r2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let other_side = |text: &str| text.replace('8', "x").replace('1', "8").replace('x', "1");
    let choices = [
        (start.to_owned(), shuffle.map(str::to_owned), "g8f8"),
        (mirrored(start), shuffle.map(other_side), "g1f1"),
    ];
    for (fen, moves, goes_on) in choices {
        let mut game = game(&fen);
        let (repeats, before) = moves.split_last().unwrap();
        before.iter().for_each(|text| game.play_uci(text).unwrap());
        let best = |contempt| {
            let options = Options {
                contempt,
                ..Options::default()
            };
            let choice = [repeats.as_str(), goes_on].map(|text| game.position().parse_uci(text).unwrap());
            let limits = SearchLimits {
                search_moves: choice.to_vec(),
                ..depth(5)
            };
            let result = engine_with(options).search(&game, &limits, &SearchControl::new(), &mut |_| {});
            (result.best.unwrap().to_string(), result.score)
        };
        assert_eq!(
            best(-100),
            (repeats.clone(), Score::Cp(100)),
            "a draw is worth a pawn: {fen}"
        );
        let (chosen, score) = best(100);
        assert_eq!(chosen, goes_on, "a draw would cost a pawn: {fen}, {score:?}");
        assert!(matches!(score, Score::Cp(-99..)), "{fen}: {score:?}");
    }
}

#[test]
fn what_is_over_is_told_at_once() {
    for (fen, score) in [
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", Score::Mate(0)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::Cp(0)),
    ] {
        for options in [
            Options::default(),
            Options {
                threads: 3,
                multi_pv: 4,
                ..Options::default()
            },
        ] {
            let (result, infos) = search_with(options, fen, &depth(5));
            assert_eq!((result.best, result.score), (None, score));
            let told: Vec<_> = infos
                .iter()
                .map(|info| (info.depth, info.score, info.pv.len()))
                .collect();
            assert_eq!(told, [(0, score, 0)], "{fen}");
        }
    }
}

#[test]
fn a_table_that_memory_does_not_give_leaves_the_old_one() {
    // One thread: what two do together differs from time to time.
    let mut engine = engine_with(Options {
        evaluation: Evaluation::HandMade,
        ..Options::default()
    });
    let first = engine.search(&game(KIWIPETE), &depth(6), &SearchControl::new(), &mut |_| {});
    // No machine has a pebibyte free.
    let refused = engine.resize_hash(1 << 30).unwrap_err();
    assert!(
        matches!(
            refused,
            NoMemory::TooLarge {
                wanted: 0x4000_0000,
                ..
            }
        ),
        "{refused:?}"
    );
    let again = engine.search(&game(KIWIPETE), &depth(6), &SearchControl::new(), &mut |_| {});
    assert!(
        again.nodes < first.nodes / 2,
        "what it knew is still there: {} after {}",
        again.nodes,
        first.nodes
    );
    engine.resize_hash(2).unwrap();
    assert_eq!(
        engine
            .search(&game(KIWIPETE), &depth(2), &SearchControl::new(), &mut |_| {})
            .depth,
        2
    );
    assert!(Engine::try_new(1 << 30).is_err() && Engine::try_new(1).is_ok());
}

#[test]
fn only_full_strength_asks_the_network() {
    let mut engine = Engine::new(1);
    for (elo, network) in [
        (None, true),
        (Some(1000), false),
        (Some(Engine::MAX_ELO), true),
        (Some(2500), false),
    ] {
        engine.set_options(Options {
            threads: 2,
            elo,
            evaluation: Evaluation::Network,
            ..Options::default()
        });
        for state in &engine.states {
            assert_eq!(matches!(state.evaluator, Evaluator::Network(_)), network, "{elo:?}");
        }
    }
}
