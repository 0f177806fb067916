//! Gestures as a page in a real browser received them.

use torres::desktop::{Browser, BrowserOptions, Display};
use torres::geometry::{DesktopPx, InputScale};
use torres::mouse::{Gesture, Mouse, StopFlag};
use torres::screen;
use torres_test_support::desktop::{Board, Page, ends, on_display};
use torres_test_support::wait_for;

/// Drags between squares all over the board; every one must be a drop where it was meant, and none a click.
fn all_drags_register(display: &Display, scale: f64, count: u32) {
    let board = Board::open(display, scale);
    let mut mouse = Mouse::open(InputScale::IDENTITY).unwrap();
    let stop = StopFlag::new();
    let wanted: Vec<(u64, u64)> = (0..u64::from(count))
        .map(|i| (i * 11 % 64, (i * 8 + 20) % 64))
        .collect();
    for (from, to) in &wanted {
        let (from, to) = (board.square(*from as u32), board.square(*to as u32));
        let gesture = Gesture::drag(mouse.point(from), mouse.point(to));
        mouse.perform(&gesture, &stop).unwrap();
    }
    board.page.wait_for("mouseup", wanted.len());
    wait_for("the page's verdict on the last gesture", || {
        let judged = board.page.events_of("drop").len() + board.page.events_of("click-on").len();
        (judged >= wanted.len()).then_some(())
    });
    let dropped: Vec<_> = board.page.events_of("drop").iter().map(ends).collect();
    assert_eq!(dropped, wanted);
    assert!(board.page.events_of("click-on").is_empty());
}

#[test]
fn twenty_of_twenty_drags_register() {
    on_display("mouse_gestures::twenty_of_twenty_drags_register", |display| {
        all_drags_register(display, 1.0, 20);
    });
}

#[test]
fn drags_register_on_a_page_drawn_larger() {
    on_display("mouse_gestures::drags_register_on_a_page_drawn_larger", |display| {
        all_drags_register(display, 1.5, 10);
    });
}

#[test]
fn click_click_clicks_both_squares_in_order() {
    on_display("mouse_gestures::click_click_clicks_both_squares_in_order", |display| {
        let board = Board::open(display, 1.0);
        let mut mouse = Mouse::open(InputScale::IDENTITY).unwrap();
        let wanted: Vec<u64> = vec![12, 28, 28, 12, 0, 63, 7, 56];
        for pair in wanted.chunks(2) {
            let gesture = Gesture::ClickClick {
                from: mouse.point(board.square(pair[0] as u32)),
                to: mouse.point(board.square(pair[1] as u32)),
            };
            mouse.perform(&gesture, &StopFlag::new()).unwrap();
        }
        let clicked: Vec<_> = board.page.wait_for("click-on", wanted.len()).iter().map(ends).collect();
        assert_eq!(clicked, wanted.iter().map(|&s| (s, s)).collect::<Vec<_>>());
    });
}

#[test]
fn a_click_arrives_at_the_very_pixel() {
    on_display("mouse_gestures::a_click_arrives_at_the_very_pixel", |display| {
        let page = Page::serve("Pixels", "<div style='height:600px'></div>");
        let _browser = Browser::open(display, page.url(), BrowserOptions::default()).unwrap();
        page.wait_for("ready", 1);
        let window = wait_for("the page's window", || screen::find_window("Pixels").ok());
        let mut mouse = Mouse::open(InputScale::IDENTITY).unwrap();
        for (index, (x, y)) in [(17, 301), (400, 20), (33, 33)].into_iter().enumerate() {
            let pixel = DesktopPx {
                x: f64::from(window.client.x + x),
                y: f64::from(window.client.y + y),
            };
            let point = mouse.point(pixel);
            mouse.perform(&Gesture::Click(point), &StopFlag::new()).unwrap();
            assert_eq!(mouse.position().unwrap(), point);
            let click = page.wait_for("click", index + 1).remove(index);
            assert_eq!(
                (click["x"].as_i64(), click["y"].as_i64()),
                (Some(x.into()), Some(y.into()))
            );
        }
    });
}

#[test]
fn a_mere_move_presses_nothing() {
    on_display("mouse_gestures::a_mere_move_presses_nothing", |display| {
        let board = Board::open(display, 1.0);
        let mut mouse = Mouse::open(InputScale::IDENTITY).unwrap();
        let target = mouse.point(board.square(42));
        mouse.perform(&Gesture::MoveTo(target), &StopFlag::new()).unwrap();
        let moved = wait_for("the page to see the pointer", || {
            board.page.events_of("mousemove").pop()
        });
        assert_eq!(moved["id"], "s42");
        assert!(board.page.events_of("mousedown").is_empty());
    });
}
