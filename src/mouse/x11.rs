//! What enigo does not ask an X server: which pixel the pointer is over, whether the button is down, where the monitors
//! are, and who has the mouse.

use super::error::MouseError;
use x11rb::connection::Connection;
use x11rb::errors::ReplyError;
use x11rb::protocol::ErrorKind;
use x11rb::protocol::randr::ConnectionExt as _;
use x11rb::protocol::xproto::{Atom, ConnectionExt as _, CreateWindowAux, KeyButMask, PropMode, Window, WindowClass};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// The X server that the environment names.
pub(super) struct Server {
    pub(super) connection: RustConnection,
    pub(super) root: Window,
}

impl Server {
    pub(crate) fn connect() -> Result<Server, MouseError> {
        let (connection, number) = x11rb::connect(None).map_err(|e| MouseError::Open(e.to_string()))?;
        let screen = connection.setup().roots.get(number);
        let root = screen
            .ok_or_else(|| MouseError::Open(format!("the X server has no screen {number}")))?
            .root;
        Ok(Server { connection, root })
    }

    /// The pixel of the root window that the pointer is over: its picture is what is captured.
    pub(crate) fn pointer(&self) -> Result<(i32, i32), MouseError> {
        let request = self.connection.query_pointer(self.root).map_err(failed)?;
        let reply = request.reply().map_err(failed)?;
        Ok((reply.root_x.into(), reply.root_y.into()))
    }

    /// Whether the left button is down after the events that the server has handled so far.
    pub(crate) fn button_is_down(&self) -> Result<bool, MouseError> {
        let request = self.connection.query_pointer(self.root).map_err(failed)?;
        let reply = request.reply().map_err(failed)?;
        Ok(reply.mask.contains(KeyButMask::BUTTON1))
    }

    /// Whether the server lets programs move the pointer (XTEST extension).
    pub(crate) fn may_simulate(&self) -> Result<bool, MouseError> {
        let request = self.connection.query_extension(b"XTEST").map_err(failed)?;
        Ok(request.reply().map_err(failed)?.present)
    }

    /// Every monitor's x, y, width and height on the root window.
    pub(crate) fn monitors(&self) -> Result<Vec<(i32, i32, i32, i32)>, MouseError> {
        let request = self.connection.randr_get_monitors(self.root, true).map_err(failed)?;
        let monitors = request.reply().map_err(failed)?.monitors;
        let rect = |m: x11rb::protocol::randr::MonitorInfo| (m.x.into(), m.y.into(), m.width.into(), m.height.into());
        Ok(monitors.into_iter().map(rect).collect())
    }
}

/// The selection that whoever moves this server's mouse owns; its name, and that of the property that says who it is.
const SELECTION: &[u8] = b"_TORRES_MOUSE";
/// The most that is read of what an owner says of itself, in units of four bytes.
const LABEL: u32 = 64;

/// The lock on a server's mouse, held or not yet held. The server releases it when this value is dropped or the process
/// ends, however it ends.
pub(super) struct Lock {
    server: Server,
    /// The window that owns the selection; it is never shown.
    window: Window,
    name: Atom,
    text: Atom,
}

impl Lock {
    /// The lock of the server that the environment names; its name does not matter.
    pub(crate) fn open() -> Result<Lock, MouseError> {
        let server = Server::connect()?;
        let connection = &server.connection;
        let window = connection.generate_id().map_err(failed)?;
        let (class, unmanaged) = (WindowClass::INPUT_ONLY, CreateWindowAux::new().override_redirect(1));
        connection
            .create_window(
                0,
                window,
                server.root,
                -1,
                -1,
                1,
                1,
                0,
                class,
                x11rb::COPY_FROM_PARENT,
                &unmanaged,
            )
            .map_err(failed)?;
        let atom = |name| -> Result<Atom, MouseError> {
            let request = connection.intern_atom(false, name).map_err(failed)?;
            Ok(request.reply().map_err(failed)?.atom)
        };
        let (name, text) = (atom(SELECTION)?, atom(b"UTF8_STRING")?);
        Ok(Lock {
            server,
            window,
            name,
            text,
        })
    }

    /// Takes it under this label, or says who has it. From the holder named `from` it is taken over.
    pub(crate) fn take(&mut self, label: &str, from: Option<&str>) -> Result<Option<String>, MouseError> {
        let connection = &self.server.connection;
        connection
            .change_property8(PropMode::REPLACE, self.window, self.name, self.text, label.as_bytes())
            .map_err(failed)?;
        // Between the look at the owner and the change of it nobody else is served.
        connection.grab_server().map_err(failed)?;
        let holder = self.holder();
        let free = matches!(&holder, Ok(by) if by.is_none() || by.as_deref() == from);
        if free {
            connection
                .set_selection_owner(self.window, self.name, x11rb::CURRENT_TIME)
                .map_err(failed)?;
        }
        connection.ungrab_server().map_err(failed)?;
        connection.sync().map_err(failed)?;
        Ok(holder.map_err(failed)?.filter(|_| !free))
    }

    /// What the owner says of itself, if there is one.
    fn holder(&self) -> Result<Option<String>, ReplyError> {
        let connection = &self.server.connection;
        let owner = connection.get_selection_owner(self.name)?.reply()?.owner;
        if owner == x11rb::NONE {
            return Ok(None);
        }
        let label = connection.get_property(false, owner, self.name, self.text, 0, LABEL)?;
        let label = match label.reply() {
            // The owner's connection ended just now: a server notices that while it is grabbed too.
            Err(ReplyError::X11Error(error)) if error.error_kind == ErrorKind::Window => return Ok(None),
            label => String::from_utf8_lossy(&label?.value).into_owned(),
        };
        // It goes to a terminal, and any client may have written it.
        Ok(Some(label.chars().filter(|c| !c.is_control()).collect()))
    }
}

pub(super) fn failed(error: impl std::fmt::Display) -> MouseError {
    MouseError::Device(error.to_string())
}
