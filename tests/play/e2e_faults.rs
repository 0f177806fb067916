//! Engines that crash, freeze and babble within a game: each is replaced and asked again, and the game goes on to its
//! end.
#![cfg(target_os = "linux")]

use rustix::process::Signal;
use shakmaty::Color;
use torres::journal::Event;
use torres_test_support::play::{GAME, Practice, Run, Script, has_event, journal, scripted_engine, signal_process};
use torres_test_support::wait_for;

/// The bot walks its knight up and down; Torres plays what it likes.
fn against_a_knight() -> Practice {
    Practice::open(
        "g8f6 f6g8 g8f6 f6g8 g8f6 f6g8 g8f6 f6g8",
        &["--delay-ms", "50", "--color", "white"],
    )
}

/// Waits until the site has so many moves, with the game still going on.
fn plies_played(practice: &Practice, play: &Run, plies: usize) {
    wait_for("the game to go on", || {
        let moves = practice.moves();
        (moves.len() >= plies).then_some(())
    });
    assert!(play.said().contains("playing"), "{}", play.said());
}

fn engine_was_replaced(practice: &Practice, because: &str) {
    let journal = journal(&practice.stage.out());
    let replaced = |event: &Event| matches!(event, Event::EngineRestarted { reason, .. } if reason.contains(because));
    assert!(
        has_event(&journal, replaced),
        "no engine replaced because '{because}': {journal:#?}"
    );
    assert!(!has_event(&journal, |event| matches!(event, Event::Pause { .. })));
}

/// Torres' own engine is hurt in the middle of a game.
fn survives(signal: Signal, because: &str) {
    let practice = against_a_knight();
    practice.stage.calibrate(&[]);
    let mut play = practice.stage.play(&["--move-ms", "300", "--plies", "12"]);
    plies_played(&practice, &play, 4);
    let hurt = play.engine(None);
    signal_process(hurt, signal);
    let other = play.engine(Some(hurt));
    assert_ne!(other, hurt);
    play.ends_with(0, GAME);
    practice.agrees_with_the_journal();
    engine_was_replaced(&practice, because);
}

#[test]
fn an_engine_killed_within_a_game_is_replaced() {
    survives(Signal::KILL, "");
}

#[test]
fn an_engine_frozen_within_a_game_is_replaced() {
    survives(Signal::STOP, "");
}

#[test]
fn an_engine_that_answers_what_nobody_asked_is_replaced() {
    let script = Script::new("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
    let practice = Practice::staged(&script, Color::White);
    practice.stage.calibrate(&[]);
    // The second answer comes when the position is another one already.
    let engine = scripted_engine("--twice 2", &script.moves_of(Color::White));
    let mut play = practice.stage.play(&["--engine", &engine]);
    play.ends_with(0, GAME);
    practice.shows(&script);
    engine_was_replaced(&practice, "");
}

#[test]
fn an_engine_that_babbles_within_a_game_is_replaced() {
    let script = Script::new("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
    let practice = Practice::staged(&script, Color::White);
    practice.stage.calibrate(&[]);
    let options = format!("--babble 3 '{}'", practice.stage.path("babbled").display());
    let engine = scripted_engine(&options, &script.moves_of(Color::White));
    let mut play = practice.stage.play(&["--engine", &engine]);
    play.ends_with(0, GAME);
    practice.shows(&script);
    assert!(practice.stage.path("babbled").exists());
    engine_was_replaced(&practice, "a1a1");
}
