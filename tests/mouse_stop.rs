//! The emergency stop, pulled in the middle of a drag: the page sees the button released, and nothing more comes.

mod common;

use common::{Board, Pointer, ROLE, ends, itself, on_display, wait_for};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use torres::geometry::{InputPt, InputScale};
use torres::mouse::{Gesture, Mouse, MouseError, StopFlag, StopReason, watch_corners, watch_interrupt};

/// Drags from one square to another while somebody else acts on the display, as soon as the drag is under way; what
/// the gesture said, and its flag.
///
/// A drag rests for a few frames only, and on a busy machine the other may come too late: then all is tried again.
fn drag_while(
    board: &Board,
    display: &str,
    act: impl Fn(&Pointer, &StopFlag) + Sync,
) -> (Result<(), MouseError>, StopFlag) {
    let pointer = Pointer::of(display);
    wait_for("a drag that was acted on in time", || {
        pointer.move_to(640, 400);
        let stop = StopFlag::new();
        let mut mouse = Mouse::open(InputScale::IDENTITY).unwrap();
        let (from, to) = (mouse.point(board.square(9)), mouse.point(board.square(54)));
        let over = AtomicBool::new(false);
        let outcome = std::thread::scope(|scope| {
            scope.spawn(|| {
                if pointer.sees_drag_to(to, || over.load(Ordering::SeqCst)) {
                    act(&pointer, &stop);
                }
            });
            let outcome = mouse.perform(&Gesture::Drag { from, to }, &stop);
            over.store(true, Ordering::SeqCst);
            outcome
        });
        assert!(!pointer.button_is_down(), "{outcome:?}");
        outcome.is_err().then(|| (outcome.map(drop), stop))
    })
}

/// Waits until the page saw every press released, the last one on that element.
fn released_on(board: &Board, id: Option<&str>) {
    wait_for("the page to see the button released", || {
        let presses = board.page.events_of("mousedown").len();
        let releases = board.page.events_of("mouseup");
        let last = releases.last()?;
        (releases.len() == presses && id.is_none_or(|id| last["id"] == id)).then_some(())
    });
}

#[test]
fn the_pointer_thrown_into_a_corner_ends_a_drag() {
    on_display("the_pointer_thrown_into_a_corner_ends_a_drag", |display| {
        let board = Board::open(display, 1.0);
        let (outcome, stop) = drag_while(&board, display.name(), |pointer, _| pointer.move_to(1279, 0));
        assert_eq!(outcome, Err(MouseError::Stopped(StopReason::Corner)));
        assert_eq!(stop.reason(), Some(StopReason::Corner));
        released_on(&board, None);

        // From then on, nothing is pressed any more, wherever the pointer is.
        Pointer::of(display.name()).move_to(640, 400);
        let presses = board.page.events_of("mousedown").len();
        let mut mouse = Mouse::open(InputScale::IDENTITY).unwrap();
        let click = Gesture::Click(mouse.point(board.square(0)));
        let outcome = mouse.perform(&click, &stop);
        assert_eq!(outcome, Err(MouseError::Stopped(StopReason::Corner)));
        assert_eq!(board.page.events_of("mousedown").len(), presses);
    });
}

#[test]
fn a_tripped_flag_ends_a_drag() {
    on_display("a_tripped_flag_ends_a_drag", |display| {
        let board = Board::open(display, 1.0);
        let (outcome, _) = drag_while(&board, display.name(), |_, stop| stop.trip(StopReason::WindowClosed));
        assert_eq!(outcome, Err(MouseError::Stopped(StopReason::WindowClosed)));
        released_on(&board, None);
    });
}

#[test]
fn another_hand_on_the_mouse_ends_a_drag() {
    on_display("another_hand_on_the_mouse_ends_a_drag", |display| {
        let board = Board::open(display, 1.0);
        let place = |square| InputScale::IDENTITY.input(board.square(square));
        let (expected, found) = (place(54), place(3));
        let (outcome, stop) = drag_while(&board, display.name(), |pointer, _| {
            pointer.move_to(found.x as i16, found.y as i16);
        });
        assert_eq!(outcome, Err(MouseError::Interfered { expected, found }));
        assert_eq!(stop.reason(), None);
        released_on(&board, Some("s3"));
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
    let numbers: Vec<i32> = role.split(',').map(|n| n.parse().unwrap()).collect();
    let [from, to] = [0, 2].map(|i| InputPt {
        x: numbers[i],
        y: numbers[i + 1],
    });
    let stop = StopFlag::new();
    watch_interrupt(&stop).unwrap();
    let mut mouse = Mouse::open(InputScale::IDENTITY).unwrap();
    loop {
        match mouse.perform(&Gesture::Drag { from, to }, &stop) {
            Ok(_) => {}
            Err(MouseError::Stopped(StopReason::CtrlC)) => std::process::exit(3),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Ends with the test, even a failing one.
struct Dragger(Child);

impl Drop for Dragger {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn ctrl_c_in_a_drag_releases_the_button() {
    on_display("ctrl_c_in_a_drag_releases_the_button", |display| {
        let board = Board::open(display, 1.0);
        let [from, to] = [9, 54].map(|square| InputScale::IDENTITY.input(board.square(square)));
        let role = format!("{},{},{},{}", from.x, from.y, to.x, to.y);
        let pointer = Pointer::of(display.name());
        for signal in ["-INT", "-TERM"] {
            let mut dragger = Dragger(itself("drags_until_stopped").env(ROLE, &role).spawn().unwrap());
            assert!(pointer.sees_drag_to(to, || false));
            let killed = Command::new("kill")
                .args([signal, &dragger.0.id().to_string()])
                .status()
                .unwrap();
            assert!(killed.success());
            let status = wait_for("the process to end", || dragger.0.try_wait().unwrap());
            assert_eq!(status.code(), Some(3), "{signal}");
            assert!(!pointer.button_is_down(), "{signal}");
        }
        released_on(&board, None);
        assert!(board.page.events_of("drop").iter().all(|drop| ends(drop).0 == 9));
    });
}
