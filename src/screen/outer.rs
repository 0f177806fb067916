//! Where a window ends with its frame, title bar included, as its window manager draws it.

use super::info::WindowInfo;
use torres_geometry::DesktopRect;

/// The window with its frame. Where nobody tells how wide that is, its content alone.
pub fn outer_frame(window: &WindowInfo) -> DesktopRect {
    let client = window.client;
    let Some([left, right, top, bottom]) = extents(window.id) else {
        return client;
    };
    let (Ok(x), Ok(y)) = (i32::try_from(left), i32::try_from(top)) else {
        return client;
    };
    DesktopRect {
        x: client.x.saturating_sub(x),
        y: client.y.saturating_sub(y),
        width: client.width.saturating_add(left).saturating_add(right),
        height: client.height.saturating_add(top).saturating_add(bottom),
    }
}

/// How far the frame reaches beyond the content, left, right, above and below, in pixels (EWMH `_NET_FRAME_EXTENTS`).
#[cfg(target_os = "linux")]
fn extents(window: u32) -> Option<[u32; 4]> {
    use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _};
    let (connection, _) = super::x11::connect().ok()?;
    let atom = connection
        .intern_atom(false, b"_NET_FRAME_EXTENTS")
        .ok()?
        .reply()
        .ok()?
        .atom;
    let property = connection.get_property(false, window, atom, AtomEnum::CARDINAL, 0, 4);
    let reply = property.ok()?.reply().ok()?;
    let numbers: Vec<u32> = reply.value32()?.collect();
    numbers.try_into().ok()
}

/// Other platforms were not tried: there a panel lies in the window's content.
#[cfg(not(target_os = "linux"))]
fn extents(_window: u32) -> Option<[u32; 4]> {
    None
}
