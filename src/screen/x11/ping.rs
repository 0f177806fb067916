//! Asking a window's program whether it gets to its events, as window managers do (EWMH, `_NET_WM_PING`).

use super::connection::connect;
use x11rb::CURRENT_TIME;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ClientMessageEvent, ConnectionExt as _, EventMask, Window,
};
use x11rb::rust_connection::RustConnection;

/// More protocols than a window has.
const ENOUGH: u32 = 64;

x11rb::atom_manager! {
    /// What EWMH and ICCCM call what is asked here.
    Atoms: AtomsCookie {
        WM_PROTOCOLS,
        _NET_WM_PING,
    }
}

/// A question to a window's program, and whether it was answered.
pub struct Ping {
    connection: RustConnection,
    atoms: Atoms,
    window: Window,
    /// What the answer repeats, so that none to somebody else's question is taken for it.
    stamp: u32,
    answered: bool,
}

impl Ping {
    /// Asks the program of this window; `None` where it does not say that it answers such questions.
    pub(crate) fn send(window: Window) -> Option<Ping> {
        let (connection, screen) = connect().ok()?;
        let atoms = Atoms::new(&connection).ok()?.reply().ok()?;
        let protocols = connection.get_property(false, window, atoms.WM_PROTOCOLS, AtomEnum::ATOM, 0, ENOUGH);
        let protocols = protocols.ok()?.reply().ok()?;
        if !protocols.value32()?.any(|protocol| protocol == atoms._NET_WM_PING) {
            return None;
        }
        // It answers to the root window.
        let wanted = ChangeWindowAttributesAux::new().event_mask(EventMask::SUBSTRUCTURE_NOTIFY);
        connection.change_window_attributes(screen.root, &wanted).ok()?;
        // An earlier question of ours may have had the same number: its answer, too, says that the program gets to its
        // events.
        let stamp = connection.generate_id().ok()?.max(CURRENT_TIME + 1);
        let data = [atoms._NET_WM_PING, stamp, window, 0, 0];
        let question = ClientMessageEvent::new(32, window, atoms.WM_PROTOCOLS, data);
        connection
            .send_event(false, window, EventMask::NO_EVENT, question)
            .ok()?;
        connection.flush().ok()?;
        Some(Ping {
            connection,
            atoms,
            window,
            stamp,
            answered: false,
        })
    }

    /// Whether it was answered by now. Where the server cannot be asked any more nothing is known, and nothing waited for.
    pub fn is_answered(&mut self) -> bool {
        while !self.answered {
            self.answered = match self.connection.poll_for_event() {
                Ok(Some(Event::ClientMessage(message))) => {
                    let data = message.data.as_data32();
                    message.type_ == self.atoms.WM_PROTOCOLS
                        && data[..3] == [self.atoms._NET_WM_PING, self.stamp, self.window]
                }
                Ok(Some(_)) => false,
                Ok(None) => return false,
                Err(_) => true,
            };
        }
        true
    }
}
