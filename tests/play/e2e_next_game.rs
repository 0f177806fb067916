//! The next game, begun by the button that the user showed once; and hints without hands.
#![cfg(target_os = "linux")]

use shakmaty::Color;
use torres::calibration::Calibration;
use torres::journal::Event;
use torres_test_support::desktop::Devtools;
use torres_test_support::play::{GAME, Practice, Script, engine_for, has_event, journal, pgn_of, rectangle, text};
use torres_test_support::wait_for;

/// Fool's play: Torres, with White, mates at its fourth move.
fn mate() -> Script {
    Script::new("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7")
}

/// A calibrated page on which that is played, what asks its browser, and the engine that plays it.
fn calibrated() -> (Practice, Devtools, String) {
    let practice = Practice::staged(&mate(), Color::White);
    let devtools = practice.stage.devtools();
    practice.stage.calibrate(&[]);
    (practice, devtools, engine_for(&mate(), Color::White))
}

#[test]
fn the_button_that_was_shown_is_clicked_once_after_a_game_and_the_next_is_played() {
    let (practice, mut devtools, engine) = calibrated();
    practice.calibrate_new_game(&mut devtools);
    devtools.run("window.clicks = 0; document.querySelector('#new-game button').addEventListener('click', () => ++window.clicks); 0");
    let mut play = practice.stage.play(&["--engine", &engine, "--games", "2"]);
    play.ends_with(0, GAME);
    assert_eq!(devtools.run("window.clicks"), 1, "{}", play.said());
    let twice = [mate().moves(), mate().moves()].concat();
    assert_eq!(practice.moves(), twice);
    for name in ["game.pgn", "game-2.pgn"] {
        assert_eq!(pgn_of(&practice.stage.out().join(name)).moves, mate().moves(), "{name}");
    }
}

#[test]
fn a_button_is_shown_by_pointing_at_it() {
    let (practice, mut devtools, engine) = calibrated();
    point_at_the_button_and_play(&practice, &mut devtools, &engine);
}

/// They lie so near that both are proposed as one line.
#[test]
fn of_two_buttons_side_by_side_the_one_that_was_pointed_at_is_clicked() {
    let (practice, mut devtools, engine) = calibrated();
    devtools.run(
        "const button = document.querySelector('#new-game button'), row = document.createElement('div'); \
         row.style = 'display: flex; gap: 12px; padding: 20px; background: #fff3e2'; button.before(row); \
         row.innerHTML = '<button type=button>Look at it</button>'; row.prepend(button); \
         for (const each of row.children) \
             each.style = 'flex: 1; border: 0; border-radius: 22px; padding: 8px; background: #f2709c; box-shadow: 0 5px #cf4f7c'; 0",
    );
    point_at_the_button_and_play(&practice, &mut devtools, &engine);
}

/// Shows Torres the new game's button with the pointer, and has it play two games.
fn point_at_the_button_and_play(practice: &Practice, devtools: &mut Devtools, engine: &str) {
    let button = practice.new_game_button(devtools);
    practice.stage.point_at_next_game(&button);
    let mut play = practice.stage.play(&["--engine", engine, "--games", "2"]);
    play.ends_with(0, GAME);
    assert_eq!(practice.moves(), [mate().moves(), mate().moves()].concat());
}

/// Sites write there which colour the user has next.
#[test]
fn a_button_whose_words_change_is_shown_with_each_and_clicked_with_each() {
    let (practice, mut devtools, engine) = calibrated();
    let calibration = practice.stage.calibration();
    let says = |devtools: &mut Devtools, words: &str| {
        devtools.run(&format!(
            "document.querySelector('#new-game button').textContent = '{words}'"
        ));
    };
    let show = |devtools: &mut Devtools, more: &[&str]| {
        let button = rectangle(&practice.new_game_button(devtools));
        let arguments = ["calibrate", text(&calibration), "--new-game", &button];
        practice.stage.run(&[&arguments, more].concat())
    };
    says(&mut devtools, "Play as Black");
    let (status, said) = show(&mut devtools, &["--also"]);
    assert!(status == 2 && said.contains("has no button yet"), "{said}");
    assert_eq!(show(&mut devtools, &[]).0, 0);
    says(&mut devtools, "Play as White");
    let (status, said) = show(&mut devtools, &["--also"]);
    assert_eq!(status, 0, "{said}");
    says(&mut devtools, "Play as Black");
    devtools.run(
        "window.clicks = []; const button = document.querySelector('#new-game button'); \
         button.addEventListener('click', () => { \
             clicks.push(button.textContent); \
             button.textContent = clicks.length % 2 ? 'Play as White' : 'Play as Black'; }); 0",
    );
    let mut play = practice.stage.play(&["--engine", &engine, "--games", "3"]);
    play.ends_with(0, GAME);
    assert_eq!(
        devtools.run("clicks"),
        serde_json::json!(["Play as Black", "Play as White"]),
        "{}",
        play.said()
    );
    // Shown without --also, it is another button.
    assert_eq!(show(&mut devtools, &[]).0, 0);
    let calibration = Calibration::load(&calibration).unwrap();
    assert_eq!(calibration.buttons().count(), 1);
}

#[test]
fn a_button_that_is_shown_while_the_next_game_is_waited_for_is_clicked() {
    let (practice, mut devtools, engine) = calibrated();
    let mut play = practice.stage.play(&["--engine", &engine, "--games", "2"]);
    wait_for("Torres to say that a button may be shown", || {
        let asks = "waiting for the next game; if a button of the page begins it, show it now";
        play.said().contains(asks).then_some(())
    });
    practice.calibrate_new_game(&mut devtools);
    play.ends_with(0, GAME);
    assert_eq!(practice.moves(), [mate().moves(), mate().moves()].concat());
}

#[test]
fn of_several_games_the_first_is_begun_too_where_the_one_on_the_board_is_over() {
    let (practice, mut devtools, engine) = calibrated();
    practice.stage.play(&["--engine", &engine]).ends_with(0, GAME);
    practice.calibrate_new_game(&mut devtools);
    let mut play = practice.stage.play(&["--engine", &engine, "--games", "2"]);
    play.ends_with(0, GAME);
    let thrice = [mate().moves(), mate().moves(), mate().moves()].concat();
    assert_eq!(practice.moves(), thrice, "{}", play.said());
}

#[test]
fn a_button_that_looks_otherwise_is_not_clicked_and_the_next_game_is_waited_for() {
    let (practice, mut devtools, engine) = calibrated();
    practice.calibrate_new_game(&mut devtools);
    devtools.run("document.querySelector('#new-game button').textContent = 'Delete'; 0");
    let mut play = practice.stage.play(&["--engine", &engine, "--games", "2"]);
    wait_for("Torres to say so", || {
        let said = play.said();
        said.contains("the new game's button does not look as it was shown")
            .then_some(())
    });
    assert_eq!(practice.site.events("game").len(), 1);
    devtools.run("document.querySelector('#new-game button').click(); 0");
    play.ends_with(0, GAME);
    assert_eq!(practice.site.events("game").len(), 2);
    assert_eq!(practice.moves(), [mate().moves(), mate().moves()].concat());
}

#[test]
fn with_hands_off_the_moves_are_told_and_the_mouse_is_left_alone() {
    let practice = Practice::staged(&mate(), Color::White);
    practice.stage.calibrate(&[]);
    let touches = practice.touches();
    let mut play = practice.stage.play(&["--move-ms", "50", "--hands-off"]);
    let mut devtools = practice.stage.devtools();
    devtools.run("window.other = new WebSocket('ws://' + location.host + '/ws'); new Promise((open) => other.onopen = () => open(0))");
    // Whatever Torres would play: what its user plays counts.
    for (number, uci) in mate().moves_of(Color::White).iter().enumerate() {
        let hint = format!("Torres would play {}. ", number + 1);
        wait_for(&hint, || play.said().contains(&hint).then_some(()));
        let ply = 2 * number;
        devtools.run(&format!(
            "other.send(JSON.stringify({{ type: 'move', game: 1, ply: {ply}, uci: '{uci}' }})); 0"
        ));
    }
    play.ends_with(0, GAME);
    assert_eq!(practice.moves(), mate().moves());
    assert_eq!(pgn_of(&practice.stage.out().join("game.pgn")).moves, mate().moves());
    assert_eq!(practice.touches(), touches, "the mouse was used");
    let ordered = |event: &Event| matches!(event, Event::Gesture(_));
    assert!(!has_event(&journal(&practice.stage.out()), ordered));
}
