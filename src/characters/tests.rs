//! The searches against plain minimax, and the cast as UCI asks it.

use super::*;
use crate::search::FULL;
use crate::style::{Iterations, Repeats};
use crate::value::{MATE, MATE_BOUND, PAWN, Value};
use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use torres_engine::{Color, Position, Score};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Minimax as the textbooks have it: every move, White's best is the highest value, Black's the lowest.
fn minimax(style: Style, position: &Position, line: &mut Vec<u64>, game: usize, ply: i32, depth: u32) -> Value {
    let white = if position.turn() == Color::White { 1 } else { -1 };
    let moves = position.legal_moves();
    if moves.is_empty() {
        return if position.in_check() {
            -white * (MATE - ply * PAWN)
        } else {
            0
        };
    }
    let stood = match style.repeats {
        Repeats::InGame => line[..game].contains(&position.key()),
        Repeats::Third => line.iter().filter(|key| **key == position.key()).count() > 1,
    };
    if ply > 0 && (stood || position.halfmove_clock() >= 100 || position.has_insufficient_material()) {
        return 0;
    }
    let still = white * style.evaluation.value(position);
    if depth == 0 && !style.quiescence {
        return still;
    }
    line.push(position.key());
    let values = moves
        .iter()
        .filter(|mv| depth > 0 || mv.is_capture())
        .map(|&mv| minimax(style, &position.play(mv), line, game, ply + 1, depth.saturating_sub(1)));
    // Nobody has to capture.
    let values: Vec<Value> = values.chain((depth == 0).then_some(still)).collect();
    line.pop();
    let best = if white > 0 {
        values.iter().max()
    } else {
        values.iter().min()
    };
    *best.unwrap()
}

/// From the side to move's view; the root is not among the line's keys yet.
fn true_value(style: Style, game: &Game, depth: u32) -> Value {
    let mut line: Vec<u64> = game.earlier_keys().to_vec();
    // The present position has stood in the game.
    line.push(game.position().key());
    let games = line.len();
    let position = game.position();
    let values = position.legal_moves().into_iter().map(|mv| {
        let value = minimax(style, &position.play(mv), &mut line.clone(), games, 1, depth - 1);
        if position.turn() == Color::White { value } else { -value }
    });
    values.max().unwrap()
}

fn found(style: Style, game: &Game, limits: &SearchLimits) -> Found {
    let control = SearchControl::new();
    let watch = Watch::new(limits, game.position().turn(), &control);
    let mut search = Search::new(style, game, 1, &watch);
    let roots = game.position().legal_moves();
    search
        .deepen(game.position(), &roots, limits.depth.unwrap_or(64))
        .unwrap()
}

fn game(fen: &str, moves: &[&str]) -> Game {
    Game::from_fen_and_moves(fen, moves).unwrap()
}

fn depth(depth: u32) -> SearchLimits {
    SearchLimits {
        depth: Some(depth),
        ..SearchLimits::default()
    }
}

fn nodes(nodes: u64) -> SearchLimits {
    SearchLimits {
        nodes: Some(nodes),
        ..SearchLimits::default()
    }
}

/// Positions with castling, en passant, promotions, mates and stalemates near, and a draw by repetition or by fifty
/// moves, and how deep minimax may go there.
fn positions() -> Vec<(Game, u32)> {
    vec![
        (game(KIWIPETE, &[]), 2),
        (game(START, &["e2e4", "a7a6", "e4e5", "d7d5"]), 3),
        (game("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[]), 3),
        (game("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", &[]), 2),
        (game("7k/8/5K2/6Q1/8/8/8/8 w - - 98 80", &[]), 3),
        (
            game("4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", &["e1f1", "e8f8", "f1e1", "f8e8"]),
            3,
        ),
    ]
}

#[test]
fn every_search_finds_what_plain_minimax_does() {
    let styles = Style::ALVS.iter().chain([&Style::FOUR_PLIES, &Style::GUESSER]);
    for (number, &style) in styles.enumerate() {
        for (game, most) in positions() {
            // Every capture to the end is too much for minimax in a full position.
            let most = if style.quiescence { most - 1 } else { most };
            let men = game.position().board().occupied().count();
            if style.quiescence && men > 20 {
                continue;
            }
            for plies in 1..=most {
                let found = found(style, &game, &depth(plies));
                let fen = game.position().fen();
                // A table that is kept may know more than was asked for.
                assert_eq!(
                    found.value,
                    true_value(style, &game, plies),
                    "style {number}, depth {plies}, {fen}"
                );
                assert_eq!(found.depth, plies);
                // And the move is one that has that value.
                let mut after = game.clone();
                after.play(found.best);
                if plies > 1 && after.position().count_legal_moves() > 0 && found.value.abs() < MATE_BOUND {
                    let stood =
                        style.repeats == Repeats::InGame && game.earlier_keys().contains(&after.position().key());
                    let reply = true_value(style, &after, plies - 1);
                    assert!(stood || -reply == found.value || reply == 0, "{number}, {plies}, {fen}");
                }
            }
        }
    }
}

#[test]
fn an_unfinished_iteration_counts_for_all_but_alv1() {
    // Whether a style ever plays something else than what it found at the last depth that it completed.
    let uses_part = |style: Style| {
        positions().into_iter().any(|(game, _)| {
            let whole = [1, 2, 3].map(|plies| found(style, &game, &depth(plies)).best);
            (1..20)
                .map(|step| found(style, &game, &nodes(step * 512)))
                .any(|found| {
                    whole
                        .get(found.depth as usize - 1)
                        .is_some_and(|whole| found.best != *whole)
                })
        })
    };
    assert!(!uses_part(Style::ALVS[0]));
    assert!(uses_part(Style::ALVS[1]));
}

#[test]
fn a_table_spares_nodes_and_guesses_agree_with_one_search() {
    let control = SearchControl::new();
    let limits = depth(6);
    // Rook and pawns: many ways lead to the same position.
    let position = game("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[]);
    let watch = Watch::new(&limits, Color::White, &control);
    let roots = position.position().legal_moves();
    let visited = |style| {
        let mut search = Search::new(style, &position, 16, &watch);
        let found = search.deepen(position.position(), &roots, 6).unwrap();
        (found.value, search.nodes)
    };
    let (without, with) = (visited(Style::ALVS[3]), visited(Style::ALVS[4]));
    assert_eq!(without.0, with.0);
    assert!(with.1 < without.1 * 9 / 10, "{with:?} {without:?}");
    let at_once = Style {
        iterations: Iterations::Partial,
        table: style::Memory::None,
        ..Style::GUESSER
    };
    let mut search = Search::new(Style::GUESSER, &position, 16, &watch);
    let guessed = search.deepen(position.position(), &roots, 3).unwrap();
    let mut search = Search::new(at_once, &position, 16, &watch);
    let (Some((_, value)), Ok(())) = search.iteration(position.position(), &roots, 3, None, FULL) else {
        panic!("nothing stops it");
    };
    assert_eq!(guessed.value, value);
}

/// The agent's answer, with tables of one MiB each.
fn agent(game: &Game, limits: &SearchLimits, threads: usize) -> (Found, u64) {
    let control = SearchControl::new();
    let watch = Watch::new(&agent::without_nodes(limits), game.position().turn(), &control);
    let question = Question {
        game,
        roots: &game.position().legal_moves(),
        limits,
        threads,
        hash_mib: threads,
    };
    agent::think(&question, &watch).unwrap()
}

#[test]
fn the_agent_finds_what_minimax_does_where_its_budget_suffices() {
    for (game, most) in positions() {
        for plies in 1..=most {
            let limits = SearchLimits {
                nodes: Some(100_000_000),
                ..depth(plies)
            };
            let (found, _) = agent(&game, &limits, 1);
            assert_eq!(
                found.value,
                true_value(Style::AGENT, &game, plies),
                "{} {plies}",
                game.position().fen()
            );
        }
    }
}

#[test]
fn the_agent_spends_its_budget_on_what_is_forced() {
    let position = game(KIWIPETE, &[]);
    // Less than a node for each reply to each move is too little: those are visited all the same.
    for budget in [5_000, 40_000, 200_000] {
        let (_, visited) = agent(&position, &nodes(budget), 1);
        assert!((budget / 4..budget * 2).contains(&visited), "{budget}: {visited}");
    }
    // Threads change nothing but the time.
    assert_eq!(agent(&position, &nodes(20_000), 1), agent(&position, &nodes(20_000), 3));
    // A smothered mate, check after check with one answer each, in few nodes: five plies.
    let mate = game("6rk/6pp/7N/6N1/2Q5/8/8/6K1 w - - 0 1", &[]);
    let (found, _) = agent(&mate, &nodes(20_000), 1);
    assert!(found.value > MATE_BOUND, "{found:?}");
    // A clock that runs out at once still has an answer.
    let hurried = SearchLimits {
        move_time: Some(std::time::Duration::from_millis(1)),
        ..SearchLimits::default()
    };
    let (found, _) = agent(&position, &hurried, 2);
    assert!(position.position().legal_moves().contains(&found.best));
}

fn cast(character: &str) -> Cast {
    let mut cast = Cast::new(Engine::new(4));
    assert_eq!(cast.set_option("character", character), Some(Ok(())));
    cast
}

fn answer(cast: &mut Cast, game: &Game, limits: &SearchLimits) -> (SearchResult, Vec<SearchInfo>) {
    let mut infos = Vec::new();
    let result = cast.search(game, limits, &SearchControl::new(), &mut |info| infos.push(info));
    (result, infos)
}

#[test]
fn every_character_plays_a_legal_move_and_says_what_it_thinks() {
    for character in &ALL {
        let mut cast = cast(character.id);
        for fen in [START, KIWIPETE] {
            let game = game(fen, &[]);
            let (result, infos) = answer(&mut cast, &game, &nodes(3_000));
            let best = result.best.unwrap();
            assert!(game.position().legal_moves().contains(&best), "{}", character.id);
            assert_eq!(infos.last().unwrap().pv[0], best, "{}", character.id);
            assert_eq!(infos.last().unwrap().line, 1);
        }
        // The mate on the back rank is seen by all but those who err.
        let mate = game("6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1", &[]);
        let (result, _) = answer(
            &mut cast,
            &mate,
            &SearchLimits {
                depth: Some(3),
                ..nodes(30_000)
            },
        );
        if !matches!(character.manner, Manner::Errs(_)) {
            assert_eq!(result.best.unwrap().to_string(), "e1e8", "{}", character.id);
            assert_eq!(result.score, Score::Mate(1), "{}", character.id);
        }
        // Only what was asked for, and nothing where the game is over.
        let asked = mate.position().parse_uci("h2h3").unwrap();
        let only = SearchLimits {
            search_moves: vec![asked],
            ..nodes(3_000)
        };
        assert_eq!(answer(&mut cast, &mate, &only).0.best, Some(asked), "{}", character.id);
        let over = Game::new(Position::from_fen("8/8/8/8/8/3k4/3q4/3K4 w - - 0 1").unwrap());
        assert_eq!(answer(&mut cast, &over, &nodes(100)).0.best, None, "{}", character.id);
    }
}

#[test]
fn who_errs_takes_back_and_leaves_the_engine_as_it_was() {
    let mut cast = cast("novice");
    let before = cast.engine().options();
    // Black has taken a queen; only taking back is sensible.
    let game = game("4k3/8/8/8/3q4/1P2P3/3Q4/4K3 b - - 0 1", &["d4d2"]);
    for _ in 0..20 {
        assert_eq!(
            answer(&mut cast, &game, &nodes(10_000)).0.best.unwrap().to_string(),
            "e1d2"
        );
    }
    assert_eq!(cast.engine().options(), before);
    // From the start it does not always play the same move. Of 400 answers half were one: twenty may be three.
    let start = Game::default();
    let mut played = HashSet::new();
    let is_varied = (0..200).any(|_| {
        played.insert(answer(&mut cast, &start, &nodes(10_000)).0.best);
        played.len() > 3
    });
    assert!(is_varied, "{played:?}");
}

/// Where a conversation is written down.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn uci_declares_and_obeys_the_option() {
    let paper = Paper::default();
    let said = "uci\nsetoption name Character value Alv3\nposition startpos moves e2e4 d7d5\ngo depth 1\n\
                setoption name Character value nobody\nsetoption name NodeBudget value true\n\
                setoption name Character value none\ngo depth 1\nquit\n";
    torres_engine::uci::serve(said.as_bytes(), paper.clone(), Cast::new).unwrap();
    let heard = String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
    let declared = heard
        .lines()
        .find(|line| line.starts_with("option name Character type combo default none"));
    assert!(
        ALL.iter()
            .all(|character| declared.unwrap().contains(&format!(" var {}", character.id))),
        "{heard}"
    );
    assert!(heard.contains("option name NodeBudget type check"), "{heard}");
    assert!(heard.contains("info string there is no character 'nobody'"), "{heard}");
    assert_eq!(heard.matches("\nbestmove ").count(), 2, "{heard}");
    // A character looks no further than it says; the engine does.
    assert_eq!(heard.matches(" depth 1 seldepth 1 ").count(), 1, "{heard}");
}

#[test]
fn names_are_short_and_no_two_are_alike() {
    let ids: HashSet<_> = ALL.iter().map(|character| character.id).collect();
    let names: HashSet<_> = ALL.iter().map(|character| character.name).collect();
    assert_eq!((ids.len(), names.len()), (ALL.len(), ALL.len()));
    for character in &ALL {
        assert!(
            character
                .id
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        );
        // The site's panel takes so many letters.
        assert!(character.name.chars().count() <= 24);
        assert!(character.plays.ends_with('.') && !character.plays.trim_end_matches('.').contains('.'));
        assert_eq!(find(character.id).map(|found| found.name), Some(character.name));
    }
}
