//! What enigo cannot tell of an X server: whether the button is down, and where the monitors are.

use super::MouseError;
use x11rb::connection::Connection;
use x11rb::protocol::randr::ConnectionExt as _;
use x11rb::protocol::xproto::{ConnectionExt as _, KeyButMask, Window};
use x11rb::rust_connection::RustConnection;

/// The X server that the environment names.
pub(super) struct Server {
    connection: RustConnection,
    root: Window,
}

impl Server {
    pub fn connect() -> Result<Server, MouseError> {
        let (connection, number) = x11rb::connect(None).map_err(|e| MouseError::Open(e.to_string()))?;
        let screen = connection.setup().roots.get(number);
        let root = screen
            .ok_or_else(|| MouseError::Open(format!("the X server has no screen {number}")))?
            .root;
        Ok(Server { connection, root })
    }

    /// Whether the left button is down, as far as the server has worked off its events.
    pub fn button_is_down(&self) -> Result<bool, MouseError> {
        let request = self.connection.query_pointer(self.root).map_err(failed)?;
        let reply = request.reply().map_err(failed)?;
        Ok(reply.mask.contains(KeyButMask::BUTTON1))
    }

    /// Whether the server lets programs move the pointer (XTEST extension).
    pub fn may_simulate(&self) -> Result<bool, MouseError> {
        let request = self.connection.query_extension(b"XTEST").map_err(failed)?;
        Ok(request.reply().map_err(failed)?.present)
    }

    /// Every monitor's x, y, width and height on the root window.
    pub fn monitors(&self) -> Result<Vec<(i32, i32, i32, i32)>, MouseError> {
        let request = self.connection.randr_get_monitors(self.root, true).map_err(failed)?;
        let monitors = request.reply().map_err(failed)?.monitors;
        let rect = |m: x11rb::protocol::randr::MonitorInfo| (m.x.into(), m.y.into(), m.width.into(), m.height.into());
        Ok(monitors.into_iter().map(rect).collect())
    }
}

fn failed(error: impl std::fmt::Display) -> MouseError {
    MouseError::Device(error.to_string())
}
