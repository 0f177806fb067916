//! A page that the practice site did not serve: another widget, other pieces, another layout. It also plays tricks that
//! the practice site does not: another opponent, a board that is no longer the game's, a drop that is lost.
#![cfg(target_os = "linux")]

use rustix::process::Signal;
use serde_json::{Value, json};
use shakmaty::Color;
use torres::journal::{Event, GestureKind, event};
use torres_test_support::play::{
    Foreign, GAME, Script, engine_for, gestures, has_event, journal, moves_seen, pgn_of, scripted_engine, text,
    touches_ordered,
};
use torres_test_support::{wait_for, wait_within};

/// Every move on the page was seen and none was refused; the mouse did what was ordered and nothing else.
fn agrees_with_the_journal(foreign: &Foreign, moves_before: usize) {
    let journal = journal(&foreign.stage.out());
    let seen = moves_seen(&journal);
    let moves = foreign.moves_of_at_least(seen.len());
    let before = moves.len().saturating_sub(seen.len());
    assert!(
        before <= moves_before,
        "{before} moves were not seen: {seen:?} of {moves:?}"
    );
    assert_eq!(seen, moves[before..], "seen, and on the page");
    assert_eq!(foreign.events("refused"), Vec::<Value>::new());
    let ordered = touches_ordered(&journal);
    wait_for("the page's report of the mouse", || {
        (foreign.touches().len() >= ordered.len()).then_some(())
    });
    assert_eq!(
        foreign.touches(),
        ordered,
        "presses and releases on the page, and ordered"
    );
}

/// Plays a staged game that ends with the bot's move.
fn plays_a_game_on_it(own: Color, moves: &str) {
    let script = Script::new(moves);
    let foreign = Foreign::open(&json!({
        "player": own.fold_wb("white", "black"), "replies": script.moves_of(own.other()), "delayMs": 150,
    }));
    foreign.stage.calibrate(&[]);
    let engine = engine_for(&script, own);
    let mut play = foreign.stage.play(&["--engine", &engine, "--plies", &script.plies()]);
    play.ends_with(0, GAME);

    assert_eq!(foreign.moves_of_at_least(script.moves().len()), script.moves());
    agrees_with_the_journal(&foreign, usize::from(own == Color::Black));
    assert_eq!(pgn_of(&foreign.stage.out().join("game.pgn")).moves, script.moves());
    let journal = journal(&foreign.stage.out());
    // With Black this widget loses the very first press now and then, on a fast machine: why is not known. It is made
    // again, once.
    let retries = journal.iter().filter(|entry| matches!(entry.event, Event::Retry(_)));
    assert!(retries.count() <= usize::from(own == Color::Black), "{journal:?}");
}

#[test]
fn white_plays_on_a_page_of_another_make() {
    plays_a_game_on_it(
        Color::White,
        "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 g1f3 b8c6 f1c4 c8g4 e1g1 e8c8 a2a3 e7e5 b2b4 a5b6 a3a4 e5e4 d2d4 e4d3 \
         a4a5 b6d4 h2h3 b7b5 a5b6 d4f2 f1f2 d3c2 d1d8 c6d8",
    );
}

#[test]
fn black_plays_on_a_page_of_another_make() {
    plays_a_game_on_it(
        Color::Black,
        "e2e4 d7d5 e4d5 d8d5 g1f3 c8g4 f1e2 b8c6 e1g1 e8c8 c2c4 d5h5 c4c5 b7b5 c5b6 a7b6 a2a4 e7e5 a4a5 e5e4 \
         d2d4 e4d3 a5b6 d3e2 b6b7 c8b8 f1e1",
    );
}

/// Reported (chess-trainer, jcchess): White stays at the bottom, whoever plays.
#[test]
fn black_is_played_at_the_top_of_a_board_that_is_not_turned_by_the_user_s_word() {
    let script = Script::new("e2e4 d7d5 e4d5 d8d5 b1c3 d5d8 g1f3 g8f6 d2d4");
    let foreign = Foreign::open(&json!({
        "player": "black", "bottom": "white", "replies": script.moves_of(Color::White), "delayMs": 150,
    }));
    foreign.stage.calibrate(&[]);
    let engine = engine_for(&script, Color::Black);
    let args = ["--engine", &engine, "--plies", &script.plies()];
    let mut without = foreign.stage.play(&args);
    wait_within(GAME, "a word of what to do", || {
        without
            .said()
            .contains("press q and say so with --color black")
            .then_some(())
    });
    without.signal(Signal::INT);
    without.ends_with(3, GAME);
    assert_eq!(foreign.moves(), script.moves()[..1]);

    let mut play = foreign.stage.play(&[&args[..], &["--color", "black"]].concat());
    play.ends_with(0, GAME);
    assert_eq!(foreign.moves_of_at_least(script.moves().len()), script.moves());
    assert_eq!(pgn_of(&foreign.stage.out().join("game-2.pgn")).moves, script.moves());
}

/// Reported (chess-minimax, PyAlapin): a board in a mirror image, on which king and queen were taken for each other.
#[test]
fn a_mirror_image_is_asked_about_at_a_terminal_and_played_on() {
    // The queen goes where no king can.
    let script = Script::new("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
    let foreign = Foreign::open(&json!({
        "player": "white", "replies": script.moves_of(Color::Black), "delayMs": 150,
    }));
    let (stage, without_letters) = (
        &foreign.stage,
        "#board { transform: scaleX(-1) } .notation-322f9 { display: none }",
    );
    stage.devtools().run(&format!(
        "document.head.insertAdjacentHTML('beforeend', '<style>{without_letters}</style>'); 0"
    ));
    let line = format!(
        "calibrate '{}' --window 'Rook & Robin' --opponent-panel {} --opponent-is-a-bot",
        text(&stage.calibration()),
        stage.panel()
    );
    let mut run = stage.at_a_terminal(&line, "yes\nyes\n");
    assert_eq!(run.status(GAME), 0, "{}", run.said());
    assert!(
        run.said().contains("Is the lower left square h1, and not a1?"),
        "{}",
        run.said()
    );

    let engine = engine_for(&script, Color::White);
    let mut play = stage.play(&["--engine", &engine, "--plies", &script.plies()]);
    play.ends_with(0, GAME);
    assert_eq!(foreign.moves_of_at_least(script.moves().len()), script.moves());
}

#[test]
fn another_name_in_the_panel_pauses_the_game_before_the_next_gesture() {
    let foreign = Foreign::open(&json!({"player": "white", "seed": 3, "delayMs": 150, "renameAtPly": 6}));
    foreign.stage.calibrate(&[]);
    let mut play = foreign.stage.play(&["--move-ms", "80"]);
    play.ends_with(1, GAME);

    foreign.has_told("renamed");
    nothing_was_pressed_after(&foreign, "renamed");
    // The clock beside the panel had been running all along.
    assert_eq!(foreign.moves_of_at_least(6).len(), 6);
    agrees_with_the_journal(&foreign, 0);
    assert!(play.said().contains("opponent panel changed"), "{}", play.said());
    let evidence = foreign.stage.out().join("evidence");
    let kept = std::fs::read_dir(evidence).expect("evidence is left").flatten();
    assert!(
        kept.into_iter()
            .any(|entry| entry.path().join("frames/0000.png").exists())
    );
}

fn pauses_at_a_spoiled_board(spoil: &str) {
    let foreign = Foreign::open(&json!({
        // Our own move is seen before the reply that spoils the board, on a busy machine too.
        "player": "white", "seed": 5, "delayMs": 1000, "spoilAtPly": 4, "spoil": spoil,
    }));
    foreign.stage.calibrate(&[]);
    // The same moves whatever the engine thinks of them: what is spoiled is the same board each time.
    let engine = scripted_engine("", &["e2e4", "d2d4"].map(str::to_owned));
    let mut play = foreign.stage.play(&["--engine", &engine]);
    play.ends_with(1, GAME);

    foreign.has_told("spoiled");
    nothing_was_pressed_after(&foreign, "spoiled");
    let journal = journal(&foreign.stage.out());
    assert_eq!(moves_seen(&journal), foreign.moves_of_at_least(4)[..3]);
    let unknown = journal.iter().find_map(|entry| match &entry.event {
        Event::Unknown { evidence, .. } => evidence.clone(),
        _ => None,
    });
    let evidence = foreign.stage.out().join(unknown.expect("an unknown with its evidence"));
    assert!(evidence.join("frames/0000.png").exists());
    assert!(evidence.join("decision.json").exists());
    assert!(has_event(&journal, |event| matches!(event, Event::Pause { .. })));
}

#[test]
fn a_piece_taken_off_the_board_pauses_the_game() {
    pauses_at_a_spoiled_board("off");
}

#[test]
fn two_pieces_swapped_pause_the_game() {
    pauses_at_a_spoiled_board("swap");
}

#[test]
fn a_move_that_no_piece_makes_pauses_the_game() {
    pauses_at_a_spoiled_board("leap");
}

/// The page's own order of events: nothing of the mouse comes after one of that kind.
fn nothing_was_pressed_after(foreign: &Foreign, kind: &str) {
    let all = foreign.all_events();
    let at = all.iter().position(|event| event["type"] == kind).unwrap();
    let later = all[at..]
        .iter()
        .filter(|event| event["type"] == "down" || event["type"] == "up");
    assert_eq!(later.count(), 0, "the mouse was used after '{kind}'");
}

#[test]
fn a_takeback_is_followed() {
    let foreign = Foreign::open(
        &json!({"player": "white", "seed": 9, "delayMs": 400, "takeBackAtPly": 4, "takeBackAfterMs": 1500}),
    );
    foreign.stage.calibrate(&[]);
    // The reply to the second move stands long enough to be seen beside many games, and Torres still thinks about its third
    // when both are taken back.
    let engine = scripted_engine("--slow 3 3", &["e2e4", "d2d4", "g1f3"].map(str::to_owned));
    let mut play = foreign.stage.play(&["--engine", &engine, "--plies", "5"]);
    play.ends_with(0, GAME);

    foreign.has_told("takenback");
    let own: Vec<String> = foreign.moves_of_at_least(7).into_iter().step_by(2).collect();
    assert_eq!(own, ["e2e4", "d2d4", "d2d4", "g1f3"], "on the page");
    let journal = journal(&foreign.stage.out());
    assert!(has_event(&journal, |event| matches!(
        event,
        Event::TakenBack { plies: 2, .. }
    )));
    let written = pgn_of(&foreign.stage.out().join("game.pgn")).moves;
    let own: Vec<String> = written.into_iter().step_by(2).collect();
    assert_eq!(own, ["e2e4", "d2d4", "g1f3"], "in the game");
}

#[test]
fn a_drop_that_the_page_loses_is_tried_again_by_clicks() {
    let foreign = Foreign::open(&json!({"player": "white", "seed": 9, "delayMs": 150, "ignoreDrops": 1}));
    foreign.stage.calibrate(&[]);
    let engine = scripted_engine("", &["e2e4", "d2d4"].map(str::to_owned));
    let mut play = foreign.stage.play(&["--engine", &engine, "--plies", "4"]);
    play.ends_with(0, GAME);

    foreign.has_told("ignored");
    agrees_with_the_journal(&foreign, 0);
    assert_eq!(
        (foreign.moves()[0].as_str(), foreign.moves()[2].as_str()),
        ("e2e4", "d2d4")
    );
    let journal = journal(&foreign.stage.out());
    let kinds: Vec<GestureKind> = gestures(&journal).into_iter().map(|(kind, _)| kind).collect();
    let expected = [
        GestureKind::Drag,
        GestureKind::Deselect,
        GestureKind::Clicks,
        GestureKind::Drag,
    ];
    assert_eq!(kinds, expected);
    let retried = |event: &Event| matches!(event, Event::Retry(event::Retry { played, by: GestureKind::Clicks, .. }) if played == "e2e4");
    assert!(has_event(&journal, retried));
    assert!(
        play.said()
            .contains("1 landed at first try, 1 after a retry, 0 otherwise"),
        "{}",
        play.said()
    );
}

#[test]
fn a_piece_is_moved_again_on_a_page_that_waits_for_a_transition_to_the_middle() {
    let script = Script::new("g1f3 a7a6 f3g5 a6a5 g5h3 a5a4");
    let foreign = Foreign::open(&json!({
        "player": "white", "replies": script.moves_of(Color::Black), "delayMs": 150, "waitsForTransitions": true,
    }));
    foreign.stage.calibrate(&[]);
    let engine = engine_for(&script, Color::White);
    let mut play = foreign.stage.play(&["--engine", &engine, "--plies", &script.plies()]);
    play.ends_with(0, GAME);

    agrees_with_the_journal(&foreign, 0);
    let mut kinds: Vec<GestureKind> = gestures(&journal(&foreign.stage.out()))
        .into_iter()
        .map(|(kind, _)| kind)
        .collect();
    // On a slow machine the piece may stay under the pointer so long that it is taken aside, once.
    kinds.retain(|kind| *kind != GestureKind::Aside);
    assert_eq!(kinds, [GestureKind::Drag; 3]);
}
