//! `torres record` beside a game: the folder replays to the moves that were played, by the site's log.
#![cfg(target_os = "linux")]

use rustix::process::Signal;
use serde_json::Value;
use shakmaty::Color;
use std::path::PathBuf;
use torres_test_support::play::{GAME, Practice, Run, Script, engine_for, text};
use torres_test_support::site::Page;
use torres_test_support::wait_for;

/// So long, in ms, a move is at rest before the reply. The recorder has to see it: beside many games it missed a rest of
/// 2500 in two of four whole test runs, and one of 6000 in one of two, so these tests run alone.
const REPLY_AFTER: &str = "2500";
/// A picture that was stored for so long, in ms, was stored at rest.
const AT_REST: f64 = 150.0;

/// A recording of the practice site under way.
struct Recording {
    run: Run,
    folder: PathBuf,
}

impl Recording {
    /// Starts it and waits for its first picture: what is played before would not be in it.
    fn start(practice: &Practice, more: &[&str]) -> Recording {
        let stage = &practice.stage;
        let (calibration, folder) = (stage.calibration(), stage.path("recorded"));
        let mut args = vec!["record", text(&calibration), "--out", text(&folder)];
        args.extend(more);
        let run = Run::start(stage.torres(&args), stage.path("record.said"));
        let recording = Recording { run, folder };
        wait_for("the recording's first picture", || {
            (!recording.lines().is_empty()).then_some(())
        });
        recording
    }

    /// The lines written so far.
    fn lines(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.folder.join("frames.jsonl")).unwrap_or_default();
        // The last line may be under way.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// How many pictures after the first one were stored at rest.
    fn rests(&self) -> usize {
        let lines = self.lines();
        let same_picture = lines.chunk_by(|a, b| a["file"] == b["file"]);
        let lasted = |run: &&[Value]| {
            let ms = |line: Option<&Value>| line.and_then(|line| line["t_ms"].as_f64()).unwrap();
            ms(run.last()) - ms(run.first()) >= AT_REST
        };
        same_picture.filter(lasted).count()
    }

    /// Waits until so many more pictures have been stored at rest than there were.
    fn wait_for_rests(&self, were: usize, more: usize) {
        wait_for("the recorder to see the moves at rest", || {
            (self.rests() >= were + more).then_some(())
        });
    }
}

/// Waits until the page has a move at rest.
fn wait_for_rest_after(practice: &Practice, uci: &str) {
    wait_for("a move to be at rest", || {
        let rests = practice.site.events("at_rest");
        rests.iter().any(|event| event["move"] == uci).then_some(())
    });
}

/// What `torres replay --json` says of a folder; it must find nothing to report.
fn replayed(practice: &Practice, recording: &Recording) -> Vec<Value> {
    let (status, said) = practice.stage.run(&["replay", text(&recording.folder), "--json"]);
    assert_eq!(status, 0, "{said}");
    said.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The moves of a replay, all of them believed as moves.
fn moves_of(replay: &[Value]) -> Vec<String> {
    let beliefs = replay.iter().filter(|line| line["event"] != "unknown");
    let moves = beliefs.filter_map(|line| {
        let event = line["event"].as_str()?;
        assert_eq!(event, "move", "{line}");
        line["moves"].as_array()
    });
    moves.flatten().map(|uci| uci.as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_game_is_recorded_until_an_interrupt_and_has_the_truth_of_the_sites_log() {
    let script = Script::new("e2e4 d7d5 e4d5 d8d5 g1f3 c8g4 f1e2 b8c6 e1g1 e8c8");
    let replies = script.moves_of(Color::Black).join(" ");
    let practice = Practice::open(&replies, &["--delay-ms", REPLY_AFTER]);
    practice.stage.calibrate_plainly(&[]);
    let log = practice.site.log_path();
    let mut recording = Recording::start(&practice, &["--truth", text(&log)]);

    // Another page at the same table makes the player's moves; the browser shows them.
    let mut page = Page::open(&practice.site).await;
    for (n, own) in script.moves_of(Color::White).iter().enumerate() {
        if n == 3 {
            let before = practice.stage.client();
            practice.stage.browser().window().unwrap().move_to(200, 90).unwrap();
            wait_for("the window to move", || {
                (practice.stage.client() != before).then_some(())
            });
            practice.stage.resting_screenshot();
        }
        let state = page.after(2 * n).await;
        let were = recording.rests();
        page.play(&state, own).await;
        recording.wait_for_rests(were, 2);
    }
    recording.run.signal(Signal::INT);
    recording.run.ends_with(0, GAME);

    assert_eq!(practice.moves(), script.moves(), "on the site");
    let replay = replayed(&practice, &recording);
    assert_eq!(moves_of(&replay), script.moves());
    let score = replay.last().unwrap();
    for (figure, expected) in [("plies", 10), ("correct", 10), ("missed", 0), ("wrong", 0)] {
        assert_eq!(score[figure], expected, "{figure} of {score}");
    }
    assert!(
        recording.run.said().contains("10 plies with truth"),
        "{}",
        recording.run.said()
    );
}

#[test]
fn a_game_that_torres_plays_is_recorded_until_its_window_is_closed() {
    let script = Script::new("e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1e3");
    let replies = script.moves_of(Color::White).join(" ");
    let practice = Practice::open(&replies, &["--delay-ms", REPLY_AFTER, "--color", "black"]);
    // The bot's first move is on the board before the recording begins.
    wait_for_rest_after(&practice, &script.moves()[0]);
    practice.stage.calibrate(&[]);
    let mut recording = Recording::start(&practice, &[]);
    let engine = engine_for(&script, Color::Black);
    let mut play = practice.stage.play(&["--engine", &engine, "--plies", &script.plies()]);
    play.ends_with(0, GAME);
    practice.shows(&script);
    wait_for_rest_after(&practice, &script.moves()[10]);
    practice.stage.resting_screenshot();
    practice.stage.browser().window().unwrap().close().unwrap();
    recording.run.ends_with(0, GAME);

    let replay = replayed(&practice, &recording);
    assert_eq!(moves_of(&replay), script.moves()[1..]);
    let score = replay.last().unwrap();
    assert!(score["plies"].is_null(), "no truth was given: {score}");
}
