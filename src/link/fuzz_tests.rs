//! Fuzz targets: both ends of the socket, bytes as they come.
#![cfg(test)]

use super::answer::{check, position_of};
use super::conversation::{Conversation, Reaction};
use super::framing::{Line, LineDecoder, decode, encode};
use super::messages::{BestMove, FromEngine, Go, Limits, ToEngine};
use torres_fuzz::{Judged, names_damage, run};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const WORDS: [&str; 34] = [
    "\"type\":\"go\"",
    "\"type\":\"stop\"",
    "\"type\":\"ping\"",
    "\"type\":\"newgame\"",
    "\"type\":\"ponderhit\"",
    "\"hello\"",
    "\"protocol\":1",
    "\"protocol\":2",
    "\"bestmove\"",
    "\"info\"",
    "\"pong\"",
    "\"error\"",
    "\"id\":7",
    "\"id\":8",
    "\"id\":null",
    "\"fen\":\"\"",
    "\"moves\":[]",
    "\"e2e4\"",
    "\"e7e5\"",
    "\"0000\"",
    "\"limits\":{}",
    "\"ponder\":true",
    "\"infinite\":true",
    "\"elo\":1600",
    "\"move\":null",
    "\"cp\":31",
    "\"mate\":-3",
    "\"pv\":[]",
    "\"depth\":0",
    "}\n{",
    "{\"type\":\"stop\",\"id\":7}\n",
    "{\"type\":\"go\",\"id\":8,\"fen\":\"x\"}\n",
    "{\"type\":\"newgame\"}\n",
    "{\"type\":\"ping\",\"id\":9}\n",
];

/// The lines of a stream that came in pieces, which depend on its length alone.
fn lines_of(input: &[u8]) -> Vec<Line> {
    let mut decoder = LineDecoder::default();
    let pieces = input.chunks(1 + input.len() % 97);
    let mut lines: Vec<Line> = pieces.flat_map(|piece| decoder.feed(piece)).collect();
    lines.extend(decoder.feed(b"\n"));
    let whole = LineDecoder::default().feed(&[input, b"\n"].concat());
    assert_eq!(lines, whole, "lines do not depend on the pieces they come in");
    lines
}

#[test]
fn fuzz_server_side() {
    let all = [
        r#"{"type":"hello","protocol":1}"#,
        r#"{"type":"newgame"}"#,
        r#"{"type":"go","id":7,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","moves":["e2e4","e7e5"],"limits":{"white_ms":900000,"black_ms":900000,"white_inc_ms":10000,"black_inc_ms":10000,"move_ms":1000,"depth":9,"nodes":100000},"elo":null,"style":null,"ponder":true,"infinite":false}"#,
        r#"{"type":"ponderhit","id":7}"#,
        r#"{"type":"stop","id":7}"#,
        r#"{"type":"ping","id":8}"#,
    ];
    let seeds = [
        all.join("\n").into_bytes(),
        [all[0], all[2], all[4], all[5], all[1]].join("\n").into_bytes(),
    ];
    run("socket, the engine's side", &seeds, &WORDS, |input| {
        let mut conversation = Conversation::new("torres", "0.1.0");
        let mut refused = false;
        let mut running: Option<Go> = None;
        for (number, line) in lines_of(input).iter().enumerate() {
            let reply = match conversation.hear(line) {
                Reaction::Say(reply) => {
                    if let FromEngine::Error { message, .. } = &reply {
                        refused = true;
                        assert!(names_damage(message), "{message}");
                    }
                    Some(reply)
                }
                Reaction::Search(go) => {
                    assert!(running.is_none(), "one search at a time");
                    running = Some(go);
                    None
                }
                Reaction::NewGame => {
                    assert!(running.is_none(), "nothing is forgotten under a search");
                    None
                }
                Reaction::Stop | Reaction::PonderHit => {
                    assert!(running.is_some());
                    None
                }
                Reaction::Nothing => None,
            };
            // Now and then the search ends, with an answer or because there is nothing to search.
            let answer = running
                .take_if(|_| number % 4 == 3)
                .map(|go| answer(&mut conversation, &go));
            for reply in reply.iter().chain(&answer) {
                let line = encode(reply).expect("every reply fits a line");
                assert_eq!(decode::<FromEngine>(&lines_of(&line)[0]).as_ref(), Ok(reply));
            }
            assert_eq!(conversation.is_searching(), running.is_some());
        }
        if refused { Judged::Refused } else { Judged::Accepted }
    });
}

/// What the engine says to a question: its error, or any answer.
fn answer(conversation: &mut Conversation, go: &Go) -> FromEngine {
    match position_of(go) {
        Err(why) => {
            let reply = conversation.refused(go.id, why);
            assert!(matches!(reply, FromEngine::Error { id: Some(id), .. } if id == go.id));
            reply
        }
        Ok(_) => conversation.answered(BestMove {
            id: go.id,
            best: None,
            ponder: None,
            fen: START.to_owned(),
        }),
    }
}

#[test]
fn fuzz_client_side() {
    let lines = [
        r#"{"type":"hello","protocol":1,"name":"torres","version":"0.1.0"}"#,
        r#"{"type":"info","id":7,"depth":14,"score":{"cp":31},"nodes":1234567,"nps":2100000,"pv":["e2e4","e7e5"]}"#,
        r#"{"type":"info","id":7,"depth":3,"score":{"mate":-3},"nodes":1,"nps":1,"pv":[]}"#,
        r#"{"type":"bestmove","id":7,"move":"e2e4","ponder":"e7e5","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}"#,
        r#"{"type":"pong","id":8}"#,
        r#"{"type":"error","id":null,"message":"no"}"#,
    ];
    let seeds = [lines.join("\n").into_bytes(), lines[3].as_bytes().to_vec()];
    let asked = position_of(&Go {
        id: 7,
        fen: START.to_owned(),
        moves: vec![],
        limits: Limits::default(),
        ..Go::default()
    })
    .unwrap();
    run("socket, the bot's side", &seeds, &WORDS, |input| {
        let mut refused = false;
        for line in lines_of(input) {
            match decode::<FromEngine>(&line) {
                Ok(message) => {
                    let written = encode(&message).unwrap();
                    assert_eq!(decode(&lines_of(&written)[0]), Ok(message.clone()), "it reads back");
                    if let FromEngine::BestMove(answer) = message {
                        match check(&asked, &answer) {
                            // Only a legal move of this position gets through.
                            Ok(()) => assert!(answer.best.is_some_and(|best| {
                                let uci: shakmaty::uci::UciMove = best.parse().unwrap();
                                uci.to_move(&asked).is_ok()
                            })),
                            Err(why) => {
                                refused = true;
                                assert!(names_damage(&why), "{why}");
                            }
                        }
                    }
                }
                Err(refusal) => {
                    refused = true;
                    assert!(names_damage(&refusal.problem), "{}", refusal.problem);
                    // The supervisor tells nobody else's lies: what is no message of theirs is none of ours.
                    let _ = decode::<ToEngine>(&line);
                }
            }
        }
        if refused { Judged::Refused } else { Judged::Accepted }
    });
}
