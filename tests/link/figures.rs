//! The figures of `docs/figures.md`, "The engine socket": `cargo test --test link figures:: -- --ignored --nocapture`.
//!
//! They are printed, never judged: how fast a machine is must not decide whether it passes.
#![cfg(unix)]

use rustix::process::Signal;
use std::time::{Duration, Instant};
use torres::link::messages::{Go, Limits};
use torres::link::process::EngineCommand;
use torres::link::supervisor::Supervisor;
use torres::link::{ThinkEvent, Thinker};
use torres_test_support::link::*;
use torres_test_support::program;

fn print(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{what}: median {median:.2?}, worst {worst:.2?} of {}", times.len());
}

#[tokio::test]
#[ignore = "prints figures"]
async fn from_a_failure_to_the_next_engine() {
    for kind in [Signal::KILL, Signal::STOP] {
        let mut times = Vec::new();
        for _ in 0..20 {
            let mut supervisor = Supervisor::new(EngineCommand::of(program()));
            supervisor.new_game().await.unwrap();
            let engine = supervisor.engine_process().unwrap();
            let mut struck: Option<Instant> = None;
            let mut on_event = |event| match (event, struck) {
                (ThinkEvent::Info(info), None) if info.depth >= 5 => {
                    struck = Some(Instant::now());
                    signal(engine, kind);
                }
                (ThinkEvent::Restarted(_), Some(struck)) => times.push(struck.elapsed()),
                _ => {}
            };
            let limits = Limits {
                move_ms: Some(3_000),
                ..Limits::default()
            };
            let (fen, moves) = (START_FEN.to_string(), vec![]);
            let go = Go {
                id: 1,
                fen,
                moves,
                limits,
                ..Go::default()
            };
            supervisor.think(go, &mut on_event).await.unwrap();
        }
        assert_eq!(times.len(), 20, "each failure was noticed");
        print(&format!("{kind:?} to Restarted"), times);
    }
}

#[test]
#[ignore = "prints figures"]
fn from_a_word_to_its_answer() {
    let engine = Engine::start(&[]);
    let mut raw = engine.greet();
    let (mut pings, mut stops) = (Vec::new(), Vec::new());
    for id in 0..100 {
        raw.say(&format!(
            r#"{{"type":"go","id":{id},"fen":"{START_FEN}","infinite":true}}"#
        ));
        while raw.hear()["depth"].as_u64() < Some(6) {}
        for (word, answer, times) in [("ping", "pong", &mut pings), ("stop", "bestmove", &mut stops)] {
            let began = Instant::now();
            raw.say(&format!(r#"{{"type":"{word}","id":{id}}}"#));
            assert_eq!(raw.hear_until(answer).pop().unwrap()["id"], id);
            times.push(began.elapsed());
        }
    }
    print("ping to pong during a search", pings);
    print("stop to bestmove", stops);
}
