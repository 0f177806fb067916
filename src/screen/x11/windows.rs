//! The windows that the window manager lists (EWMH).

use super::connection::{connect, text};
use crate::info::WindowInfo;
use torres_geometry::DesktopRect;
use x11rb::connection::Connection;
use x11rb::cookie::Cookie;
use x11rb::errors::{ConnectionError, ReplyError};
use x11rb::properties::WmClass;
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt as _, GetGeometryReply, GetPropertyReply, TranslateCoordinatesReply, Window,
};
use x11rb::rust_connection::RustConnection;

/// As much of a property as is asked for, in units of four bytes: more windows, and longer titles, than there are.
const ENOUGH: u32 = 1 << 14;

x11rb::atom_manager! {
    /// What EWMH calls the properties that are read here.
    Atoms: AtomsCookie {
        _NET_CLIENT_LIST_STACKING,
        _NET_SUPPORTING_WM_CHECK,
        _NET_WM_NAME,
        _NET_WM_STATE,
        _NET_WM_STATE_HIDDEN,
    }
}

/// All windows, the front one first; one that closes meanwhile is left out.
pub(crate) fn windows() -> Result<Vec<WindowInfo>, String> {
    let (connection, screen) = connect()?;
    let atoms = Atoms::new(&connection).map_err(text)?.reply().map_err(text)?;
    let of_root = |name| {
        let request = property(&connection, screen.root, name).map_err(text)?;
        request.reply().map_err(text)
    };
    let list = of_root(atoms._NET_CLIENT_LIST_STACKING)?;
    // A window manager that is starting has no list yet.
    if list.value32().is_none() && of_root(atoms._NET_SUPPORTING_WM_CHECK)?.value32().is_none() {
        return Err("the root window has neither a list of them nor a window manager".to_owned());
    }
    let back_to_front = list.value32().into_iter().flatten();
    // Everything is asked before the first answer is awaited: one round trip, however many windows there are.
    let asked: Result<Vec<Asked>, ConnectionError> = back_to_front
        .map(|id| Asked::ask(&connection, screen.root, id, &atoms))
        .collect();
    let asked = asked.map_err(text)?.into_iter().rev();
    asked
        .map(|window| match window.answer(&atoms) {
            Ok(info) => Ok(Some(info)),
            // The window was closed meanwhile.
            Err(ReplyError::X11Error(_)) => Ok(None),
            Err(error) => Err(text(error)),
        })
        .filter_map(Result::transpose)
        .collect()
}

/// Whether a window is of the program that shows this one: the server gives each program a range of numbers of its own.
/// (Programs call the windows of their dialogs otherwise, and not all say which process they are.)
pub(crate) fn of_program(own: &WindowInfo) -> Result<impl Fn(&WindowInfo) -> bool + use<>, String> {
    let (connection, _) = connect()?;
    let range = !connection.setup().resource_id_mask;
    let own = own.id & range;
    Ok(move |other: &WindowInfo| other.id & range == own)
}

type Reply<'c, R> = Cookie<'c, RustConnection, R>;

/// What was asked of the server about one window.
struct Asked<'c> {
    id: Window,
    name: Reply<'c, GetPropertyReply>,
    old_name: Reply<'c, GetPropertyReply>,
    class: Reply<'c, GetPropertyReply>,
    state: Reply<'c, GetPropertyReply>,
    size: Reply<'c, GetGeometryReply>,
    place: Reply<'c, TranslateCoordinatesReply>,
}

impl<'c> Asked<'c> {
    fn ask(server: &'c RustConnection, root: Window, id: Window, atoms: &Atoms) -> Result<Asked<'c>, ConnectionError> {
        Ok(Asked {
            id,
            name: property(server, id, atoms._NET_WM_NAME)?,
            old_name: property(server, id, AtomEnum::WM_NAME)?,
            class: property(server, id, AtomEnum::WM_CLASS)?,
            state: property(server, id, atoms._NET_WM_STATE)?,
            size: server.get_geometry(id)?,
            // Of its content, whatever frame the window manager put around it.
            place: server.translate_coordinates(id, root, 0, 0)?,
        })
    }

    fn answer(self, atoms: &Atoms) -> Result<WindowInfo, ReplyError> {
        // One that is not made as ICCCM says is none.
        let class = WmClass::from_reply(self.class.reply()?).ok().flatten();
        let state = self.state.reply()?;
        let (size, place) = (self.size.reply()?, self.place.reply()?);
        Ok(WindowInfo {
            id: self.id,
            title: title(&self.name.reply()?, &self.old_name.reply()?),
            app: class.map_or_else(String::new, |class| lossy(class.class())),
            client: DesktopRect {
                x: place.dst_x.into(),
                y: place.dst_y.into(),
                width: size.width.into(),
                height: size.height.into(),
            },
            minimised: state
                .value32()
                .is_some_and(|mut states| states.any(|state| state == atoms._NET_WM_STATE_HIDDEN)),
        })
    }
}

fn property(
    server: &RustConnection,
    window: Window,
    name: impl Into<u32>,
) -> Result<Reply<'_, GetPropertyReply>, ConnectionError> {
    server.get_property(false, window, name.into(), AtomEnum::ANY, 0, ENOUGH)
}

/// EWMH's name, which is UTF-8; of programs that set none, ICCCM's, whose plain strings are Latin-1.
fn title(name: &GetPropertyReply, old_name: &GetPropertyReply) -> String {
    if !name.value.is_empty() {
        return lossy(&name.value);
    }
    if old_name.type_ == u32::from(AtomEnum::STRING) {
        return old_name.value.iter().copied().map(char::from).collect();
    }
    lossy(&old_name.value)
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
