//! Hearing at once that a window is closed.

use super::connection::{connect, text};
use std::thread;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{ChangeWindowAttributesAux, ConnectionExt as _, EventMask};

/// Calls `closed` when the X server says that the window is destroyed, from a thread of its own that waits for that and
/// ends with it, or with the server. A window that is gone already is closed.
pub(crate) fn when_closed(window: u32, closed: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let (connection, _) = connect()?;
    let wanted = ChangeWindowAttributesAux::new().event_mask(EventMask::STRUCTURE_NOTIFY);
    let asked = connection.change_window_attributes(window, &wanted).map_err(text)?;
    let is_there = asked.check().is_ok();
    let wait = move || {
        if !is_there || is_destroyed(&connection, window) {
            closed();
        }
    };
    let thread = thread::Builder::new().name("torres-closing".to_owned()).spawn(wait);
    thread.map(drop).map_err(text)
}

/// Waits until the window is destroyed. False when the server is gone, and with it everything that could be clicked.
fn is_destroyed(connection: &impl Connection, window: u32) -> bool {
    loop {
        match connection.wait_for_event() {
            Ok(Event::DestroyNotify(event)) if event.window == window => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}
