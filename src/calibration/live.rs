//! Calibrating on the live screen: a resting picture, its noise, and the input scale.

use super::scale::{ScaleProbe, probe_square, scale_of};
use crate::frame::{Frame, FrameError, FrameSource, Timestamp};
use crate::geometry::{BoardMap, DesktopPx, InputScale};
use crate::mouse::{Gesture, Mouse, MouseError, StopFlag};
use crate::screen::LiveScreen;
use shakmaty::Board;
use std::time::Duration;

/// Time between two captures while waiting for rest.
const LOOK_EVERY: Duration = Duration::from_millis(30);
/// So many captures in a row must agree.
const AGREEING: u32 = 5;
/// Pixels that differ by more than this (levels of 255) are motion, below it noise.
const MOTION: u8 = 12;
/// A share of this many pixels may move all the same: a running clock, a blinking cursor.
const MOVING_SHARE: f64 = 0.002;
/// A selection is dropped in so many tries.
const DROPS: u32 = 2;
/// How long a selection may take to appear, or to go away.
const SELECTION_WITHIN: Duration = Duration::from_millis(1500);

/// Why calibrating on the live screen failed.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The screen could not be captured.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The mouse could not be moved.
    #[error(transparent)]
    Mouse(#[from] MouseError),
    /// The picture does not come to rest.
    #[error("the picture did not come to rest within {0:?}; wait until nothing moves on the board and try again")]
    Restless(Duration),
}

/// Waits until consecutive captures of the screen's region agree. Returns the last one and its noise: the largest
/// difference of a resting pixel between two captures, in levels of 255.
pub fn resting_frame(screen: &mut LiveScreen, within: Duration) -> Result<(Frame, f64), LiveError> {
    let began = Timestamp::now();
    let mut last = screen.next_frame()?;
    let (mut agreeing, mut noise) = (0, 0u8);
    loop {
        std::thread::sleep(LOOK_EVERY);
        let next = screen.next_frame()?;
        match noise_between(&last, &next) {
            Some(level) => {
                agreeing += 1;
                noise = noise.max(level);
            }
            None => (agreeing, noise) = (0, 0),
        }
        last = next;
        if agreeing >= AGREEING {
            return Ok((last, f64::from(noise)));
        }
        if last.at.since(began) > within {
            return Err(LiveError::Restless(within));
        }
    }
}

/// The noise between two captures, `None` where they show motion.
fn noise_between(a: &Frame, b: &Frame) -> Option<u8> {
    if a.image.dimensions() != b.image.dimensions() {
        return None;
    }
    let (mut noise, mut moving) = (0u8, 0usize);
    if a.image.as_raw() != b.image.as_raw() {
        for (p, q) in a.image.pixels().zip(b.image.pixels()) {
            let difference = (0..3).map(|c| p.0[c].abs_diff(q.0[c])).max().unwrap_or(0);
            if difference > MOTION {
                moving += 1;
            } else {
                noise = noise.max(difference);
            }
        }
    }
    let share = moving as f64 / f64::from(a.image.width() * a.image.height()).max(1.0);
    (share <= MOVING_SHARE).then_some(noise)
}

/// Measures the input scale: clicks an own piece, sees on which square the selection appears, and clicks it away.
///
/// The screen's region shows `board` at `map`, its upper left pixel at `origin` on the desktop. Returns `None` when no selection
/// appears: the scale stays unknown.
pub fn measure_scale(
    screen: &mut LiveScreen,
    mouse: &mut Mouse,
    stop: &StopFlag,
    board: &Board,
    map: &BoardMap,
    origin: DesktopPx,
) -> Result<Option<InputScale>, LiveError> {
    let own = map.orientation.bottom();
    let Some(square) = probe_square(board, own) else {
        return Ok(None);
    };
    let center = map.center(square);
    let target = DesktopPx {
        x: origin.x + center.x,
        y: origin.y + center.y,
    };
    let before = screen.next_frame()?;
    let assumed = InputScale::IDENTITY;
    mouse.perform(&Gesture::Click(assumed.input(target)), stop)?;
    let clicked = Timestamp::now();
    let mut verdict = ScaleProbe::Nothing;
    while verdict == ScaleProbe::Nothing && Timestamp::now().since(clicked) < SELECTION_WITHIN {
        std::thread::sleep(LOOK_EVERY);
        let after = screen.next_frame()?;
        verdict = ScaleProbe::judge(&before.image, &after.image, map, square, board, own);
    }
    let scale = match verdict {
        ScaleProbe::Nothing => return Ok(None),
        ScaleProbe::Confirmed => Some(assumed),
        ScaleProbe::Elsewhere { seen } => {
            let seen = DesktopPx {
                x: origin.x + seen.x,
                y: origin.y + seen.y,
            };
            scale_of(assumed.input(target), seen)
        }
    };
    // The same click again drops the selection, wherever it appeared. A page that still moves the piece back from the first one may
    // not take it: it comes when the picture rests, and again where the selection stays.
    for _ in 0..DROPS {
        match resting_frame(screen, SELECTION_WITHIN) {
            Ok(_) | Err(LiveError::Restless(_)) => {}
            Err(error) => return Err(error),
        }
        mouse.perform(&Gesture::Click(assumed.input(target)), stop)?;
        let clicked = Timestamp::now();
        while Timestamp::now().since(clicked) < SELECTION_WITHIN {
            std::thread::sleep(LOOK_EVERY);
            let after = screen.next_frame()?;
            if ScaleProbe::judge(&before.image, &after.image, map, square, board, own) == ScaleProbe::Nothing {
                return Ok(scale);
            }
        }
    }
    Ok(scale)
}
