//! `torres demo`, as a new user starts it: everything at once, judged by the site's log and the files left behind.
#![cfg(target_os = "linux")]

use image::AnimationDecoder;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;
use torres::journal::Event;
use torres_test_support::play::{Run, cells_of_sheet, journal, moves_seen, pgn_of};
use torres_test_support::torres;

/// A whole game between engines that think for a tenth of a second.
const WHOLE_GAME: Duration = Duration::from_secs(300);

fn demo(out: &Path, more: &[&str]) -> (i32, String) {
    let mut args = vec!["demo", "--headless", "--out", out.to_str().unwrap()];
    args.extend(more);
    let said = out.with_extension("said");
    let mut run = Run::start(torres(&args), said);
    (run.status(WHOLE_GAME), run.said())
}

fn site_log(out: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(out.join("site.log")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn moves_on_site(log: &[Value]) -> Vec<String> {
    let moves = log.iter().filter(|event| event["event"] == "move");
    moves.map(|event| event["move"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_whole_game_is_played_to_its_end_and_written_down() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("game");
    let (status, said) = demo(&out, &["--level", "1", "--move-ms", "100", "--seed", "7"]);
    assert_eq!(status, 0, "{said}");

    // The site's log is the judge: every move seen, none refused, and an end.
    let log = site_log(&out);
    let moves = moves_on_site(&log);
    assert_eq!(moves_seen(&journal(&out)), moves);
    assert!(log.iter().all(|event| event["event"] != "refused"), "{said}");
    let result = log.iter().find(|event| event["event"] == "result");
    let result = result.expect("the game ended on the site")["detail"].as_str().unwrap();

    let game = pgn_of(&out.join("game.pgn"));
    assert_eq!(game.moves, moves);
    let own = moves.len().div_ceil(2);
    for (ply, comment) in game.comments.iter().enumerate() {
        assert!(comment.contains("%emt"), "ply {ply} has no time: {comment}");
        assert!(comment.contains("%clk"), "ply {ply} has no clock: {comment}");
        assert!(
            ply % 2 == 1 || comment.contains("%eval"),
            "ply {ply} has no evaluation: {comment}"
        );
    }
    assert_eq!(cells_of_sheet(&out.join("game.png")), own);

    // What the user reads agrees with all of that.
    let (score, how) = result.split_once(' ').unwrap_or((result, ""));
    assert!(
        said.contains(score) && said.contains(how),
        "{result} is not in:\n{said}"
    );
    let plies = moves.len();
    assert!(
        said.contains(&format!("{plies} on the site, {plies} seen, 0 misread, 0 refused")),
        "{said}"
    );
    assert!(
        said.contains(&format!("{own} landed at first try, 0 after a retry, 0 otherwise")),
        "{said}"
    );
    assert!(said.contains("at rest to known: median"), "{said}");
    assert!(said.contains("at rest to confirmed: median"), "{said}");
    assert!(said.contains("released to landed: median"), "{said}");
    // Each move is confirmed by the board at rest, later than it is known; the game may end before the last two are.
    let entries = journal(&out);
    let confirmed: Vec<(&str, f64)> = entries
        .iter()
        .filter_map(|entry| match &entry.event {
            Event::Confirmed { played, after_ms, .. } => Some((played.as_str(), after_ms.unwrap())),
            _ => None,
        })
        .collect();
    let seen = moves_seen(&entries);
    assert!(confirmed.len() + 2 >= seen.len(), "{confirmed:?} of {seen:?}");
    assert!(confirmed.iter().zip(&seen).all(|((played, _), seen)| played == seen));
    assert!(confirmed.iter().all(|(_, later)| *later >= 0.0), "{confirmed:?}");
    assert!(said.contains("game.pgn"), "{said}");
    is_explained(&out, plies, own);
    is_recorded(&out, &said, plies);
    assert_eq!(frames_of_film(&out.join("game.gif")), plies);
}

/// What `torres explain` prints has every ply, and of each of ours what was decided, checked, done and verified.
fn is_explained(out: &Path, plies: usize, own: usize) {
    let (status, told) = answered(&["explain", out.to_str().unwrap()]);
    assert_eq!(status, 0, "{told}");
    let blocks: Vec<&str> = told.split("\nply ").skip(1).collect();
    assert_eq!(blocks.len(), plies, "{told}");
    for (index, block) in blocks.iter().enumerate() {
        assert!(block.starts_with(&format!("{} ", index + 1)), "{block}");
        assert!(block.contains(" seen "), "{block}");
        let ours = ["decided", "checked", "done", "landed, ", "used, "];
        assert!(
            index % 2 == 1 || ours.iter().all(|word| block.contains(word)),
            "{block}"
        );
    }
    let ours = blocks.iter().filter(|block| block.contains("   Torres\n"));
    assert_eq!(ours.count(), own, "{told}");
    let (status, told) = answered(&["explain", out.to_str().unwrap(), "--ply", "1"]);
    assert_eq!(status, 0, "{told}");
    assert!(told.contains("in input units") && told.contains("nodes"), "{told}");
    assert_eq!(answered(&["explain", out.to_str().unwrap(), "--ply", "9999"]).0, 2);
}

/// The frames kept while the game was played show its moves again.
fn is_recorded(out: &Path, said: &str, plies: usize) {
    assert!(said.contains("recording into"), "{said}");
    let (status, told) = answered(&["replay", out.to_str().unwrap()]);
    assert_eq!(status, 0, "{told}");
    assert!(
        told.contains(&format!("the same {plies} plies as in the journal")),
        "{told}"
    );
}

/// What a command prints on both its outputs, and its exit status.
fn answered(args: &[&str]) -> (i32, String) {
    let output = torres(args).output().unwrap();
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.code().unwrap(), text.concat())
}

fn frames_of_film(path: &Path) -> usize {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let decoder = image::codecs::gif::GifDecoder::new(file).unwrap();
    decoder
        .into_frames()
        .map(|frame| assert_eq!(frame.unwrap().buffer().dimensions(), (360, 360)))
        .count()
}

#[test]
fn a_quick_look_stops_after_the_plies_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("game");
    let (status, said) = demo(&out, &["--plies", "5", "--color", "black", "--move-ms", "50"]);
    assert_eq!(status, 0, "{said}");
    assert_eq!(moves_seen(&journal(&out)).len(), 5 - known_before(&out), "{said}");
    assert_eq!(pgn_of(&out.join("game.pgn")).moves, moves_on_site(&site_log(&out))[..5]);
    // Two of the five are ours.
    assert_eq!(cells_of_sheet(&out.join("game.png")), 2);
}

#[test]
fn a_recorded_game_replays_to_the_moves_of_the_site() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("game");
    let (status, said) = demo(
        &out,
        &["--plies", "8", "--move-ms", "500", "--delay-ms", "500", "--record"],
    );
    assert_eq!(status, 0, "{said}");
    let replay = torres(&["replay", "--json", out.join("fixture").to_str().unwrap()]).output();
    let text = String::from_utf8(replay.unwrap().stdout).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let believed = lines.iter().filter(|line| line["event"] == "move");
    let moves: Vec<String> = believed
        .flat_map(|line| line["moves"].as_array().unwrap())
        .map(|uci| uci.as_str().unwrap().to_owned())
        .collect();
    // The recorder ends with the browser's window, which may be closed before the last moves are at rest.
    assert!(moves.len() >= 6, "{moves:?}\n{text}");
    assert_eq!(moves, moves_on_site(&site_log(&out))[..moves.len()]);
    let score = lines.last().unwrap();
    assert_eq!((&score["wrong"], &score["missed"]), (&0.into(), &0.into()), "{text}");
    assert!(score["plies"].as_u64().unwrap() >= 4, "{score}");
}

/// Playing Black, the bot's first move may have been made before the game was looked at: 1, or 0.
fn known_before(out: &Path) -> usize {
    let seen = moves_seen(&journal(out));
    usize::from(seen.first() != moves_on_site(&site_log(out)).first())
}
