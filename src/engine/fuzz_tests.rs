//! Fuzz targets: FEN, with what follows from a position that was accepted.
#![cfg(test)]

use super::{Engine, Game, Position, SearchControl, SearchLimits};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, FromSetup, Position as _, PositionError};
use torres_fuzz::{Judged, names_damage, run};

pub(super) const FENS: [&str; 9] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
    "8/PPPP4/6nk/6rq/7b/KQ6/3pppp1/RBN5 b - - 99 65535",
    "7k/8/8/8/8/8/8/K7 w - -",
];

pub(super) const WORDS: [&str; 24] = [
    "K", "k", "Q", "q", "R", "r", "B", "b", "N", "n", "P", "p", "w", "-", "KQkq", "e3", "e6", "a6", "h3", "PPPPPPPP",
    "3k4", "R3K2R", "pP6", "/8/8",
];

/// Positions that the judge takes although no game reaches them are all right for an engine.
fn judge(fen: &str) -> Option<Chess> {
    let setup = fen.parse::<Fen>().ok()?.into_setup();
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}

#[test]
fn fuzz_fen() {
    let seeds = FENS.map(|fen| fen.as_bytes().to_vec());
    let mut engine = Engine::new(1);
    let mut accepted = 0u64;
    run("engine FEN", &seeds, &WORDS, |input| {
        let text = String::from_utf8_lossy(input);
        let position = match Position::from_fen(&text) {
            Err(error) => {
                assert!(
                    !error.reasons().is_empty() && names_damage(&error.to_string()),
                    "{error}"
                );
                return Judged::Refused;
            }
            Ok(position) => position,
        };
        let fen = position.fen();
        let again = Position::from_fen(&fen).unwrap();
        assert_eq!(
            (again.fen(), again.key()),
            (fen.clone(), position.key()),
            "it reads back"
        );
        let moves = position.legal_moves();
        assert_eq!(moves.len() as u64, position.count_legal_moves());
        let judged = judge(&fen).unwrap_or_else(|| panic!("the judge refuses {fen}"));
        assert_eq!(moves.len(), judged.legal_moves().len(), "{fen}");
        for mv in moves {
            let after = position.play(mv);
            assert_eq!(position.parse_uci(&mv.to_string()), Ok(mv));
            let read = Position::from_fen(&after.fen());
            assert!(read.is_ok_and(|read| read.key() == after.key()), "{mv} in {fen}");
        }
        accepted += 1;
        // A search is worth a thousand looks at the door.
        if accepted.is_multiple_of(500) {
            let limits = SearchLimits {
                nodes: Some(300),
                ..SearchLimits::default()
            };
            let found = engine.search(&Game::new(position), &limits, &SearchControl::new(), &mut |_| {});
            assert_eq!(found.best.is_none(), judged.legal_moves().is_empty(), "{fen}");
        }
        Judged::Accepted
    });
}
