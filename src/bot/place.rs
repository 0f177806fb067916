//! Where the board is on the desktop right now: looked up before every gesture, and again when it is lost.
//!
//! A board keeps its place until a measurement says otherwise. One that is not where it was is looked for in its whole
//! window and told by what stands on it, so it may have been moved, resized or zoomed meanwhile.

use shakmaty::{Board, Square};
use torres_calibration::{Calibration, WindowName};
use torres_frame::{Frame, FrameError, FrameSource};
use torres_geometry::{BoardMap, BoardPoint, BoardRect, DesktopPx, DesktopRect, FramePx, Orientation};
use torres_screen::{LiveScreen, ScreenError, WindowInfo, window, windows};
use torres_vision::locate::still_there;
use torres_vision::{read_at, recognise};

/// Around the board, this share of its side is captured too, so that its edges can be seen.
const MARGIN: f64 = 0.06;

/// How many squares of a board found elsewhere must show what they should: moves may have been played meanwhile, or
/// something lie over it.
const RECOGNISED: usize = 48;

/// How many squares must be read of a board whose edges cannot be found: a notice, or a dialog, may lie over the
/// others.
pub const READ: usize = 40;

/// How far a measured edge of a resting board may waver, in pixels.
const WAVER: f64 = 0.75;

/// What is dropped no farther than this from the middle of a square, in its sides, is dropped on it: half of the way to
/// its edge.
const OFF_MIDDLE: f64 = 0.25;

/// A window that lies farther off than this, in pixels, was moved or resized. Following a measured board rounds by
/// less.
const WINDOW_WAVER: u32 = 2;

/// The board's place on the desktop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardPlace {
    /// The board in desktop pixels.
    board: BoardRect,
    /// The content of the window that shows it, or the monitor.
    client: DesktopRect,
    /// The window that shows it, where the calibration names one.
    window: Option<u32>,
    /// Which way it is turned: a site may give us the other colour than the calibration's.
    orientation: Orientation,
}

/// Why the board's place is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// The calibrated window is closed or minimised.
    #[error("no window '{title}' of {app} is open", title = .0.title, app = .0.app)]
    WindowGone(WindowName),
    /// The window is there, the board is not in it.
    #[error("the window is there, but the calibrated board is not visible in it")]
    NoBoard,
    /// The screen cannot be looked at.
    #[error("{0}")]
    Screen(String),
}

impl From<ScreenError> for Lost {
    fn from(error: ScreenError) -> Lost {
        Lost::Screen(error.to_string())
    }
}

impl From<FrameError> for Lost {
    fn from(error: FrameError) -> Lost {
        Lost::Screen(error.to_string())
    }
}

/// Opens the monitor that shows the calibrated window; the first one where the calibration names no window, or it is
/// not there.
pub fn open_screen(calibration: &Calibration) -> Result<LiveScreen, ScreenError> {
    let client = match &calibration.window {
        Some(name) => {
            let mut all = windows()?.into_iter();
            all.find(|w| w.app == name.app && w.title == name.title)
                .map(|w| w.client)
        }
        None => None,
    };
    match client {
        Some(client) => LiveScreen::showing(&client),
        None => LiveScreen::monitor(0),
    }
}

impl BoardPlace {
    /// Finds the calibrated window, and the board in it: where it was calibrated, or else the one that reads best.
    pub fn find(calibration: &Calibration, screen: &mut LiveScreen) -> Result<BoardPlace, Lost> {
        let window = calibration.window.as_ref().map(find_calibrated).transpose()?;
        let client = window.as_ref().map_or(screen.info().rect, |w| w.client);
        let usual = calibration.board.translated(f64::from(client.x), f64::from(client.y));
        BoardPlace::find_in((client, usual), None, window, (calibration, calibration.bottom), screen)
    }

    /// The calibrated place in its window, whether the board is to be seen there or not: a notice may hide it. For what
    /// is known by a picture of its own.
    pub fn presumed(calibration: &Calibration, screen: &LiveScreen) -> Result<BoardPlace, Lost> {
        let window = calibration.window.as_ref().map(find_calibrated).transpose()?;
        let client = window.as_ref().map_or(screen.info().rect, |w| w.client);
        Ok(BoardPlace {
            board: calibration.board.translated(f64::from(client.x), f64::from(client.y)),
            client,
            window: window.map(|w| w.id),
            orientation: calibration.bottom,
        })
    }

    /// Finds the board again in the very window that showed it, no other one of the same program takes its place: where
    /// it was, or else the one that shows these pieces.
    pub fn find_again(
        &self,
        pieces: Option<&Board>,
        calibration: &Calibration,
        screen: &mut LiveScreen,
    ) -> Result<BoardPlace, Lost> {
        let window = match (self.window, &calibration.window) {
            (Some(id), Some(name)) => match window(id)? {
                Some(window) if window.minimised => return Err(Lost::NoBoard),
                Some(window) => Some(window),
                None => return Err(Lost::WindowGone(name.clone())),
            },
            _ => None,
        };
        let client = window.as_ref().map_or(screen.info().rect, |w| w.client);
        let (dx, dy) = (client.x - self.client.x, client.y - self.client.y);
        let expected = self.board.translated(f64::from(dx), f64::from(dy));
        BoardPlace::find_in(
            (client, expected),
            pieces,
            window,
            (calibration, self.orientation),
            screen,
        )
    }

    fn find_in(
        (client, expected): (DesktopRect, BoardRect),
        pieces: Option<&Board>,
        window: Option<WindowInfo>,
        (calibration, orientation): (&Calibration, Orientation),
        screen: &mut LiveScreen,
    ) -> Result<BoardPlace, Lost> {
        screen.set_region(Some(client));
        let frame = screen.next_frame()?;
        // A window that was moved while the picture was taken: place and picture do not belong together.
        if window.as_ref().is_some_and(|asked| !is_still_at(asked.id, &client)) {
            return Err(Lost::NoBoard);
        }
        // The frame may be cut off by the monitor's edge: places count from the desktop's corner all the same.
        let expected = expected.translated(-frame.origin.x, -frame.origin.y);
        let recognised = || {
            let found = recognise(&frame.image, &calibration.appearance, pieces, orientation)?;
            (found.agreeing >= RECOGNISED).then_some(found.map.rect)
        };
        let board = match calibration.stated {
            true => reads_there(&frame, &expected, orientation, calibration).then_some(expected),
            false => still_there(&frame.image, &expected),
        };
        let board = board.or_else(recognised).ok_or(Lost::NoBoard)?;
        Ok(BoardPlace {
            board: board.translated(frame.origin.x, frame.origin.y),
            client,
            window: window.map(|w| w.id),
            orientation,
        })
    }

    /// A place for tests without a screen.
    #[cfg(test)]
    pub(super) fn at(board: BoardRect, client: DesktopRect) -> BoardPlace {
        BoardPlace {
            board,
            client,
            window: None,
            orientation: Orientation::White,
        }
    }

    /// Which way the board is turned.
    pub fn orientation(&self) -> Orientation {
        self.orientation
    }

    /// The same place with the board turned this way.
    pub fn with_orientation(self, orientation: Orientation) -> BoardPlace {
        BoardPlace { orientation, ..self }
    }

    /// The board in desktop pixels.
    pub fn board(&self) -> BoardRect {
        self.board
    }

    /// The content of the window that shows it, or the monitor.
    pub fn client(&self) -> DesktopRect {
        self.client
    }

    /// The pixels to capture: the board and a margin.
    pub fn region(&self) -> DesktopRect {
        let margin = self.board.width() * MARGIN;
        DesktopRect {
            x: (self.board.x() - margin).floor() as i32,
            y: (self.board.y() - margin).floor() as i32,
            width: (self.board.width() + 2.0 * margin).ceil() as u32,
            height: (self.board.height() + 2.0 * margin).ceil() as u32,
        }
    }

    /// Where the board lies in a frame of this desktop.
    pub fn map(&self, frame: &Frame) -> BoardMap {
        BoardMap {
            rect: self.board.translated(-frame.origin.x, -frame.origin.y),
            orientation: self.orientation,
        }
    }

    /// The place as the frame shows it now, `None` when the board is not there any more.
    pub fn confirmed(&self, frame: &Frame, calibration: &Calibration) -> Option<BoardPlace> {
        let expected = self.board.translated(-frame.origin.x, -frame.origin.y);
        if calibration.stated {
            return reads_there(frame, &expected, self.orientation, calibration).then_some(*self);
        }
        let rect = still_there(&frame.image, &expected)?;
        // Measuring wavers by a fraction of a pixel; a window moves by whole ones, and keeps the board's size. A frame
        // that a page draws around a square takes one edge one way and the other the other way.
        let middle = |rect: &BoardRect| (rect.x() + rect.width() / 2.0, rect.y() + rect.height() / 2.0);
        let ((x, y), (was_x, was_y)) = (middle(&rect), middle(&expected));
        let moved = (x - was_x).abs().max((y - was_y).abs());
        let grown = (rect.width() - expected.width()).abs();
        let grown = grown.max((rect.height() - expected.height()).abs());
        let told = self.window.and_then(|id| Some(window(id).ok()??.client));
        if moved <= WAVER && grown <= 2.0 * WAVER {
            return self.client_with_board((0.0, 0.0), told).map(|_| *self);
        }
        let by = (rect.x() - expected.x(), rect.y() - expected.y());
        let client = self.client_with_board(by, told)?;
        let board = rect.translated(frame.origin.x, frame.origin.y);
        Some(BoardPlace { board, client, ..*self })
    }

    /// Where the window's content lies, as the platform tells after a picture in which the board was measured so far
    /// from its place. Edges do not tell a board that was moved by a square: `None` where the window has gone elsewhere
    /// than that board. A window that stays may show a page that has put its board elsewhere.
    fn client_with_board(&self, (dx, dy): (f64, f64), told: Option<DesktopRect>) -> Option<DesktopRect> {
        let with_board = DesktopRect {
            x: self.client.x + dx.round() as i32,
            y: self.client.y + dy.round() as i32,
            ..self.client
        };
        // Where nobody tells, the window has moved with its board.
        let client = told.unwrap_or(with_board);
        (is_near(&client, &with_board) || is_near(&client, &self.client)).then_some(client)
    }

    /// The whole pixels of the board in a frame of its region, without the margin around it.
    pub fn board_alone(&self, frame: &Frame) -> Frame {
        let rect = self.map(frame).rect;
        let at = |from: f64| from.round().max(0.0) as u32;
        let size = (at(rect.width()), at(rect.height()));
        let image = torres_frame::crop(&frame.image, (at(rect.x()), at(rect.y())), size);
        Frame {
            image: image.into(),
            ..frame.clone()
        }
    }

    /// Whether the board lies where the other place has it, as far as can be measured.
    pub(crate) fn is_at(&self, other: &BoardPlace) -> bool {
        self.window == other.window && self.board.distance(&other.board) <= WAVER
    }

    /// What was found of this board: the same place, where measuring it wavers. A board that lies elsewhere, if only by
    /// the last bit, is read afresh.
    pub(crate) fn found_again(self, found: BoardPlace) -> BoardPlace {
        match found.is_at(&self) {
            true => BoardPlace {
                board: self.board,
                ..found
            },
            false => found,
        }
    }

    /// Whether a board that was measured there takes what is dropped in the middle of this one's squares on the same
    /// squares. What a page draws around squares while a piece is in the hand moves what is measured, by whole pixels.
    pub(crate) fn takes_drops_of(&self, measured: &BoardPlace) -> bool {
        self.window == measured.window && self.board.distance(&measured.board) <= self.board.width() / 8.0 * OFF_MIDDLE
    }

    /// Whether its window was moved, resized or closed since the board was seen last, as far as the platform tells.
    /// Pixels alone do not tell: a board that was moved by a square has edges where it had them.
    pub(crate) fn window_has_left(&self) -> bool {
        self.window.is_some_and(|id| !is_still_at(id, &self.client))
    }

    /// The window that shows the board, where the calibration names one.
    pub fn window(&self) -> Option<u32> {
        self.window
    }

    /// The middle of a square as a point on the board.
    pub fn middle(&self, square: Square) -> BoardPoint {
        self.on_desktop().middle(square)
    }

    /// Where a point on the board is on the desktop.
    pub fn point(&self, at: BoardPoint) -> DesktopPx {
        let FramePx { x, y } = self.on_desktop().frame_point(at);
        DesktopPx { x, y }
    }

    /// The square drawn at a place on the desktop, if the place is on the board.
    pub fn square_at(&self, DesktopPx { x, y }: DesktopPx) -> Option<Square> {
        self.on_desktop().square_at(FramePx { x, y })
    }

    fn on_desktop(&self) -> BoardMap {
        BoardMap {
            rect: self.board,
            orientation: self.orientation,
        }
    }
}

/// Whether a window's content lies there, as far as the platform tells.
fn is_still_at(id: u32, client: &DesktopRect) -> bool {
    window(id).map_or(true, |now| {
        now.is_some_and(|now| !now.minimised && is_near(&now.client, client))
    })
}

/// Whether these are the same place and size, as far as a measured board can be followed.
fn is_near(one: &DesktopRect, other: &DesktopRect) -> bool {
    let apart = [
        one.x.abs_diff(other.x),
        one.y.abs_diff(other.y),
        one.width.abs_diff(other.width),
        one.height.abs_diff(other.height),
    ];
    apart.into_iter().all(|pixels| pixels <= WINDOW_WAVER)
}

/// Whether a board whose edges are too faint to be found lies there all the same: its squares can be read.
fn reads_there(frame: &Frame, rect: &BoardRect, orientation: Orientation, calibration: &Calibration) -> bool {
    let map = BoardMap {
        rect: *rect,
        orientation,
    };
    read_at(&frame.image, &calibration.appearance, &map) >= READ
}

/// The window by its title and program; by its program alone when only one such window is open (titles change).
fn find_calibrated(name: &WindowName) -> Result<WindowInfo, Lost> {
    let of_app: Vec<WindowInfo> = windows()?
        .into_iter()
        .filter(|w| w.app == name.app && !w.minimised)
        .collect();
    let same_title = of_app.iter().find(|w| w.title == name.title);
    match (same_title, &of_app[..]) {
        (Some(window), _) => Ok(window.clone()),
        (None, [only]) => Ok(only.clone()),
        _ => Err(Lost::WindowGone(name.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};
    use torres_frame::Timestamp;

    /// A desktop with an empty board of 400 px whose corner lies there.
    fn desktop(left: u32, top: u32) -> Frame {
        let image = RgbaImage::from_fn(800, 600, |x, y| {
            let square = |at: u32, from: u32| at.checked_sub(from).map(|at| at / 50).filter(|at| *at < 8);
            match (square(x, left), square(y, top)) {
                (Some(file), Some(rank)) if (file + rank) % 2 == 0 => Rgba([240, 217, 181, 255]),
                (Some(_), Some(_)) => Rgba([181, 136, 99, 255]),
                _ => Rgba([38, 36, 33, 255]),
            }
        });
        Frame {
            image: image.into(),
            at: Timestamp::default(),
            origin: DesktopPx::default(),
        }
    }

    fn place(x: f64, y: f64) -> BoardPlace {
        let client = DesktopRect {
            x: 20,
            y: 10,
            width: 700,
            height: 560,
        };
        BoardPlace::at(BoardRect::new(x, y, 400.0, 400.0).unwrap(), client)
    }

    fn calibration() -> Calibration {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../calibration/practice-site.json");
        Calibration::load(path.as_ref()).unwrap()
    }

    #[test]
    fn a_board_measured_a_few_pixels_aside_takes_a_drop_and_one_a_square_aside_does_not() {
        let begun = place(100.0, 60.0);
        assert!(begun.takes_drops_of(&place(108.0, 55.0)));
        assert!(!begun.takes_drops_of(&place(114.0, 60.0)));
        assert!(!begun.takes_drops_of(&place(150.0, 60.0)));
    }

    #[test]
    fn a_board_that_is_found_again_lies_where_it_did_to_the_last_bit() {
        let known = place(100.3, 60.0);
        let wavering = place(100.3 + 1e-12, 60.2);
        assert_ne!(wavering, known);
        assert_eq!(known.found_again(wavering), known);
        assert_eq!(known.found_again(place(103.0, 60.0)), place(103.0, 60.0));
    }

    #[test]
    fn a_board_is_not_where_its_window_has_left_since_the_picture() {
        let known = place(100.0, 80.0);
        let at = |dx, dy| DesktopRect {
            x: known.client().x + dx,
            y: known.client().y + dy,
            ..known.client()
        };
        let lies = |by, told| known.client_with_board(by, Some(told));
        assert_eq!(lies((0.0, 0.0), at(0, 0)), Some(at(0, 0)));
        assert_eq!(lies((1.0, 3.0), at(1, 3)), Some(at(1, 3)), "both have moved");
        assert_eq!(lies((1.0, 3.0), at(0, 0)), Some(at(0, 0)), "the page has moved it");
        assert_eq!(lies((0.0, 0.0), at(50, 0)), None, "by a square");
        assert_eq!(lies((1.0, 0.0), at(50, 0)), None, "by less than a square");
        assert_eq!(known.client_with_board((1.0, 3.0), None), Some(at(1, 3)));
    }

    #[test]
    fn a_board_whose_edges_are_not_seen_is_there_while_its_squares_can_be_read() {
        let stated = Calibration {
            stated: true,
            ..calibration()
        };
        // Bare squares of this look can be read, and what lies beside them can not.
        let is_there = |x, y| place(x, y).confirmed(&desktop(100, 80), &stated).is_some();
        assert!(is_there(100.0, 80.0));
        assert!(!is_there(300.0, 200.0));
        assert!(!is_there(126.0, 106.0), "between the squares");
    }

    #[test]
    fn a_place_is_kept_where_its_measure_wavers_and_follows_a_board_that_moved() {
        let calibration = calibration();
        let confirmed = |place: BoardPlace, frame: Frame| place.confirmed(&frame, &calibration);
        let wavering = place(100.6, 80.0);
        assert_eq!(confirmed(wavering, desktop(100, 80)), Some(wavering));
        let shrunk = BoardPlace::at(BoardRect::new(99.6, 80.0, 401.1, 400.0).unwrap(), wavering.client());
        assert_eq!(
            confirmed(shrunk, desktop(100, 80)),
            Some(shrunk),
            "both edges went inwards"
        );
        let moved = confirmed(place(100.0, 80.0), desktop(101, 81)).unwrap();
        assert_eq!((moved.board().x(), moved.board().y()), (101.0, 81.0));
        assert_eq!((moved.client().x, moved.client().y), (21, 11));
        assert_eq!(confirmed(place(100.0, 80.0), desktop(120, 80)), None);
    }
}
