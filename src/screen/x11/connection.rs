//! The way to the X server.

use x11rb::connection::Connection;
use x11rb::protocol::xproto::Screen;
use x11rb::reexports::x11rb_protocol::parse_display::parse_display;
use x11rb::rust_connection::RustConnection;

/// The last display whose TCP port, 6000 and its number, is one. `x11rb` adds the two unchecked.
const LAST_DISPLAY: u16 = u16::MAX - 6000;

/// Connects to the display that the environment names.
pub(crate) fn connect() -> Result<(RustConnection, Screen), String> {
    let display = parse_display(None).map_err(text)?.display;
    if display > LAST_DISPLAY {
        return Err(format!("there is no display {display}, the last one is {LAST_DISPLAY}"));
    }
    let (connection, number) = x11rb::connect(None).map_err(text)?;
    let screen = connection.setup().roots.get(number).cloned();
    let screen = screen.ok_or_else(|| format!("the X server has no screen {number}"))?;
    Ok((connection, screen))
}

/// An error as text.
pub(super) fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
