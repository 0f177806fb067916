//! `torres see`: what it prints, and the pictures that it draws.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;
use torres_test_support::program;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// A folder with a picture of the start position, its calibration, a picture from later in the same game, and one with
/// a dialog.
fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/vision/game");
    for (name, copy) in [("00-stable", "start"), ("01-stable", "later"), ("35-dialog", "dialog")] {
        fs::copy(game.join(format!("{name}.png")), dir.path().join(format!("{copy}.png"))).unwrap();
    }
    let made = torres(dir.path(), &["calibrate", "cal.json", "--image", "start.png"]);
    assert!(made.status.success(), "{made:?}");
    dir
}

fn torres(dir: &Path, args: &[&str]) -> Output {
    Command::new(program()).args(args).current_dir(dir).output().unwrap()
}

fn see(dir: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = torres(dir, &[&["see"], args].concat());
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn drawn(path: PathBuf) -> image::RgbaImage {
    image::open(&path)
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        .into_rgba8()
}

#[test]
fn the_json_line_is_as_the_design_says() {
    let dir = folder();
    let (status, text) = see(
        dir.path(),
        &["start.png", "dialog.png", "--calibration", "cal.json", "--json"],
    );
    assert_eq!(status, Some(0), "{text}");
    let lines = lines(&text);
    let (board, confidence) = (lines[0]["board"].clone(), lines[0]["confidence"].clone());
    assert!((board["width"].as_f64().unwrap() - 272.0).abs() < 1.0, "{board}");
    let expected = json!({"image": "start.png", "board": board, "bottom": "white", "placement": START,
        "confidence": confidence, "doubtful": []});
    assert_eq!(lines[0], expected);
    assert!(!lines[1]["doubtful"].as_array().unwrap().is_empty());
}

#[test]
fn a_drawing_goes_beside_its_picture_or_where_it_is_told() {
    let dir = folder();
    for args in [
        &["--explain", "later.png", "--calibration", "cal.json"][..],
        &["later.png", "--calibration", "cal.json", "--explain"],
    ] {
        let (status, text) = see(dir.path(), args);
        assert_eq!(status, Some(0), "{text}");
        assert!(text.contains("later.explained.png"), "{text}");
        let drawing = drawn(dir.path().join("later.explained.png"));
        assert!(
            drawing.width() > 544 && drawing.height() > 544,
            "a small board is enlarged"
        );
        fs::remove_file(dir.path().join("later.explained.png")).unwrap();
    }
    for _ in 0..2 {
        let (status, text) = see(
            dir.path(),
            &["--explain", "out.png", "later.png", "--calibration", "cal.json"],
        );
        assert_eq!(status, Some(0), "{text}");
        drawn(dir.path().join("out.png"));
    }
    let before = fs::read(dir.path().join("start.png")).unwrap();
    let (status, text) = see(
        dir.path(),
        &["--explain", "start.png", "later.png", "--calibration", "cal.json"],
    );
    assert_eq!(status, Some(0), "{text}");
    let unchanged = fs::read(dir.path().join("start.png")).unwrap() == before;
    assert!(unchanged, "a picture to read is not written over");
    drawn(dir.path().join("start.explained.png"));
    drawn(dir.path().join("later.explained.png"));
}

#[test]
fn squares_that_are_not_believed_are_drawn_with_their_reason() {
    let dir = folder();
    let (status, text) = see(dir.path(), &["--explain", "start.png", "dialog.png"]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("not sure of ") && text.contains("(fading"), "{text}");
    let red = |name: &str| {
        let drawing = drawn(dir.path().join(name));
        drawing.pixels().filter(|p| p.0 == [235, 60, 60, 255]).count()
    };
    // In the legend it always is.
    assert!(red("start.explained.png") < 300, "{}", red("start.explained.png"));
    assert!(red("dialog.explained.png") > 3000, "{}", red("dialog.explained.png"));
}

#[test]
fn with_the_position_before_the_lines_that_explain_it_are_told() {
    let dir = folder();
    let fen = format!("{START} w KQkq - 0 1");
    let (status, text) = see(
        dir.path(),
        &["start.png", "later.png", "--fen", &fen, "--json", "--explain"],
    );
    assert_eq!(status, Some(0), "{text}");
    let lines = lines(&text);
    assert_eq!(lines[0]["moves"], json!([]));
    let moves = lines[1]["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 1, "{text}");
    assert_eq!(lines[1]["candidates"][0]["moves"][0], moves[0]);
    assert_eq!(lines[1]["explained"], "later.explained.png");
    // A position that the picture cannot come from.
    let other = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let (_, text) = see(dir.path(), &["start.png", "--fen", other]);
    assert!(text.contains("no legal line"), "{text}");
}

#[test]
fn a_picture_whose_look_nobody_knows_is_refused_with_a_way_out() {
    let dir = folder();
    let (status, text) = see(dir.path(), &["--explain", "dialog.png"]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("--calibration"), "{text}");
    let (status, text) = see(dir.path(), &[]);
    assert_eq!(status, Some(2), "{text}");
}

#[test]
fn a_recorded_folder_brings_its_own_look() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/replay/white-castles-long");
    let frame = fixture.join("frames/0010.png");
    let (status, text) = see(&fixture, &[frame.to_str().unwrap(), "--json"]);
    assert_eq!(status, Some(0), "{text}");
    assert_eq!(lines(&text)[0]["doubtful"], json!([]));
    let (status, text) = see(&fixture, &[fixture.to_str().unwrap(), "--json"]);
    assert_eq!(status, Some(0), "{text}");
    assert!(lines(&text)[0]["image"].as_str().unwrap().contains("frames/"), "{text}");
}

#[test]
fn a_reader_who_has_read_enough_stops_nothing() {
    let dir = folder();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(program());
    command.args(["calibrate", "again.json", "--image", "start.png"]);
    let output = command.current_dir(dir.path()).stdout(writer).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), said.as_str()), (Some(0), ""));
    assert!(dir.path().join("again.json").exists());
}
