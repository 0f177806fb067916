//! `torres results` over files that were made up.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use torres_test_support::program;

fn results(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(program());
    command.arg("results").args(args).current_dir(folder).output().unwrap()
}

fn said(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// A line as `docs/contracts.md` has it; `minute` tells when the game ended.
fn line(opponent: &str, color: &str, result: &str, minute: u32) -> String {
    let line = json!({
        "format": 1, "started": "2026-11-21T22:00:00+01:00", "ended": format!("2026-11-21T22:{minute:02}:00+01:00"),
        "site": "A site", "calibration": "site", "opponent": opponent, "color": color, "result": result,
        "termination": "as it may be", "plies": 40, "clock": "15+10", "move_ms": 1000,
        "times": {"own_ms": 20_000, "opponent_ms": 10_000, "longest_own_ms": 1_400},
        "version": "0.1.0", "engine": null, "folder": "game-1", "pgn": "game.pgn", "of a later version": [],
    });
    format!("{line}\n")
}

fn write(path: &Path, lines: &[String]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, lines.concat()).unwrap();
}

/// Against Lichess level 5 two won (one of them with Black), one drawn; against level 6 one lost, one without an end.
fn played(folder: &Path) {
    write(
        &folder.join("torres-games/results.jsonl"),
        &[
            line("Lichess level 5", "white", "1-0", 10),
            line("Lichess level 5", "black", "0-1", 30),
            "{\"format\":1,\"opponent\":\"torn\n".to_owned(),
            line("Lichess level 6", "white", "*", 40),
        ],
    );
    write(
        &folder.join("torres-games/demo/results.jsonl"),
        &[
            line("Lichess level 6", "black", "1-0", 5),
            line("Lichess level 5", "white", "1/2-1/2", 20),
        ],
    );
}

#[test]
fn games_are_added_up_for_each_opponent_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    played(folder.path());
    let output = results(folder.path(), &[]);
    let (table, notes) = said(&output);
    assert_eq!(output.status.code(), Some(0), "{notes}");
    let row = |name: &str| -> Vec<String> {
        let row = table.lines().find(|line| line.starts_with(&format!("| {name}")));
        let row = row.unwrap_or_else(|| panic!("no row for {name} in\n{table}"));
        row.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    assert_eq!(
        row("Lichess level 5")[1..6],
        ["Lichess level 5", "3", "2 1 0", "0", "83.3 %"]
    );
    assert_eq!(
        row("Lichess level 6")[1..6],
        ["Lichess level 6", "1", "0 0 1", "1", "0.0 %"]
    );
    assert_eq!(row("all games")[1..6], ["all games", "4", "2 1 1", "1", "62.5 %"]);
    // 400 · log10(5): five points for each lost one.
    assert!(row("Lichess level 5")[7].starts_with("+280 ± "), "{table}");
    // The game that ended first decides who comes first.
    assert!(
        table.find("| Lichess level 6") < table.find("| Lichess level 5"),
        "{table}"
    );
    assert!(notes.contains("results.jsonl, line 3: it is not JSON"), "{notes}");
    let svg = fs::read_to_string(folder.path().join("torres-games/results.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("Lichess level 5") && svg.contains("Lichess level 6"));
}

#[test]
fn json_has_the_same_numbers_and_the_plot_goes_where_it_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    played(folder.path());
    // Named twice, counted once.
    let args = ["torres-games", "torres-games/demo/results.jsonl", "--json"];
    let (text, _) = said(&results(folder.path(), &args));
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert_eq!(
        (
            &lines[1]["opponent"],
            &lines[1]["games"],
            &lines[1]["wins"],
            &lines[1]["draws"]
        ),
        (&json!("Lichess level 5"), &json!(3), &json!(2), &json!(1))
    );
    assert_eq!((&lines[0]["elo"], &lines[0]["unfinished"]), (&Value::Null, &json!(1)));
    assert_eq!(
        (&lines[2]["opponent"], &lines[2]["score"]),
        (&Value::Null, &json!(0.625))
    );
    assert!(!folder.path().join("torres-games/results.svg").exists());
    results(folder.path(), &["--svg", "plot.svg"]);
    assert!(folder.path().join("plot.svg").exists());
    assert!(!folder.path().join("torres-games/results.svg").exists());
}

#[test]
fn where_nothing_was_played_it_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("empty/results.jsonl"), &["broken\n".to_owned()]);
    fs::create_dir(folder.path().join("bare")).unwrap();
    let wrong: [(&[&str], &str); 4] = [
        (&[], "torres-games"),
        (&["bare"], "no results.jsonl in bare"),
        (&["no.jsonl"], "no results file no.jsonl"),
        (&["empty"], "no game in empty/results.jsonl"),
    ];
    for (args, what) in wrong {
        let output = results(folder.path(), args);
        let (table, notes) = said(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {notes}");
        assert!(
            notes.contains(what) && notes.contains("torres play"),
            "{args:?}: {notes}"
        );
        assert_eq!(table, "");
    }
}

#[test]
fn games_without_an_end_are_listed_and_not_counted() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("results.jsonl"), &[line("a", "white", "*", 1)]);
    let output = results(folder.path(), &["."]);
    let (table, notes) = said(&output);
    assert_eq!(output.status.code(), Some(0), "{notes}");
    let cells: Vec<&str> = table.lines().nth(2).unwrap().split('|').map(str::trim).collect();
    assert_eq!(cells[1..8], ["a", "0", "0 0 0", "1", "–", "–", "–"]);
    assert!(!folder.path().join("results.svg").exists());
}
