//! Somebody else's hand on the mouse, and a look at its button, over an X connection of its own.

use std::time::Duration;
use torres_geometry::InputPt;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConnectionExt, KeyButMask, QueryPointerReply, Window,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// The pointer as the X server has it.
pub struct Pointer {
    connection: RustConnection,
    root: Window,
}

impl Pointer {
    /// The pointer of a display.
    pub fn of(display: &str) -> Pointer {
        let (connection, number) = x11rb::connect(Some(display)).expect("the display takes connections");
        let root = connection.setup().roots[number].root;
        Pointer { connection, root }
    }

    /// Moves the pointer as a hand would, from outside of the gesture under way.
    pub fn move_to(&self, x: i16, y: i16) {
        self.connection
            .warp_pointer(x11rb::NONE, self.root, 0, 0, 0, 0, x, y)
            .expect("the display takes requests");
        self.connection.sync().expect("the display answers");
    }

    /// Presses the left button, or releases it, as a program does.
    pub fn press(&self, down: bool) {
        let kind = if down { BUTTON_PRESS_EVENT } else { BUTTON_RELEASE_EVENT };
        let sent = self.connection.xtest_fake_input(kind, 1, 0, self.root, 0, 0, 0);
        sent.expect("the display takes requests").check().expect("it has XTEST");
    }

    /// Where the pointer is.
    pub fn place(&self) -> InputPt {
        let reply = self.query();
        InputPt {
            x: reply.root_x.into(),
            y: reply.root_y.into(),
        }
    }

    /// Whether the left button is down.
    pub fn button_is_down(&self) -> bool {
        self.query().mask.contains(KeyButMask::BUTTON1)
    }

    /// Waits until the left button is down and the pointer rests at a place: a drag that is about to be dropped.
    /// False if that did not happen before it was over.
    ///
    /// Looks more often than [`crate::wait_for`], since the rest is short.
    pub fn sees_drag_to(&self, place: InputPt, over: impl Fn() -> bool) -> bool {
        let deadline = std::time::Instant::now() + crate::PATIENCE;
        while !over() {
            if self.button_is_down() && self.place() == place {
                return true;
            }
            assert!(std::time::Instant::now() < deadline, "no drag to {place:?}");
            std::thread::sleep(Duration::from_micros(300));
        }
        false
    }

    /// Waits until the left button is down and the pointer where a drag goes to, which rests there for a few frames
    /// only.
    pub fn sees_drag(&self, arrived: impl Fn(InputPt) -> bool) {
        let deadline = std::time::Instant::now() + crate::PATIENCE;
        while !(self.button_is_down() && arrived(self.place())) {
            assert!(std::time::Instant::now() < deadline, "no drag");
            std::thread::sleep(Duration::from_micros(300));
        }
    }

    fn query(&self) -> QueryPointerReply {
        let request = self
            .connection
            .query_pointer(self.root)
            .expect("the display takes requests");
        request.reply().expect("the display answers")
    }
}
