//! The narrow door to the input system, and `enigo` behind it.

use super::MouseError;
use crate::geometry::InputPt;
use enigo::{Button, Coordinate, Direction, Enigo, Mouse as _, Settings};

/// The four things a gesture is made of. Each returns once the input system has taken it.
pub(super) trait Device: Send {
    /// Puts the pointer at a point at once.
    fn move_to(&mut self, point: InputPt) -> Result<(), MouseError>;
    /// Left button down.
    fn press(&mut self) -> Result<(), MouseError>;
    /// Left button up.
    fn release(&mut self) -> Result<(), MouseError>;
    /// Where the pointer is.
    fn position(&mut self) -> Result<InputPt, MouseError>;
}

/// The pointer of this desktop.
pub(super) struct EnigoDevice(Enigo);

impl EnigoDevice {
    /// Connects to the display that the environment names.
    pub fn open() -> Result<EnigoDevice, MouseError> {
        let settings = Settings {
            linux_delay: 0,
            ..Settings::default()
        };
        let enigo = Enigo::new(&settings).map_err(|e| MouseError::Open(e.to_string()))?;
        Ok(EnigoDevice(enigo))
    }

    /// Width and height of the main monitor.
    #[cfg(not(target_os = "linux"))]
    pub fn main_display(&self) -> Result<(i32, i32), MouseError> {
        self.0.main_display().map_err(failed)
    }

    fn button(&mut self, direction: Direction) -> Result<(), MouseError> {
        self.0.button(Button::Left, direction).map_err(failed)
    }
}

impl Device for EnigoDevice {
    fn move_to(&mut self, point: InputPt) -> Result<(), MouseError> {
        self.0.move_mouse(point.x, point.y, Coordinate::Abs).map_err(failed)
    }

    fn press(&mut self) -> Result<(), MouseError> {
        self.button(Direction::Press)
    }

    fn release(&mut self) -> Result<(), MouseError> {
        self.button(Direction::Release)
    }

    fn position(&mut self) -> Result<InputPt, MouseError> {
        self.0.location().map(|(x, y)| InputPt { x, y }).map_err(failed)
    }
}

fn failed(error: impl std::fmt::Display) -> MouseError {
    MouseError::Device(error.to_string())
}

/// The monitors' x, y, width and height on the root window, in which X11 counts the pointer's place too.
#[cfg(target_os = "linux")]
pub(super) fn x11_monitors() -> Result<Vec<(i32, i32, i32, i32)>, MouseError> {
    use x11rb::connection::Connection;
    use x11rb::protocol::randr::ConnectionExt as _;

    let (connection, number) = x11rb::connect(None).map_err(|e| MouseError::Open(e.to_string()))?;
    let screen = connection.setup().roots.get(number);
    let root = screen
        .ok_or_else(|| MouseError::Open(format!("the X server has no screen {number}")))?
        .root;
    let request = connection.randr_get_monitors(root, true).map_err(failed)?;
    let monitors = request.reply().map_err(failed)?.monitors;
    let rect = |m: x11rb::protocol::randr::MonitorInfo| (m.x.into(), m.y.into(), m.width.into(), m.height.into());
    Ok(monitors.into_iter().map(rect).collect())
}
