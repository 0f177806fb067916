//! Games against UCI engines on the practice site, over the screen: what is left of them in the results.
#![cfg(target_os = "linux")]

use serde_json::{Value, json};
use shakmaty::Color;
use std::path::Path;
use torres_test_support::play::{GAME, Practice, Run, Script, engine_for, scripted_engine, text};
use torres_test_support::torres;

/// The quickest mate: the bot has White and walks into it.
fn mate() -> Script {
    Script::new("f2f3 e7e5 g2g4 d8h4")
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_game_against_an_engine_is_in_the_results_with_everything_a_table_needs() {
    let bot = format!("Fool={}", scripted_engine("", &mate().moves_of(Color::White)));
    let practice = Practice::open("", &["--bot", &bot, "--color", "black", "--delay-ms", "50"]);
    practice.stage.calibrate(&["--opponent-name", "Fool"]);
    let engine = engine_for(&mate(), Color::Black);
    // Without --out: the run gets a folder of its own.
    let calibration = practice.stage.calibration();
    let args = ["play", text(&calibration), "--engine", &engine, "--move-ms", "900"];
    let mut play = Run::start(practice.stage.torres(&args), practice.stage.path("play.said"));
    play.ends_with(0, GAME);
    assert_eq!(practice.moves(), mate().moves());
    assert_eq!(practice.site.events("result")[0]["detail"], "0-1 checkmate");

    let games = practice.stage.path("torres-games");
    let results = lines(&games.join("results.jsonl"));
    assert_eq!(results.len(), 1);
    let line = &results[0];
    let expected = [
        ("format", json!(1)),
        ("calibration", json!(text(&calibration))),
        ("opponent", json!("Fool")),
        ("color", json!("black")),
        ("result", json!("0-1")),
        ("termination", json!("0-1 by checkmate")),
        ("plies", json!(4)),
        ("clock", json!("15+10")),
        ("move_ms", json!(900)),
        ("version", json!(env!("CARGO_PKG_VERSION"))),
        ("engine", json!(engine)),
        ("pgn", json!("game.pgn")),
    ];
    for (key, value) in expected {
        assert_eq!(line[key], value, "{key} in {line}");
    }
    assert!(
        line["site"].as_str().unwrap().contains("Torres practice site"),
        "{line}"
    );
    let times = &line["times"];
    let ms = |key: &str| times[key].as_u64().unwrap_or_else(|| panic!("{key} in {line}"));
    assert!(
        0 < ms("longest_own_ms") && ms("longest_own_ms") <= ms("own_ms"),
        "{times}"
    );
    let folder = games.join(line["folder"].as_str().unwrap());
    let pgn = std::fs::read_to_string(folder.join("game.pgn")).unwrap();
    assert!(
        pgn.contains("[White \"Fool\"]") && pgn.contains("[Black \"Torres\"]"),
        "{pgn}"
    );
    assert!(folder.join("journal.jsonl").exists());
    let name = folder.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("20") && name.ends_with("-board"), "{name}");

    let (status, said) = practice.stage.run(&["results", "--json"]);
    assert_eq!(status, 0, "{said}");
    let counted: Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&counted["opponent"], &counted["wins"]),
        (&json!("Fool"), &json!(1)),
        "{said}"
    );
}

fn demo(folder: &Path, bot: &str, more: &[&str]) -> (i32, String) {
    let out = folder.join("out");
    let engine = engine_for(&mate(), Color::Black);
    let mut args = vec![
        "demo",
        "--headless",
        "--color",
        "black",
        "--delay-ms",
        "50",
        "--engine",
        &engine,
    ];
    args.extend(["--out", text(&out), "--bot", bot]);
    args.extend(more);
    let mut run = Run::start(torres(&args), folder.join("said"));
    (run.status(2 * GAME), run.said())
}

#[test]
fn a_demos_games_come_together_in_one_file_and_none_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    // Left by an earlier demo.
    std::fs::create_dir_all(out.join("game-1")).unwrap();
    std::fs::write(out.join("game-1/game.pgn"), "an earlier game").unwrap();
    let bot = format!(
        "Fool={};movetime=1000",
        scripted_engine("", &mate().moves_of(Color::White))
    );
    let (status, said) = demo(folder.path(), &bot, &["--games", "2"]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("game 2 of 2: black against Fool"), "{said}");
    let results = lines(&out.join("results.jsonl"));
    let told: Vec<[&Value; 3]> = results
        .iter()
        .map(|line| [&line["opponent"], &line["result"], &line["folder"]])
        .collect();
    let expected = |folder: &str| [json!("Fool"), json!("0-1"), json!(folder)];
    let (second, third) = (expected("game-2"), expected("game-3"));
    assert_eq!(told, [second.each_ref(), third.each_ref()]);
    let earlier = std::fs::read_to_string(out.join("game-1/game.pgn")).unwrap();
    assert_eq!(earlier, "an earlier game");
    assert!(out.join("game-3/game.pgn").exists());
}

#[test]
fn a_bot_that_fails_leaves_an_unfinished_game_and_no_win() {
    let folder = tempfile::tempdir().unwrap();
    // It knows one move; asked for another it says nothing that makes sense.
    let bot = format!("Short={}", scripted_engine("", &mate().moves_of(Color::White)[..1]));
    let (status, said) = demo(folder.path(), &bot, &[]);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("broken off on the site: engine failed: "), "{said}");
    let results = lines(&folder.path().join("out/results.jsonl"));
    assert_eq!(results.len(), 1, "{said}");
    assert_eq!((&results[0]["result"], &results[0]["plies"]), (&json!("*"), &json!(2)));
    let (status, said) = {
        let out = folder.path().join("out");
        let output = torres(&["results", text(&out), "--json"]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(status, Some(0), "{said}");
    let counted: Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&counted["games"], &counted["unfinished"]),
        (&json!(0), &json!(1)),
        "{said}"
    );
}
