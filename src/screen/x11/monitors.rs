//! The monitors, as RandR has them.

use super::connection::{connect, text};
use crate::info::Listed;
use torres_geometry::DesktopRect;
use x11rb::protocol::randr::ConnectionExt as _;
use x11rb::protocol::xproto::ConnectionExt as _;
use x11rb::resource_manager::new_from_resource_manager;
use x11rb::rust_connection::RustConnection;

/// Dots per inch at which programs draw in their usual size.
const USUAL_DPI: f64 = 96.0;

/// All monitors, in pixels of the root window.
///
/// A part of a wide screen that was made a monitor (`xrandr --setmonitor`) has no output of its own; such ones come
/// after the others.
pub(crate) fn monitors() -> Result<Vec<Listed>, String> {
    let (connection, screen) = connect()?;
    let scale = scale(&connection)?;
    let reply = connection.randr_get_monitors(screen.root, true).map_err(text)?;
    let monitors = reply.reply().map_err(text)?.monitors.into_iter();
    let named = monitors.map(|monitor| {
        let name = connection.get_atom_name(monitor.name).map_err(text)?;
        let name = name.reply().map_err(text)?.name;
        Ok(Listed {
            name: String::from_utf8_lossy(&name).into_owned(),
            rect: DesktopRect {
                x: i32::from(monitor.x),
                y: i32::from(monitor.y),
                width: u32::from(monitor.width),
                height: u32::from(monitor.height),
            },
            scale,
            ids: monitor.outputs,
        })
    });
    let mut all = named.collect::<Result<Vec<_>, String>>()?;
    all.sort_by_key(|monitor| monitor.ids.is_empty());
    Ok(all)
}

/// `Xft.dpi` of the desktop's settings over the usual value; 1 where they say nothing.
fn scale(connection: &RustConnection) -> Result<f64, String> {
    let settings = new_from_resource_manager(connection).map_err(text)?;
    let dpi = settings.and_then(|all| all.get_value::<f64>("Xft.dpi", "Xft.Dpi").ok().flatten());
    Ok(dpi
        .filter(|dpi| dpi.is_finite() && *dpi > 0.0)
        .map_or(1.0, |dpi| dpi / USUAL_DPI))
}
