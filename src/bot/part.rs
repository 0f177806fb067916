//! Parts of a page that are known by their pictures, such as a panel or a button: what of the desktop they are looked
//! for in.

use torres_frame::{Frame, FrameError};
use torres_geometry::DesktopRect;

/// Takes the pixels of a part of the desktop.
pub type Grab<'a, E = FrameError> = &'a mut dyn FnMut(DesktopRect) -> Result<Frame, E>;

/// How many pixels beside its column or its row a part of a page may move: a page's layout rounds.
const ASIDE: i32 = 4;

/// What lies above and below a part in its window: a column that is centred anew moves so, and rows that change places.
pub fn column(part: DesktopRect, window: &DesktopRect) -> Option<DesktopRect> {
    let column = DesktopRect {
        x: part.x - ASIDE,
        width: part.width + 2 * ASIDE.unsigned_abs(),
        ..*window
    };
    column.intersect(window)
}

/// What lies to the left and right of a part in its window, in its row.
pub fn row(part: DesktopRect, window: &DesktopRect) -> Option<DesktopRect> {
    let row = DesktopRect {
        y: part.y - ASIDE,
        height: part.height + 2 * ASIDE.unsigned_abs(),
        ..*window
    };
    row.intersect(window)
}

/// Where something of this size lies on the desktop that was found at a pixel of a frame.
pub fn found(frame: &Frame, (x, y): (u32, u32), (width, height): (u32, u32)) -> DesktopRect {
    DesktopRect {
        x: frame.origin.x as i32 + x as i32,
        y: frame.origin.y as i32 + y as i32,
        width,
        height,
    }
}
