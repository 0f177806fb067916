//! Gestures, and how they are performed, step by step.

use super::corners::close;
use super::device::Device;
use super::{Corners, Halt, MouseError, StopFlag, StopReason};
use std::thread;
use std::time::{Duration, Instant};
use torres_frame::Timestamp;
use torres_geometry::InputPt;

/// How long a drag rests on its destination before the button is released.
///
/// A page may pick a piece up, or move it, only in its next animation frame, and takes a release before that frame
/// for a click on the origin. Two frames at 60 Hz; the figures are in `docs/platform.md`.
pub const DRAG_SETTLE: Duration = Duration::from_millis(34);

/// Longest time between two looks at the flag and the pointer.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Time between two looks while the pointer is on its way.
const ARRIVAL_LOOK_EVERY: Duration = Duration::from_micros(500);
/// How often the pointer is taken elsewhere before the button is let go wherever it then is: a drag in steps goes to
/// and fro.
const BACK_AT_MOST: u32 = 24;
/// Longest time that the pointer may take to arrive where it was put, and the button to come up.
///
/// X11 window managers that raise a window by a click hold the pointer from the press until they have let the click
/// through. What comes meanwhile waits in the server, and a release that waits there with a move behind it reaches
/// the page with the place to which the move leads.
const ARRIVAL_TIME: Duration = Duration::from_secs(1);

/// What the mouse can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gesture {
    /// Press at one point, release at another.
    Drag {
        /// Where to press.
        from: InputPt,
        /// Where to release.
        to: InputPt,
        /// How long the pointer rests where the button was pressed: a program that looks at the mouse once a frame has
        /// the press only where the pointer is by then.
        rest: Duration,
    },
    /// Click at one point, then at another.
    ClickClick {
        /// The first click.
        from: InputPt,
        /// The second click.
        to: InputPt,
    },
    /// One click.
    Click(InputPt),
    /// The pointer alone, without the button.
    MoveTo(InputPt),
}

impl Gesture {
    /// A drag that goes on as soon as the button is pressed.
    pub fn drag(from: InputPt, to: InputPt) -> Gesture {
        let rest = Duration::ZERO;
        Gesture::Drag { from, to, rest }
    }
}

/// Where to let go of the button, as somebody says who looks right before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Release {
    /// Where the pointer is: what the gesture began with still holds.
    Here,
    /// It is not known yet: asked again a moment later.
    Wait,
    /// Not here: take the pointer to this point, and ask again there. Where what the gesture began with does not hold
    /// any more, that is where it began.
    Back(InputPt),
}

/// How a watched gesture came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As it was meant.
    Made(Performed),
    /// It was taken back to where it began; of two clicks only the first was made.
    Withdrawn(Performed),
}

/// When a gesture was performed. Without a button (a mere move) both times are that of the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Performed {
    /// When the input system had taken the first press.
    pub pressed_at: Timestamp,
    /// When the input system had taken the last release: a frame taken later can show what came of it.
    pub released_at: Timestamp,
}

/// One gesture under way.
pub(super) struct GestureUnderway<'a> {
    device: &'a mut dyn Device,
    corners: &'a Corners,
    stop: &'a StopFlag,
    /// Where this gesture has put the pointer, and where it must still be; `None` while it is on its way.
    at: Option<InputPt>,
    button_down: bool,
}

impl<'a> GestureUnderway<'a> {
    pub(crate) fn new(device: &'a mut dyn Device, corners: &'a Corners, stop: &'a StopFlag) -> GestureUnderway<'a> {
        GestureUnderway {
            device,
            corners,
            stop,
            at: None,
            button_down: false,
        }
    }

    /// Performs a gesture; `before_release` is asked before what ends it: the release of a drag, the second click of
    /// two.
    pub(crate) fn perform(
        mut self,
        gesture: &Gesture,
        before_release: &mut dyn FnMut() -> Release,
    ) -> Result<Outcome, MouseError> {
        let performed = match *gesture {
            Gesture::Drag { from, to, rest } => return self.drag((from, to), rest, before_release),
            Gesture::ClickClick { from, to } => {
                self.on_screen(to)?;
                let first = self.click(from)?;
                if self.asked(before_release)? != Release::Here {
                    return Ok(Outcome::Withdrawn(first));
                }
                let second = self.click(to)?;
                Performed {
                    pressed_at: first.pressed_at,
                    released_at: second.released_at,
                }
            }
            Gesture::Click(at) => self.click(at)?,
            Gesture::MoveTo(at) => {
                self.move_to(at)?;
                let now = Timestamp::now();
                Performed {
                    pressed_at: now,
                    released_at: now,
                }
            }
        };
        Ok(Outcome::Made(performed))
    }

    fn drag(
        &mut self,
        (from, to): (InputPt, InputPt),
        rest: Duration,
        before_release: &mut dyn FnMut() -> Release,
    ) -> Result<Outcome, MouseError> {
        self.on_screen(to)?;
        self.move_to(from)?;
        let pressed_at = self.press()?;
        if !rest.is_zero() {
            self.rest(rest)?;
        }
        self.move_to(to)?;
        self.rest(DRAG_SETTLE)?;
        let (mut at, mut back) = (to, 0);
        while let Release::Back(point) = self.asked(before_release)? {
            back += 1;
            if back > BACK_AT_MOST {
                break;
            }
            at = point;
            self.move_to(point)?;
            self.rest(DRAG_SETTLE)?;
        }
        self.look()?;
        let released_at = self.release()?;
        let performed = Performed {
            pressed_at,
            released_at,
        };
        Ok(match at == to {
            true => Outcome::Made(performed),
            false => Outcome::Withdrawn(performed),
        })
    }

    /// The answer of who looks; while it is not known the pointer stays where it is.
    fn asked(&mut self, before_release: &mut dyn FnMut() -> Release) -> Result<Release, MouseError> {
        loop {
            match before_release() {
                Release::Wait => self.rest(LOOK_EVERY)?,
                known => return Ok(known),
            }
        }
    }

    fn click(&mut self, at: InputPt) -> Result<Performed, MouseError> {
        self.move_to(at)?;
        let pressed_at = self.press()?;
        let released_at = self.release()?;
        Ok(Performed {
            pressed_at,
            released_at,
        })
    }

    fn press(&mut self) -> Result<Timestamp, MouseError> {
        // Set first: a press that reports an error may have gone through all the same.
        self.button_down = true;
        self.device.press()?;
        Ok(Timestamp::now())
    }

    fn release(&mut self) -> Result<Timestamp, MouseError> {
        self.device.release()?;
        self.button_down = false;
        let deadline = Instant::now() + ARRIVAL_TIME;
        // No look around here: the button is up, and a gesture that came to its end is reported as such.
        while !self.device.button_settled()? {
            if Instant::now() > deadline {
                return Err(MouseError::Held(self.device.position()?));
            }
            thread::sleep(ARRIVAL_LOOK_EVERY);
        }
        Ok(Timestamp::now())
    }

    /// Puts the pointer at a point and waits until it is there.
    fn move_to(&mut self, point: InputPt) -> Result<(), MouseError> {
        self.on_screen(point)?;
        let before = self.look()?;
        self.stop.will_put(point);
        self.device.move_to(point)?;
        self.at = None;
        let deadline = Instant::now() + ARRIVAL_TIME;
        loop {
            let found = self.look()?;
            if close(found, point) {
                self.at = Some(point);
                return Ok(());
            }
            let expected = point;
            if !close(found, before) {
                return Err(MouseError::Interfered { expected, found });
            }
            if Instant::now() > deadline {
                return Err(MouseError::Held(found));
            }
            thread::sleep(ARRIVAL_LOOK_EVERY);
        }
    }

    /// Stays for that time, looking around all the while.
    fn rest(&mut self, time: Duration) -> Result<(), MouseError> {
        let end = Instant::now() + time;
        loop {
            self.look()?;
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            thread::sleep(left.min(LOOK_EVERY));
        }
    }

    /// Where the pointer is, if the gesture may go on. Trips the flag when it was thrown into a corner.
    fn look(&mut self) -> Result<InputPt, MouseError> {
        match self.stop.halt() {
            Some(Halt::Stopped(reason)) => return Err(MouseError::Stopped(reason)),
            Some(Halt::Paused) => return Err(MouseError::Paused),
            None => {}
        }
        let found = self.device.position()?;
        if self.corners.thrown_into(found, self.stop.put()) {
            self.stop.trip(StopReason::Corner);
            return Err(MouseError::Stopped(StopReason::Corner));
        }
        match self.at {
            Some(expected) if !close(expected, found) => Err(MouseError::Interfered { expected, found }),
            _ => Ok(found),
        }
    }

    fn on_screen(&self, point: InputPt) -> Result<(), MouseError> {
        if self.corners.on_screen(point) {
            Ok(())
        } else {
            Err(MouseError::OffScreen(point))
        }
    }
}

/// Lets go of the button, however the gesture ended: done, stopped, failed or panicking.
impl Drop for GestureUnderway<'_> {
    fn drop(&mut self) {
        if self.button_down {
            // Nothing is left to be done if even this fails: the display is gone.
            let _ = self.device.release();
        }
    }
}

#[cfg(test)]
mod tests;
