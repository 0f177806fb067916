//! Thinking on the opponent's time, over the socket and over UCI: hits, misses, and engines that fail meanwhile.
#![cfg(unix)]

use rustix::process::{Pid, Signal, test_kill_process};
use std::path::Path;
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout};
use torres::bot::thinking::{News, Thinking};
use torres::link::messages::{BestMove, Go, Limits};
use torres::link::policy::Policy;
use torres::link::process::EngineCommand;
use torres::link::supervisor::Supervisor;
use torres::link::uci::UciCommand;
use torres::link::{ThinkEvent, Thinker, answer};
use torres_test_support::link::*;
use torres_test_support::program;

/// Both doors to the same engine.
fn doors() -> [Supervisor; 2] {
    let socket = EngineCommand {
        hash_mib: 1,
        ..EngineCommand::of(program())
    };
    let uci: UciCommand = format!("'{}' uci", program()).parse().unwrap();
    let uci = UciCommand {
        hash_mib: Some(1),
        ponder: true,
        ..uci
    };
    [Supervisor::new(socket), Supervisor::new(uci)]
}

fn question(id: u64, moves: &[&str], move_ms: u64) -> Go {
    Go {
        id,
        fen: START_FEN.into(),
        moves: moves.iter().map(ToString::to_string).collect(),
        limits: Limits {
            move_ms: Some(move_ms),
            ..Limits::default()
        },
        ..Go::default()
    }
}

/// About the position after 1. e4 e5, while Black has not played that.
fn pondering(id: u64, move_ms: u64) -> Go {
    Go {
        ponder: true,
        ..question(id, &["e2e4", "e7e5"], move_ms)
    }
}

async fn next(thinking: &mut Thinking) -> News {
    let news = timeout(DEADLINE, thinking.next()).await;
    news.expect("news within the deadline").expect("the task lives")
}

/// Waits for a sign of this search; nothing else may be told.
async fn searches(thinking: &mut Thinking, id: u64) {
    match next(thinking).await {
        News::Event(ThinkEvent::Info(info)) => assert_eq!(info.id, id),
        other => panic!("{other:?} instead of news of search {id}"),
    }
}

/// Waits for the engine's replacement while it ponders; nothing but the search's news may be told before.
async fn is_replaced(thinking: &mut Thinking) -> String {
    loop {
        match next(thinking).await {
            News::Event(ThinkEvent::Info(_)) => {}
            News::Event(ThinkEvent::Restarted(why)) => return why,
            other => panic!("{other:?} before the opponent has moved"),
        }
    }
}

/// Waits for the answer, which is under the question's id and legal in its position; and why engines were replaced.
async fn answered(thinking: &mut Thinking, go: &Go) -> (BestMove, Vec<String>) {
    // However much news there is meanwhile.
    let answer = timeout(DEADLINE, answer_to(thinking, go)).await;
    answer.expect("an answer within the deadline")
}

async fn answer_to(thinking: &mut Thinking, go: &Go) -> (BestMove, Vec<String>) {
    let mut reasons = Vec::new();
    loop {
        match next(thinking).await {
            News::Event(ThinkEvent::Info(_)) => {}
            News::Event(ThinkEvent::Restarted(why)) => reasons.push(why),
            News::Answer(best) => {
                assert_eq!(best.id, go.id, "the answer to another question");
                answer::check(&answer::position_of(go).unwrap(), &best).unwrap();
                return (best, reasons);
            }
            News::Failed(error) => panic!("{error}"),
        }
    }
}

#[tokio::test]
async fn a_hit_is_answered_within_the_limits_counted_from_it() {
    for supervisor in doors() {
        // Nobody but the engine itself ends its search.
        let policy = Policy {
            grace: 2 * DEADLINE,
            ..Policy::default()
        };
        let mut thinking = Thinking::start(supervisor.with_policy(policy));
        let go = pondering(7, 1_000);
        thinking.ask(go.clone());
        // Longer than the limits.
        let beyond = Instant::now() + Duration::from_millis(2_000);
        loop {
            tokio::select! {
                news = thinking.next() => match news {
                    Some(News::Event(ThinkEvent::Info(info))) => assert_eq!(info.id, 7),
                    other => panic!("{other:?} before the hit"),
                },
                () = sleep_until(beyond) => break,
            }
        }
        let hit = Instant::now();
        thinking.ponder_hit(7);
        let (_, reasons) = answered(&mut thinking, &go).await;
        assert!(reasons.is_empty(), "{reasons:?}");
        // It did not begin to count with the question.
        assert!(hit.elapsed() >= Duration::from_millis(500), "{:?}", hit.elapsed());
    }
}

#[tokio::test]
async fn a_miss_discards_what_was_pondered_and_the_position_on_the_board_is_asked() {
    for supervisor in doors() {
        let mut thinking = Thinking::start(supervisor);
        for id in [7, 9, 11] {
            thinking.ask(pondering(id, 1_000));
            searches(&mut thinking, id).await;
            // A hit of another search is none of this one.
            thinking.ponder_hit(id - 1);
            let real = question(id + 1, &["e2e4", "c7c5"], 50);
            thinking.ask(real.clone());
            let (_, reasons) = answered(&mut thinking, &real).await;
            assert!(reasons.is_empty(), "nothing was wrong with the engine: {reasons:?}");
        }
        // Dropped without another question, as for a pause.
        thinking.ask(pondering(13, 1_000));
        searches(&mut thinking, 13).await;
        thinking.drop_question();
        thinking.ponder_hit(13);
        thinking.new_game();
        let real = question(14, &["e2e4"], 50);
        thinking.ask(real.clone());
        answered(&mut thinking, &real).await;
    }
}

/// An engine is hurt while it ponders; it is replaced at once, and whatever the opponent plays is answered.
async fn survives(kind: Signal) {
    for hit in [true, false] {
        for mut supervisor in doors() {
            supervisor.new_game().await.unwrap();
            let first = supervisor.engine_process().unwrap();
            let mut thinking = Thinking::start(supervisor);
            let expected = pondering(7, 300);
            thinking.ask(expected.clone());
            searches(&mut thinking, 7).await;
            signal(first, kind);
            is_replaced(&mut thinking).await;
            wait_until("the old engine is gone", || !is_running(first));
            let real = if hit {
                thinking.ponder_hit(7);
                expected
            } else {
                let real = question(8, &["e2e4", "c7c5"], 300);
                thinking.ask(real.clone());
                real
            };
            let (_, reasons) = answered(&mut thinking, &real).await;
            assert!(reasons.is_empty(), "the new engine stays: {reasons:?}");
        }
    }
}

#[tokio::test]
async fn an_engine_killed_while_it_ponders_is_replaced_and_asked_afresh() {
    survives(Signal::KILL).await;
}

/// The opponent moves while the new engine is still on its way: that the old one was given up is told all the same.
#[tokio::test]
async fn an_engine_that_is_being_replaced_at_a_miss_is_told_of() {
    for mut supervisor in doors() {
        supervisor.new_game().await.unwrap();
        let first = supervisor.engine_process().unwrap();
        let mut told = 0;
        let mut on_event = |event| told += usize::from(matches!(event, ThinkEvent::Restarted(_)));
        let hit = std::future::pending();
        // Polled once to ask, then until the dead engine was looked into, and no further.
        let mut pondered = Box::pin(supervisor.ponder(pondering(7, 300), hit, &mut on_event));
        tokio::select! {
            biased;
            answer = &mut pondered => panic!("{answer:?} before the hit"),
            () = std::future::ready(()) => {}
        }
        signal(first, Signal::KILL);
        tokio::select! {
            answer = &mut pondered => panic!("{answer:?} before the hit"),
            () = async { while is_there(first) { tokio::task::yield_now().await } } => {}
        }
        drop(pondered);
        let mut thinking = Thinking::start(supervisor);
        let real = question(8, &["e2e4", "c7c5"], 300);
        thinking.ask(real.clone());
        let (_, reasons) = answered(&mut thinking, &real).await;
        assert_eq!(told + reasons.len(), 1, "{reasons:?}");
    }
}

/// Whether there is such a process, one that ended and was not waited for included.
fn is_there(process: u32) -> bool {
    test_kill_process(Pid::from_raw(process as i32).unwrap()).is_ok()
}

#[tokio::test]
async fn an_engine_frozen_while_it_ponders_is_replaced_and_asked_afresh() {
    survives(Signal::STOP).await;
}

// ---------------------------------------------------------------- engines that fail on purpose

/// A UCI engine that does `on_ponder` when asked on the opponent's time, `on_hit` at `ponderhit`, and otherwise answers
/// 2. Nf3; it writes down what it hears.
fn script(directory: &Path, on_ponder: &str, on_hit: &str) -> UciCommand {
    let arms = format!(
        r#"ponderhit) {on_hit} ;;
        go) case $rest in
            ponder*) {on_ponder} ;;
            *) echo 'bestmove g1f3 ponder b8c6' ;;
            esac ;;"#
    );
    let on_uci = "echo 'id name Fake'; echo 'option name Ponder type check default false'";
    let command = shell_engine(&directory.join("engine.sh"), on_uci, &arms);
    UciCommand {
        ponder: true,
        ..command
    }
}

fn heard(directory: &Path) -> String {
    std::fs::read_to_string(directory.join("heard")).unwrap_or_default()
}

/// Waits until the engine was asked, without standing in its way.
async fn hears_to_ponder(directory: &Path) {
    let asked = async {
        while !heard(directory).contains("go ponder") {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(DEADLINE, asked).await.expect("the engine hears the question");
}

#[tokio::test]
async fn a_uci_engine_is_told_that_it_may_ponder_and_is_hit() {
    let directory = tempfile::tempdir().unwrap();
    let command = script(directory.path(), "", "echo 'bestmove d2d4 ponder e5d4'");
    let mut thinking = Thinking::start(Supervisor::new(command));
    let go = pondering(7, 200);
    thinking.ask(go.clone());
    hears_to_ponder(directory.path()).await;
    thinking.ponder_hit(7);
    let (best, _) = answered(&mut thinking, &go).await;
    assert_eq!(
        (best.best.as_deref(), best.ponder.as_deref()),
        (Some("d2d4"), Some("e5d4"))
    );
    let heard = heard(directory.path());
    let expected = format!(
        "uci \nsetoption name Ponder value true\nisready \nposition fen {START_FEN} moves e2e4 e7e5\n\
         go ponder movetime 200\n"
    );
    let rest = heard.strip_prefix(&expected).unwrap_or_else(|| panic!("{heard}"));
    let rest: Vec<&str> = rest.lines().filter(|line| line.trim() != "isready").collect();
    assert_eq!(rest, ["ponderhit "]);
}

#[tokio::test]
async fn an_engine_that_is_not_to_ponder_has_no_reply_to_ponder_on() {
    let directory = tempfile::tempdir().unwrap();
    let command = UciCommand {
        ponder: false,
        ..script(directory.path(), "", "")
    };
    // One that has no such option cannot either.
    let lacks = tempfile::tempdir().unwrap();
    let without = script(lacks.path(), "", "");
    let path = lacks.path().join("engine.sh");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("option name Ponder", "option name Wonder")).unwrap();
    for (command, directory) in [(command, &directory), (without, &lacks)] {
        let mut thinking = Thinking::start(Supervisor::new(command));
        let go = question(7, &["e2e4", "e7e5"], 200);
        thinking.ask(go.clone());
        let (best, _) = answered(&mut thinking, &go).await;
        assert_eq!((best.best.as_deref(), best.ponder), (Some("g1f3"), None));
        assert!(
            !heard(directory.path()).contains("Ponder"),
            "{}",
            heard(directory.path())
        );
    }
}

#[tokio::test]
async fn an_engine_that_fails_at_every_ponder_costs_no_move() {
    let kinds = [
        ("echo 'bestmove a1a1'", "not legal"),
        ("kill -9 $$", "SIGKILL"),
        ("exec sleep 1000", "did not answer a ping"),
    ];
    for (on_ponder, reason) in kinds {
        let directory = tempfile::tempdir().unwrap();
        let mut thinking = Thinking::start(Supervisor::new(script(directory.path(), on_ponder, "")));
        for id in [7, 17, 27, 37] {
            let go = pondering(id, 5_000);
            thinking.ask(go.clone());
            let why = is_replaced(&mut thinking).await;
            assert!(why.contains(reason), "{why} instead of {reason}");
            thinking.ponder_hit(id);
            let (best, reasons) = answered(&mut thinking, &go).await;
            assert_eq!(best.best.as_deref(), Some("g1f3"), "asked without pondering");
            assert!(reasons.is_empty(), "{reasons:?}");
        }
    }
}

#[tokio::test]
async fn an_answer_that_comes_before_the_hit_waits_for_it() {
    let directory = tempfile::tempdir().unwrap();
    let command = script(directory.path(), "echo 'bestmove b1c3'", "");
    let pings = Policy {
        ping_every: Duration::from_millis(50),
        patience: 100,
        ..Policy::default()
    };
    let mut thinking = Thinking::start(Supervisor::new(command).with_policy(pings));
    let mut pinged = 0;
    for (id, hit) in [(7, true), (9, false), (11, true)] {
        let go = pondering(id, 200);
        thinking.ask(go.clone());
        // It goes on answering pings after its answer, and more than one: so the answer has arrived.
        pinged += 3;
        while heard(directory.path()).matches("isready").count() < pinged + 1 {
            tokio::select! {
                news = thinking.next() => panic!("{news:?} before the hit"),
                () = tokio::time::sleep(Duration::from_millis(10)) => {}
            }
        }
        pinged = heard(directory.path()).matches("isready").count();
        if hit {
            thinking.ponder_hit(id);
            let (best, reasons) = answered(&mut thinking, &go).await;
            assert_eq!(best.best.as_deref(), Some("b1c3"));
            assert!(reasons.is_empty(), "{reasons:?}");
        } else {
            let real = question(id + 1, &["e2e4", "c7c5"], 200);
            thinking.ask(real.clone());
            let (best, reasons) = answered(&mut thinking, &real).await;
            assert_eq!(best.best.as_deref(), Some("g1f3"));
            assert!(reasons.is_empty(), "{reasons:?}");
        }
    }
}

#[tokio::test]
async fn an_engine_that_does_not_answer_a_hit_is_replaced_and_asked_again() {
    let directory = tempfile::tempdir().unwrap();
    let mut thinking = Thinking::start(Supervisor::new(script(directory.path(), "", "")));
    let go = pondering(7, 100);
    thinking.ask(go.clone());
    hears_to_ponder(directory.path()).await;
    thinking.ponder_hit(7);
    let (best, reasons) = answered(&mut thinking, &go).await;
    assert_eq!(best.best.as_deref(), Some("g1f3"));
    assert!(
        reasons.len() == 1 && reasons[0].contains("neither in time nor to stop"),
        "{reasons:?}"
    );
    // What had gone of its time since the hit was not given again.
    assert!(
        heard(directory.path()).contains("go movetime 100\n"),
        "{}",
        heard(directory.path())
    );
}

#[tokio::test]
async fn a_question_without_a_position_is_refused_only_after_the_hit() {
    let [mut supervisor, _] = doors();
    let wrong = Go {
        ponder: true,
        ..question(7, &["e2e5"], 100)
    };
    let (hit, played) = tokio::sync::oneshot::channel();
    let mut on_event = |_| {};
    let mut answer = Box::pin(supervisor.ponder(wrong, async { played.await.unwrap() }, &mut on_event));
    tokio::select! {
        biased;
        answer = &mut answer => panic!("{answer:?} before the hit"),
        () = std::future::ready(()) => {}
    }
    hit.send(Instant::now()).unwrap();
    assert!(timeout(DEADLINE, answer).await.expect("an end").is_err());
}
