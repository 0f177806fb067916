//! The window moves or goes away, and the user stops: input ends at once, and nothing is clicked where the board is
//! not.
#![cfg(target_os = "linux")]

use rustix::process::Signal;
use shakmaty::Color;
use std::time::{Duration, Instant};
use torres::desktop::{Browser, BrowserOptions};
use torres::journal::Event;
use torres_test_support::desktop::{Page, Pointer};
use torres_test_support::play::third_move::{game, thinking_at_the_third_move};
use torres_test_support::play::{
    GAME, Practice, Script, engine_for, freeze_in_a_press, has_event, journal, moves_seen, pgn_of,
};
use torres_test_support::wait_for;

/// Emergency stops are obeyed at once; this is for a busy machine.
const AT_ONCE: Duration = Duration::from_secs(10);
/// Seconds that the scripted engine thinks at its third move: long enough to move the window meanwhile.
const A_MOMENT: &str = "1.5";
/// So long that input stops during the thought, or not in time.
const FOR_LONG: &str = "60";

/// A window behind the board's: whatever is clicked where the board is not, it would receive.
fn behind(practice: &Practice) -> (Page, Browser) {
    let page = Page::serve("Behind", "<body style='background:#346'></body>");
    let options = BrowserOptions {
        position: (0, 0),
        size: (1270, 980),
        ..BrowserOptions::default()
    };
    let browser = Browser::open(practice.stage.display(), page.url(), options).unwrap();
    page.wait_for("ready", 1);
    practice.stage.browser().window().unwrap().activate().unwrap();
    (page, browser)
}

#[test]
fn a_window_moved_during_the_game_is_found_again() {
    let script = game();
    let practice = Practice::staged(&script, Color::White);
    let (behind, _browser) = behind(&practice);
    practice.stage.calibrate(&[]);
    let mut play = thinking_at_the_third_move(&practice, A_MOMENT);
    let before = practice.stage.client();
    practice.stage.browser().window().unwrap().move_to(230, 60).unwrap();
    wait_for("the window to move", || {
        (practice.stage.client() != before).then_some(())
    });
    play.ends_with(0, GAME);
    practice.shows(&script);
    assert_eq!(
        behind.events_of("mousedown").len(),
        0,
        "clicked where the board was not"
    );
}

/// How far and how often a window is moved that somebody drags about, in pixels and ms.
const STEP: i32 = 37;
const STEP_EVERY: Duration = Duration::from_millis(350);

/// Moves the window in the middle of the game's first drag, from this square.
fn moved_in_the_first_drag(script: &Script, calibrating: &[&str], from: &str) {
    let practice = Practice::staged(script, Color::White);
    practice.stage.calibrate(calibrating);
    let measuring = practice.touches().len();
    let mut play = practice.stage.play(&[
        "--engine",
        &engine_for(script, Color::White),
        "--plies",
        &script.plies(),
    ]);
    freeze_in_a_press(play.id(), &Pointer::of(practice.stage.display().name()));
    let before = practice.stage.client();
    let window = practice.stage.browser().window().unwrap();
    window.move_to(before.x + 2 * STEP, before.y).unwrap();
    wait_for("the window to move", || {
        (practice.stage.client() != before).then_some(())
    });
    play.signal(Signal::CONT);
    play.ends_with(0, GAME);
    assert_eq!(practice.moves(), script.moves());
    assert_eq!(practice.site.events("refused"), Vec::<serde_json::Value>::new());
    let touches = &practice.touches()[measuring..];
    assert_eq!(touches[0].square.as_deref(), Some(from));
    assert_eq!(
        (touches[1].down, touches[1].square.as_deref()),
        (false, Some(from)),
        "{touches:?}"
    );
}

#[test]
fn a_window_moved_in_the_middle_of_a_drag_takes_the_piece_back_to_its_square() {
    moved_in_the_first_drag(&game(), &[], "e2");
}

/// Reported (a window moved in steps): all of the board differed from the picture of the window before, and Torres' own
/// pieces in their line were taken for those that the page offers.
#[test]
fn a_window_moved_in_the_middle_of_a_promotion_is_promoted_in_all_the_same() {
    let fen = "1rbqk2r/pp2Pp1p/n1p3p1/3p4/8/3P1N2/PPP1BPPP/RNBQK2R w KQk - 0 1";
    moved_in_the_first_drag(&Script::from(fen, "e7d8q e8d8"), &["--fen", fen], "e7");
}

#[test]
fn a_game_in_a_window_that_is_moved_in_steps_is_played_on() {
    let practice = Practice::open("", &["--level", "1", "--delay-ms", "100", "--seed", "5"]);
    practice.stage.calibrate(&[]);
    let mut play = practice.stage.play(&["--move-ms", "100", "--plies", "30"]);
    let home = practice.stage.client();
    let window = practice.stage.browser().window().unwrap();
    let mut played = practice.moves().len();
    'moving: loop {
        for step in [1, 2, 3, 4, 3, 2, 1, 0] {
            if play.has_ended() {
                break 'moving;
            }
            window.move_to(home.x + step * STEP, home.y + step % 2 * STEP).unwrap();
            std::thread::sleep(STEP_EVERY);
        }
        // On a busy machine a drag may last from one step to the next, and none comes through before the window rests.
        let deadline = Instant::now() + GAME;
        while practice.moves().len() == played && !play.has_ended() {
            assert!(
                Instant::now() < deadline,
                "not played on while the window is moved:\n{}",
                play.said()
            );
            std::thread::sleep(STEP_EVERY);
        }
        played = practice.moves().len();
    }
    play.ends_with(0, GAME);
    let journal = journal(&practice.stage.out());
    let paused = |event: &Event| matches!(event, Event::Pause { .. });
    assert!(!has_event(&journal, paused), "{}", play.said());
    assert_eq!(moves_seen(&journal), practice.moves());
    assert_eq!(practice.site.events("refused"), Vec::<serde_json::Value>::new());
}

#[test]
fn a_closed_window_stops_all_input() {
    let practice = Practice::staged(&game(), Color::White);
    let (behind, _browser) = behind(&practice);
    practice.stage.calibrate(&[]);
    let mut play = thinking_at_the_third_move(&practice, FOR_LONG);
    let pointer = Pointer::of(practice.stage.display().name());
    let before = pointer.place();
    practice.stage.browser().window().unwrap().close().unwrap();
    play.ends_with(3, AT_ONCE);
    assert_eq!(
        pointer.place(),
        before,
        "the mouse was moved after the window was closed"
    );
    assert!(!pointer.button_is_down());
    assert_eq!(
        behind.events_of("mousedown").len(),
        0,
        "clicked where the board was not"
    );
    assert_eq!(practice.moves(), game().moves()[..4]);
    stopped_by(&practice, "window");
}

#[test]
fn the_pointer_thrown_into_a_corner_stops_all_input() {
    let practice = Practice::staged(&game(), Color::White);
    practice.stage.calibrate(&[]);
    let mut play = thinking_at_the_third_move(&practice, FOR_LONG);
    let touches = practice.touches();
    let pointer = Pointer::of(practice.stage.display().name());
    pointer.move_to(0, 0);
    play.ends_with(3, AT_ONCE);
    assert!(!pointer.button_is_down());
    assert_eq!(
        (pointer.place().x, pointer.place().y),
        (0, 0),
        "the mouse was moved after the stop"
    );
    assert_eq!(practice.touches(), touches);
    stopped_by(&practice, "corner");
}

#[test]
fn an_interrupt_stops_all_input() {
    let practice = Practice::staged(&game(), Color::White);
    practice.stage.calibrate(&[]);
    let mut play = thinking_at_the_third_move(&practice, FOR_LONG);
    let touches = practice.touches();
    play.signal(Signal::INT);
    play.ends_with(3, AT_ONCE);
    assert!(!Pointer::of(practice.stage.display().name()).button_is_down());
    assert_eq!(practice.touches(), touches);
    stopped_by(&practice, "Ctrl-C");
}

/// The journal says why it stopped, and the game so far was written down.
fn stopped_by(practice: &Practice, why: &str) {
    let journal = journal(&practice.stage.out());
    let stopped = |event: &Event| matches!(event, Event::Stopped { reason } if reason.contains(why));
    assert!(has_event(&journal, stopped), "not stopped by '{why}': {journal:#?}");
    let written = pgn_of(&practice.stage.out().join("game.pgn"));
    assert_eq!(written.moves, game().moves()[..4]);
}
