//! `torres ladder` with real engine processes: our own, and scripts that fail on purpose.
#![cfg(unix)]

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use torres_test_support::{faulty_engine, program};

/// No match here takes longer, however loaded the machine.
const PATIENCE: Duration = Duration::from_secs(120);

fn ladder(folder: &Path) -> Command {
    let mut command = Command::new(program());
    command.args(["ladder", "--hash", "1", "--out"]).arg(folder);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Our own engine as the opponent.
fn against_ourselves(command: &mut Command) -> &mut Command {
    command.args(["--against", &format!("{} uci", program()), "--their-name", "twin"])
}

fn text(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn games(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("games.jsonl")).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

#[test]
fn a_match_that_is_broken_off_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let run = |games: &str| {
        let mut command = ladder(folder.path());
        against_ourselves(&mut command)
            .args(["--limits", "nodes=200", "--games", games, "--concurrency", "2"])
            .output()
            .unwrap()
    };
    let first = run("2");
    assert_eq!(first.status.code(), Some(0), "{:?}", text(&first));
    let before = games(folder.path());
    assert_eq!(before.len(), 2);
    assert_eq!(
        before[0]["opening"], before[1]["opening"],
        "an opening is played with both colours"
    );
    assert_ne!(before[0]["engine_white"], before[1]["engine_white"]);
    // Killed in the middle of a line.
    let path = folder.path().join("games.jsonl");
    let mut torn = fs::read_to_string(&path).unwrap();
    torn.push_str("{\"pairing\":");
    fs::write(&path, torn).unwrap();

    let second = run("4");
    let (table, _) = text(&second);
    let after = games(folder.path());
    assert_eq!(after[..2], before[..], "played games stay");
    let numbers: BTreeSet<u64> = after.iter().filter_map(|game| game["number"].as_u64()).collect();
    assert_eq!((after.len(), numbers), (4, BTreeSet::from([0, 1, 2, 3])));
    assert!(
        table.contains("| torres | nodes=200 | twin | nodes=200 | 4 |"),
        "{table}"
    );
    assert!(table.contains("0 + 0 illegal moves"), "{table}");
    assert_eq!(fs::read_to_string(folder.path().join("table.md")).unwrap(), table);
    assert!(
        fs::read_to_string(folder.path().join("ladder.svg"))
            .unwrap()
            .contains("torres – twin")
    );

    let played = fs::read_to_string(&path).unwrap();
    run("4");
    assert_eq!(fs::read_to_string(&path).unwrap(), played, "nothing is left to play");
}

#[test]
fn the_more_nodes_the_more_points() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = ladder(folder.path());
    against_ourselves(&mut command).args(["--limits", "nodes=20000", "--their-limits", "depth=1", "--games", "10"]);
    let output = command.output().unwrap();
    let points: f64 = games(folder.path())
        .iter()
        .filter_map(|game| game["points"].as_f64())
        .sum();
    assert!(points >= 7.5, "{points} of 10; {:?}", text(&output));
}

#[test]
fn a_sequential_test_ends_when_its_games_tell_and_knows_it_later() {
    let folder = tempfile::tempdir().unwrap();
    let run = || {
        let mut command = ladder(folder.path());
        against_ourselves(&mut command)
            .args(["--limits", "nodes=5000", "--their-limits", "depth=1", "--sprt", "0,200"])
            .output()
            .unwrap()
    };
    let (table, _) = text(&run());
    assert!(table.contains("for 200 against 0 Elo: 200 or more"), "{table}");
    let played = games(folder.path()).len();
    assert!((6..60).contains(&played), "{played} games");
    let (again, _) = text(&run());
    assert_eq!(again, table);
    assert_eq!(games(folder.path()).len(), played, "it went on after its answer");
}

#[test]
fn what_engines_do_wrong_loses_and_is_named() {
    for (on_go, limits, end, counted) in [
        ("echo bestmove a1a1", "nodes=100", "illegal_move", "0 + 2 illegal moves"),
        (
            "echo 'bestmove (none)'",
            "nodes=100",
            "illegal_move",
            "0 + 2 illegal moves",
        ),
        ("exit 3", "nodes=100", "crash", "0 + 2 crashes"),
        // Slower than its clock.
        (
            "sleep 0.3; echo bestmove e2e4",
            "0.1+0",
            "time_loss",
            "0 + 2 time losses",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = ladder(folder.path());
        command.args([
            "--against",
            &faulty_engine(folder.path(), "engine", on_go),
            "--their-name",
            "Faulty",
        ]);
        let output = command
            .args(["--limits", "nodes=100", "--their-limits", limits, "--games", "2"])
            .output()
            .unwrap();
        let (table, progress) = text(&output);
        let games = games(folder.path());
        assert_eq!(games.len(), 2, "{on_go}: {progress}");
        for game in games {
            assert_eq!(
                (game["end"].as_str(), game["points"].as_f64()),
                (Some(end), Some(1.0)),
                "{on_go}"
            );
        }
        assert!(table.contains(counted), "{on_go}: {table}");
        assert!(progress.contains("of Faulty"), "{on_go}: {progress}");
    }
}

#[test]
fn an_interrupt_ends_it_with_what_was_played() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = ladder(folder.path());
    let mut child = against_ourselves(&mut command)
        .args(["--limits", "nodes=100", "--games", "100000"])
        .spawn()
        .unwrap();
    let started = Instant::now();
    while games(folder.path()).is_empty() {
        assert!(started.elapsed() < PATIENCE, "no game was finished");
        std::thread::yield_now();
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert!(folder.path().join("table.md").is_file());
}

#[test]
fn what_cannot_be_played_is_said_before_anything_is() {
    let folder = tempfile::tempdir().unwrap();
    let opening = folder.path().join("openings.epd");
    fs::write(&opening, "nonsense\n").unwrap();
    for (arguments, said) in [
        (vec!["--against", "no-such-engine-anywhere"], "no-such-engine-anywhere"),
        (
            vec!["--against", "sh", "--openings", opening.to_str().unwrap()],
            "line 1",
        ),
        (vec!["--limits", "fast"], "fast"),
        (vec!["--lichess", "9"], "9"),
    ] {
        let output = ladder(&folder.path().join("out")).args(&arguments).output().unwrap();
        let (_, problem) = text(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {problem}");
        assert!(problem.contains(said), "{arguments:?}: {problem}");
    }
}

#[test]
fn an_option_that_an_engine_lacks_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = ladder(folder.path());
    let output = against_ourselves(&mut command)
        .args(["--option", "No Such Option=1", "--games", "1"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).1.contains("No Such Option"));
    assert!(games(folder.path()).is_empty());
}
