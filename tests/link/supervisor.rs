//! Engines that die, freeze and babble while they are asked: each is replaced and the same question answered.
#![cfg(unix)]

use futures_util::future::BoxFuture;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use torres::link::client::EngineClient;
use torres::link::messages::{BestMove, Go, Limits};
use torres::link::policy::Policy;
use torres::link::process::EngineCommand;
use torres::link::supervisor::Supervisor;
use torres::link::{Launch, ThinkError, ThinkEvent, Thinker, answer};
use torres_test_support::link::*;
use torres_test_support::{itself, program};

fn torres() -> EngineCommand {
    EngineCommand {
        hash_mib: 1,
        ..EngineCommand::of(program())
    }
}

fn go(moves: &[&str], limits: Limits) -> Go {
    let moves = moves.iter().map(ToString::to_string).collect();
    Go {
        id: 42,
        fen: START_FEN.into(),
        moves,
        limits,
        ..Go::default()
    }
}

fn move_ms(ms: u64) -> Limits {
    Limits {
        move_ms: Some(ms),
        ..Limits::default()
    }
}

/// A question that is answered at once, with time to spare on a busy machine.
fn quick() -> Limits {
    Limits {
        depth: Some(2),
        ..move_ms(5_000)
    }
}

/// Asks, with the tests' deadline; the answer and the reasons for which engines were replaced.
async fn ask(supervisor: &mut Supervisor, go: Go) -> (Result<BestMove, ThinkError>, Vec<String>) {
    ask_and(supervisor, go, |_| {}).await
}

async fn ask_and(
    supervisor: &mut Supervisor,
    go: Go,
    mut hear: impl FnMut(&ThinkEvent) + Send,
) -> (Result<BestMove, ThinkError>, Vec<String>) {
    let mut reasons = Vec::new();
    let mut on_event = |event: ThinkEvent| {
        hear(&event);
        match event {
            ThinkEvent::Restarted(reason) => reasons.push(reason),
            ThinkEvent::Info(info) => assert_eq!(info.id, 42, "the asker's id"),
        }
    };
    let answer = tokio::time::timeout(DEADLINE, supervisor.think(go, &mut on_event))
        .await
        .expect("an answer");
    (answer, reasons)
}

/// That the answer is a legal move for the question's position, under the asker's id.
fn is_right(answer: &BestMove, question: &Go) {
    assert_eq!(answer.id, question.id);
    answer::check(&answer::position_of(question).unwrap(), answer).unwrap();
}

// ---------------------------------------------------------------- real engines, real signals

/// Sends the signal at the first news of a search that has seconds to go.
async fn survives(kind: Signal, reason: &str) {
    let mut supervisor = Supervisor::new(torres());
    supervisor.new_game().await.unwrap();
    let first = supervisor.engine_process().unwrap();
    let question = go(&["e2e4"], move_ms(3000));
    let mut struck = false;
    let (answer, reasons) = ask_and(&mut supervisor, question.clone(), |_| {
        if !std::mem::replace(&mut struck, true) {
            signal(first, kind);
        }
    })
    .await;
    is_right(&answer.unwrap(), &question);
    assert_eq!(reasons.len(), 1, "{reasons:?}");
    assert!(reasons[0].contains(reason), "{reasons:?}");
    wait_until("the old engine is gone, stopped or not", || !is_running(first));
    assert_ne!(supervisor.engine_process(), Some(first));
    let (answer, reasons) = ask(&mut supervisor, go(&["d2d4"], quick())).await;
    is_right(&answer.unwrap(), &go(&["d2d4"], quick()));
    assert!(reasons.is_empty(), "the new engine stays: {reasons:?}");
}

#[tokio::test]
async fn a_killed_engine_is_replaced_and_asked_again() {
    survives(Signal::KILL, "SIGKILL").await;
}

#[tokio::test]
async fn a_frozen_engine_is_replaced_and_asked_again() {
    survives(Signal::STOP, "did not answer a ping").await;
}

#[tokio::test]
async fn an_engine_that_died_between_two_moves_is_replaced() {
    let mut supervisor = Supervisor::new(torres());
    supervisor.new_game().await.unwrap();
    let first = supervisor.engine_process().unwrap();
    signal(first, Signal::KILL);
    wait_until("it is dead", || !is_running(first));
    let question = go(&[], quick());
    let (answer, reasons) = ask(&mut supervisor, question.clone()).await;
    is_right(&answer.unwrap(), &question);
    assert_eq!(reasons.len(), 1, "{reasons:?}");
    supervisor.new_game().await.unwrap();
}

#[tokio::test]
async fn a_dropped_question_is_stopped_and_its_answer_not_taken_for_the_next() {
    let mut supervisor = Supervisor::new(torres());
    supervisor.new_game().await.unwrap();
    let process = supervisor.engine_process();
    for opening in ["e2e4", "d2d4", "c2c4"] {
        let (told, mut heard) = tokio::sync::mpsc::unbounded_channel();
        let mut on_event = move |_| told.send(()).unwrap();
        let endless = Go {
            infinite: true,
            ..go(&[], Limits::default())
        };
        tokio::select! {
            answer = supervisor.think(endless, &mut on_event) => panic!("{answer:?} to an endless search"),
            news = heard.recv() => assert!(news.is_some()),
            () = tokio::time::sleep(DEADLINE) => panic!("no news of the search"),
        }
        let question = go(&[opening], quick());
        let (answer, reasons) = ask(&mut supervisor, question.clone()).await;
        is_right(&answer.unwrap(), &question);
        assert!(reasons.is_empty(), "{reasons:?}");
    }
    assert_eq!(
        supervisor.engine_process(),
        process,
        "nothing was wrong with the engine"
    );
}

#[tokio::test]
async fn a_dropped_supervisor_takes_its_engine_along() {
    let mut supervisor = Supervisor::new(torres());
    supervisor.new_game().await.unwrap();
    let process = supervisor.engine_process().unwrap();
    freeze(process);
    drop(supervisor);
    wait_until("the engine is gone", || !is_running(process));
}

#[tokio::test]
async fn a_killed_engine_leaves_no_socket_behind() {
    for kind in [Signal::KILL, Signal::STOP] {
        let engine = torres().spawn().await.unwrap();
        let socket = engine.socket().to_string();
        let client = EngineClient::connect(engine.socket()).await.unwrap();
        assert_eq!(client.name(), "torres");
        signal(engine.id().unwrap(), kind);
        drop(engine);
        assert!(!std::path::Path::new(&socket).exists(), "{kind:?}");
    }
}

#[tokio::test]
async fn a_question_without_a_position_is_refused_and_costs_no_engine() {
    let mut supervisor = Supervisor::new(torres());
    for wrong in [
        Go {
            fen: "nonsense".into(),
            ..go(&[], move_ms(1))
        },
        go(&["e2e5"], move_ms(1)),
    ] {
        let (answer, reasons) = ask(&mut supervisor, wrong).await;
        assert!(matches!(answer, Err(ThinkError::Refused(_))), "{answer:?}");
        assert!(reasons.is_empty());
    }
}

#[tokio::test]
async fn what_is_no_engine_cannot_be_started() {
    for (program, reason) in [
        ("/nonexistent/torres", "cannot be started"),
        ("/bin/false", "exit status: 1"),
    ] {
        let mut supervisor = Supervisor::new(EngineCommand::of(program));
        let started = supervisor.new_game().await;
        assert!(
            matches!(started, Err(ThinkError::Start(ref why)) if why.contains(reason)),
            "{started:?}"
        );
        let (answer, _) = ask(&mut supervisor, go(&[], move_ms(1))).await;
        assert!(
            matches!(answer, Err(ThinkError::Start(ref why)) if why.contains(reason)),
            "{answer:?}"
        );
    }
}

// ---------------------------------------------------------------- parents that are killed

/// Tells this binary that it was started to be killed.
const AS_PARENT: &str = "TORRES_TEST_AS_PARENT";

/// Not a test: the process whose death the next test looks at.
#[tokio::test]
#[ignore = "run by an_engine_whose_parent_was_killed_ends"]
async fn a_parent() {
    if std::env::var_os(AS_PARENT).is_none() {
        return;
    }
    let engine = torres().spawn().await.unwrap();
    println!("engine {} {}", engine.id().unwrap(), engine.socket());
    std::future::pending::<()>().await;
}

#[test]
fn an_engine_whose_parent_was_killed_ends() {
    ends_with_its_parent(false);
}

/// The system tells a frozen engine (SIGHUP and SIGCONT to a stopped group without a parent). When it does so is the
/// system's business, so this one runs on demand.
#[test]
#[ignore = "depends on how the session that runs it groups processes"]
fn a_frozen_engine_whose_parent_was_killed_ends() {
    ends_with_its_parent(true);
}

fn ends_with_its_parent(frozen: bool) {
    let mut parent = itself("supervisor::a_parent")
        .env(AS_PARENT, "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(parent.stdout.take().unwrap()).lines();
    let line = lines.map(Result::unwrap).find(|line| line.contains("engine ")).unwrap();
    let told: Vec<&str> = line[line.find("engine ").unwrap()..].split_whitespace().collect();
    let (engine, socket) = (told[1].parse().unwrap(), std::path::Path::new(told[2]));
    assert!(is_running(engine) && socket.exists());
    if frozen {
        freeze(engine);
    }
    parent.kill().unwrap();
    parent.wait().unwrap();
    wait_until("the engine is gone", || !is_running(engine));
    assert!(!socket.exists(), "and its socket");
}

// ---------------------------------------------------------------- engines that babble

/// What an engine says to each line that it hears after hello.
type Manners = fn(&Value) -> Vec<u8>;

/// Launches engines with these manners, one after the other, and then real ones.
struct Company {
    manners: Vec<Manners>,
    launched: Arc<AtomicUsize>,
    directory: tempfile::TempDir,
}

impl Company {
    fn of(manners: &[Manners]) -> Company {
        let directory = tempfile::tempdir().unwrap();
        Company {
            manners: manners.to_vec(),
            launched: Arc::default(),
            directory,
        }
    }
}

impl Launch for Company {
    fn launch(&mut self) -> BoxFuture<'_, Result<EngineClient, String>> {
        Box::pin(async move {
            let number = self.launched.fetch_add(1, Ordering::Relaxed);
            let Some(&manners) = self.manners.get(number) else {
                return torres().launch().await;
            };
            let path = self.directory.path().join(number.to_string());
            let listener = UnixListener::bind(&path).unwrap();
            std::thread::spawn(move || serve(&listener.accept().unwrap().0, manners));
            EngineClient::connect(&path.to_str().unwrap().parse().unwrap()).await
        })
    }
}

fn serve(mut stream: &UnixStream, manners: Manners) {
    for line in BufReader::new(stream).lines() {
        let Ok(line) = line else { return };
        let heard: Value = serde_json::from_str(&line).unwrap();
        let reply = if heard["type"] == "hello" {
            message(json!({"type": "hello", "protocol": 1, "name": "fake", "version": "0", "mood": "bad"}))
        } else {
            manners(&heard)
        };
        if reply == CLOSE || stream.write_all(&reply).is_err() {
            return;
        }
    }
}

const CLOSE: &[u8] = b"CLOSE";

fn message(value: Value) -> Vec<u8> {
    format!("{value}\n").into_bytes()
}

fn best(go: &Value, best: Value, fen: &str) -> Vec<u8> {
    message(json!({"type": "bestmove", "id": go["id"], "move": best, "ponder": null, "fen": fen}))
}

fn pong(ping: &Value) -> Vec<u8> {
    message(json!({"type": "pong", "id": ping["id"]}))
}

/// Manners that are good but for the answer to `go`.
macro_rules! to_go {
    (|$go:ident| $reply:expr) => {
        (|heard: &Value| match heard["type"].as_str() {
            Some("go") => {
                let $go = heard;
                $reply
            }
            Some("ping") => pong(heard),
            _ => vec![],
        }) as Manners
    };
}

const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

#[tokio::test]
async fn every_kind_of_babble_is_replaced_and_asked_again() {
    let kinds: [(Manners, &str); 14] = [
        (to_go!(|_go| b"Hello, World!\n".to_vec()), "not a message"),
        (to_go!(|_go| vec![0xff, 0x00, 0x80, b'\n']), "not a message"),
        (to_go!(|_go| b"\n".to_vec()), "not a message"),
        (to_go!(|_go| vec![b'x'; 100_000]), "longer than 65536"),
        (
            to_go!(|_go| br#"{"type":"bestmove","id":"#.to_vec().repeat(10_000)),
            "longer than 65536",
        ),
        (
            to_go!(|go| message(json!({"type": "bestmove", "id": go["id"]}))),
            "not a message",
        ),
        (
            to_go!(|_go| message(json!({"type": "pong", "id": 1_000_000}))),
            "was not asked",
        ),
        (
            to_go!(|_go| best(&json!({"id": 1_000_000}), json!("e7e5"), AFTER_E4)),
            "was not asked",
        ),
        (to_go!(|go| best(go, json!("e7e4"), AFTER_E4)), "not legal"),
        (to_go!(|go| best(go, json!("\u{1F40E}"), AFTER_E4)), "not a UCI move"),
        (to_go!(|go| best(go, Value::Null, AFTER_E4)), "no move"),
        (to_go!(|go| best(go, json!("e2e4"), START_FEN)), "another position"),
        (to_go!(|go| best(go, json!("e7e5"), "somewhere")), "not a FEN"),
        (
            to_go!(|_go| message(json!({"type": "error", "id": null, "message": "what?"}))),
            "does not understand",
        ),
    ];
    for (manners, reason) in kinds {
        let mut supervisor = Supervisor::new(Company::of(&[manners]));
        let question = go(&["e2e4"], quick());
        let (answer, reasons) = ask(&mut supervisor, question.clone()).await;
        is_right(&answer.unwrap(), &question);
        assert_eq!(reasons.len(), 1, "{reasons:?}");
        assert!(reasons[0].contains(reason), "{reasons:?} instead of {reason}");
    }
}

/// Says nothing, not even to a ping.
const DEAF: Manners = |_| vec![];
/// Answers pings and never a question, not even to stop.
const EVASIVE: Manners = to_go!(|_go| vec![]);
/// Hangs up when asked.
const RUDE: Manners = to_go!(|_go| CLOSE.to_vec());
/// Answers only when told to stop, then rightly.
const SLOW: Manners = |heard| match heard["type"].as_str() {
    Some("stop") => best(heard, json!("e7e5"), AFTER_E4),
    Some("ping") => pong(heard),
    _ => vec![],
};

#[tokio::test]
async fn silence_of_every_kind_is_replaced_and_asked_again() {
    // A deaf engine is noticed long before its question's time is up.
    let kinds = [
        (DEAF, 600_000, "did not answer a ping"),
        (EVASIVE, 100, "neither in time nor to stop"),
        (RUDE, 100, "gone"),
    ];
    for (manners, patient, reason) in kinds {
        let mut supervisor = Supervisor::new(Company::of(&[manners]));
        let question = go(
            &["e2e4"],
            Limits {
                depth: Some(2),
                ..move_ms(patient)
            },
        );
        let (answer, reasons) = ask(&mut supervisor, question.clone()).await;
        is_right(&answer.unwrap(), &question);
        assert_eq!(reasons.len(), 1, "{reasons:?}");
        assert!(reasons[0].contains(reason), "{reasons:?} instead of {reason}");
    }
}

#[tokio::test]
async fn the_next_engine_is_given_twice_the_time_unless_the_clock_is_short() {
    let patient = Policy {
        ping_every: Duration::from_millis(100),
        ..Policy::default()
    };
    for (clock, second) in [(900_000, "800ms"), (15_000, "400ms")] {
        let mut supervisor = Supervisor::new(Company::of(&[DEAF, DEAF])).with_policy(patient);
        let limits = Limits {
            white_ms: Some(clock),
            black_ms: Some(clock),
            depth: Some(2),
            ..Limits::default()
        };
        let question = go(&["e2e4"], limits);
        let (answer, reasons) = ask(&mut supervisor, question.clone()).await;
        is_right(&answer.unwrap(), &question);
        assert_eq!(reasons.len(), 2, "{reasons:?}");
        assert!(
            reasons[0].contains("400ms") && reasons[1].contains(second),
            "{reasons:?}"
        );
    }
}

#[tokio::test]
async fn a_slow_engine_is_told_to_stop_and_kept() {
    let company = Company::of(&[SLOW]);
    let launched = company.launched.clone();
    let mut supervisor = Supervisor::new(company);
    let question = go(&["e2e4"], move_ms(100));
    let (answer, reasons) = ask(&mut supervisor, question.clone()).await;
    is_right(&answer.unwrap(), &question);
    assert!(reasons.is_empty(), "{reasons:?}");
    assert_eq!(launched.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn time_that_failures_cost_is_taken_off_the_clock() {
    // The second engine refuses, and says what it was asked.
    let second: Manners = to_go!(|go| {
        let told = go["limits"].to_string();
        message(json!({"type": "error", "id": go["id"], "message": told}))
    });
    let mut supervisor = Supervisor::new(Company::of(&[EVASIVE, second]));
    let clocks = Limits {
        white_ms: Some(2_000),
        black_ms: Some(2_000),
        ..Limits::default()
    };
    let (answer, _) = ask(&mut supervisor, go(&["e2e4"], clocks)).await;
    let Err(ThinkError::Refused(limits)) = answer else {
        panic!("{answer:?}")
    };
    let limits: Limits = serde_json::from_str(&limits).unwrap();
    // Half the clock until it is told to stop, and half a second for that.
    assert_eq!(limits.white_ms, Some(2_000), "it is Black's turn");
    assert!(limits.black_ms.unwrap() <= 500, "{limits:?}");
}

#[tokio::test]
async fn after_three_failures_it_gives_up_and_after_two_it_does_not() {
    let company = Company::of(&[RUDE, DEAF, RUDE]);
    let launched = company.launched.clone();
    let impatient = Policy {
        ping_every: Duration::from_millis(100),
        ..Policy::default()
    };
    let mut supervisor = Supervisor::new(company).with_policy(impatient);
    let question = go(&["e2e4"], quick());
    let (answer, reasons) = ask(&mut supervisor, question.clone()).await;
    assert!(
        matches!(answer, Err(ThinkError::GaveUp { failures: 3, .. })),
        "{answer:?}"
    );
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    assert_eq!(launched.load(Ordering::Relaxed), 3);
    // Whoever asks again gets a new engine.
    let (answer, _) = ask(&mut supervisor, question.clone()).await;
    is_right(&answer.unwrap(), &question);

    let mut supervisor = Supervisor::new(Company::of(&[RUDE, RUDE])).with_policy(impatient);
    let (answer, reasons) = ask(&mut supervisor, question.clone()).await;
    is_right(&answer.unwrap(), &question);
    assert_eq!(reasons.len(), 2, "{reasons:?}");
}
