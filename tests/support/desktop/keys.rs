//! Keys pressed as by a hand, over an X connection of the test's own.

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt as _, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, Window};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// X's numbers for these keys (keysymdef.h).
const CONTROL: u32 = 0xffe3;
const MINUS: u32 = 0x2d;
const ZERO: u32 = 0x30;

/// The keyboard of a display.
pub struct Keys {
    connection: RustConnection,
    root: Window,
}

impl Keys {
    /// The keyboard of a display.
    pub fn of(display: &str) -> Keys {
        let (connection, number) = x11rb::connect(Some(display)).expect("the display takes connections");
        let root = connection.setup().roots[number].root;
        Keys { connection, root }
    }

    /// Control and minus: a browser makes its page one step smaller.
    pub fn zoom_out(&self) {
        self.with_control(MINUS);
    }

    /// Control and zero: a browser shows its page in its own size.
    pub fn zoom_back(&self) {
        self.with_control(ZERO);
    }

    fn with_control(&self, key: u32) {
        self.chord(&[CONTROL], key);
    }

    /// A key while others are held, by X's numbers for them.
    pub fn chord(&self, held: &[u32], key: u32) {
        let keys: Vec<u8> = held.iter().chain([&key]).map(|key| self.code(*key)).collect();
        let down = keys.iter().map(|key| (KEY_PRESS_EVENT, *key));
        let up = keys.iter().rev().map(|key| (KEY_RELEASE_EVENT, *key));
        for (kind, key) in down.chain(up) {
            let sent = self.connection.xtest_fake_input(kind, key, 0, self.root, 0, 0, 0);
            sent.expect("the display takes requests").check().expect("it has XTEST");
        }
        self.connection.sync().expect("the display answers");
    }

    /// The key that has this symbol without Shift.
    fn code(&self, symbol: u32) -> u8 {
        let (first, last) = (self.connection.setup().min_keycode, self.connection.setup().max_keycode);
        let request = self.connection.get_keyboard_mapping(first, last - first + 1);
        let mapping = request.expect("the display takes requests").reply().expect("its keys");
        let per_key = usize::from(mapping.keysyms_per_keycode);
        let index = mapping
            .keysyms
            .chunks(per_key)
            .position(|symbols| symbols.first() == Some(&symbol));
        first + index.expect("the keyboard has that key") as u8
    }
}
