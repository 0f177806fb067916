//! Recorded games through vision, and what `torres replay` says of them.

use serde_json::{Value, json};
use shakmaty::{CastlingMode, Move, Position};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;
use torres::chess::same_position;
use torres::fixture::{Belief, BeliefKind, Fixture, Recorder, RecorderSetup, ReplayStart, replay, score};
use torres::frame::{Frame, FrameSource, Timestamp, WallTime};
use torres::geometry::BoardMap;
use torres::journal::{Evidence, Journal};
use torres::vision::Appearance;
use torres::vision::histogram::NoiseThreshold;
use torres_test_support::program;

/// Every fixture that comes with the repository.
fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found: Vec<PathBuf> = [root.join("tests/data/replay"), root.join("fixtures")]
        .iter()
        .filter_map(|dir| fs::read_dir(dir).ok())
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("fixture.json").is_file())
        .collect();
    found.sort();
    assert!(found.len() >= 2, "{found:?}");
    found
}

fn rendered(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/replay")
        .join(name)
}

fn beliefs(dir: &Path) -> Vec<Belief> {
    let fixture = Fixture::read(dir).unwrap();
    replay((&fixture).into(), &mut fixture.frames()).unwrap().beliefs
}

fn moves(belief: &Belief) -> Vec<String> {
    let uci = |m: &Move| m.to_uci(CastlingMode::Standard).to_string();
    belief.moves.iter().map(uci).collect()
}

/// A copy of a fixture with each line of `frames.jsonl` changed.
fn changed(dir: &Path, change: impl Fn(&mut Value)) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    fs::create_dir(copy.path().join("frames")).unwrap();
    for entry in fs::read_dir(dir)
        .unwrap()
        .chain(fs::read_dir(dir.join("frames")).unwrap())
    {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, copy.path().join(path.strip_prefix(dir).unwrap())).unwrap();
        }
    }
    let text = fs::read_to_string(dir.join("frames.jsonl")).unwrap();
    let lines = text.lines().map(|line| {
        let mut value: Value = serde_json::from_str(line).unwrap();
        change(&mut value);
        format!("{value}\n")
    });
    fs::write(copy.path().join("frames.jsonl"), lines.collect::<String>()).unwrap();
    copy
}

fn torres_replay(args: &[&str]) -> Output {
    Command::new(program()).arg("replay").args(args).output().unwrap()
}

fn json_lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What was played in the games of which `bishop-over-f5`, `bishop-over-d3` and `bishop-hangs-over-f5` are parts, by the
/// pages' and the program's logs.
const OVER_F5: &str = "d8c7 c1f4 c7b7 e4d6 f8d6 d4d6 c8h3 d6c7";
const OVER_D3: &str = "b7a6 b5c6 d7c8 d4e6 a6f1 d1f1";
const HANGS_OVER_F5: &str = "f1c4 c8g4";

#[test]
fn a_bishop_that_passes_a_square_on_its_way_is_not_believed_to_stop_there() {
    for (name, logged) in [
        ("bishop-over-f5", OVER_F5),
        ("bishop-over-d3", OVER_D3),
        ("bishop-hangs-over-f5", HANGS_OVER_F5),
    ] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/data/vision")
            .join(name);
        let beliefs = beliefs(&folder);
        let read: Vec<String> = beliefs.iter().flat_map(moves).collect();
        assert_eq!(read.join(" "), logged, "{name}");
        // A motion that hangs for long is not understood then.
        let may_be = [BeliefKind::Move, BeliefKind::Unknown];
        assert!(beliefs.iter().all(|belief| may_be.contains(&belief.kind)), "{name}");
    }
}

#[test]
fn a_queen_seen_on_one_tile_only_is_read_on_another() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/vision/queen-on-a-tile");
    let beliefs = beliefs(&folder);
    let read: Vec<String> = beliefs.iter().flat_map(moves).collect();
    assert_eq!(read, ["d1d4"]);
    assert!(
        beliefs.iter().all(|belief| belief.kind == BeliefKind::Move),
        "{beliefs:?}"
    );
}

/// Of the king little more than his foot stands out from the hatch. The square that he leaves has a mark in its corner.
#[test]
fn a_king_seen_on_a_hatched_square_only_is_read_on_a_white_one() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/vision/king-on-a-hatch");
    let read: Vec<String> = beliefs(&folder).iter().flat_map(moves).collect();
    assert_eq!(read, ["e1f1"]);
}

#[test]
fn a_board_that_moves_by_a_third_of_a_square_is_followed_and_not_read_where_it_was() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/vision/moved");
    let fixture = Fixture::read(&folder).unwrap();
    let replayed = replay((&fixture).into(), &mut fixture.frames()).unwrap();
    let score = score(&fixture, &replayed).unwrap();
    assert!(score.is_perfect(), "{score:?}");
    assert_eq!(replayed.beliefs[0].frame, 1, "{:?}", replayed.beliefs);
}

#[test]
fn every_ply_of_every_fixture_is_right() {
    for dir in fixtures() {
        let fixture = Fixture::read(&dir).unwrap();
        let replayed = replay((&fixture).into(), &mut fixture.frames()).unwrap();
        let score = score(&fixture, &replayed).unwrap();
        assert!(score.is_perfect() && score.plies >= 10, "{}: {score:?}", dir.display());
    }
}

/// The lines of a fixture as they stand in the file, with what the renderer tells beyond the format.
fn lines(dir: &Path) -> Vec<Value> {
    let text = fs::read_to_string(dir.join("frames.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_fixtures_show_every_hard_kind_of_frame_and_stay_small() {
    let rendered: Vec<PathBuf> = fixtures()
        .into_iter()
        .filter(|dir| Fixture::read(dir).unwrap().source.starts_with("tests/scenes"))
        .collect();
    assert!(rendered.len() >= 10, "{rendered:?}");
    let kinds: BTreeSet<String> = rendered
        .iter()
        .flat_map(|dir| lines(dir))
        .filter_map(|line| line["truth"]["kind"].as_str().map(str::to_owned))
        .collect();
    for kind in ["stable", "anim", "drag", "castling", "dialog", "select", "premove"] {
        assert!(kinds.contains(kind), "no frame of kind {kind}");
    }
    let size = |dir: &PathBuf| -> u64 {
        let entries = fs::read_dir(dir)
            .unwrap()
            .chain(fs::read_dir(dir.join("frames")).unwrap());
        entries.map(|entry| entry.unwrap().metadata().unwrap().len()).sum()
    };
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let all: u64 = fixtures().iter().filter(|dir| dir.starts_with(&home)).map(size).sum();
    assert!(all < 15_000_000, "{all} bytes");
}

/// What is not a move is told by the renderer as an event of the first frame that shows it.
#[test]
fn takebacks_new_games_and_turned_boards_are_recognised() {
    let mut seen = BTreeSet::new();
    for dir in fixtures() {
        let fixture = Fixture::read(&dir).unwrap();
        let replayed = replay((&fixture).into(), &mut fixture.frames()).unwrap();
        let truth = |frame: usize| fixture.shots[frame].truth.as_ref();
        for (frame, line) in lines(&dir).iter().enumerate() {
            let Some(event) = line["truth"]["event"].as_str() else {
                continue;
            };
            let next_ply = (frame + 1..fixture.shots.len()).find(|&f| truth(f).is_some_and(|t| t.played.is_some()));
            let end = next_ply.unwrap_or(fixture.shots.len());
            let shown = truth(frame).and_then(|t| t.position.as_ref()).unwrap();
            let believed = replayed.after[frame..end].iter().flatten();
            assert!(
                believed.into_iter().any(|p| same_position(p, shown)),
                "{}: {event} at line {}",
                dir.display(),
                frame + 1
            );
            seen.insert(event.to_owned());
        }
    }
    let all: Vec<&str> = seen.iter().map(String::as_str).collect();
    assert_eq!(all, ["flip", "moved", "new_game", "takeback"]);
}

#[test]
fn beliefs_are_the_same_without_truth_and_with_a_false_one() {
    for dir in fixtures() {
        let believed = beliefs(&dir);
        assert!(!believed.is_empty());
        let stripped = changed(&dir, |line| line["truth"] = Value::Null);
        assert_eq!(beliefs(stripped.path()), believed, "{} without truth", dir.display());
        let false_truth = json!({
            "stable": true, "fen": "8/8/8/8/8/8/8/K1k5 w - - 0 1", "move": "a1a2",
            "occluded": ["a1"], "board": {"x": 200, "y": 200, "width": 130, "height": 130},
        });
        let lied = changed(&dir, |line| line["truth"] = false_truth.clone());
        assert_eq!(beliefs(lied.path()), believed, "{} with false truth", dir.display());
    }
}

#[test]
fn without_the_histogram_diff_nothing_is_seen() {
    for dir in fixtures() {
        let fixture = Fixture::read(&dir).unwrap();
        let opening = ReplayStart {
            threshold: NoiseThreshold::new(f32::INFINITY),
            ..ReplayStart::from(&fixture)
        };
        let replayed = replay(opening, &mut fixture.frames()).unwrap();
        let score = score(&fixture, &replayed).unwrap();
        assert!(
            score.correct == 0 && score.missed == score.plies,
            "{}: {score:?}",
            dir.display()
        );
    }
}

#[test]
fn json_lines_are_as_the_design_says() {
    let dir = rendered("white-castles-long");
    let name = dir.to_str().unwrap();
    let output = torres_replay(&["--json", name]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let lines = json_lines(&output);
    let (last, events) = lines.split_last().unwrap();
    let moves: Vec<&str> = events
        .iter()
        .flat_map(|e| e["moves"].as_array().unwrap())
        .map(|m| m.as_str().unwrap())
        .collect();
    assert_eq!(moves[..4], ["e2e3", "f7f5", "d2d4", "a7a5"]);
    assert!(moves.contains(&"e1c1") && moves.contains(&"a2a1q"), "{moves:?}");
    let first = &events[0];
    assert_eq!(
        (&first["fixture"], &first["event"], &first["fen"]),
        (
            &json!(name),
            &json!("move"),
            &json!("rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
        )
    );
    assert!(first["frame"].as_str().unwrap().starts_with("frames/00"));
    assert_eq!(first.as_object().unwrap().len(), 5);
    let seconds = last["seconds"].as_f64().unwrap();
    let frames = fs::read_dir(dir.join("frames")).unwrap().count();
    let expected = json!({"fixture": name, "plies": 30, "correct": 30, "missed": 0, "wrong": 0, "frames": frames, "seconds": seconds});
    assert_eq!(*last, expected);
}

#[test]
fn without_truth_the_figures_are_null_and_the_exit_status_is_0() {
    let stripped = changed(&rendered("white-castles-long"), |line| line["truth"] = Value::Null);
    let output = torres_replay(&["--json", stripped.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0));
    let lines = json_lines(&output);
    let last = lines.last().unwrap();
    for figure in ["plies", "correct", "missed", "wrong"] {
        assert!(
            last.as_object().unwrap().contains_key(figure) && last[figure].is_null(),
            "{last}"
        );
    }
    assert!(lines.len() > 30);
}

#[test]
fn a_replay_that_differs_from_its_truth_exits_with_1() {
    let dir = changed(&rendered("white-castles-long"), |line| {
        if line["truth"]["move"] == "d2d4" {
            // As if that ply had been d2d3: it is missed, and so the move seen is wrong.
            line["truth"]["move"] = json!("d2d3");
            line["truth"]["fen"] = json!("rnbqkbnr/ppppp1pp/8/5p2/8/3PP3/PPP2PPP/RNBQKBNR b KQkq - 0 2");
        }
    });
    let output = torres_replay(&["--json", dir.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let lines = json_lines(&output);
    let last = lines.last().unwrap();
    assert_eq!(
        (last["missed"].as_u64(), last["plies"].as_u64()),
        (Some(1), Some(30)),
        "{last}"
    );
    assert!(last["wrong"].as_u64() >= Some(1), "{last}");
}

/// A game's folder: what the board showed, without its truth, and the journal of a game with these moves.
fn game_folder(moves: &[String]) -> TempDir {
    let recording = changed(&rendered("white-castles-long"), |line| line["truth"] = Value::Null);
    let game = tempfile::tempdir().unwrap();
    fs::rename(recording.path(), game.path().join("recording")).unwrap();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut journal = vec![
        json!({"event": "started", "version": "0.1.0", "command": "play"}),
        json!({"event": "recording", "folder": "recording"}),
        json!({"event": "game_started", "fen": start, "color": "white", "clock": "900+10", "opponent": "a bot"}),
    ];
    let seen = |played: &String| json!({"event": "seen", "moves": [played], "fen": start, "confidence": 1.0, "frame_t_ms": 0.0});
    journal.extend(moves.iter().map(seen));
    journal.push(json!({"event": "recorded", "folder": "recording", "frames": 60, "bytes": 1, "left_out": 0}));
    let lines = (0..).zip(journal).map(|(t_ms, mut line)| {
        line["t_ms"] = json!(f64::from(t_ms));
        format!("{line}\n")
    });
    fs::write(game.path().join("journal.jsonl"), lines.collect::<String>()).unwrap();
    game
}

#[test]
fn a_replay_that_differs_from_its_journal_exits_with_1_and_says_where() {
    // The renderer's truth: what the board really showed.
    let fixture = Fixture::read(&rendered("white-castles-long")).unwrap();
    let played = fixture
        .shots
        .iter()
        .filter_map(|shot| shot.truth.as_ref()?.played.as_ref());
    let shown: Vec<String> = played.map(ToString::to_string).collect();
    assert_eq!(shown[..4], ["e2e3", "f7f5", "d2d4", "a7a5"]);
    let says = |moves: &[String], status: i32| -> (Value, String) {
        let game = game_folder(moves);
        let dir = game.path().to_str().unwrap();
        let (told, numbers) = (torres_replay(&[dir]), torres_replay(&["--json", dir]));
        assert_eq!(
            (told.status.code(), numbers.status.code()),
            (Some(status), Some(status)),
            "{told:?}"
        );
        (
            json_lines(&numbers).pop().unwrap(),
            String::from_utf8(told.stdout).unwrap(),
        )
    };
    let (line, told) = says(&shown, 0);
    assert_eq!((&line["plies"], &line["differs"]), (&json!(30), &Value::Null), "{line}");
    assert!(told.contains("the same 30 plies as in the journal"), "{told}");

    let mut altered = shown.clone();
    altered[2] = "d2d3".to_owned();
    let mut longer = shown.clone();
    longer.push("h2h3".to_owned());
    let cases: [(Vec<String>, String, String); 4] = [
        (
            altered,
            "after 2 plies the replay sees d2d4 a7a5 ".to_owned(),
            "the journal has d2d3 a7a5 ".to_owned(),
        ),
        (
            shown[..28].to_vec(),
            format!("after 28 plies the replay sees {} {}", shown[28], shown[29]),
            "the journal has nothing more".to_owned(),
        ),
        (
            longer,
            "after 30 plies the replay sees nothing more".to_owned(),
            "the journal has h2h3".to_owned(),
        ),
        (
            shown[1..].to_vec(),
            "after 0 plies the replay sees e2e3 ".to_owned(),
            "the journal has f7f5 ".to_owned(),
        ),
    ];
    for (journal, replay_has, journal_has) in cases {
        let (line, told) = says(&journal, 1);
        let differs = line["differs"].as_str().unwrap();
        assert!(
            line["plies"].is_null() && differs.contains(&replay_has) && differs.contains(&journal_has),
            "{line}"
        );
        assert!(
            told.contains("differs from the journal") && told.contains(differs),
            "{told}"
        );
    }
}

#[test]
fn a_folder_that_is_no_fixture_exits_with_2_and_says_why() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("fixture.json"), "{").unwrap();
    let output = torres_replay(&[
        rendered("white-castles-long").to_str().unwrap(),
        dir.path().to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("fixture.json") && message.contains("frames.jsonl"),
        "{message}"
    );
    assert!(output.stdout.is_empty(), "nothing is played before all are checked");
}

#[test]
fn a_picture_that_is_damaged_is_named() {
    let dir = changed(&rendered("white-castles-long"), |_| {});
    fs::write(dir.path().join("frames/0003.png"), "no picture").unwrap();
    let output = torres_replay(&[dir.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("0003.png"));
}

#[test]
fn a_recording_of_a_recording_brings_the_same_game() {
    let fixture = Fixture::read(&rendered("white-castles-long")).unwrap();
    let out = tempfile::tempdir().unwrap();
    let setup = RecorderSetup {
        start: &fixture.start,
        bottom: fixture.bottom,
        calibration: None,
        source: "a test",
        wall: WallTime::of,
    };
    let mut recorder = Recorder::create(out.path(), &setup).unwrap();
    let mut frames = fixture.frames();
    for (second, shot) in fixture.shots.iter().enumerate() {
        let mut frame = frames.next_frame().unwrap();
        let map = BoardMap {
            rect: shot.truth.as_ref().unwrap().board.unwrap(),
            orientation: fixture.bottom,
        };
        // As a live capture would see a game of a frame a second.
        for look in 0..8 {
            frame.at = Timestamp::from_ms(second as f64 * 1000.0 + f64::from(look) * 16.0);
            recorder.take(&frame, &map).unwrap();
        }
    }
    recorder.finish(None).unwrap();
    let moves = |dir: &Path| -> Vec<Move> { beliefs(dir).into_iter().flat_map(|belief| belief.moves).collect() };
    assert_eq!(moves(out.path()), moves(&fixture.dir));
}

#[test]
fn a_calibration_beside_the_frames_is_used() {
    let dir = changed(&rendered("white-castles-long"), |_| {});
    let fixture = Fixture::read(dir.path()).unwrap();
    let frame = fixture.frames().next_frame().unwrap();
    let map = BoardMap {
        rect: fixture.shots[0].truth.as_ref().unwrap().board.unwrap(),
        orientation: fixture.bottom,
    };
    let appearance = Appearance::learn(&frame.image, &map, fixture.start.board()).unwrap();
    fs::write(
        dir.path().join("look.json"),
        json!({"format": 1, "look": appearance}).to_string(),
    )
    .unwrap();
    let header = fs::read_to_string(dir.path().join("fixture.json")).unwrap();
    fs::write(dir.path().join("fixture.json"), header.replace("null", "\"look.json\"")).unwrap();
    // The first frames are gone: nothing could be learned from what is left.
    let lines = fs::read_to_string(dir.path().join("frames.jsonl")).unwrap();
    let late: Vec<&str> = lines.lines().skip(2).collect();
    fs::write(dir.path().join("frames.jsonl"), late.join("\n")).unwrap();

    let calibrated = Fixture::read(dir.path()).unwrap();
    let replayed = replay((&calibrated).into(), &mut calibrated.frames()).unwrap();
    assert_eq!(
        replayed.after.last().unwrap(),
        &beliefs(&rendered("white-castles-long")).pop().unwrap().position
    );
    let unlearned = ReplayStart {
        appearance: None,
        ..ReplayStart::from(&calibrated)
    };
    let nothing = replay(unlearned, &mut calibrated.frames()).unwrap();
    assert!(
        nothing.beliefs.iter().all(|belief| belief.kind == BeliefKind::Lost),
        "{:?}",
        nothing.beliefs
    );
}

#[test]
fn evidence_of_the_journal_can_be_replayed() {
    let fixture = Fixture::read(&rendered("white-castles-long")).unwrap();
    let mut source = fixture.frames();
    let frames: Vec<Frame> = (0..3).map(|_| source.next_frame().unwrap()).collect();
    let out = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(out.path()).unwrap();
    let evidence = Evidence {
        kind: "unknown".into(),
        frames,
        bottom: fixture.bottom,
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
        calibration: None,
        decision: json!({}),
    };
    let dir = out.path().join(journal.evidence(evidence).unwrap());
    journal.settle().unwrap();
    let moves: Vec<Move> = beliefs(&dir).into_iter().flat_map(|belief| belief.moves).collect();
    let all: Vec<Move> = beliefs(&fixture.dir)
        .into_iter()
        .flat_map(|belief| belief.moves)
        .collect();
    assert_eq!(moves, all[..2]);
}
