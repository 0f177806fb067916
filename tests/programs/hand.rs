//! The user's hand and eye: what somebody clicks and types to begin a game in a program.

use image::{Rgba, RgbaImage};
use shakmaty::{Color, Square};
use std::time::{Duration, Instant};
use torres::geometry::{BoardMap, BoardRect, DesktopRect, FramePx, Orientation};
use torres::picture::text;
use torres::vision::locate;
use torres_test_support::PATIENCE;
use torres_test_support::desktop::{BareWindow, Keys, Pointer};
use torres_test_support::play::picture_of;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, Window};
use x11rb::rust_connection::RustConnection;

/// Between the pointer's arrival, press and release, as from a hand.
const STEP: Duration = Duration::from_millis(60);
/// A display that has not changed for so long shows everything.
const REST: Duration = Duration::from_millis(600);
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Somebody's hand at a display.
pub struct User<'a> {
    display: &'a str,
}

impl<'a> User<'a> {
    /// At this display.
    pub fn at(display: &'a str) -> User<'a> {
        User { display }
    }

    /// Clicks a place of the desktop.
    pub fn click(&self, x: i32, y: i32) {
        let pointer = Pointer::of(self.display);
        pointer.move_to(x as i16, y as i16);
        for down in [true, false] {
            std::thread::sleep(STEP);
            pointer.press(down);
        }
        std::thread::sleep(STEP);
    }

    /// Presses a key together with others that are held, by X's numbers (keysymdef.h).
    pub fn press(&self, held: &[u32], key: u32) {
        Keys::of(self.display).chord(held, key);
        std::thread::sleep(STEP);
    }

    /// Waits for a window whose title has this text, and returns where its content lies.
    pub fn window(&self, title: &str) -> Result<DesktopRect, String> {
        soon(&format!("a window '{title}'"), || self.window_now(title))
    }

    /// Where the content of such a window lies, if there is one now.
    pub fn window_now(&self, title: &str) -> Option<DesktopRect> {
        let mut all = windows(self.display).into_iter();
        all.find(|(name, _)| name.contains(title)).map(|(_, rect)| rect)
    }

    /// Puts a note on the desktop, over all windows.
    pub fn notes(&self, line: &str, (x, y): (i32, i32)) -> BareWindow {
        const SIZE: (u16, u16) = (100, 24);
        let window = BareWindow::open(self.display, (x as i16, y as i16), SIZE);
        let mut picture = RgbaImage::from_pixel(SIZE.0.into(), SIZE.1.into(), Rgba([255; 4]));
        text(
            &mut picture,
            FramePx { x: 8.0, y: 4.0 },
            14.0,
            Rgba([0, 0, 0, 255]),
            line,
        );
        window.paint(&picture);
        window
    }

    /// What the display shows as soon as it stands still.
    pub fn sees(&self) -> RgbaImage {
        let (mut last, mut since, began) = (picture_of(self.display), Instant::now(), Instant::now());
        while since.elapsed() < REST && began.elapsed() < PATIENCE {
            std::thread::sleep(LOOK_EVERY);
            let now = picture_of(self.display);
            if now != last {
                (last, since) = (now, Instant::now());
            }
        }
        last
    }

    /// The board that is shown; this colour lies at its bottom.
    pub fn board(&self, bottom: Color) -> Result<BoardMap, String> {
        let rect = soon("a board", || locate(&self.sees()).first().map(|board| board.rect))?;
        Ok(map_of(rect, bottom))
    }

    /// Makes a move by two clicks.
    pub fn plays(&self, board: &BoardMap, from: Square, to: Square) {
        for square in [from, to] {
            self.clicks_square(board, square);
        }
    }

    /// Clicks a square.
    pub fn clicks_square(&self, board: &BoardMap, square: Square) {
        let at = board.center(square);
        self.click(at.x as i32, at.y as i32);
    }
}

/// A board of the desktop.
pub fn map_of(rect: BoardRect, bottom: Color) -> BoardMap {
    let orientation = Orientation::with_bottom(bottom);
    BoardMap { rect, orientation }
}

/// Asks again and again until there is an answer.
pub fn soon<T>(what: &str, mut answer: impl FnMut() -> Option<T>) -> Result<T, String> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = answer() {
            return Ok(found);
        }
        if Instant::now() > deadline {
            return Err(format!("waited {PATIENCE:?} in vain for {what}"));
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// All windows with titles, the front one first.
fn windows(display: &str) -> Vec<(String, DesktopRect)> {
    let Ok((connection, number)) = x11rb::connect(Some(display)) else {
        return Vec::new();
    };
    let root = connection.setup().roots[number].root;
    let list = property(&connection, root, "_NET_CLIENT_LIST_STACKING");
    let ids = list
        .chunks_exact(4)
        .map(|b| u32::from_ne_bytes([b[0], b[1], b[2], b[3]]));
    let ids: Vec<Window> = ids.collect();
    let told = |id: &Window| {
        let title = String::from_utf8_lossy(&property(&connection, *id, "_NET_WM_NAME")).into_owned();
        let size = connection.get_geometry(*id).ok()?.reply().ok()?;
        let place = connection.translate_coordinates(*id, root, 0, 0).ok()?.reply().ok()?;
        let rect = DesktopRect {
            x: place.dst_x.into(),
            y: place.dst_y.into(),
            width: size.width.into(),
            height: size.height.into(),
        };
        Some((title, rect))
    };
    ids.iter().rev().filter_map(told).collect()
}

/// A property's bytes, empty where it is not set.
fn property(connection: &RustConnection, window: Window, name: &str) -> Vec<u8> {
    let asked = || {
        let atom = connection.intern_atom(false, name.as_bytes()).ok()?.reply().ok()?.atom;
        let request = connection
            .get_property(false, window, atom, AtomEnum::ANY, 0, 4096)
            .ok()?;
        Some(request.reply().ok()?.value)
    };
    asked().unwrap_or_default()
}
