//! The page is laid out anew in the middle of a game: its window resized, its text zoomed. The game goes on where the board is then,
//! as long as the opponent panel shows the same bot.
#![cfg(target_os = "linux")]

mod common;
mod e2e_support;
mod site_support;

use common::{Keys, wait_for};
use e2e_support::{Foreign, GAME, Practice, Run, Script, has_event, journal, scripted_engine};
use serde_json::json;
use shakmaty::Color;
use torres::journal::Event;

/// Seconds that the scripted engine thinks at its third move: long enough to resize the window meanwhile.
const A_MOMENT: &str = "2.5";

fn game() -> Script {
    Script::new("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 e1g1 e8g8")
}

/// A game in which Torres begins to think about its third move.
fn thinking_at_the_third_move(practice: &Practice) -> Run {
    let engine = scripted_engine(&format!("--slow 3 {A_MOMENT}"), &game().moves_of(Color::White));
    let play = practice.stage.play(&["--engine", &engine, "--plies", "10"]);
    wait_for("the third thought", || {
        let journal = journal(&practice.stage.out());
        let thoughts = journal
            .iter()
            .filter(|entry| matches!(entry.event, Event::Think { .. }));
        (thoughts.count() == 3).then_some(())
    });
    play
}

/// The sizes of the boards found after they had been lost, in pixels.
fn sizes_found(practice: &Practice) -> Vec<f64> {
    let found = journal(&practice.stage.out()).into_iter();
    found
        .filter_map(|entry| match entry.event {
            Event::BoardMoved { to: Some(place), .. } => Some(place.width),
            _ => None,
        })
        .collect()
}

#[test]
fn a_window_resized_during_the_game_is_played_on_in_its_new_size() {
    let practice = Practice::staged(&game(), Color::White);
    practice.stage.calibrate(&[]);
    let mut play = thinking_at_the_third_move(&practice);
    let client = practice.stage.client();
    let window = practice.stage.browser().window().unwrap();
    window.resize(client.width - 120, client.height - 20).unwrap();
    play.ends_with(0, GAME);
    practice.shows(&game());
    let sizes = sizes_found(&practice);
    assert!(sizes.iter().any(|size| (size - 480.0).abs() <= 1.0), "{sizes:?}");
}

#[test]
fn a_page_zoomed_during_the_game_is_played_on_in_its_new_size() {
    let practice = Practice::staged(&game(), Color::White);
    practice.stage.calibrate(&[]);
    let mut play = thinking_at_the_third_move(&practice);
    practice.stage.browser().window().unwrap().activate().unwrap();
    let keys = Keys::of(practice.stage.display().name());
    keys.zoom_out();
    keys.zoom_out();
    play.ends_with(0, GAME);
    practice.shows(&game());
    // The page makes its board larger when its text is smaller: room for 848 of its pixels, 0.8 of the screen's each, in whole squares.
    let sizes = sizes_found(&practice);
    assert!(sizes.iter().any(|size| (size - 672.0).abs() <= 1.0), "{sizes:?}");
}

#[test]
fn another_opponent_on_a_zoomed_page_pauses_the_game() {
    let foreign = Foreign::open(&json!({"player": "white", "seed": 3, "delayMs": 150, "renameAtPly": 4}));
    foreign.stage.calibrate(&[]);
    let engine = scripted_engine("--slow 2 2", &["e2e4", "d2d4", "g1f3"].map(str::to_owned));
    let mut play = foreign.stage.play(&["--engine", &engine, "--plies", "6"]);
    wait_for("the second thought", || (foreign.moves().len() >= 2).then_some(()));
    let keys = Keys::of(foreign.stage.display().name());
    foreign.stage.browser().window().unwrap().activate().unwrap();
    keys.zoom_out();
    play.ends_with(1, GAME);
    assert_eq!(foreign.events("renamed").len(), 1, "{}", play.said());
    assert_eq!(foreign.moves().len(), 4, "{}", play.said());
    assert!(play.said().contains("opponent panel changed"), "{}", play.said());
    let journal = journal(&foreign.stage.out());
    assert!(has_event(&journal, |event| matches!(
        event,
        Event::BoardMoved { to: Some(_), .. }
    )));
}
