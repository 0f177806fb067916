//! Fuzz target: what a chess program may send us.
#![cfg(test)]

use super::lines::parse_limits;
use super::options::{Setting, parse};
use super::{Engine, Output, Session, Then};
use crate::fuzz_tests::{FENS, WORDS as OF_FEN};
use crate::{Game, Position};
use std::sync::{Arc, Mutex};
use torres_fuzz::{Judged, names_damage, run};

const WORDS: [&str; 30] = [
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "wtime",
    "btime",
    "winc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "searchmoves",
    "infinite",
    "ponder",
    "setoption",
    "name",
    "value",
    "Hash",
    "Threads",
    "MultiPV",
    "UCI_Elo",
    "Clear Hash",
    "isready",
    "uci",
    "stop",
    "ponderhit",
    "e2e4",
    "a7a8q",
];

#[test]
#[expect(clippy::too_many_lines, reason = "a table of seeds")]
fn fuzz_uci() {
    let positions = FENS.map(|fen| format!("position fen {fen}").into_bytes());
    let others = [
        "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
        "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8",
        "go wtime 300000 btime 300000 winc 2000 binc 2000 movestogo 40",
        "go depth 12 nodes 100000 movetime 5000 mate 3 searchmoves e2e4 d2d4",
        "go infinite\nponderhit\nstop",
        "setoption name Hash value 128\nisready\nucinewgame",
        "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1600",
        "uci\nsetoption name Move Overhead value 100\nsetoption name UCI_ShowWDL value true",
    ];
    let mut seeds = positions.to_vec();
    seeds.extend(others.map(|lines| lines.as_bytes().to_vec()));
    let words: Vec<&str> = WORDS.into_iter().chain(OF_FEN).collect();
    let said = Arc::new(Mutex::new(Vec::new()));
    let mut session = Session {
        player: Arc::new(Mutex::new(Engine::new(1))),
        more_options: Vec::new(),
        hash_mib: 1,
        running: None,
        game: Game::default(),
        show_wdl: false,
        limit_strength: false,
        elo: Engine::MAX_ELO,
        output: Output(Arc::clone(&said)),
    };
    run("UCI", &seeds, &words, |input| {
        let text = String::from_utf8_lossy(input);
        let mut judged = Judged::Accepted;
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.first().copied() {
                // A search is another test's matter; its limits are not.
                Some("go") => {
                    let limits = parse_limits(&words[1..], session.game.position());
                    let legal = session.game.position().legal_moves();
                    assert!(limits.search_moves.iter().all(|mv| legal.contains(mv)), "{line}");
                    assert!(limits.moves_to_go != Some(0));
                }
                // Threads and gigabytes are not: every other option is set.
                Some("setoption") => match parse(line) {
                    Ok(Setting::Hash(mib)) => assert!((1..=Engine::MAX_HASH_MIB).contains(&mib)),
                    Ok(Setting::Engine(_) | Setting::ClearHash) => {}
                    Ok(Setting::Other(..)) | Err(_) => {
                        session.set_option(line).unwrap();
                        judged = Judged::Refused;
                        let said = String::from_utf8(std::mem::take(&mut *said.lock().unwrap())).unwrap();
                        assert!(said.starts_with("info string") && names_damage(&said), "{said}");
                    }
                    Ok(_) => assert!(session.set_option(line).is_ok()),
                },
                Some("ucinewgame") => {}
                _ => {
                    let before = session.game.position().fen();
                    let then = session.obey(line).unwrap();
                    assert_eq!(then == Then::Quit, words.first() == Some(&"quit"), "{line}");
                    let fen = session.game.position().fen();
                    assert_eq!(Position::from_fen(&fen).map(|p| p.fen()).as_deref(), Ok(fen.as_str()));
                    let said = String::from_utf8(std::mem::take(&mut *said.lock().unwrap())).unwrap();
                    if said.starts_with("info string") {
                        judged = Judged::Refused;
                        assert_eq!(fen, before, "a refused position leaves the one before: {line}");
                        assert!(said.lines().count() == 1 && names_damage(&said), "{said}");
                    }
                }
            }
        }
        judged
    });
}
