//! Whether the pointer is ours to move, and moves.

use super::check::Check;
use std::path::Path;
use torres_geometry::{InputPt, InputScale};
use torres_mouse::{Gesture, Hold, HoldError, Mouse, MouseError, StopFlag};

/// How far the pointer is moved away and back, in input units.
const STEP: i32 = 40;

/// The pointer, and the right to move it: as long as this is there, no other Torres does.
pub(super) struct WorkingMouse {
    pub mouse: Mouse,
    /// Where the pointer was.
    pub here: InputPt,
    _hold: Hold,
}

/// Moves the pointer away and back; the mouse, if all is well. `torres` is the program that guards the button.
pub(super) fn check(torres: &Path, stop: &StopFlag) -> (Check, Option<WorkingMouse>) {
    let name = "mouse";
    let hold = match Hold::take("examining this machine", torres) {
        Ok(hold) => hold,
        Err(HoldError::Taken { by }) => {
            let check = Check::fails(
                name,
                format!("another Torres ({by}) has this desktop's mouse, and is left alone"),
                "wait until its game is over, or end it; then run this again",
            );
            return (check, None);
        }
        Err(HoldError::Mouse(error)) => return (Check::fails(name, &error, advice(&error)), None),
        Err(error @ HoldError::Unknown { .. }) => {
            let advice = "see that this file is yours and can be written, or remove it";
            return (Check::fails(name, error, advice), None);
        }
        Err(error @ HoldError::Unguarded { .. }) => {
            let advice = "see that this program is still there and may be run";
            return (Check::fails(name, error, advice), None);
        }
    };
    match moves_and_returns(&hold, stop) {
        Ok((mouse, here)) => {
            let mut detail = "the pointer goes where it is put, and back".to_owned();
            if let Some(note) = hold.note() {
                detail += &format!("; {note}");
            }
            let mouse = WorkingMouse {
                mouse,
                here,
                _hold: hold,
            };
            (Check::works(name, detail), Some(mouse))
        }
        Err(error) => {
            let advice = advice(&error);
            (Check::fails(name, error, advice), None)
        }
    }
}

/// What to do about a mouse that fails.
pub(super) fn advice(error: &MouseError) -> &'static str {
    match error {
        MouseError::Stopped(_) => "move the pointer out of the corner",
        MouseError::Pressed => "let go of the button, and run this again",
        MouseError::Interfered { .. } | MouseError::Held(_) => {
            "leave the mouse alone, close open menus, and run this again; where a menu opens by itself, the mouse's buttons are \
             exchanged (`xmodmap -e 'pointer = default'`)"
        }
        _ => "allow simulated input: on X11 the server needs the XTEST extension",
    }
}

fn moves_and_returns(hold: &Hold, stop: &StopFlag) -> Result<(Mouse, InputPt), MouseError> {
    let mut mouse = hold.mouse(InputScale::IDENTITY)?;
    let here = mouse.position()?;
    let step = |sign: i32| InputPt {
        x: here.x + sign * STEP,
        y: here.y,
    };
    match mouse.perform(&Gesture::MoveTo(step(1)), stop) {
        Err(MouseError::OffScreen(_)) => mouse.perform(&Gesture::MoveTo(step(-1)), stop)?,
        other => other?,
    };
    mouse.perform(&Gesture::MoveTo(here), stop)?;
    Ok((mouse, here))
}
