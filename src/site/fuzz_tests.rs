//! Fuzz targets: the FEN that a page or a command line sends, and the text that names an engine.
#![cfg(test)]

use super::opponents::EngineBot;
use shakmaty::Position;
use torres_chess::{fen, parse_fen};
use torres_fuzz::{Judged, names_damage, run};

#[test]
fn fuzz_site_fen() {
    let seeds = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "8/PPPP4/6nk/6rq/7b/KQ6/3pppp1/RBN5 b - - 99 60",
    ]
    .map(|fen| fen.as_bytes().to_vec());
    let words = [
        "K", "k", "Q", "q", "P", "p", "w", "b", "-", "KQkq", "HAha", "e3", "[Qq]", "~", "3+3", "+2+0",
    ];
    run("site FEN", &seeds, &words, |input| {
        match parse_fen(&String::from_utf8_lossy(input)) {
            Ok(position) => {
                let text = fen(&position);
                let again = parse_fen(&text).unwrap_or_else(|e| panic!("what it wrote is refused: {e}"));
                assert_eq!(fen(&again), text);
                for played in position.legal_moves() {
                    let mut after = position.clone();
                    after.play_unchecked(played);
                    assert!(parse_fen(&fen(&after)).is_ok(), "{played} in {text}");
                }
                Judged::Accepted
            }
            Err(why) => {
                assert!(names_damage(&why), "{why}");
                Judged::Refused
            }
        }
    });
}

#[test]
fn fuzz_site_bot() {
    let seeds = [
        "Stockfish=stockfish",
        "My bot='/opt/my engine' --uci;Skill Level=-9;movetime=50;depth=5;nodes=7",
    ]
    .map(|text| text.as_bytes().to_vec());
    let words = [";", "=", "'", "movetime=", "depth=", "nodes=", "Hash=", "\\", "\0"];
    run("site bot", &seeds, &words, |input| {
        match String::from_utf8_lossy(input).parse::<EngineBot>() {
            Ok(bot) => {
                assert!(!bot.name.is_empty() && !bot.command.program.is_empty());
                let limits = [bot.limits.move_ms, bot.limits.nodes, bot.limits.depth.map(u64::from)];
                assert!(limits.iter().any(Option::is_some), "a search without an end");
                assert!(limits.iter().flatten().all(|limit| *limit > 0));
                Judged::Accepted
            }
            Err(why) => {
                assert!(names_damage(&why), "{why}");
                Judged::Refused
            }
        }
    });
}
