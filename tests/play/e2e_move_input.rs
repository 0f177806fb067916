//! Boards that take moves in one way only, show no selection, or lose a press: what a newcomer's `calibrate` and `play`
//! make of them.
#![cfg(target_os = "linux")]

use rustix::process::Signal;
use serde_json::{Value, json};
use shakmaty::Color;
use std::time::Duration;
use torres::journal::{Event, GestureKind};
use torres_test_support::play::{
    Foreign, GAME, Practice, Run, Script, children_of, engine_for, gestures, has_event, journal, signal_group,
    signal_process, text, touches_ordered,
};
use torres_test_support::wait_for;

fn game() -> Script {
    Script::new("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5")
}

/// A page staged like this, on which the game is to be played with White.
fn opened(staged: Value) -> Foreign {
    let mut all = json!({"player": "white", "replies": game().moves_of(Color::Black), "delayMs": 150});
    let more = staged.as_object().expect("what is staged").clone();
    all.as_object_mut().unwrap().extend(more);
    Foreign::open(&all)
}

fn play(foreign: &Foreign, more: &[&str]) -> Run {
    let (engine, plies) = (engine_for(&game(), Color::White), game().plies());
    let args = ["--engine", &engine, "--plies", &plies];
    foreign.stage.play(&[&args[..], more].concat())
}

/// The whole game was played, and the mouse did on the page what was ordered and nothing else; what each of its
/// gestures was.
fn was_played(foreign: &Foreign, mut play: Run) -> Vec<GestureKind> {
    play.ends_with(0, GAME);
    assert_eq!(foreign.moves_of_at_least(game().moves().len()), game().moves());
    let journal = journal(&foreign.stage.out());
    let ordered = touches_ordered(&journal);
    wait_for("the page's report of the mouse", || {
        (foreign.touches().len() >= ordered.len()).then_some(())
    });
    assert_eq!(foreign.touches(), ordered, "on the page, and ordered");
    // On a machine that is busy with other tests the pointer may be taken aside in between.
    let made = gestures(&journal).into_iter().map(|(kind, _)| kind);
    made.filter(|kind| *kind != Aside).collect()
}

fn file(foreign: &Foreign) -> Value {
    serde_json::from_slice(&std::fs::read(foreign.stage.calibration()).unwrap()).unwrap()
}

fn has_note(foreign: &Foreign, words: &str) -> bool {
    let noted = |event: &Event| matches!(event, Event::Note { text } if text.contains(words));
    has_event(&journal(&foreign.stage.out()), noted)
}

use GestureKind::{Aside, Clicks, Deselect, Drag, GivenUp, Target};

#[test]
fn a_board_that_shows_no_selection_is_calibrated_without_a_click_checked_and_played_on() {
    for shows in ["nothing", "targets"] {
        let foreign = opened(json!({"shows": shows}));
        foreign.stage.calibrate(&[]);
        assert_eq!(file(&foreign)["input_per_pixel"], 1.0);
        let path = foreign.stage.calibration();
        let (status, said) = foreign.stage.run(&["calibrate", text(&path), "--check"]);
        assert_eq!(status, 0, "{said}");
        assert_eq!(foreign.touches(), [], "nothing was pressed");
        assert_eq!(was_played(&foreign, play(&foreign, &[])), [Drag; 4]);
        assert_eq!(file(&foreign)["hand"], Value::Null, "nothing was learned");
    }
}

#[test]
fn on_a_board_that_takes_clicks_only_the_first_drag_is_given_up_and_moves_are_clicked_from_then_on_also_in_the_next_game()
 {
    let foreign = opened(json!({"clicksOnly": true}));
    foreign.stage.calibrate(&[]);
    let run = play(&foreign, &[]);
    // The drag's press has selected the pawn, which does not follow: its target is clicked, and nothing else.
    assert_eq!(was_played(&foreign, run), [GivenUp, Target, Clicks, Clicks, Clicks]);
    assert!(has_note(&foreign, "takes no drags"));
    assert!(!has_event(&journal(&foreign.stage.out()), |event| matches!(
        event,
        Event::Retry(_)
    )));
    let input = &file(&foreign)["hand"];
    assert_eq!(*input, json!({"by": "auto", "takes": "clicks"}));

    let again = opened(json!({"clicksOnly": true}));
    std::fs::copy(foreign.stage.calibration(), again.stage.calibration()).unwrap();
    assert_eq!(was_played(&again, play(&again, &[])), [Clicks; 4]);
}

#[test]
fn a_selection_shown_as_gnome_chess_shows_it_is_seen() {
    // Reported: the drag's press selected, the clicks that followed took that back, and no move was ever made.
    let foreign = opened(json!({"clicksOnly": true, "shows": "ghosts"}));
    foreign.stage.calibrate(&[]);
    let run = play(&foreign, &[]);
    assert_eq!(was_played(&foreign, run), [GivenUp, Target, Clicks, Clicks, Clicks]);
    assert_eq!(file(&foreign)["hand"]["takes"], "clicks");
}

#[test]
fn a_board_that_takes_clicks_only_and_shows_no_selection_is_played_on_all_the_same() {
    let foreign = opened(json!({"clicksOnly": true, "shows": "nothing"}));
    foreign.stage.calibrate(&[]);
    let made = was_played(&foreign, play(&foreign, &[]));
    assert_eq!(made, [GivenUp, Target, Clicks, Clicks, Clicks]);
    assert_eq!(file(&foreign)["hand"]["takes"], "clicks");
}

#[test]
fn a_board_that_takes_a_drag_s_place_from_later_motions_only_is_dragged_on_in_steps_also_in_the_next_game() {
    // As with the browser's own drag and drop: one motion begins the drag, others say where it is.
    let foreign = opened(json!({"motionsLost": 2}));
    foreign.stage.calibrate(&[]);
    assert_eq!(was_played(&foreign, play(&foreign, &[])), [Drag; 4]);
    assert!(has_note(&foreign, "takes drags in steps"));
    assert_eq!(file(&foreign)["hand"], json!({"by": "auto", "steps": true}));

    let again = opened(json!({"motionsLost": 2}));
    std::fs::copy(foreign.stage.calibration(), again.stage.calibration()).unwrap();
    assert_eq!(was_played(&again, play(&again, &[])), [Drag; 4]);
    assert!(!has_note(&again, "takes drags in steps"), "it was known");
}

#[test]
fn a_board_that_takes_a_click_where_the_pointer_is_a_moment_later_is_clicked_with_a_rest_also_in_the_next_game() {
    // Reported (chess-minimax, ChessyAI): no move ever landed, by drag or by clicks.
    let staged = json!({"clicksOnly": true, "pollsMs": 60});
    let foreign = opened(staged.clone());
    foreign.stage.calibrate(&[]);
    let made = was_played(&foreign, play(&foreign, &[]));
    assert_eq!(made.last(), Some(&Clicks), "{made:?}");
    assert!(has_note(&foreign, "it rests between two clicks"));
    assert_eq!(file(&foreign)["hand"]["rests"], true);

    let again = opened(staged);
    std::fs::copy(foreign.stage.calibration(), again.stage.calibration()).unwrap();
    assert_eq!(was_played(&again, play(&again, &[])), [Clicks; 4]);
}

#[test]
fn a_board_that_has_a_press_where_the_pointer_is_a_frame_later_is_dragged_on_with_a_rest_also_in_the_next_game() {
    // Reported (rusty-chess-gui): a piece was picked up where the pointer had gone on to.
    let staged = json!({"pressesLateMs": 40});
    let foreign = opened(staged.clone());
    foreign.stage.calibrate(&[]);
    let made = was_played(&foreign, play(&foreign, &[]));
    assert_eq!(made.last(), Some(&Drag), "{made:?}");
    assert_eq!(file(&foreign)["hand"], json!({"by": "auto", "steps": true}));

    let again = opened(staged);
    std::fs::copy(foreign.stage.calibration(), again.stage.calibration()).unwrap();
    assert_eq!(was_played(&again, play(&again, &[])), [Drag; 4]);
}

/// Reported (Jocly): castling was entered three times, two squares to the side.
#[test]
fn castling_is_entered_onto_the_rook_where_a_board_takes_it_no_other_way_also_in_the_next_game() {
    let script = Script::new("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1 f8c5 d2d3 d7d6");
    for way in [json!({}), json!({"clicksOnly": true})] {
        let staged = |mut more: Value| {
            let all = more.as_object_mut().unwrap();
            all.insert("replies".into(), json!(script.moves_of(Color::Black)));
            all.insert("castlesOntoRook".into(), true.into());
            opened(more)
        };
        let plays = |foreign: &Foreign| {
            let (engine, plies) = (engine_for(&script, Color::White), script.plies());
            let mut run = foreign.stage.play(&["--engine", &engine, "--plies", &plies]);
            run.ends_with(0, GAME);
            assert_eq!(foreign.moves_of_at_least(script.moves().len()), script.moves());
            foreign.events("refused").len()
        };
        let foreign = staged(way.clone());
        foreign.stage.calibrate(&[]);
        plays(&foreign);
        assert!(has_note(&foreign, "castles where the king is put onto its rook"));
        assert_eq!(file(&foreign)["hand"]["onto_rook"], true);

        let again = staged(way);
        std::fs::copy(foreign.stage.calibration(), again.stage.calibration()).unwrap();
        assert_eq!(plays(&again), 0);
        assert!(!has_note(&again, "castles where"), "it was known");
    }
}

/// Reported (python-chess-gui): a program that thinks in the middle of its events draws a move seconds after its click, and
/// three tries were made by then.
#[test]
fn a_program_that_does_not_get_to_its_events_is_waited_for_and_no_move_is_made_again() {
    let foreign = opened(json!({"clicksOnly": true}));
    foreign.stage.calibrate(&[]);
    let browser = foreign.stage.browser().group().unwrap();
    signal_group(browser, Signal::STOP);
    let run = play(&foreign, &[]);
    let is_made = || {
        gestures(&journal(&foreign.stage.out()))
            .iter()
            .any(|(kind, _)| *kind == Target)
    };
    wait_for("a click on the target", || is_made().then_some(()));
    // Where a page draws nothing a move is made again after a second.
    std::thread::sleep(Duration::from_secs(4));
    // Its first process answers, and those that draw have what waited later.
    for process in children_of(browser) {
        signal_process(process, Signal::CONT);
    }
    std::thread::sleep(Duration::from_secs(2));
    signal_group(browser, Signal::CONT);
    assert_eq!(was_played(&foreign, run), [GivenUp, Target, Clicks, Clicks, Clicks]);
}

/// A page that is late to take presses and releases in shows how late it is: nothing is made again, and
/// nothing else is learned of how it is played on than on one that is quick.
#[test]
fn on_a_busy_page_that_answers_late_no_move_is_made_again_and_nothing_wrong_is_learned() {
    let was_quick = |foreign: &Foreign| {
        let again = |event: &Event| matches!(event, Event::Retry(_));
        let journal = journal(&foreign.stage.out());
        assert!(!has_event(&journal, again), "{journal:#?}");
    };
    let dragged = opened(json!({"busyMs": 450}));
    dragged.stage.calibrate(&[]);
    assert_eq!(was_played(&dragged, play(&dragged, &[])), [Drag; 4]);
    was_quick(&dragged);
    assert_eq!(file(&dragged)["hand"], Value::Null, "nothing was learned");

    let clicked = opened(json!({"busyMs": 250, "clicksOnly": true}));
    clicked.stage.calibrate(&[]);
    let made = was_played(&clicked, play(&clicked, &[]));
    assert_eq!(made, [GivenUp, Target, Clicks, Clicks, Clicks]);
    was_quick(&clicked);
    assert_eq!(file(&clicked)["hand"], json!({"by": "auto", "takes": "clicks"}));
}

#[test]
fn moves_are_made_by_the_user_s_word_where_there_is_one() {
    let foreign = opened(json!({"clicksOnly": true}));
    foreign.stage.calibrate(&["--by", "clicks"]);
    assert_eq!(file(&foreign)["hand"], json!({"by": "clicks"}));
    let (before, path) = (file(&foreign), foreign.stage.calibration());
    let mut run = play(&foreign, &["--by", "drag"]);
    run.ends_with(1, GAME);
    assert!(
        run.said()
            .contains("did not land by drag, the only way that --by allows"),
        "{}",
        run.said()
    );
    let made = gestures(&journal(&foreign.stage.out())).into_iter();
    // An empty square does not put the piece down here; a click on it does, and that is learned.
    let expected = [Drag, Deselect, Deselect, Drag, Deselect, Drag];
    assert_eq!(made.map(|(kind, _)| kind).collect::<Vec<_>>(), expected);
    assert_eq!(foreign.moves(), Vec::<String>::new());
    assert!(has_note(&foreign, "a second click on a selected piece puts it down"));
    assert_eq!(file(&foreign), before, "what was said for one run is not kept");

    let again = opened(json!({"clicksOnly": true}));
    std::fs::copy(path, again.stage.calibration()).unwrap();
    assert_eq!(was_played(&again, play(&again, &[])), [Clicks; 4]);
}

#[test]
fn a_press_that_the_page_loses_while_a_piece_slides_is_made_again_and_its_rest_waited_for_from_then_on() {
    let script = Script::new("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 c2c3 d7d6 b2b4 c5b6 a2a4 a7a6");
    let practice = Practice::staged(&script, Color::White);
    practice.stage.calibrate(&[]);
    practice.stage.devtools().run(
        "var lost = 0;
         addEventListener('mousedown', (event) => {
           if (!document.querySelector('piece.anim')) return;
           lost += 1;
           event.stopImmediatePropagation();
         }, { capture: true }); 0",
    );
    // In a hurry it answers at once, while the bot's piece is on its way.
    let engine = engine_for(&script, Color::White);
    let hurry = ["--engine", &engine, "--plies", &script.plies(), "--clock", "0.9+0"];
    let mut play = practice.stage.play(&hurry);
    play.ends_with(0, GAME);
    assert_eq!(practice.moves(), script.moves());
    let journal = journal(&practice.stage.out());
    let retries = journal.iter().filter(|entry| matches!(entry.event, Event::Retry(_)));
    assert_eq!(retries.count(), 1, "{}", play.said());
    assert_eq!(practice.stage.devtools().run("window.lost"), 1);
    assert!(play.said().contains("loses a press while"), "{}", play.said());
}

#[test]
fn with_time_enough_nothing_is_pressed_while_a_piece_slides() {
    let script = Script::new("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 c2c3 d7d6 b2b4 c5b6 a2a4 a7a6");
    let practice = Practice::staged(&script, Color::White);
    practice.stage.calibrate(&[]);
    practice.stage.devtools().run(
        "var early = 0;
         addEventListener('mousedown', () => early += document.querySelectorAll('piece.anim').length, { capture: true }); 0",
    );
    let engine = engine_for(&script, Color::White);
    let mut play = practice.stage.play(&["--engine", &engine, "--plies", &script.plies()]);
    play.ends_with(0, GAME);
    assert_eq!(practice.moves(), script.moves());
    assert_eq!(practice.stage.devtools().run("window.early"), 0);
}

#[test]
fn on_a_page_that_lights_the_square_under_the_pointer_it_is_taken_aside_and_after_each_gesture_from_then_on() {
    // The queen takes where the pointer has left its pawn.
    let script = Script::new("e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 d2d4 c7c6");
    let staged = json!({"lights": true, "replies": script.moves_of(Color::Black)});
    let play = |foreign: &Foreign| {
        let engine = engine_for(&script, Color::White);
        let mut run = foreign.stage.play(&["--engine", &engine, "--plies", &script.plies()]);
        run.ends_with(0, GAME);
        assert_eq!(foreign.moves_of_at_least(script.moves().len()), script.moves());
        let journal = journal(&foreign.stage.out());
        assert!(!has_event(&journal, |event| matches!(event, Event::Retry(_))));
        let made = gestures(&journal).into_iter().map(|(kind, _)| kind);
        made.collect::<Vec<_>>()
    };
    let foreign = opened(staged.clone());
    foreign.stage.calibrate(&[]);
    let made = play(&foreign);
    assert!(made.contains(&Aside), "{made:?}");
    assert!(has_note(&foreign, "what lies under the pointer looks otherwise"));
    assert_eq!(file(&foreign)["hand"]["aside"], true);

    let again = opened(staged);
    std::fs::copy(foreign.stage.calibration(), again.stage.calibration()).unwrap();
    assert_eq!(play(&again), [Drag, Aside, Drag, Aside, Drag, Aside, Drag, Aside]);
}

#[test]
fn a_check_fails_where_play_would_refuse() {
    let foreign = opened(json!({}));
    let path = foreign.stage.calibration();
    let check = |why: &str| {
        let (status, said) = foreign.stage.run(&["calibrate", text(&path), "--check"]);
        assert_eq!(status, 1, "{said}");
        assert!(said.contains("CHANGED opponent") && said.contains(why), "{said}");
        let mut run = play(&foreign, &[]);
        run.ends_with(2, GAME);
    };
    foreign.stage.calibrate_plainly(&[]);
    check("none was shown");
    let panel = foreign.stage.panel();
    foreign.stage.calibrate_plainly(&["--opponent-panel", &panel]);
    check("nobody stated that it is a bot");
}
