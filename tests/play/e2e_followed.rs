//! The page is laid out anew in the middle of a game: its window resized, its text zoomed. The game goes on where the
//! board is then, as long as the opponent panel is the same to the pixel.
#![cfg(target_os = "linux")]

use shakmaty::Color;
use torres::journal::Event;
use torres_test_support::desktop::Keys;
use torres_test_support::play::third_move::{game, thinking_at_the_third_move};
use torres_test_support::play::{GAME, Practice, journal};
use torres_test_support::wait_for;

/// Seconds that the scripted engine thinks at its third move: long enough to resize the window meanwhile.
const A_MOMENT: &str = "2.5";
/// Long enough to zoom the page, to see that Torres has noticed, and to zoom it back.
const A_WHILE: &str = "8";

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
    let mut play = thinking_at_the_third_move(&practice, A_MOMENT);
    let client = practice.stage.client();
    let window = practice.stage.browser().window().unwrap();
    window.resize(client.width - 120, client.height - 20).unwrap();
    play.ends_with(0, GAME);
    practice.shows(&game());
    let sizes = sizes_found(&practice);
    assert!(sizes.iter().any(|size| (size - 480.0).abs() <= 1.0), "{sizes:?}");
}

/// Zooms the page out by two steps, and waits until Torres has found the board in its new size.
fn zoom_out_until_seen(practice: &Practice, keys: &Keys) {
    practice.stage.browser().window().unwrap().activate().unwrap();
    keys.zoom_out();
    keys.zoom_out();
    // The page makes its board larger when its text is smaller: room for 848 of its pixels, 0.8 of the screen's each,
    // in whole squares.
    wait_for("the board to be found in its new size", || {
        let sizes = sizes_found(practice).into_iter();
        sizes.into_iter().find(|size| (size - 672.0).abs() <= 1.0)
    });
}

#[test]
fn a_page_zoomed_and_zoomed_back_during_the_game_is_played_on() {
    let practice = Practice::staged(&game(), Color::White);
    practice.stage.calibrate(&[]);
    let mut play = thinking_at_the_third_move(&practice, A_WHILE);
    let keys = Keys::of(practice.stage.display().name());
    zoom_out_until_seen(&practice, &keys);
    keys.zoom_back();
    play.ends_with(0, GAME);
    practice.shows(&game());
}

#[test]
fn a_page_that_stays_zoomed_pauses_the_game_since_its_panel_cannot_be_compared() {
    let practice = Practice::staged(&game(), Color::White);
    practice.stage.calibrate(&[]);
    let mut play = thinking_at_the_third_move(&practice, A_MOMENT);
    let touches = practice.touches();
    zoom_out_until_seen(&practice, &Keys::of(practice.stage.display().name()));
    play.ends_with(1, GAME);
    assert_eq!(practice.touches(), touches, "the mouse was used on the zoomed page");
    assert_eq!(practice.moves(), game().moves()[..4]);
    assert!(play.said().contains("opponent panel changed"), "{}", play.said());
    assert!(play.said().contains("Zoom or resize the page back"), "{}", play.said());
}
