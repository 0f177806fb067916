//! The browser's window, moved about as a user would with the window manager. X11 only.

use super::DesktopError;
use torres_geometry::DesktopRect;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt as _, CreateWindowAux, EventMask, StackMode,
    Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// ICCCM's number for the minimised state.
const ICONIC_STATE: u32 = 3;
/// EWMH's number for a request that comes from the user and not from an application.
const FROM_USER: u32 = 2;

/// A connection to a display, with the properties that window managers keep there.
pub(super) struct X11 {
    connection: RustConnection,
    root: Window,
}

impl X11 {
    pub(crate) fn connect(display: &str) -> Result<X11, DesktopError> {
        let (connection, number) = x11rb::connect(Some(display)).map_err(DesktopError::x11)?;
        let screen = connection.setup().roots.get(number);
        let root = screen.ok_or_else(|| DesktopError::x11("it has no screen"))?.root;
        Ok(X11 { connection, root })
    }

    /// Shows a window of one pixel, to see whether the window manager takes it into its list.
    pub(super) fn show_window(&self) -> Result<Window, DesktopError> {
        let connection = &self.connection;
        let window = connection.generate_id().map_err(DesktopError::x11)?;
        let (depth, class) = (x11rb::COPY_DEPTH_FROM_PARENT, WindowClass::INPUT_OUTPUT);
        connection
            .create_window(
                depth,
                window,
                self.root,
                0,
                0,
                1,
                1,
                0,
                class,
                0,
                &CreateWindowAux::new(),
            )
            .map_err(DesktopError::x11)?;
        connection.map_window(window).map_err(DesktopError::x11)?;
        connection.sync().map_err(DesktopError::x11)?;
        Ok(window)
    }

    /// Whether the window manager lists the window among those that it manages (EWMH `_NET_CLIENT_LIST`).
    pub(super) fn lists(&self, window: Window) -> Result<bool, DesktopError> {
        Ok(self.numbers(self.root, "_NET_CLIENT_LIST")?.contains(&window))
    }

    /// Removes a window of [`X11::show_window`].
    pub(super) fn destroy_window(&self, window: Window) -> Result<(), DesktopError> {
        self.connection.destroy_window(window).map_err(DesktopError::x11)?;
        self.connection.sync().map_err(DesktopError::x11)
    }

    /// What the window manager calls itself; `None` where none runs that speaks EWMH. A window manager that has ended
    /// leaves the number of its window on the root window; so that window is asked too, as EWMH wants.
    pub(crate) fn window_manager(&self) -> Result<Option<String>, DesktopError> {
        let check = "_NET_SUPPORTING_WM_CHECK";
        let Some(&child) = self.numbers(self.root, check)?.first() else {
            return Ok(None);
        };
        if self.numbers(child, check)?.first() != Some(&child) {
            return Ok(None);
        }
        let name = self.atom("_NET_WM_NAME")?;
        let request = self.connection.get_property(false, child, name, AtomEnum::ANY, 0, 64);
        let bytes = match request.map_err(DesktopError::x11)?.reply() {
            Ok(reply) => reply.value,
            Err(_) => Vec::new(),
        };
        let name = String::from_utf8_lossy(&bytes).trim_end_matches('\0').trim().to_owned();
        Ok(Some(if name.is_empty() {
            "without a name".to_owned()
        } else {
            name
        }))
    }

    fn atom(&self, name: &str) -> Result<u32, DesktopError> {
        let request = self.connection.intern_atom(false, name.as_bytes());
        Ok(request
            .map_err(DesktopError::x11)?
            .reply()
            .map_err(DesktopError::x11)?
            .atom)
    }

    /// A property's 32-bit numbers, empty if it is not set.
    fn numbers(&self, window: Window, property: &str) -> Result<Vec<u32>, DesktopError> {
        let atom = self.atom(property)?;
        let request = self
            .connection
            .get_property(false, window, atom, AtomEnum::ANY, 0, 1024);
        match request.map_err(DesktopError::x11)?.reply() {
            Ok(reply) => Ok(reply.value32().map(Iterator::collect).unwrap_or_default()),
            // The window was closed meanwhile.
            Err(x11rb::errors::ReplyError::X11Error(_)) => Ok(Vec::new()),
            Err(error) => Err(DesktopError::x11(error)),
        }
    }

    /// Asks the window manager to do something to a window.
    fn ask(&self, window: Window, what: &str, data: [u32; 5]) -> Result<(), DesktopError> {
        let event = ClientMessageEvent::new(32, window, self.atom(what)?, data);
        let to = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        self.connection
            .send_event(false, self.root, to, event)
            .map_err(DesktopError::x11)?;
        self.connection.sync().map_err(DesktopError::x11)
    }
}

/// The window of a [`Browser`](super::Browser). The window manager does what is asked a moment later.
pub struct BrowserWindow {
    x11: X11,
    id: Window,
}

impl BrowserWindow {
    /// The window that belongs to a process of the group, if there is one.
    pub(super) fn of_group(display: &str, group: u32) -> Result<Option<BrowserWindow>, DesktopError> {
        let x11 = X11::connect(display)?;
        for id in x11.numbers(x11.root, "_NET_CLIENT_LIST")? {
            let pid = x11.numbers(id, "_NET_WM_PID")?.first().copied();
            if pid.and_then(process_group) == Some(group) {
                return Ok(Some(BrowserWindow { x11, id }));
            }
        }
        Ok(None)
    }

    /// The X server's number for it, the same as `screen::WindowInfo::id`.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Where its content lies on the desktop.
    pub fn client(&self) -> Result<DesktopRect, DesktopError> {
        let connection = &self.x11.connection;
        let size = connection.get_geometry(self.id).map_err(DesktopError::x11)?;
        let place = connection
            .translate_coordinates(self.id, self.x11.root, 0, 0)
            .map_err(DesktopError::x11)?;
        let (size, place) = (
            size.reply().map_err(DesktopError::x11)?,
            place.reply().map_err(DesktopError::x11)?,
        );
        Ok(DesktopRect {
            x: place.dst_x.into(),
            y: place.dst_y.into(),
            width: size.width.into(),
            height: size.height.into(),
        })
    }

    /// Moves the window, its frame's upper left corner to this point.
    pub fn move_to(&self, x: i32, y: i32) -> Result<(), DesktopError> {
        self.configure(&ConfigureWindowAux::new().x(x).y(y))
    }

    /// Gives the content this size.
    pub fn resize(&self, width: u32, height: u32) -> Result<(), DesktopError> {
        self.configure(&ConfigureWindowAux::new().width(width).height(height))
    }

    /// Puts it before all others and gives it the keyboard; also brings it back when it was minimised.
    pub fn activate(&self) -> Result<(), DesktopError> {
        self.configure(&ConfigureWindowAux::new().stack_mode(StackMode::ABOVE))?;
        self.x11.ask(self.id, "_NET_ACTIVE_WINDOW", [FROM_USER, 0, 0, 0, 0])
    }

    /// Minimises it.
    pub fn minimise(&self) -> Result<(), DesktopError> {
        self.x11.ask(self.id, "WM_CHANGE_STATE", [ICONIC_STATE, 0, 0, 0, 0])
    }

    /// Closes it as the button in its frame does.
    pub fn close(&self) -> Result<(), DesktopError> {
        self.x11.ask(self.id, "_NET_CLOSE_WINDOW", [0, FROM_USER, 0, 0, 0])
    }

    fn configure(&self, change: &ConfigureWindowAux) -> Result<(), DesktopError> {
        let connection = &self.x11.connection;
        connection
            .configure_window(self.id, change)
            .map_err(DesktopError::x11)?
            .check()
            .map_err(DesktopError::x11)
    }
}

/// The process group of a process: the third field after the name in `/proc/PID/stat`.
fn process_group(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_whitespace().nth(2)?.parse().ok()
}
