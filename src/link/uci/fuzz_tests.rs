//! Fuzz target: what a UCI engine may print.
#![cfg(test)]

use super::translator::{Introduction, Translator};
use crate::messages::{FromEngine, Go, Limits, ToEngine};
use torres_fuzz::{Judged, names_damage, run};

const WORDS: [&str; 32] = [
    "uciok",
    "readyok",
    "id",
    "name",
    "option",
    "type",
    "UCI_LimitStrength",
    "UCI_Elo",
    "info",
    "depth",
    "seldepth",
    "score",
    "cp",
    "mate",
    "lowerbound",
    "upperbound",
    "nodes",
    "nps",
    "multipv",
    "pv",
    "string",
    "currmove",
    "bestmove",
    "ponder",
    "(none)",
    "0000",
    "e2e4",
    "e7e8q",
    "\nreadyok\n",
    "\nbestmove e2e4\n",
    "info depth 1 score cp 1 pv",
    "hashfull",
];

#[test]
fn fuzz_uci_engine() {
    let seeds = [
        "id name An Engine 1.0\nid author me\noption name Hash type spin default 16 min 1 max 1024\noption name UCI_LimitStrength type check \
         default false\noption name UCI_Elo type spin default 1500 min 600 max 3000\nuciok\nreadyok\ninfo depth 1 seldepth 2 multipv 1 score cp 13 \
         nodes 20 nps 20000 time 1 pv e2e4 e7e5\ninfo depth 9 score mate -3 nodes 1 nps 2 pv e2e4\nbestmove e2e4 ponder e7e5\nreadyok\n",
        "uciok\nreadyok\ninfo string hello\ninfo currmove e2e4 currmovenumber 1\nreadyok\nbestmove (none)\n",
    ]
    .map(|text| text.as_bytes().to_vec());
    run("UCI engine's output", &seeds, &WORDS, |input| {
        let text = String::from_utf8_lossy(input);
        let mut lines = text.lines();
        let mut introduction = Introduction::default();
        if !lines.by_ref().any(|line| introduction.hear(line.trim())) {
            return Judged::Refused;
        }
        let mut translator = Translator::new(introduction.offers("UCI_Elo"));
        let go = |id| {
            ToEngine::Go(Go {
                id,
                fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
                moves: vec![],
                limits: Limits::default(),
                elo: Some(1600),
                ..Go::default()
            })
        };
        assert!(translator.say(go(7)).is_ok());
        translator.say(ToEngine::Ping { id: 8 }).unwrap();
        let (mut running, mut pinged, mut judged) = (true, true, Judged::Accepted);
        for line in lines {
            match translator.hear(line) {
                None => {}
                Some(Ok(FromEngine::Info(info))) => assert!(running && info.id == 7, "{line}"),
                Some(Ok(FromEngine::BestMove(answer))) => {
                    assert!(
                        std::mem::take(&mut running) && answer.id == 7,
                        "one answer to one question: {line}"
                    );
                    assert!(answer.best.is_none_or(|best| !best.is_empty()));
                }
                Some(Ok(FromEngine::Pong { id })) => assert!(std::mem::take(&mut pinged) && id == 8, "{line}"),
                Some(Ok(other)) => panic!("{other:?} is not UCI's to say"),
                Some(Err(fault)) => {
                    judged = Judged::Refused;
                    assert!(names_damage(&fault.to_string()), "{fault}");
                }
            }
        }
        assert_eq!(
            translator.say(go(9)).is_ok(),
            !running,
            "the next question is asked when the last is answered"
        );
        judged
    });
}
