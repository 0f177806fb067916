//! Promotions that a page asks for in words, and pages that do not ask: the user chooses once, and what was clicked is
//! remembered.
#![cfg(target_os = "linux")]

use serde_json::{Value, json};
use shakmaty::Color;
use torres::journal::{Event, GestureKind};
use torres_test_support::desktop::Pointer;
use torres_test_support::play::{
    GAME, Key, Practice, Run, Script, engine_for, gestures, has_event, journal, scripted_engine, text,
};
use torres_test_support::wait_for;

const FEN: &str = "8/PPPP4/6nk/6rq/7b/KQ6/3pppp1/RBN5 w - - 0 1";
/// In words, and the words in another language.
const ENGLISH: [&str; 4] = ["Queen", "Rook", "Bishop", "Knight"];
const GERMAN: [&str; 4] = ["Dame", "Turm", "Läufer", "Springer"];

/// A game whose White promotes so, with the dialog in these words.
fn opened(script: &Script, words: [&str; 4]) -> Practice {
    let practice = Practice::staged(script, Color::White);
    practice.stage.devtools().run(&format!(
        "document.head.insertAdjacentHTML('beforeend', `<style>
             #promotion {{ background: none }}
             #promotion button {{ border-radius: 3px; background: #ddd; color: #000; width: 25%; height: 6%; left: 37.5% !important; font: 17px sans-serif }}
             #promotion button:hover {{ background: #bcf }}
         </style>`);
         new MutationObserver(() => {{
             const dialog = document.getElementById('promotion');
             if (!dialog || dialog.dataset.worded) return;
             dialog.dataset.worded = 'yes';
             ['queen', 'rook', 'bishop', 'knight'].forEach((role, nth) => {{
                 const button = dialog.querySelector(`[title=${{role}}]`);
                 button.textContent = {}[nth];
                 button.style.top = `${{36 + 7 * nth}}%`;
             }});
         }}).observe(document.getElementById('board'), {{ childList: true, subtree: true }}); 0",
        json!(words)
    ));
    practice
}

fn play(practice: &Practice, script: &Script) -> Run {
    let engine = engine_for(script, Color::White);
    let args = ["--engine", &engine, "--plies", &script.plies()];
    practice.stage.play_at_a_terminal("game", &args)
}

/// Waits until Torres has asked so many times for a piece.
fn asked(practice: &Practice, play: &Run, times: usize, asks: &str) {
    let asked = format!("choose the {asks} on the page");
    wait_for(&format!("question {times}"), || {
        (paused(practice).iter().filter(|why| why.contains("choose the")).count() == times).then_some(())
    });
    assert!(
        paused(practice).last().is_some_and(|why| why.contains(&asked)),
        "{}",
        play.said()
    );
}

/// Torres has asked so many times for a piece; the user chooses this one and lets it go on.
fn chooses(practice: &Practice, play: &Run, times: usize, asks: &str, role: &str) {
    clicks(practice, play, times, asks, &format!("#promotion [title={role}]"));
}

/// The same by a click on what this selector names.
fn clicks(practice: &Practice, play: &Run, times: usize, asks: &str, selector: &str) {
    asked(practice, play, times, asks);
    let mut devtools = practice.stage.devtools();
    let button = practice.stage.lies(&mut devtools, selector);
    let pointer = Pointer::of(practice.stage.display().name());
    pointer.move_to(button.x as i16 + 30, button.y as i16 + 12);
    // As short as a tap on a touchpad.
    pointer.press(true);
    pointer.press(false);
    wait_for("the dialog to close", || {
        (devtools.run("document.querySelectorAll('#promotion button').length") == 0).then_some(())
    });
    play.press(Key::P);
}

/// Why it was paused, each time.
fn paused(practice: &Practice) -> Vec<String> {
    let journal = journal(&practice.stage.out());
    let reasons = journal.iter().filter_map(|entry| match &entry.event {
        Event::Pause { reason, .. } => Some(reason.clone()),
        _ => None,
    });
    reasons.collect()
}

/// What Torres has told of the game.
fn notes(practice: &Practice) -> String {
    let journal = journal(&practice.stage.out());
    let told = journal.iter().filter_map(|entry| match &entry.event {
        Event::Note { text } => Some(text.clone()),
        _ => None,
    });
    told.collect::<Vec<_>>().join("\n")
}

/// How many pieces Torres has chosen itself.
fn chosen(practice: &Practice) -> usize {
    let all = gestures(&journal(&practice.stage.out()));
    all.iter().filter(|(kind, _)| *kind == GestureKind::Promotion).count()
}

fn ends(practice: &Practice, script: &Script, mut play: Run) {
    play.ends_with(0, GAME);
    assert_eq!(practice.moves(), script.moves(), "{}", play.said());
}

fn remembered(practice: &Practice) -> Vec<Value> {
    let file: Value = serde_json::from_slice(&std::fs::read(practice.stage.calibration()).unwrap()).unwrap();
    file["promotions"].as_array().cloned().unwrap_or_default()
}

/// The calibration of a page taken along to another one.
fn take_along(from: &Practice, to: &Practice) {
    std::fs::copy(from.stage.calibration(), to.stage.calibration()).unwrap();
}

fn two_queens() -> Script {
    Script::from(FEN, "d7d8q d2d1n c7c8q e2e1b")
}

#[test]
fn a_piece_is_asked_for_once_and_chosen_by_torres_from_then_on_also_in_the_next_game() {
    let script = two_queens();
    let practice = opened(&script, ENGLISH);
    practice.stage.calibrate(&["--fen", FEN]);
    let play_it = play(&practice, &script);
    chooses(&practice, &play_it, 1, "queen", "queen");
    ends(&practice, &script, play_it);
    assert_eq!((paused(&practice).len(), chosen(&practice)), (1, 1));
    let kept = remembered(&practice);
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(kept[0]["piece"], "queen");

    let again = opened(&script, ENGLISH);
    take_along(&practice, &again);
    ends(&again, &script, play(&again, &script));
    assert_eq!((paused(&again).len(), chosen(&again)), (0, 2));
    assert_eq!(remembered(&again).len(), 1);
}

#[test]
fn a_dialog_that_darkens_the_page_with_the_bots_name_is_answered_all_the_same() {
    let script = two_queens();
    let practice = opened(&script, ENGLISH);
    practice.stage.calibrate(&["--fen", FEN]);
    practice.stage.devtools().run(
        "document.head.insertAdjacentHTML('beforeend', `<style>
             body:has(#promotion button)::after {
                 content: ''; position: fixed; inset: 0; background: rgba(0, 0, 0, .4); pointer-events: none; z-index: 99
             }
         </style>`); 0",
    );
    let play_it = play(&practice, &script);
    chooses(&practice, &play_it, 1, "queen", "queen");
    ends(&practice, &script, play_it);
    assert_eq!((paused(&practice).len(), chosen(&practice)), (1, 1));
}

/// A chess computer has keys for the pieces, which are there before the pawn moves and after.
#[test]
fn keys_that_stay_beside_the_board_are_remembered_too() {
    let script = two_queens();
    let practice = opened(&script, ENGLISH);
    practice.stage.devtools().run(
        "document.head.insertAdjacentHTML('beforeend', `<style>
             #promotion { visibility: hidden }
             #keys { position: fixed; right: 12px; bottom: 12px; z-index: 9 }
             #keys button { all: unset; display: inline-block; width: 72px; height: 26px; background: #ddd; font: 15px sans-serif }
         </style>`);
         document.body.insertAdjacentHTML('beforeend', '<div id=keys></div>');
         ['queen', 'rook', 'bishop', 'knight'].forEach(role => {
             const key = document.createElement('button');
             key.id = 'key-' + role;
             key.textContent = role;
             key.onclick = () => document.querySelector(`#promotion [title=${role}]`)?.click();
             document.getElementById('keys').append(key);
         }); 0",
    );
    practice.stage.calibrate(&["--fen", FEN]);
    let play_it = play(&practice, &script);
    clicks(&practice, &play_it, 1, "queen", "#key-queen");
    ends(&practice, &script, play_it);
    assert_eq!((paused(&practice).len(), chosen(&practice)), (1, 1));
}

/// Until the page is ready it shows a grey box in place of its buttons, and Torres asks at that.
#[test]
fn what_is_clicked_in_a_dialog_that_opens_after_the_question_is_remembered() {
    let script = two_queens();
    let practice = opened(&script, ENGLISH);
    practice.stage.devtools().run(
        "document.head.insertAdjacentHTML('beforeend', `<style>
             body:not(.ready) #promotion button { visibility: hidden }
             body:not(.ready) #promotion::before { content: ''; position: absolute; left: 12.5%; top: 37.5%;
                 width: 75%; height: 25%; background: #999 }
         </style>`); 0",
    );
    practice.stage.calibrate(&["--fen", FEN]);
    let play_it = play(&practice, &script);
    asked(&practice, &play_it, 1, "queen");
    practice.stage.devtools().run("document.body.classList.add('ready')");
    wait_for("the dialog seen", || {
        notes(&practice).contains("changed since the question").then_some(())
    });
    chooses(&practice, &play_it, 1, "queen", "queen");
    ends(&practice, &script, play_it);
    assert_eq!((paused(&practice).len(), chosen(&practice)), (1, 1));
    assert_eq!(remembered(&practice).len(), 1);
}

#[test]
fn another_picture_is_asked_for_anew() {
    let script = two_queens();
    let first = opened(&script, ENGLISH);
    first.stage.calibrate(&["--fen", FEN]);
    let play_it = play(&first, &script);
    chooses(&first, &play_it, 1, "queen", "queen");
    ends(&first, &script, play_it);

    let other = opened(&script, GERMAN);
    take_along(&first, &other);
    let play_it = play(&other, &script);
    chooses(&other, &play_it, 1, "queen", "queen");
    ends(&other, &script, play_it);
    assert_eq!((paused(&other).len(), chosen(&other)), (1, 1));
    assert_eq!(remembered(&other).len(), 2);
}

#[test]
fn each_piece_has_a_place_of_its_own() {
    let script = Script::from(FEN, "d7d8q d2d1n c7c8n e2e1b b7b8n f2f1r");
    let practice = opened(&script, ENGLISH);
    practice.stage.calibrate(&["--fen", FEN]);
    let play_it = play(&practice, &script);
    chooses(&practice, &play_it, 1, "queen", "queen");
    chooses(&practice, &play_it, 2, "knight", "knight");
    ends(&practice, &script, play_it);
    assert_eq!((paused(&practice).len(), chosen(&practice)), (2, 1));
    let pieces: Vec<Value> = remembered(&practice).iter().map(|it| it["piece"].clone()).collect();
    assert_eq!(pieces, ["queen", "knight"], "{}", notes(&practice));
}

#[test]
fn a_piece_that_the_user_chose_instead_is_remembered_as_what_it_is() {
    // Torres asks for a queen, and the user takes a rook.
    let meant = Script::from(FEN, "d7d8q d2d1n");
    let came = Script::from(FEN, "d7d8r d2d1n");
    let practice = opened(&meant, ENGLISH);
    practice.stage.calibrate(&["--fen", FEN]);
    let play_it = play(&practice, &meant);
    chooses(&practice, &play_it, 1, "queen", "rook");
    ends(&practice, &came, play_it);
    let pieces: Vec<Value> = remembered(&practice).iter().map(|it| it["piece"].clone()).collect();
    assert_eq!(pieces, ["rook"], "{}", notes(&practice));
}

#[test]
fn a_page_that_makes_queens_without_asking_is_noticed_and_asked_for_queens_alone() {
    // The page answers every promotion itself.
    let queens = "
        new MutationObserver(() => document.querySelector('#promotion [title=queen]')?.click())
            .observe(document.getElementById('board'), { childList: true, subtree: true });
        document.head.insertAdjacentHTML('beforeend', `<style>#promotion { display: none }</style>`); 0";
    let meant = Script::from(FEN, "d7d8n d2d1n c7c8q e2e1b");
    let came = Script::from(FEN, "d7d8q d2d1n c7c8q e2e1b");
    let practice = Practice::staged(&meant, Color::White);
    practice.stage.calibrate(&["--fen", FEN]);
    practice.stage.devtools().run(queens);
    let engine = scripted_engine("", &meant.moves_of(Color::White));
    let run = practice
        .stage
        .play_at_a_terminal("game", &["--engine", &engine, "--plies", &meant.plies()]);
    ends(&practice, &came, run);
    assert_eq!(paused(&practice), Vec::<String>::new());
    let noted = |event: &Event| matches!(event, Event::Note { text } if text.contains("makes a queen of a pawn"));
    assert!(has_event(&journal(&practice.stage.out()), noted));
    let file: Value = serde_json::from_slice(&std::fs::read(practice.stage.calibration()).unwrap()).unwrap();
    assert_eq!(file["hand"]["queens"], true, "{}", text(&practice.stage.calibration()));
}
