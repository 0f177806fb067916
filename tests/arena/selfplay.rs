//! `torres selfplay` as a process that is ended in every way there is, and `torres data` and `torres tune` with what it
//! wrote.
#![cfg(unix)]

use super::running::{PATIENCE, command, length, selfplay, told, torres};
use std::fs;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

/// Starts quick games and waits until so much more of them is on disk, or all of them are.
fn started(folder: &Path, out: &str, games: &str, more: u64) -> Child {
    let path = folder.join(out);
    let before = length(&path);
    let mut child = command(folder, &selfplay(out, games, "2")).spawn().unwrap();
    let deadline = Instant::now() + PATIENCE;
    while length(&path) < before + more && child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "no game was written");
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

#[test]
fn games_that_are_killed_again_and_again_come_to_the_same_as_those_that_are_not() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    let (code, told, error) = torres(folder, &selfplay("whole", "30", "1"));
    assert_eq!(code, Some(0), "{error}");
    assert!(told.contains("30 games and") && told.contains("recorded"), "{told}");
    let whole = fs::read(folder.join("whole")).unwrap();

    let killed = folder.join("killed");
    let mut kills = 0;
    loop {
        // A little more each time: some kills come just after a game was written, others in the middle of one.
        let mut child = started(folder, "killed", "30", 1 + 3000 * (kills % 3));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        let mut bytes = fs::read(&killed).unwrap();
        assert!(
            whole.starts_with(&bytes),
            "after {kills} kills it is no beginning of the whole"
        );
        // And some in the middle of a write, which a test cannot hit.
        bytes.truncate(bytes.len().saturating_sub(17 * (kills as usize % 2)));
        fs::write(&killed, &bytes).unwrap();
        let (code, _, warned) = torres(folder, &["data", "count", "killed"]);
        assert_eq!(code, Some(0), "{warned}");
        assert_eq!(warned.contains("no whole game"), kills % 2 == 1, "{warned}");
    }
    assert!(kills >= 3, "{kills}");
    assert!(fs::read(&killed).unwrap() == whole, "{kills} kills make a difference");

    // Nothing is left to play, and more games only add to it.
    let (code, ..) = torres(folder, &selfplay("killed", "30", "2"));
    assert_eq!((code, length(&killed)), (Some(0), whole.len() as u64));
    torres(folder, &selfplay("killed", "32", "2"));
    let longer = fs::read(&killed).unwrap();
    assert!(longer.starts_with(&whole) && longer.len() > whole.len());
}

#[test]
fn a_polite_stop_is_obeyed_at_once_and_leaves_whole_games() {
    use rustix::process::{Pid, Signal, kill_process};
    let dir = tempfile::tempdir().unwrap();
    for signal in [Signal::INT, Signal::TERM] {
        let child = started(dir.path(), "games", "1000000", 1);
        kill_process(Pid::from_child(&child), signal).unwrap();
        let asked = Instant::now();
        let (code, told, error) = told(child.wait_with_output().unwrap());
        assert!(asked.elapsed() < Duration::from_secs(30), "{:?}", asked.elapsed());
        assert_eq!(code, Some(3), "{error}");
        assert!(told.contains("positions in the file"), "{told}");
        let (code, counted, warned) = torres(dir.path(), &["data", "count", "games"]);
        assert_eq!((code, warned.as_str()), (Some(0), ""), "{counted}");
    }
}

#[test]
fn what_cannot_be_gone_on_with_is_refused_and_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    torres(folder, &selfplay("games", "2", "2"));
    fs::write(folder.join("notes"), "my notes").unwrap();
    let before = fs::read(folder.join("games")).unwrap();
    for (out, other, reason) in [
        ("games", ["--random-plies", "6"], "games of another run"),
        ("notes", ["--random-plies", "4"], "no file of positions"),
        ("none/games", ["--random-plies", "4"], "No such file"),
    ] {
        let (code, told, error) = torres(folder, &[&selfplay(out, "3", "1")[..], &other].concat());
        assert_eq!(code, Some(2), "{out}: {told}");
        assert!(error.contains(reason), "{out}: {error}");
    }
    assert!(fs::read(folder.join("games")).unwrap() == before);
    assert_eq!(fs::read_to_string(folder.join("notes")).unwrap(), "my notes");
    // One program at a time.
    let mut writing = started(folder, "long", "1000000", 1);
    let (code, _, error) = torres(folder, &selfplay("long", "1000000", "1"));
    writing.kill().unwrap();
    writing.wait().unwrap();
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("another torres writes there"), "{error}");
}

/// The number before a word.
fn number(text: &str, word: &str) -> u64 {
    let (before, _) = text.split_once(word).unwrap_or_else(|| panic!("no{word} in {text}"));
    before.rsplit([' ', '\n']).next().unwrap().parse().unwrap()
}

#[test]
fn games_are_counted_split_shuffled_shown_and_learned_from() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    torres(folder, &selfplay("games", "40", "2"));
    let ok = |args: &[&str]| {
        let (code, told, error) = torres(folder, args);
        assert_eq!(code, Some(0), "{args:?}: {told}{error}");
        (told, error)
    };
    let (counted, _) = ok(&["data", "count", "games"]);
    let (games, positions) = (number(&counted, " games"), number(&counted, " positions"));
    assert!((38..=40).contains(&games) && positions > 400, "{counted}");
    assert_eq!(
        (length(&folder.join("games")) - 32 * games) / 32,
        positions,
        "{counted}"
    );
    assert!(counted.contains("run "), "{counted}");
    let (twice, warned) = ok(&["data", "count", "games", "games"]);
    assert_eq!(
        number(twice.lines().last().unwrap(), " positions"),
        positions,
        "{twice}"
    );
    assert!(
        warned.contains(&format!("{games} games were there more than once")),
        "{warned}"
    );

    let (split, _) = ok(&[
        "data",
        "split",
        "games",
        "--training",
        "training",
        "--validation",
        "apart",
        "--share",
        "0.25",
    ]);
    let parts: Vec<u64> = split.lines().map(|line| number(line, " positions")).collect();
    assert!(
        parts.len() == 2 && parts[0] + parts[1] == positions && parts[1] > 0,
        "{split}"
    );
    let (code, _, error) = torres(
        folder,
        &["data", "split", "games", "--training", "training", "--validation", "v"],
    );
    assert!(
        code == Some(2) && error.contains("'training' is there already"),
        "{error}"
    );

    ok(&[
        "data", "shuffle", "training", "apart", "--out", "shuffled", "--seed", "3", "--memory", "1",
    ]);
    let (shuffled, _) = ok(&["data", "count", "shuffled"]);
    assert_eq!(number(&shuffled, " positions"), positions);
    let of = |file| ok(&["data", "histogram", file]).0;
    assert_eq!(of("shuffled"), of("games"));
    assert!(of("games").contains("score, centipawns, White's view"));

    let lines = |file| {
        let (shown, _) = ok(&["data", "show", file, "--count", "1000000"]);
        let line = |line: &str| line.splitn(5, " | ").skip(1).take(3).collect::<Vec<_>>().join(" | ");
        shown.lines().map(line).collect::<Vec<_>>()
    };
    let (mut before, mut after) = (lines("games"), lines("shuffled"));
    assert_ne!(before, after);
    before.sort();
    after.sort();
    assert_eq!((before.len() as u64, &before), (positions, &after));
    let (one, _) = ok(&["data", "show", "games", "--at", "7", "--count", "1"]);
    assert!(
        one.starts_with("7 | ") && one.lines().count() == 1 && one.contains(" | game "),
        "{one}"
    );
    let last = positions.to_string();
    let (code, _, error) = torres(folder, &["data", "show", "games", "--at", &last]);
    assert!(
        code == Some(2) && error.contains(&format!("has {positions} positions")),
        "{error}"
    );

    let (learned, _) = ok(&["tune", "games", "--out", "weights.rs", "--epochs", "1"]);
    assert!(learned.starts_with(&format!("{games} games: ")), "{learned}");
    let (code, _, error) = torres(folder, &["tune", "shuffled", "--out", "weights.rs"]);
    assert!(code == Some(2) && error.contains("whole games are needed"), "{error}");
    let (code, _, error) = torres(folder, &["data", "count", "weights.rs"]);
    assert!(code == Some(2) && error.contains("no file of positions"), "{error}");
}
