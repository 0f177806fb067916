//! Points in, gestures out, and the emergency stop.
//!
//! A [`Mouse`] performs a [`Gesture`] straight and at once, checking at every step that the pointer is where it was put
//! and that nobody asked to stop; whatever happens, the button is up when [`Mouse::perform`] returns or unwinds. A
//! [`StopFlag`] is tripped by the pointer thrown into a screen corner, by Ctrl-C and other signals, by a panic, or by
//! whoever holds a clone. A [`Hold`] keeps other Torres' off the mouse, and its watchdog releases the button where the
//! process is killed. No chess here and no pixels: squares become points in `geometry`, and whether a move landed is
//! seen, not assumed.

mod button;
mod corners;
mod device;
mod error;
mod gesture;
mod hold;
#[cfg(any(test, not(target_os = "linux")))]
mod lock_file;
mod presses;
mod stop;
mod watch;
mod watch_over;
mod watchdog;
#[cfg(target_os = "linux")]
mod x11;

pub use error::{HoldError, MouseError};
pub use gesture::{DRAG_SETTLE, Gesture, Outcome, Performed, Release};
pub use hold::Hold;
pub use presses::Presses;
pub use stop::{Halt, Pause, StopFlag, StopReason};
pub use watch::{watch_corners, watch_interrupt};
pub use watch_over::watch_over;

use corners::{Corners, close};
use device::{Device, EnigoDevice};
use gesture::GestureUnderway;
use torres_geometry::{DesktopPx, InputPt, InputScale};

/// Whether programs may move the pointer here, as far as the system says so before it is tried.
pub fn may_simulate() -> Result<bool, MouseError> {
    #[cfg(target_os = "linux")]
    return x11::Server::connect()?.may_simulate();
    #[cfg(not(target_os = "linux"))]
    Ok(true)
}

/// The pointer and its left button.
pub struct Mouse {
    device: Box<dyn Device>,
    corners: Corners,
    scale: InputScale,
}

impl Mouse {
    /// The pointer of the display that the environment names, for looking where it is and for tests. Nobody keeps
    /// another Torres off it, and nobody releases the button should this process be killed: see [`Hold::mouse`].
    pub fn open(scale: InputScale) -> Result<Mouse, MouseError> {
        Mouse::of(EnigoDevice::open()?, scale)
    }

    fn of(device: EnigoDevice, scale: InputScale) -> Result<Mouse, MouseError> {
        let corners = Corners::of_desktop(&device)?;
        Ok(Mouse {
            device: Box::new(device),
            corners,
            scale,
        })
    }

    /// Where to put the pointer for it to be over a pixel of the desktop.
    pub fn point(&self, pixel: DesktopPx) -> InputPt {
        self.scale.input(pixel)
    }

    /// Input units per pixel of the desktop.
    pub fn scale(&self) -> InputScale {
        self.scale
    }

    /// Where the pointer is.
    pub fn position(&mut self) -> Result<InputPt, MouseError> {
        self.device.position()
    }

    /// Where the pointer is, if that is where a gesture has put it last; `None` where somebody else has moved it since.
    pub fn rests(&mut self, stop: &StopFlag) -> Result<Option<InputPt>, MouseError> {
        let found = self.device.position()?;
        let [last, _] = stop.put();
        Ok(last.is_some_and(|put| close(put, found)).then_some(found))
    }

    /// Proves that input units are the desktop's pixels, without a click: the pointer is put over each of these pixels,
    /// and the display server says which one it is over. `None` where nobody can be asked (only an X server says it),
    /// or where it is over another one.
    ///
    /// # Errors
    /// The pointer cannot be moved there, or somebody else moves it.
    pub fn prove_scale(&mut self, pixels: &[DesktopPx], stop: &StopFlag) -> Result<Option<InputScale>, MouseError> {
        let scale = InputScale::IDENTITY;
        for pixel in pixels {
            let point = scale.input(*pixel);
            self.perform(&Gesture::MoveTo(point), stop)?;
            if self.device.pixel()? != Some((point.x, point.y)) {
                return Ok(None);
            }
        }
        Ok((!pixels.is_empty()).then_some(scale))
    }

    /// Performs a gesture and says when the button went down and up.
    ///
    /// Blocks for a few milliseconds, in a drag for 34 ms more. Between all steps, and at least every
    /// 10 ms, the flag is looked at, and the pointer: in a corner where it was not put it trips the flag, elsewhere
    /// it is [`MouseError::Interfered`]. A gesture that ends early lets go of the button where the pointer then is,
    /// so that an error does not say what the page made of it: only the next frames do.
    pub fn perform(&mut self, gesture: &Gesture, stop: &StopFlag) -> Result<Performed, MouseError> {
        let (Outcome::Made(performed) | Outcome::Withdrawn(performed)) =
            self.perform_watched(gesture, stop, || Release::Here)?;
        Ok(performed)
    }

    /// The same, asked right before what ends it (the release of a drag, the pointer having rested on its destination;
    /// the second click of two) where to let go. The answer should take no more than a few milliseconds: the flag is
    /// not looked at meanwhile.
    pub fn perform_watched(
        &mut self,
        gesture: &Gesture,
        stop: &StopFlag,
        mut before_release: impl FnMut() -> Release,
    ) -> Result<Outcome, MouseError> {
        GestureUnderway::new(&mut *self.device, &self.corners, stop).perform(gesture, &mut before_release)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pointer on a display server that draws `pixels` for a unit; `None` where the server cannot be asked.
    struct Desk {
        at: InputPt,
        pixels: Option<i32>,
    }

    impl Device for Desk {
        fn move_to(&mut self, point: InputPt) -> Result<(), MouseError> {
            self.at = point;
            Ok(())
        }
        fn press(&mut self) -> Result<(), MouseError> {
            panic!("nothing is to be pressed")
        }
        fn release(&mut self) -> Result<(), MouseError> {
            panic!("nothing is to be released")
        }
        fn position(&mut self) -> Result<InputPt, MouseError> {
            Ok(self.at)
        }
        fn pixel(&mut self) -> Result<Option<(i32, i32)>, MouseError> {
            Ok(self.pixels.map(|pixels| (self.at.x * pixels, self.at.y * pixels)))
        }
        fn button_settled(&mut self) -> Result<bool, MouseError> {
            Ok(true)
        }
    }

    fn proven(pixels: Option<i32>, places: &[(f64, f64)]) -> Option<InputScale> {
        let at = InputPt { x: 300, y: 200 };
        let mut mouse = Mouse {
            device: Box::new(Desk { at, pixels }),
            corners: Corners::of_monitors([(0, 0, 800, 600)]),
            scale: InputScale::IDENTITY,
        };
        let places: Vec<DesktopPx> = places.iter().map(|(x, y)| DesktopPx { x: *x, y: *y }).collect();
        mouse.prove_scale(&places, &StopFlag::new()).unwrap()
    }

    #[test]
    fn units_are_pixels_where_the_pointer_is_over_the_pixel_it_was_put_on() {
        let places = [(100.0, 110.0), (400.5, 310.0)];
        assert_eq!(proven(Some(1), &places), Some(InputScale::IDENTITY));
        assert_eq!(proven(Some(2), &places), None);
        assert_eq!(proven(None, &places), None);
        assert_eq!(proven(Some(1), &[]), None, "nothing was asked");
    }
}
