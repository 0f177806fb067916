//! The emergency stop, pulled in the middle of a drag: the page sees the button released, and nothing more comes.

mod common;

use common::{Board, Pointer, ROLE, ends, itself, on_display, wait_for};
use std::process::Command;
use torres::geometry::{InputPt, InputScale};
use torres::mouse::{Gesture, Mouse, MouseError, StopFlag, StopReason, watch_corners, watch_interrupt};

/// Drags from one square to another while somebody else acts on the display, as soon as the drag is under way.
fn drag_while(
    board: &Board,
    display: &str,
    stop: &StopFlag,
    act: impl FnOnce(&Pointer) + Send,
) -> Result<(), MouseError> {
    let mut mouse = Mouse::open(InputScale::IDENTITY).unwrap();
    let (from, to) = (mouse.point(board.square(9)), mouse.point(board.square(54)));
    std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            let pointer = Pointer::of(display);
            pointer.wait_for_drag_to(to);
            act(&pointer);
        });
        let outcome = mouse.perform(&Gesture::Drag { from, to }, stop);
        other.join().unwrap();
        outcome.map(drop)
    })
}

#[test]
fn the_pointer_thrown_into_a_corner_ends_a_drag() {
    on_display("the_pointer_thrown_into_a_corner_ends_a_drag", |display| {
        let board = Board::open(display, 1.0);
        let stop = StopFlag::new();
        let outcome = drag_while(&board, display.name(), &stop, |pointer| pointer.move_to(1279, 0));
        assert_eq!(outcome, Err(MouseError::Stopped(StopReason::Corner)));
        assert_eq!(stop.reason(), Some(StopReason::Corner));
        assert!(!Pointer::of(display.name()).button_is_down());
        board.page.wait_for("mouseup", 1);

        // From then on, nothing is pressed any more, wherever the pointer is.
        Pointer::of(display.name()).move_to(640, 400);
        let mut mouse = Mouse::open(InputScale::IDENTITY).unwrap();
        let click = Gesture::Click(mouse.point(board.square(0)));
        assert_eq!(
            mouse.perform(&click, &stop),
            Err(MouseError::Stopped(StopReason::Corner))
        );
        assert_eq!(board.page.events_of("mousedown").len(), 1);
    });
}

#[test]
fn a_tripped_flag_ends_a_drag() {
    on_display("a_tripped_flag_ends_a_drag", |display| {
        let board = Board::open(display, 1.0);
        let stop = StopFlag::new();
        let flag = stop.clone();
        let outcome = drag_while(&board, display.name(), &stop, move |_| {
            flag.trip(StopReason::WindowClosed)
        });
        assert_eq!(outcome, Err(MouseError::Stopped(StopReason::WindowClosed)));
        assert!(!Pointer::of(display.name()).button_is_down());
        board.page.wait_for("mouseup", 1);
    });
}

#[test]
fn another_hand_on_the_mouse_ends_a_drag() {
    on_display("another_hand_on_the_mouse_ends_a_drag", |display| {
        let board = Board::open(display, 1.0);
        let stop = StopFlag::new();
        let elsewhere = InputScale::IDENTITY.input(board.square(3));
        let outcome = drag_while(&board, display.name(), &stop, |pointer| {
            pointer.move_to(elsewhere.x as i16, elsewhere.y as i16);
        });
        let expected = InputScale::IDENTITY.input(board.square(54));
        let found = elsewhere;
        assert_eq!(outcome, Err(MouseError::Interfered { expected, found }));
        assert_eq!(stop.reason(), None);
        assert!(!Pointer::of(display.name()).button_is_down());
        let up = board.page.wait_for("mouseup", 1).remove(0);
        assert_eq!(up["id"], "s3");
    });
}

#[test]
fn a_throw_into_any_corner_is_noticed_between_gestures_too() {
    on_display("a_throw_into_any_corner_is_noticed_between_gestures_too", |display| {
        let pointer = Pointer::of(display.name());
        for (x, y) in [(0, 0), (1279, 0), (0, 799), (1279, 799)] {
            let stop = StopFlag::new();
            pointer.move_to(640, 400);
            watch_corners(&stop).unwrap();
            pointer.move_to(x, y);
            let reason = wait_for("the watcher to notice", || stop.reason());
            assert_eq!(reason, StopReason::Corner);
        }
    });
}

#[test]
fn a_corner_into_which_a_gesture_put_the_pointer_is_no_throw() {
    on_display("a_corner_into_which_a_gesture_put_the_pointer_is_no_throw", |display| {
        let stop = StopFlag::new();
        watch_corners(&stop).unwrap();
        let mut mouse = Mouse::open(InputScale::IDENTITY).unwrap();
        for _ in 0..5 {
            for (x, y) in [(0, 0), (1279, 799)] {
                mouse.perform(&Gesture::MoveTo(InputPt { x, y }), &stop).unwrap();
            }
        }
        assert_eq!(stop.reason(), None);
        // The watcher has not been asleep all the while: a throw into another corner it notices.
        Pointer::of(display.name()).move_to(0, 799);
        assert_eq!(wait_for("the watcher to notice", || stop.reason()), StopReason::Corner);
    });
}

/// What the next test interrupts: a process that drags on and on, and ends as a command does when it is stopped.
#[test]
#[ignore = "a part of ctrl_c_in_a_drag_releases_the_button"]
fn drags_until_stopped() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let place: Vec<i32> = role.split(',').filter_map(|n| n.parse().ok()).collect();
    let (from, to) = (
        InputPt {
            x: place[0],
            y: place[1],
        },
        InputPt {
            x: place[2],
            y: place[3],
        },
    );
    let stop = StopFlag::new();
    watch_interrupt(&stop).unwrap();
    let mut mouse = Mouse::open(InputScale::IDENTITY).unwrap();
    loop {
        if let Err(MouseError::Stopped(StopReason::CtrlC)) = mouse.perform(&Gesture::Drag { from, to }, &stop) {
            std::process::exit(3);
        }
    }
}

#[test]
fn ctrl_c_in_a_drag_releases_the_button() {
    on_display("ctrl_c_in_a_drag_releases_the_button", |display| {
        let board = Board::open(display, 1.0);
        let (from, to) = (
            InputScale::IDENTITY.input(board.square(9)),
            InputScale::IDENTITY.input(board.square(54)),
        );
        let role = format!("{},{},{},{}", from.x, from.y, to.x, to.y);
        for signal in ["-INT", "-TERM"] {
            let mut dragger = itself("drags_until_stopped").env(ROLE, &role).spawn().unwrap();
            let pointer = Pointer::of(display.name());
            pointer.wait_for_drag_to(to);
            let killed = Command::new("kill")
                .args([signal, &dragger.id().to_string()])
                .status()
                .unwrap();
            assert!(killed.success());
            assert_eq!(dragger.wait().unwrap().code(), Some(3), "{signal}");
            assert!(!pointer.button_is_down(), "{signal}");
        }
        // Every press that the page saw was followed by a release.
        let presses = board.page.events_of("mousedown").len();
        board.page.wait_for("mouseup", presses);
        assert!(board.page.events_of("drop").iter().all(|drop| ends(drop).0 == 9));
    });
}
