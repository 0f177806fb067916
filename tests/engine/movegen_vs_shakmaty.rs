//! The engine's rules against shakmaty's on random games: moves, FEN, check, and the incremental key.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use shakmaty::{Chess, Position as _};
use std::collections::{BTreeSet, HashMap};
use torres::chess;
use torres::engine::{Game, Position};

const POSITIONS: usize = 20_000;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Walks random games from a position until `positions` were seen; `visit` compares both views of each.
fn random_games(start: &str, seed: u64, positions: usize, mut visit: impl FnMut(&Game, &Chess)) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut seen = 0;
    while seen < positions {
        let mut ours = Game::new(Position::from_fen(start).unwrap());
        let mut theirs = chess::parse_fen(start).unwrap();
        let plies = random.random_range(10..300);
        for _ in 0..plies {
            visit(&ours, &theirs);
            seen += 1;
            let moves = theirs.legal_moves();
            let Some(mv) = moves.choose(&mut random) else { break };
            if theirs.is_insufficient_material() || seen == positions {
                break;
            }
            ours.play_uci(&chess::uci(*mv)).unwrap();
            theirs.play_unchecked(*mv);
        }
    }
}

#[test]
fn moves_fen_and_check_agree() {
    let (mut castlings, mut en_passants, mut promotions, mut checks) = (0, 0, 0, 0);
    random_games(START, 1, POSITIONS, |ours, theirs| {
        let position = ours.position();
        assert_eq!(position.fen(), chess::fen(theirs));
        let our_moves: BTreeSet<String> = position.legal_moves().iter().map(|mv| mv.to_string()).collect();
        assert_eq!(
            our_moves.len(),
            position.legal_moves().len(),
            "a move twice in {position}"
        );
        assert_eq!(our_moves.len() as u64, position.count_legal_moves(), "{position}");
        let legal = theirs.legal_moves();
        let their_moves = chess::uci_line(&legal).into_iter().collect();
        assert_eq!(our_moves, their_moves, "{position}");
        assert_eq!(position.in_check(), theirs.is_check(), "{position}");
        assert_eq!(
            position.has_insufficient_material(),
            theirs.is_insufficient_material(),
            "{position}"
        );
        castlings += legal.iter().filter(|mv| mv.is_castle()).count();
        en_passants += legal.iter().filter(|mv| mv.is_en_passant()).count();
        promotions += legal.iter().filter(|mv| mv.is_promotion()).count();
        checks += usize::from(theirs.is_check());
    });
    // Random games do visit the corners of the rules.
    assert!(castlings > 100 && en_passants > 50 && promotions > 500 && checks > 500);
}

#[test]
fn the_key_is_the_same_however_the_position_came_about() {
    let mut by_key: HashMap<u64, String> = HashMap::new();
    random_games(START, 2, POSITIONS, |ours, _| {
        let position = ours.position();
        let from_scratch = Position::from_fen(&position.fen()).unwrap();
        assert_eq!(from_scratch, *position);
        assert_eq!(from_scratch.key(), position.key(), "{position}");
        let four_fields: Vec<String> = position.fen().split(' ').take(4).map(str::to_owned).collect();
        let name = four_fields.join(" ");
        assert_eq!(
            *by_key.entry(position.key()).or_insert_with(|| name.clone()),
            name,
            "two positions share a key"
        );
    });
}

#[test]
fn occurrences_are_counted_by_position() {
    // An independent count: every position of the game by its first four FEN fields. The pawns are locked, so that
    // random kings come back to where they were.
    let locked = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1";
    let mut names: HashMap<String, usize> = HashMap::new();
    let mut thirds = 0;
    random_games(locked, 3, POSITIONS, |ours, theirs| {
        let fen = chess::fen(theirs);
        if fen == locked {
            names.clear();
        }
        let name: Vec<&str> = fen.split(' ').take(4).collect();
        let count = names.entry(name.join(" ")).or_default();
        *count += 1;
        assert_eq!(ours.occurrences(), *count, "{fen}");
        thirds += usize::from(*count >= 3);
    });
    assert!(thirds > 100, "only {thirds} third occurrences");
}
