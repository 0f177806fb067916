//! The emergency stop, pulled in the middle of a drag: the page sees the button released, and nothing more comes.

use rustix::process::{Pid, Signal, kill_process};
use std::process::{Child, Command};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use torres::geometry::{InputPt, InputScale};
use torres::mouse::{Gesture, Mouse, MouseError, StopFlag, StopReason, watch_corners, watch_interrupt};
use torres_test_support::desktop::{Board, Pointer, ends, on_display};
use torres_test_support::{ROLE, itself, wait_for};

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
            let outcome = mouse.perform(&Gesture::drag(from, to), &stop);
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
    on_display("mouse_stop::the_pointer_thrown_into_a_corner_ends_a_drag", |display| {
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
    on_display("mouse_stop::a_tripped_flag_ends_a_drag", |display| {
        let board = Board::open(display, 1.0);
        let (outcome, _) = drag_while(&board, display.name(), |_, stop| stop.trip(StopReason::WindowClosed));
        assert_eq!(outcome, Err(MouseError::Stopped(StopReason::WindowClosed)));
        released_on(&board, None);
    });
}

#[test]
fn another_hand_on_the_mouse_ends_a_drag() {
    on_display("mouse_stop::another_hand_on_the_mouse_ends_a_drag", |display| {
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
    on_display(
        "mouse_stop::a_throw_into_any_corner_is_noticed_between_gestures_too",
        |display| {
            let pointer = Pointer::of(display.name());
            for (x, y) in [(0, 0), (1279, 0), (0, 799), (1279, 799)] {
                let stop = StopFlag::new();
                pointer.move_to(640, 400);
                watch_corners(&stop).unwrap();
                pointer.move_to(x, y);
                let reason = wait_for("the watcher to notice", || stop.reason());
                assert_eq!(reason, StopReason::Corner);
            }
        },
    );
}

#[test]
fn a_corner_into_which_a_gesture_put_the_pointer_is_no_throw() {
    on_display(
        "mouse_stop::a_corner_into_which_a_gesture_put_the_pointer_is_no_throw",
        |display| {
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
        },
    );
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
        match mouse.perform(&Gesture::drag(from, to), &stop) {
            Ok(_) => {}
            Err(MouseError::Stopped(StopReason::CtrlC | StopReason::Terminated)) => std::process::exit(3),
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
    on_display("mouse_stop::ctrl_c_in_a_drag_releases_the_button", |display| {
        let board = Board::open(display, 1.0);
        let [from, to] = [9, 54].map(|square| InputScale::IDENTITY.input(board.square(square)));
        let role = format!("{},{},{},{}", from.x, from.y, to.x, to.y);
        let pointer = Pointer::of(display.name());
        for signal in ["-INT", "-TERM"] {
            let mut dragger = Dragger(
                itself("mouse_stop::drags_until_stopped")
                    .env(ROLE, &role)
                    .spawn()
                    .unwrap(),
            );
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

/// How often each way of stopping is measured.
const TIMES: usize = 50;

fn print(way: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{way}: the button is up after {:.1} ms (median), {:.1} ms (worst of {})",
        at(0.5),
        at(1.0),
        times.len()
    );
}

/// Watches the button until `over`; when it was last seen down, from the beginning.
fn last_down(pointer: &Pointer, mut over: impl FnMut() -> bool) -> Duration {
    let began = Instant::now();
    let mut last = Duration::ZERO;
    while !over() {
        if pointer.button_is_down() {
            last = began.elapsed();
        }
        std::thread::sleep(Duration::from_micros(100));
    }
    last
}

/// `cargo test --test desktop mouse_stop::how_soon -- --ignored --nocapture`: from what somebody does in the middle of
/// a drag to the last moment in which the button is seen down. A signal meets a process that drags on and on, so that a
/// stop which is not obeyed shows as a long time; of one drag alone no time could be longer than the drag, and it must
/// have been broken off. Keys and the watch page: `cargo test --test play e2e_stopping::`.
#[test]
#[ignore = "prints figures"]
fn how_soon_a_drag_is_over() {
    on_display("mouse_stop::how_soon_a_drag_is_over", |display| {
        let board = Board::open(display, 1.0);
        println!();
        for (way, to) in [
            ("the pointer in a corner", (1279, 0)),
            ("another hand on the mouse", (300, 300)),
        ] {
            let times = Mutex::new(Vec::new());
            for _ in 0..TIMES {
                let (outcome, _) = drag_while(&board, display.name(), |pointer, _| {
                    let began = Instant::now();
                    pointer.move_to(to.0, to.1);
                    let over = || began.elapsed() > Duration::from_millis(50);
                    times.lock().unwrap().push(last_down(pointer, over));
                });
                assert!(outcome.is_err(), "a drag that was broken off");
            }
            print(way, times.into_inner().unwrap());
        }
        let [from, to] = [9, 54].map(|square| InputScale::IDENTITY.input(board.square(square)));
        let role = format!("{},{},{},{}", from.x, from.y, to.x, to.y);
        let pointer = Pointer::of(display.name());
        for (way, signal) in [("SIGINT", Signal::INT), ("SIGTERM", Signal::TERM)] {
            let mut times = Vec::new();
            for _ in 0..TIMES {
                let mut dragger = Dragger(
                    itself("mouse_stop::drags_until_stopped")
                        .env(ROLE, &role)
                        .spawn()
                        .unwrap(),
                );
                assert!(pointer.sees_drag_to(to, || false));
                kill_process(Pid::from_child(&dragger.0), signal).unwrap();
                times.push(last_down(&pointer, || dragger.0.try_wait().unwrap().is_some()));
                assert_eq!(dragger.0.wait().unwrap().code(), Some(3));
                assert!(!pointer.button_is_down());
            }
            print(way, times);
        }
    });
}
