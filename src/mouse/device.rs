//! What Torres asks of the input system, and `enigo`, which does it.

use super::button::Down;
use super::error::MouseError;
use super::watchdog::Watchdog;
use enigo::{Button, Coordinate, Direction, Enigo, Mouse as _, Settings};
use std::sync::Arc;
use torres_geometry::InputPt;

/// The steps of a gesture, and the questions about the pointer. Each method returns once the input system has taken the
/// step.
pub(super) trait Device: Send {
    /// Puts the pointer at a point at once.
    fn move_to(&mut self, point: InputPt) -> Result<(), MouseError>;
    /// Left button down.
    fn press(&mut self) -> Result<(), MouseError>;
    /// Left button up.
    fn release(&mut self) -> Result<(), MouseError>;
    /// Where the pointer is.
    fn position(&mut self) -> Result<InputPt, MouseError>;
    /// The pixel of the desktop that the pointer is over, as the display server says; `None` where there is none that
    /// can be asked.
    fn pixel(&mut self) -> Result<Option<(i32, i32)>, MouseError>;
    /// Whether the button is up or down as it was last asked to be; `true` where the system does not say.
    fn button_settled(&mut self) -> Result<bool, MouseError>;
}

/// The pointer of this desktop.
pub(super) struct EnigoDevice {
    enigo: Enigo,
    pressed: bool,
    /// Set while the button is down.
    down: Option<Down>,
    watchdog: Option<Arc<Watchdog>>,
    #[cfg(target_os = "linux")]
    server: super::x11::Server,
}

impl EnigoDevice {
    /// Connects to the display that the environment names.
    pub(crate) fn open() -> Result<EnigoDevice, MouseError> {
        let settings = Settings {
            linux_delay: 0,
            ..Settings::default()
        };
        let enigo = Enigo::new(&settings).map_err(|e| MouseError::Open(e.to_string()))?;
        Ok(EnigoDevice {
            enigo,
            pressed: false,
            down: None,
            watchdog: None,
            #[cfg(target_os = "linux")]
            server: super::x11::Server::connect()?,
        })
    }

    /// The same; a watchdog guards its button.
    pub(crate) fn guarded_by(self, watchdog: Arc<Watchdog>) -> EnigoDevice {
        EnigoDevice {
            watchdog: Some(watchdog),
            ..self
        }
    }

    /// The monitors' x, y, width and height on the root window, in which X11 counts the pointer's place too.
    ///
    /// Not by enigo: its `main_display` answers with the first video mode that a monitor knows, not the one it shows.
    #[cfg(target_os = "linux")]
    pub(crate) fn monitors(&self) -> Result<Vec<(i32, i32, i32, i32)>, MouseError> {
        self.server.monitors()
    }

    /// The main monitor's x, y, width and height.
    #[cfg(not(target_os = "linux"))]
    pub fn monitors(&self) -> Result<Vec<(i32, i32, i32, i32)>, MouseError> {
        let (width, height) = self.enigo.main_display().map_err(failed)?;
        Ok(vec![(0, 0, width, height)])
    }

    fn button(&mut self, direction: Direction) -> Result<(), MouseError> {
        self.pressed = direction == Direction::Press;
        self.enigo.button(Button::Left, direction).map_err(failed)
    }
}

impl Device for EnigoDevice {
    fn move_to(&mut self, point: InputPt) -> Result<(), MouseError> {
        self.enigo.move_mouse(point.x, point.y, Coordinate::Abs).map_err(failed)
    }

    fn press(&mut self) -> Result<(), MouseError> {
        // The watchdog is told first: it would not release a press that it does not know of.
        self.down = Some(Down::begin());
        if let Some(watchdog) = &self.watchdog {
            watchdog.will_press();
        }
        self.button(Direction::Press)
    }

    fn release(&mut self) -> Result<(), MouseError> {
        self.button(Direction::Release)?;
        if let Some(watchdog) = &self.watchdog {
            watchdog.has_released();
        }
        self.down = None;
        Ok(())
    }

    fn position(&mut self) -> Result<InputPt, MouseError> {
        self.enigo.location().map(|(x, y)| InputPt { x, y }).map_err(failed)
    }

    #[cfg(target_os = "linux")]
    fn pixel(&mut self) -> Result<Option<(i32, i32)>, MouseError> {
        self.server.pointer().map(Some)
    }

    #[cfg(not(target_os = "linux"))]
    fn pixel(&mut self) -> Result<Option<(i32, i32)>, MouseError> {
        Ok(None)
    }

    #[cfg(target_os = "linux")]
    fn button_settled(&mut self) -> Result<bool, MouseError> {
        Ok(self.server.button_is_down()? == self.pressed)
    }

    #[cfg(not(target_os = "linux"))]
    fn button_settled(&mut self) -> Result<bool, MouseError> {
        Ok(true)
    }
}

fn failed(error: impl std::fmt::Display) -> MouseError {
    MouseError::Device(error.to_string())
}
