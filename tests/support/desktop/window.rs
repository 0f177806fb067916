//! A window to draw in without a browser.

use image::RgbaImage;
use x11rb::COPY_DEPTH_FROM_PARENT;
use x11rb::connection::Connection;
use x11rb::properties::{WmSizeHints, WmSizeHintsSpecification};
use x11rb::protocol::xproto::{
    AtomEnum, ChangeGCAux, ConnectionExt, CreateGCAux, CreateWindowAux, Gcontext, ImageFormat, InputFocus, PropMode,
    Rectangle, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// A bare window: over all others and without a window manager's frame, or a plain one among others.
pub struct BareWindow {
    connection: RustConnection,
    window: Window,
    gc: Gcontext,
    size: (u16, u16),
}

impl BareWindow {
    /// Shows one at a place of the desktop; its content is what the screen showed there.
    pub fn open(display: &str, at: (i16, i16), size: (u16, u16)) -> BareWindow {
        let (connection, number) = x11rb::connect(Some(display)).unwrap();
        let root = connection.setup().roots[number].root;
        let (window, gc) = (connection.generate_id().unwrap(), connection.generate_id().unwrap());
        let (class, own) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new().override_redirect(1));
        connection
            .create_window(
                COPY_DEPTH_FROM_PARENT,
                window,
                root,
                at.0,
                at.1,
                size.0,
                size.1,
                0,
                class,
                0,
                &own,
            )
            .unwrap();
        connection.create_gc(gc, window, &CreateGCAux::new()).unwrap();
        connection.map_window(window).unwrap();
        BareWindow {
            connection,
            window,
            gc,
            size,
        }
    }

    /// Shows a plain one with a frame and a title, which the window manager may give the keyboard.
    pub fn framed(display: &str, title: &str, at: (i16, i16), size: (u16, u16)) -> BareWindow {
        let (connection, number) = x11rb::connect(Some(display)).unwrap();
        let root = connection.setup().roots[number].root;
        let (window, gc) = (connection.generate_id().unwrap(), connection.generate_id().unwrap());
        let (class, none) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
        let (x, y) = at;
        let depth = COPY_DEPTH_FROM_PARENT;
        connection
            .create_window(depth, window, root, x, y, size.0, size.1, 0, class, 0, &none)
            .unwrap();
        let name = title.as_bytes();
        connection
            .change_property8(PropMode::REPLACE, window, AtomEnum::WM_NAME, AtomEnum::STRING, name)
            .unwrap();
        let mut hints = WmSizeHints::new();
        hints.position = Some((WmSizeHintsSpecification::UserSpecified, x.into(), y.into()));
        hints.set_normal_hints(&connection, window).unwrap();
        connection.create_gc(gc, window, &CreateGCAux::new()).unwrap();
        connection.map_window(window).unwrap();
        connection.flush().unwrap();
        BareWindow {
            connection,
            window,
            gc,
            size,
        }
    }

    /// Takes the keyboard, as soon as it is shown.
    pub fn take_keyboard(&self) {
        crate::wait_for("the window to take the keyboard", || {
            let asked = self
                .connection
                .set_input_focus(InputFocus::PARENT, self.window, x11rb::CURRENT_TIME);
            // It is an error while the window is not shown yet.
            let _ = asked.unwrap().check();
            let has = self.connection.get_input_focus().unwrap().reply().unwrap().focus;
            (has == self.window).then_some(())
        });
    }

    /// Paints a picture, some rows at a time: a request has a largest length.
    pub fn paint(&self, picture: &RgbaImage) {
        const ROWS: u16 = 60;
        let width = picture.width() as u16;
        let rows = picture.as_raw().chunks(usize::from(width) * 4 * usize::from(ROWS));
        for (y, part) in (0..).step_by(ROWS.into()).zip(rows) {
            let blue_first: Vec<u8> = part.chunks_exact(4).flat_map(|p| [p[2], p[1], p[0], 0]).collect();
            let height = (part.len() / 4 / usize::from(width)) as u16;
            let (format, window, gc) = (ImageFormat::Z_PIXMAP, self.window, self.gc);
            let painted = self
                .connection
                .put_image(format, window, gc, width, height, 0, y, 0, 24, &blue_first);
            painted.unwrap().check().unwrap();
        }
    }

    /// Fills it with one colour, 0xRRGGBB.
    pub fn fill(&self, color: u32) {
        let color = ChangeGCAux::new().foreground(color);
        self.connection.change_gc(self.gc, &color).unwrap();
        let whole = Rectangle {
            x: 0,
            y: 0,
            width: self.size.0,
            height: self.size.1,
        };
        let filled = self.connection.poly_fill_rectangle(self.window, self.gc, &[whole]);
        filled.unwrap().check().unwrap();
    }
}
