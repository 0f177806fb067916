//! The search on many positions: Win at Chess, which a sound search mostly solves within some thousand nodes, and the
//! odd positions of the perft files, on which it must not break.

use shakmaty::san::San;
use std::path::Path;
use torres::chess;
use torres::engine::{Engine, Game, SearchControl, SearchLimits};

/// Nodes for each position.
const NODES: u64 = 30_000;

struct Problem {
    name: String,
    fen: String,
    /// UCI moves that solve it.
    best: Vec<String>,
}

/// `placement turn castling ep bm Qg6 Qh7; id "WAC.001";`
fn problem(line: &str) -> Problem {
    let fen = line.split(' ').take(4).collect::<Vec<_>>().join(" ");
    let operation = |name: &str| {
        let (_, rest) = line.split_once(&format!(" {name} ")).expect(line);
        rest.split_once(';').expect(line).0
    };
    let position = chess::parse_fen(&fen).expect(line);
    let uci = |san: &str| chess::uci(san.parse::<San>().expect(line).to_move(&position).expect(line));
    Problem {
        name: operation("id").trim_matches('"').to_owned(),
        best: operation("bm").split_whitespace().map(uci).collect(),
        fen,
    }
}

#[test]
fn most_of_win_at_chess_is_solved() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/epd/wacnew.epd");
    let text = std::fs::read_to_string(path).unwrap();
    let problems: Vec<Problem> = text.lines().filter(|line| line.contains(" bm ")).map(problem).collect();
    assert!(problems.len() >= 299, "only {} problems", problems.len());
    let mut engine = Engine::new(16);
    let limits = SearchLimits {
        nodes: Some(NODES),
        ..SearchLimits::default()
    };
    let unsolved: Vec<&str> = problems
        .iter()
        .filter(|problem| {
            engine.new_game();
            let game = Game::from_fen_and_moves(&problem.fen, [""; 0]).unwrap();
            let result = engine.search(&game, &limits, &SearchControl::new(), &mut |_| {});
            !problem.best.contains(&result.best.unwrap().to_string())
        })
        .map(|problem| problem.name.as_str())
        .collect();
    let solved = problems.len() - unsolved.len();
    println!("{solved} of {} solved; unsolved: {unsolved:?}", problems.len());
    assert!(solved >= 180, "{solved} solved; unsolved: {unsolved:?}");
}

#[test]
fn odd_positions_do_not_break_the_search() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/perft");
    let mut engine = Engine::new(4);
    let limits = SearchLimits {
        nodes: Some(400),
        ..SearchLimits::default()
    };
    let mut searched = 0;
    for file in [
        "vajolet_perft.txt",
        "perftsuite.epd",
        "perft-special.epd",
        "double-checks.epd",
    ] {
        for line in std::fs::read_to_string(data.join(file))
            .unwrap()
            .lines()
            .filter(|line| !line.is_empty())
        {
            let fen = line.split([',', ';']).next().unwrap();
            let game = Game::from_fen_and_moves(fen, [""; 0]).unwrap();
            let legal = game.position().legal_moves();
            let result = engine.search(&game, &limits, &SearchControl::new(), &mut |_| {});
            assert_eq!(result.best.is_some(), !legal.is_empty(), "{fen}");
            assert!(
                result.best.is_none_or(|best| legal.contains(&best)),
                "{fen}: {:?}",
                result.best
            );
            searched += 1;
        }
    }
    assert!(searched > 7000);
}
