//! Gestures at a desk where things go wrong at any step.

use super::*;
use proptest::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Move(InputPt),
    Press,
    Release,
}

/// What happens right after the n-th thing that the device was asked for, looks at the pointer included.
#[derive(Clone, Copy, Debug)]
enum Incident {
    Fails,
    Panics,
    Tripped,
    MovedByHand(InputPt),
    /// The pointer stays where it is for so many looks more.
    Held(usize),
}

struct Desk {
    steps: Vec<Step>,
    pointer: InputPt,
    /// Where the pointer was when it was held, and for how many looks more it will be.
    held: (InputPt, usize),
    asked: usize,
    incident: Option<(usize, Incident)>,
    /// How many steps were done when the incident came.
    steps_before: Option<usize>,
    stop: StopFlag,
}

impl Desk {
    fn new(incident: Option<(usize, Incident)>) -> Desk {
        Desk {
            steps: Vec::new(),
            pointer: at(400, 300),
            held: (at(400, 300), 0),
            asked: 0,
            incident,
            steps_before: None,
            stop: StopFlag::new(),
        }
    }

    fn step(&mut self, step: Step) -> Result<(), MouseError> {
        self.steps.push(step);
        if let Step::Move(point) = step {
            self.pointer = point;
        }
        self.asked()
    }

    fn asked(&mut self) -> Result<(), MouseError> {
        self.asked += 1;
        let Some((_, incident)) = self.incident.filter(|(when, _)| *when == self.asked) else {
            return Ok(());
        };
        self.steps_before = Some(self.steps.len());
        match incident {
            Incident::Fails => return Err(MouseError::Device("unplugged".to_owned())),
            Incident::Panics => panic!("on purpose"),
            Incident::Tripped => self.stop.trip(StopReason::User),
            Incident::MovedByHand(point) => self.pointer = point,
            Incident::Held(looks) => self.held = (self.pointer, looks),
        }
        Ok(())
    }

    fn perform(&mut self, gesture: &Gesture) -> Result<Performed, MouseError> {
        match self.perform_watched(gesture, &mut || Release::Here)? {
            Outcome::Made(performed) => Ok(performed),
            Outcome::Withdrawn(_) => panic!("nobody took it back"),
        }
    }

    fn perform_watched(
        &mut self,
        gesture: &Gesture,
        before_release: &mut dyn FnMut() -> Release,
    ) -> Result<Outcome, MouseError> {
        let corners = Corners::of_monitors([(0, 0, 800, 600)]);
        let stop = self.stop.clone();
        GestureUnderway::new(self, &corners, &stop).perform(gesture, before_release)
    }

    /// Whether the pointer is held now, and one look less from now on.
    fn is_held(&mut self) -> bool {
        let held = self.held.1 > 0;
        self.held.1 = self.held.1.saturating_sub(1);
        held
    }

    fn button_is_up(&self) -> bool {
        let last = self.steps.iter().rev().find(|s| !matches!(s, Step::Move(_)));
        last != Some(&Step::Press)
    }
}

impl Device for Desk {
    fn move_to(&mut self, point: InputPt) -> Result<(), MouseError> {
        self.step(Step::Move(point))
    }
    fn press(&mut self) -> Result<(), MouseError> {
        self.step(Step::Press)
    }
    fn release(&mut self) -> Result<(), MouseError> {
        self.step(Step::Release)
    }
    fn position(&mut self) -> Result<InputPt, MouseError> {
        self.asked()?;
        let held = self.is_held();
        Ok(if held { self.held.0 } else { self.pointer })
    }
    fn pixel(&mut self) -> Result<Option<(i32, i32)>, MouseError> {
        Ok(Some((self.pointer.x, self.pointer.y)))
    }
    fn button_settled(&mut self) -> Result<bool, MouseError> {
        self.asked()?;
        Ok(!self.is_held())
    }
}

fn at(x: i32, y: i32) -> InputPt {
    InputPt { x, y }
}

const FROM: InputPt = InputPt { x: 100, y: 110 };
const TO: InputPt = InputPt { x: 200, y: 210 };
const DRAG: Gesture = Gesture::Drag {
    from: FROM,
    to: TO,
    rest: Duration::ZERO,
};

#[test]
fn a_drag_presses_at_one_point_and_releases_at_the_other_after_a_rest() {
    let mut desk = Desk::new(None);
    let done = desk.perform(&DRAG).unwrap();
    assert_eq!(
        desk.steps,
        [Step::Move(FROM), Step::Press, Step::Move(TO), Step::Release]
    );
    assert!(done.released_at.since(done.pressed_at) >= DRAG_SETTLE);
}

#[test]
fn a_drag_may_rest_where_the_button_was_pressed() {
    let rest = Duration::from_millis(30);
    let done = Desk::new(None)
        .perform(&Gesture::Drag {
            from: FROM,
            to: TO,
            rest,
        })
        .unwrap();
    assert!(done.released_at.since(done.pressed_at) >= rest + DRAG_SETTLE);
}

#[test]
fn click_click_is_two_clicks() {
    let mut desk = Desk::new(None);
    desk.perform(&Gesture::ClickClick { from: FROM, to: TO }).unwrap();
    let click = |point| [Step::Move(point), Step::Press, Step::Release];
    assert_eq!(desk.steps, [click(FROM), click(TO)].concat());
}

#[test]
fn a_drag_that_does_not_hold_any_more_is_dropped_where_it_is_told_to_go_back_to() {
    let mut desk = Desk::new(None);
    // The board moves on while the piece goes back.
    let mut answers = [Release::Back(at(140, 130)), Release::Back(at(177, 130)), Release::Here].into_iter();
    let outcome = desk.perform_watched(&DRAG, &mut || answers.next().unwrap());
    assert!(matches!(outcome, Ok(Outcome::Withdrawn(_))), "{outcome:?}");
    let end = [Step::Move(at(140, 130)), Step::Move(at(177, 130)), Step::Release];
    assert!(desk.steps.ends_with(&end), "{:?}", desk.steps);
}

#[test]
fn a_drag_of_which_nothing_is_known_yet_waits_on_its_destination() {
    let mut answers = [Release::Wait, Release::Wait, Release::Here].into_iter();
    let mut desk = Desk::new(None);
    let outcome = desk.perform_watched(&DRAG, &mut || answers.next().unwrap());
    assert!(matches!(outcome, Ok(Outcome::Made(_))), "{outcome:?}");
    assert_eq!(
        desk.steps,
        [Step::Move(FROM), Step::Press, Step::Move(TO), Step::Release]
    );
    assert_eq!(answers.next(), None);

    // Whoever waits may be stopped.
    let mut desk = Desk::new(None);
    let stop = desk.stop.clone();
    let outcome = desk.perform_watched(&DRAG, &mut || {
        stop.trip(StopReason::User);
        Release::Wait
    });
    assert_eq!(outcome, Err(MouseError::Stopped(StopReason::User)));
    assert!(desk.button_is_up());
}

#[test]
fn a_drag_that_goes_back_and_on_again_is_made() {
    let mut desk = Desk::new(None);
    let mut answers = [Release::Back(FROM), Release::Back(TO), Release::Here].into_iter();
    let outcome = desk.perform_watched(&DRAG, &mut || answers.next().unwrap());
    assert!(matches!(outcome, Ok(Outcome::Made(_))), "{outcome:?}");
    assert!(
        desk.steps.ends_with(&[Step::Move(TO), Step::Release]),
        "{:?}",
        desk.steps
    );
}

#[test]
fn of_two_clicks_that_do_not_hold_any_more_the_second_is_not_made() {
    let mut desk = Desk::new(None);
    let clicks = Gesture::ClickClick { from: FROM, to: TO };
    let outcome = desk.perform_watched(&clicks, &mut || Release::Back(FROM));
    assert!(matches!(outcome, Ok(Outcome::Withdrawn(_))), "{outcome:?}");
    assert_eq!(desk.steps, [Step::Move(FROM), Step::Press, Step::Release]);
}

#[test]
fn a_pause_that_somebody_wants_ends_a_drag_and_lets_none_begin() {
    let mut desk = Desk::new(None);
    let stop = desk.stop.clone();
    let mut wanted = None;
    let outcome = desk.perform_watched(&DRAG, &mut || {
        wanted = Some(stop.pause());
        Release::Here
    });
    assert_eq!(outcome, Err(MouseError::Paused));
    assert!(desk.button_is_up());
    let steps = desk.steps.len();
    assert_eq!(desk.perform(&DRAG), Err(MouseError::Paused));
    assert_eq!(desk.steps.len(), steps);
    drop(wanted);
    desk.perform(&DRAG).unwrap();
}

#[test]
fn a_tripped_flag_stops_before_anything_is_done() {
    let mut desk = Desk::new(None);
    desk.stop.trip(StopReason::CtrlC);
    assert_eq!(desk.perform(&DRAG), Err(MouseError::Stopped(StopReason::CtrlC)));
    assert_eq!(desk.steps, []);
}

#[test]
fn a_pointer_waiting_in_a_corner_stops_before_anything_is_done() {
    let mut desk = Desk::new(None);
    desk.pointer = at(799, 0);
    assert_eq!(desk.perform(&DRAG), Err(MouseError::Stopped(StopReason::Corner)));
    assert_eq!(desk.stop.reason(), Some(StopReason::Corner));
    assert_eq!(desk.steps, []);
}

#[test]
fn a_destination_beside_the_screen_is_refused_before_the_button_goes_down() {
    let mut desk = Desk::new(None);
    let to = at(800, 10);
    assert_eq!(desk.perform(&Gesture::drag(FROM, to)), Err(MouseError::OffScreen(to)));
    assert_eq!(desk.steps, []);
}

#[test]
fn a_hand_on_the_mouse_ends_a_drag_and_a_throw_into_the_corner_stops() {
    // Asked: look, move, look, press, look, move: after that the pointer is elsewhere.
    let moved = |point| Some((6, Incident::MovedByHand(point)));
    let mut desk = Desk::new(moved(at(250, 250)));
    let found = at(250, 250);
    assert_eq!(desk.perform(&DRAG), Err(MouseError::Interfered { expected: TO, found }));
    assert_eq!(desk.steps.last(), Some(&Step::Release));
    assert_eq!(desk.stop.reason(), None);

    let mut desk = Desk::new(moved(at(0, 599)));
    assert_eq!(desk.perform(&DRAG), Err(MouseError::Stopped(StopReason::Corner)));
    assert_eq!(desk.steps.last(), Some(&Step::Release));
    assert_eq!(desk.stop.reason(), Some(StopReason::Corner));
}

#[test]
fn a_drag_whose_press_the_window_manager_holds_back_waits_for_the_pointer() {
    // Asked: look, move, look, press: the look that follows finds the pointer in its place, and so do ten more.
    let mut desk = Desk::new(Some((4, Incident::Held(11))));
    let done = desk.perform(&DRAG).unwrap();
    assert_eq!(
        desk.steps,
        [Step::Move(FROM), Step::Press, Step::Move(TO), Step::Release]
    );
    let held = 10 * ARRIVAL_LOOK_EVERY;
    assert!(done.released_at.since(done.pressed_at) >= DRAG_SETTLE + held);
}

#[test]
fn a_pointer_that_never_arrives_ends_the_gesture() {
    let mut desk = Desk::new(Some((4, Incident::Held(usize::MAX))));
    let outcome = desk.perform(&DRAG);
    assert_eq!(outcome, Err(MouseError::Held(FROM)));
    assert_eq!(desk.steps.last(), Some(&Step::Release));
}

#[test]
fn a_click_that_the_window_manager_holds_back_is_over_before_the_next_begins() {
    // Asked: look, move, look, press: the button comes up only after ten looks more.
    let mut desk = Desk::new(Some((4, Incident::Held(10))));
    let done = desk.perform(&Gesture::ClickClick { from: FROM, to: TO }).unwrap();
    let held = 10 * ARRIVAL_LOOK_EVERY;
    assert!(done.released_at.since(done.pressed_at) >= held);
    assert_eq!(desk.steps.len(), 6);
}

fn gestures() -> impl Strategy<Value = Gesture> {
    prop_oneof![
        Just(DRAG),
        Just(Gesture::ClickClick { from: FROM, to: TO }),
        Just(Gesture::Click(FROM)),
        Just(Gesture::MoveTo(TO)),
    ]
}

fn incidents() -> impl Strategy<Value = Incident> {
    prop_oneof![
        Just(Incident::Fails),
        Just(Incident::Panics),
        Just(Incident::Tripped),
        Just(Incident::MovedByHand(at(250, 250))),
        Just(Incident::MovedByHand(at(0, 0))),
        Just(Incident::Held(3)),
    ]
}

proptest! {
    /// Whatever happens, and whenever: the button is up afterwards. After a failure nothing but the release is
    /// done; after anything else that must end a gesture, at most the step that was under way and the release.
    #[test]
    fn the_button_never_stays_down(gesture in gestures(), when in 1usize..16, incident in incidents()) {
        let mut desk = Desk::new(Some((when, incident)));
        let outcome = catch_unwind(AssertUnwindSafe(|| desk.perform(&gesture)));
        prop_assert!(desk.button_is_up(), "{:?}", desk.steps);
        if let Some(before) = desk.steps_before {
            let after = &desk.steps[before..];
            match incident {
                Incident::Fails | Incident::Panics => {
                    prop_assert!(!matches!(outcome, Ok(Ok(_))));
                    prop_assert!(after.iter().all(|s| *s == Step::Release), "after the incident: {after:?}");
                }
                // Before the first move, anybody may move the mouse.
                Incident::MovedByHand(_) if before == 0 => {}
                Incident::Held(_) => prop_assert!(matches!(outcome, Ok(Ok(_)))),
                Incident::Tripped | Incident::MovedByHand(_) => {
                    prop_assert!(after.len() <= 2, "after the incident: {after:?}");
                }
            }
        } else {
            prop_assert!(matches!(outcome, Ok(Ok(_))));
        }
    }
}
