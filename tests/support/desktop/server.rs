//! X servers without a window manager, and settings of a desktop that a user could have.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use x11rb::connection::Connection;
use x11rb::protocol::randr::{ConnectionExt as _, MonitorInfo};
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, PropMode};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// An Xvfb alone; dropping it ends it.
pub struct Server {
    child: Child,
    name: String,
}

impl Server {
    /// Starts one of 1280 × 800 with these options, and waits until it takes connections.
    pub fn start(options: &[&str]) -> Server {
        let mut command = Command::new("Xvfb");
        command.args([
            "-displayfd",
            "1",
            "-nolisten",
            "tcp",
            "-noreset",
            "-screen",
            "0",
            "1280x800x24",
        ]);
        let child = command
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = child.expect("Xvfb is installed");
        let mut number = String::new();
        BufReader::new(child.stdout.take().expect("its output"))
            .read_line(&mut number)
            .expect("the display's number");
        let name = format!(":{}", number.trim());
        Server { child, name }
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its name as `DISPLAY` has it.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A monitor's name, and its x, y, width and height.
pub(crate) type Part = (&'static str, (i16, i16, u16, u16));

/// Replaces the monitors of a display by these: the first has the output, as after
/// `xrandr --setmonitor`.
pub fn split_monitor(display: &str, parts: &[Part]) {
    let (connection, root) = connected(display);
    let there = connection
        .randr_get_monitors(root, true)
        .unwrap()
        .reply()
        .unwrap()
        .monitors;
    let mut outputs = there[0].outputs.clone();
    for (name, (x, y, width, height)) in parts {
        let name = connection
            .intern_atom(false, name.as_bytes())
            .unwrap()
            .reply()
            .unwrap()
            .atom;
        let monitor = MonitorInfo {
            name,
            x: *x,
            y: *y,
            width: *width,
            height: *height,
            width_in_millimeters: 200,
            height_in_millimeters: 200,
            outputs: std::mem::take(&mut outputs),
            ..MonitorInfo::default()
        };
        connection.randr_set_monitor(root, monitor).unwrap().check().unwrap();
    }
}

/// Says how large text is to be drawn, as desktops do.
pub fn set_text_dpi(display: &str, dpi: u32) {
    let (connection, root) = connected(display);
    let text = format!("Xft.dpi:\t{dpi}\n");
    let (property, kind) = (AtomEnum::RESOURCE_MANAGER, AtomEnum::STRING);
    let set = connection.change_property8(PropMode::REPLACE, root, property, kind, text.as_bytes());
    set.unwrap().check().unwrap();
}

/// Exchanges the left and the right button, as for a left-handed user.
pub fn exchange_buttons(display: &str) {
    let (connection, _) = connected(display);
    let mut map = connection.get_pointer_mapping().unwrap().reply().unwrap().map;
    map.swap(0, 2);
    connection.set_pointer_mapping(&map).unwrap().reply().unwrap();
}

fn connected(display: &str) -> (RustConnection, u32) {
    let (connection, number) = x11rb::connect(Some(display)).expect("the display takes connections");
    let root = connection.setup().roots[number].root;
    (connection, root)
}
