//! Where the board is on the desktop right now: looked up before every gesture, and again when it is lost.

use crate::calibration::{Calibration, WindowName};
use crate::frame::{Frame, FrameError, FrameSource};
use crate::geometry::{BoardMap, BoardRect, DesktopPx, DesktopRect, FramePx};
use crate::screen::{LiveScreen, ScreenError, WindowInfo, window, windows};
use crate::vision::locate::{locate, still_there};
use shakmaty::Square;

/// Around the board, this share of its side is captured too, so that its edges can be seen.
const MARGIN: f64 = 0.06;

/// A board of another size than calibrated by more than this is another board.
const SIZE_TOLERANCE: f64 = 0.02;

/// How far a measured edge of a resting board may waver, in pixels.
const WAVER: f64 = 0.75;

/// The board's place on the desktop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The board in desktop pixels.
    board: BoardRect,
    /// The corner that the calibration's rectangles are relative to.
    origin: DesktopPx,
    /// The window that shows it, where the calibration names one.
    window: Option<u32>,
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

impl Place {
    /// Finds the calibrated window, and the board in it.
    pub fn find(calibration: &Calibration, screen: &mut LiveScreen) -> Result<Place, Lost> {
        let window = calibration.window.as_ref().map(find_calibrated).transpose()?;
        Place::find_in(window, calibration, screen)
    }

    /// Finds the board again in the very window that showed it: no other one of the same program takes its place.
    pub fn find_again(&self, calibration: &Calibration, screen: &mut LiveScreen) -> Result<Place, Lost> {
        let (Some(id), Some(name)) = (self.window, &calibration.window) else {
            return Place::find(calibration, screen);
        };
        match window(id)? {
            Some(window) if window.minimised => Err(Lost::NoBoard),
            Some(window) => Place::find_in(Some(window), calibration, screen),
            None => Err(Lost::WindowGone(name.clone())),
        }
    }

    fn find_in(window: Option<WindowInfo>, calibration: &Calibration, screen: &mut LiveScreen) -> Result<Place, Lost> {
        let client = window.as_ref().map_or(screen.info().rect, |w| w.client);
        screen.set_region(Some(client));
        let frame = screen.next_frame()?;
        // The frame may be cut off by the monitor's edge: offsets count from the client area all the same.
        let (dx, dy) = (
            f64::from(client.x) - frame.origin.x,
            f64::from(client.y) - frame.origin.y,
        );
        let expected = calibration.board.translated(dx, dy);
        let board = still_there(&frame.image, &expected)
            .or_else(|| {
                let found = locate(&frame.image);
                let same_size = |rect: &BoardRect| (rect.width() / expected.width() - 1.0).abs() <= SIZE_TOLERANCE;
                found.into_iter().map(|f| f.rect).find(same_size)
            })
            .ok_or(Lost::NoBoard)?;
        Ok(Place::seen(&frame, board, calibration, window.map(|w| w.id)))
    }

    /// The place of a board seen in a frame.
    fn seen(frame: &Frame, in_frame: BoardRect, calibration: &Calibration, window: Option<u32>) -> Place {
        let board = in_frame.translated(frame.origin.x, frame.origin.y);
        let origin = DesktopPx {
            x: (board.x() - calibration.board.x()).round(),
            y: (board.y() - calibration.board.y()).round(),
        };
        Place { board, origin, window }
    }

    /// The board in desktop pixels.
    pub fn board(&self) -> BoardRect {
        self.board
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

    /// The corner that the calibration's rectangles are relative to, on the desktop.
    pub fn origin(&self) -> DesktopPx {
        self.origin
    }

    /// Where the board lies in a frame of this desktop.
    pub fn map(&self, frame: &Frame, calibration: &Calibration) -> BoardMap {
        BoardMap {
            rect: self.board.translated(-frame.origin.x, -frame.origin.y),
            orientation: calibration.bottom,
        }
    }

    /// The place as the frame shows it now, `None` when the board is not there any more.
    pub fn confirmed(&self, frame: &Frame, calibration: &Calibration) -> Option<Place> {
        let expected = self.board.translated(-frame.origin.x, -frame.origin.y);
        let rect = still_there(&frame.image, &expected)?;
        // Measuring wavers by a fraction of a pixel; a window moves by whole ones.
        let moved = rect.distance(&expected) > WAVER;
        Some(if moved {
            Place::seen(frame, rect, calibration, self.window)
        } else {
            *self
        })
    }

    /// The middle of a square on the desktop.
    pub fn center(&self, square: Square, calibration: &Calibration) -> DesktopPx {
        let map = BoardMap {
            rect: self.board,
            orientation: calibration.bottom,
        };
        let FramePx { x, y } = map.center(square);
        DesktopPx { x, y }
    }
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
