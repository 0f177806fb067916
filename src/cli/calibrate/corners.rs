//! Pointing at two corners of the board.

use super::asking::Terminal;
use crate::CliError;
use torres_geometry::{DesktopRect, InputPt, InputScale};
use torres_mouse::Mouse;

/// Has the person at the terminal point at the board's upper left and lower right corner. Where pixels and input units
/// differ, that cannot be known yet: they are taken for the same.
pub(super) fn pointed_at() -> Result<DesktopRect, CliError> {
    let terminal = Terminal::attended().ok_or_else(|| {
        CliError::usage(
            "nobody is at the terminal to point at the board's corners: say where it lies with --board X,Y,WIDTH,HEIGHT",
        )
    })?;
    let mut mouse = Mouse::open(InputScale::IDENTITY).map_err(CliError::failed)?;
    let mut corner = |which: &str| -> Result<InputPt, CliError> {
        terminal.ask(&format!(
            "Put the pointer on the {which} corner of the board's squares, leave it there, and press Enter here."
        ))?;
        mouse.position().map_err(CliError::failed)
    };
    let (first, second) = (corner("upper left")?, corner("lower right")?);
    between(first, second).ok_or_else(|| {
        CliError::usage("the second corner lies not to the lower right of the first; point at the upper left one first")
    })
}

/// The rectangle between two corners, pixels of both included.
fn between(upper_left: InputPt, lower_right: InputPt) -> Option<DesktopRect> {
    let side = |from: i32, to: i32| u32::try_from(to - from + 1).ok().filter(|side| *side > 1);
    Some(DesktopRect {
        x: upper_left.x,
        y: upper_left.y,
        width: side(upper_left.x, lower_right.x)?,
        height: side(upper_left.y, lower_right.y)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_corners_make_a_rectangle_in_their_order_only() {
        let (a, b) = (InputPt { x: 10, y: 20 }, InputPt { x: 409, y: 419 });
        let expected = DesktopRect {
            x: 10,
            y: 20,
            width: 400,
            height: 400,
        };
        assert_eq!(between(a, b), Some(expected));
        assert_eq!(between(b, a), None);
        assert_eq!(between(a, a), None);
    }
}
