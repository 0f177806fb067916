//! UCI engines behind the same supervisor: shell scripts that speak UCI, die and hang.
#![cfg(unix)]

use rustix::process::Signal;
use std::path::Path;
use torres::link::messages::{BestMove, Go, Limits, Score};
use torres::link::supervisor::Supervisor;
use torres::link::uci::UciCommand;
use torres::link::{ThinkError, ThinkEvent, Thinker, answer};
use torres_test_support::link::*;
use torres_test_support::program;

/// An engine that does `$on_go` when asked and answers 1. e4 otherwise; it keeps files in its directory.
fn script(directory: &Path, on_go: &str) -> UciCommand {
    let arms = format!(
        r#"go) {on_go}
            echo 'info depth 1 score cp 31 nodes 20 nps 200 pv e2e4 e7e5'; echo 'bestmove e2e4 ponder e7e5' ;;"#
    );
    let on_uci = "echo 'Fake by nobody'; echo 'id name Fake 1'; echo 'option name Hash type spin default 1'";
    let command = shell_engine(&directory.join("my engine.sh"), on_uci, &arms);
    UciCommand {
        hash_mib: Some(8),
        threads: Some(2),
        ..command
    }
}

fn question() -> Go {
    let limits = Limits {
        move_ms: Some(200),
        ..Limits::default()
    };
    let (fen, moves) = (START_FEN.to_string(), vec![]);
    Go {
        id: 42,
        fen,
        moves,
        limits,
        ..Go::default()
    }
}

async fn ask(supervisor: &mut Supervisor) -> (Result<BestMove, ThinkError>, Vec<ThinkEvent>) {
    let mut events = Vec::new();
    let mut on_event = |event| events.push(event);
    let answer = tokio::time::timeout(DEADLINE, supervisor.think(question(), &mut on_event))
        .await
        .expect("an answer");
    (answer, events)
}

fn reasons(events: &[ThinkEvent]) -> Vec<&str> {
    let mut reasons = Vec::new();
    for event in events {
        if let ThinkEvent::Restarted(reason) = event {
            reasons.push(reason.as_str());
        }
    }
    reasons
}

#[tokio::test]
async fn a_uci_engine_is_asked_like_ours() {
    let directory = tempfile::tempdir().unwrap();
    let mut supervisor = Supervisor::new(script(directory.path(), ""));
    supervisor.new_game().await.unwrap();
    assert_eq!(supervisor.engine_name(), Some("Fake 1"));
    let (answer, events) = ask(&mut supervisor).await;
    let answer = answer.unwrap();
    answer::check(&answer::position_of(&question()).unwrap(), &answer).unwrap();
    assert_eq!(
        (answer.id, answer.best.as_deref(), answer.ponder.as_deref()),
        (42, Some("e2e4"), Some("e7e5"))
    );
    let [ThinkEvent::Info(info)] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!(
        (info.id, info.depth, info.score, info.nodes),
        (42, 1, Score::Cp(31), 20)
    );
    let heard = std::fs::read_to_string(directory.path().join("heard")).unwrap();
    let expected = format!(
        "uci \nsetoption name Hash value 8\nisready \nucinewgame \nposition fen {START_FEN}\ngo movetime 200\n"
    );
    assert_eq!(heard, expected, "only options that it has");
}

#[tokio::test]
async fn a_uci_engine_that_dies_is_replaced_and_asked_again() {
    let directory = tempfile::tempdir().unwrap();
    let once = "if ! [ -e died ]; then touch died; echo 'no memory' >&2; kill -9 $$; fi";
    let mut supervisor = Supervisor::new(script(directory.path(), once));
    let (answer, events) = ask(&mut supervisor).await;
    assert_eq!(answer.unwrap().best.as_deref(), Some("e2e4"));
    let reasons = reasons(&events);
    assert!(
        reasons.len() == 1 && reasons[0].contains("SIGKILL") && reasons[0].contains("no memory"),
        "{reasons:?}"
    );
}

#[tokio::test]
async fn a_uci_engine_that_hangs_is_killed_with_its_children() {
    let directory = tempfile::tempdir().unwrap();
    let hang = "if ! [ -e child ]; then sleep 1000 & echo $! > child; wait; fi";
    let mut supervisor = Supervisor::new(script(directory.path(), hang));
    let (answer, events) = ask(&mut supervisor).await;
    assert_eq!(answer.unwrap().best.as_deref(), Some("e2e4"));
    assert_eq!(reasons(&events).len(), 1, "{events:?}");
    let child = std::fs::read_to_string(directory.path().join("child"))
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    wait_until("the engine's child is gone", || !is_running(child));
}

#[tokio::test]
async fn an_illegal_move_of_a_uci_engine_counts_as_babble() {
    let directory = tempfile::tempdir().unwrap();
    let once = "if ! [ -e erred ]; then touch erred; echo 'bestmove e2e5'; continue; fi";
    let mut supervisor = Supervisor::new(script(directory.path(), once));
    let (answer, events) = ask(&mut supervisor).await;
    assert_eq!(answer.unwrap().best.as_deref(), Some("e2e4"));
    assert!(reasons(&events)[0].contains("not legal"), "{events:?}");
}

#[tokio::test]
async fn our_own_uci_engine_is_supervised_like_any_other() {
    for kind in [Signal::KILL, Signal::STOP] {
        let mut supervisor = Supervisor::new(format!("'{}' uci", program()).parse::<UciCommand>().unwrap());
        supervisor.new_game().await.unwrap();
        let first = supervisor.engine_process().unwrap();
        let mut question = question();
        question.limits.move_ms = Some(3_000);
        let mut struck = false;
        let mut reasons = 0;
        let mut on_event = |event| match event {
            ThinkEvent::Info(_) if !std::mem::replace(&mut struck, true) => signal(first, kind),
            ThinkEvent::Info(_) => {}
            ThinkEvent::Restarted(_) => reasons += 1,
        };
        let think = supervisor.think(question.clone(), &mut on_event);
        let answer = tokio::time::timeout(DEADLINE, think).await.expect("an answer");
        answer::check(&answer::position_of(&question).unwrap(), &answer.unwrap()).unwrap();
        assert_eq!(reasons, 1, "{kind:?}");
        wait_until("the old engine is gone", || !is_running(first));
    }
}

#[tokio::test]
async fn what_speaks_no_uci_cannot_be_started() {
    for program in ["/bin/true", "/nonexistent/engine"] {
        let mut supervisor = Supervisor::new(program.parse::<UciCommand>().unwrap());
        let started = supervisor.new_game().await;
        assert!(
            matches!(started, Err(ThinkError::Start(ref why)) if why.contains(program)),
            "{started:?}"
        );
    }
}

/// Old engines speak Latin-1, and some print what lies in their memory.
#[tokio::test]
async fn bytes_that_are_no_text_are_no_reason_to_give_an_engine_up() {
    let directory = tempfile::tempdir().unwrap();
    let babble = r"printf 'info string caf\351 \377\376\n\200\n\0\n'";
    let arms = format!(
        r#"go) {babble}; echo 'info depth 1 score cp 31 nodes 20 nps 200 pv e2e4'; {babble}; echo 'bestmove e2e4' ;;"#
    );
    let on_uci = format!(r"{babble}; printf 'id name Caf\351\nid author \377\noption name Hash\377 type spin\n' ");
    let command = shell_engine(&directory.path().join("engine.sh"), &on_uci, &arms);
    let mut supervisor = Supervisor::new(command);
    let (answer, events) = ask(&mut supervisor).await;
    assert_eq!(answer.unwrap().best.as_deref(), Some("e2e4"));
    assert_eq!(reasons(&events), [""; 0]);
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(supervisor.engine_name(), Some("Caf\u{fffd}"));
}

#[tokio::test]
async fn what_an_engine_does_not_take_is_refused_and_what_nobody_said_is_fitted() {
    let directory = tempfile::tempdir().unwrap();
    let on_uci = "echo 'option name Hash type spin default 8 min 4 max 512'; echo 'option name Skill type spin default 0 min -9 max 9'";
    let arms = "go) echo 'bestmove e2e4' ;;";
    let command = shell_engine(&directory.path().join("engine.sh"), on_uci, arms);
    let with = |hash_mib, skill: &str| UciCommand {
        hash_mib: Some(hash_mib),
        threads: Some(900),
        options: vec![("skill".to_owned(), skill.to_owned())],
        ..command.clone()
    };
    assert_eq!(
        with(512, "-9").tried().await,
        Ok(()),
        "it has no threads to be too many"
    );
    for (wrong, said) in [
        (with(513, "0"), "Hash takes 4 to 512, not 513"),
        (with(8, "10"), "skill takes -9 to 9, not 10"),
    ] {
        let refused = wrong.tried().await.unwrap_err();
        assert!(refused.contains(said), "{refused}");
    }
    // A table that is nobody's wish is as near as the engine lets it be.
    std::fs::remove_file(directory.path().join("heard")).unwrap();
    let (answer, _) = ask(&mut Supervisor::new(with(1, "0"))).await;
    assert!(answer.is_ok());
    let heard = std::fs::read_to_string(directory.path().join("heard")).unwrap();
    assert!(heard.contains("setoption name Hash value 4\n"), "{heard}");
}
