//! Takes from the live screen what calibrating needs: a resting picture, its noise, and the mouse's scale.

use super::beneath::{PICTURES, beneath};
use super::move_input::Deselects;
use super::scale::{ScaleProbe, as_if_to_move, idle_square, probe_square, scale_of};
use image::RgbaImage;
use shakmaty::{Bitboard, Chess, Position, Square};
use std::collections::VecDeque;
use std::time::Duration;
use torres_frame::{Frame, FrameError, FrameSource, Timestamp};
use torres_geometry::{BoardMap, BoardRect, DesktopPx, FramePx, InputScale};
use torres_mouse::{Gesture, Mouse, MouseError, StopFlag};
use torres_screen::LiveScreen;
use torres_vision::differ::differs;

/// Time between two captures while waiting for rest.
const LOOK_EVERY: Duration = Duration::from_millis(30);
/// How many captures in a row must agree.
const AGREEING: u32 = 5;
/// Pixels that differ by more than this (levels of 255) are motion, below it noise.
const MOTION: u8 = 12;
/// A share of this many pixels may move all the same: a running clock, a blinking cursor.
const MOVING_SHARE: f64 = 0.002;
/// Pictures from which what passes over the board is taken off are so far apart: what passes is elsewhere by then.
const APART: Duration = Duration::from_millis(250);
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
    #[error(
        "the picture did not come to rest within {0:?}; wait until no piece moves and nothing slides over the board, and try again"
    )]
    Restless(Duration),
}

/// Waits until consecutive captures of the screen's region agree: on the board, where it is known to lie there, since a
/// page may always move beside it. Returns the last one and its noise: the largest difference of a resting pixel between
/// two captures, in levels of 255. Where something passes over the board all that time, it is taken off it.
///
/// # Errors
/// Nothing rested within that time, or the screen cannot be captured.
pub fn resting_frame(
    screen: &mut LiveScreen,
    board: Option<&BoardRect>,
    within: Duration,
) -> Result<(Frame, f64), LiveError> {
    let began = Timestamp::now();
    let mut last = screen.next_frame()?;
    let (mut agreeing, mut noise) = (0, 0u8);
    let mut apart = VecDeque::from([last.clone()]);
    loop {
        std::thread::sleep(LOOK_EVERY);
        let next = screen.next_frame()?;
        if board.is_some() && apart.back().is_none_or(|before| next.at.since(before.at) >= APART) {
            apart.push_back(next.clone());
            if apart.len() > PICTURES {
                apart.pop_front();
            }
        }
        match noise_between(&last.image, &next.image, board) {
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
            let pictures: Vec<&RgbaImage> = apart.iter().map(|frame| &*frame.image).collect();
            let image = board.and_then(|board| beneath(&pictures, board));
            let image = image.ok_or(LiveError::Restless(within))?.into();
            return Ok((Frame { image, ..last }, f64::from(MOTION)));
        }
    }
}

/// The noise between two captures, on the board or everywhere; `None` where they show motion.
fn noise_between(a: &RgbaImage, b: &RgbaImage, board: Option<&BoardRect>) -> Option<u8> {
    if a.dimensions() != b.dimensions() {
        return None;
    }
    let all = (0..a.width() as usize, 0..a.height() as usize);
    let (columns, rows) = board.map_or(all.clone(), |board| {
        let pixels = |from: f64, length: f64, end: usize| from.max(0.0) as usize..end.min((from + length) as usize);
        (
            pixels(board.x(), board.width(), all.0.end),
            pixels(board.y(), board.height(), all.1.end),
        )
    });
    let line = 4 * a.width() as usize;
    let (mut noise, mut moving) = (0u8, 0usize);
    for y in rows.clone() {
        let part = y * line + 4 * columns.start..y * line + 4 * columns.end;
        let (a, b) = (a.as_raw().get(part.clone())?, b.as_raw().get(part)?);
        if a == b {
            continue;
        }
        for (p, q) in a.as_chunks::<4>().0.iter().zip(b.as_chunks::<4>().0) {
            let difference = (0..3).map(|c| p[c].abs_diff(q[c])).max().unwrap_or(0);
            if difference > MOTION {
                moving += 1;
            } else {
                noise = noise.max(difference);
            }
        }
    }
    let share = moving as f64 / (columns.len() * rows.len()).max(1) as f64;
    (share <= MOVING_SHARE).then_some(noise)
}

/// What is known of the mouse after it was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measured {
    /// Input units are pixels: the display server says where the pointer is. Nothing was clicked.
    Proven(InputScale),
    /// A click on a piece showed this, and what put the piece down again, where something did.
    Seen(InputScale, Option<Deselects>),
    /// Clicking a piece showed nothing.
    Unknown,
}

impl Measured {
    /// Input units per pixel, where they are known.
    pub fn scale(self) -> Option<InputScale> {
        match self {
            Measured::Proven(scale) | Measured::Seen(scale, _) => Some(scale),
            Measured::Unknown => None,
        }
    }

    /// What puts down a selected piece, where that was seen.
    pub fn deselects(self) -> Option<Deselects> {
        match self {
            Measured::Seen(_, deselects) => deselects,
            Measured::Proven(_) | Measured::Unknown => None,
        }
    }
}

/// Measures how many input units a pixel is.
///
/// Where captures are of the display server's own pixels (X11), the pointer is put over the board and the server asked
/// where it is; nothing is clicked. Elsewhere an own piece is clicked, anything on the board that this changes is
/// looked for, and what may be selected is put down.
///
/// The screen's region shows `position` at `map`, its upper left pixel at `origin` on the desktop.
pub fn measure_mouse(
    screen: &mut LiveScreen,
    mouse: &mut Mouse,
    stop: &StopFlag,
    position: &Chess,
    map: &BoardMap,
    origin: DesktopPx,
) -> Result<Measured, LiveError> {
    if screen.is_the_server_s() {
        // The middle comes last: no piece is under the pointer there, on most boards.
        let across = [Square::A1, Square::H8, Square::A8, Square::H1].map(|square| map.center(square));
        let middle = FramePx {
            x: map.rect.x() + map.rect.width() / 2.0,
            y: map.rect.y() + map.rect.height() / 2.0,
        };
        let pixels: Vec<DesktopPx> = across
            .into_iter()
            .chain([middle])
            .map(|pixel| on_desktop(origin, pixel))
            .collect();
        if let Some(scale) = mouse.prove_scale(&pixels, stop)? {
            return Ok(Measured::Proven(scale));
        }
    }
    let own = map.orientation.bottom();
    let is_turn = position.turn() == own;
    let position = as_if_to_move(position, own);
    let Some(square) = probe_square(&position) else {
        return Ok(Measured::Unknown);
    };
    let clicks = Clicks {
        screen,
        mouse,
        stop,
        position,
        is_turn,
        map,
        origin,
        square,
    };
    clicks.measure()
}

/// Measuring by clicks.
struct Clicks<'a> {
    screen: &'a mut LiveScreen,
    mouse: &'a mut Mouse,
    stop: &'a StopFlag,
    /// With the own side to move.
    position: Chess,
    /// Whether it is.
    is_turn: bool,
    map: &'a BoardMap,
    origin: DesktopPx,
    /// The piece that is clicked.
    square: Square,
}

impl Clicks<'_> {
    fn measure(mut self) -> Result<Measured, LiveError> {
        let before = self.screen.next_frame()?;
        let assumed = InputScale::IDENTITY;
        let target = on_desktop(self.origin, self.map.center(self.square));
        self.click(self.square, assumed)?;
        let mut verdict = ScaleProbe::Nothing;
        let mut shown = Bitboard::EMPTY;
        self.looks_until(|clicks, after| {
            let pictures = (&*before.image, &*after.image);
            verdict = ScaleProbe::judge(pictures, clicks.map, clicks.square, &clicks.position, clicks.is_turn);
            shown = clicks.changed(&before, after);
            verdict != ScaleProbe::Nothing
        })?;
        let scale = match verdict {
            ScaleProbe::Nothing => None,
            ScaleProbe::Confirmed => Some(assumed),
            ScaleProbe::Elsewhere { seen } => scale_of(assumed.input(target), on_desktop(self.origin, seen)),
        };
        let shown = (verdict != ScaleProbe::Nothing).then_some(shown);
        let deselects = self.put_down(&before, shown, scale.unwrap_or(assumed))?;
        Ok(scale.map_or(Measured::Unknown, |scale| Measured::Seen(scale, deselects)))
    }

    /// Puts down what was selected, `shown` on these squares or on none; says what did it.
    fn put_down(
        &mut self,
        before: &Frame,
        shown: Option<Bitboard>,
        scale: InputScale,
    ) -> Result<Option<Deselects>, LiveError> {
        let idle = idle_square(&self.position).map(|square| (Deselects::Empty, square, scale));
        // The same click again: it selects what it selected, wherever that is.
        let again = (Deselects::Piece, self.square, InputScale::IDENTITY);
        for (how, square, scale) in idle.into_iter().chain([again]) {
            // A page that still moves the piece back from the first click may not take the next one: it comes when the
            // picture rests.
            match resting_frame(self.screen, Some(&self.map.rect), SELECTION_WITHIN) {
                Ok(_) | Err(LiveError::Restless(_)) => {}
                Err(error) => return Err(error),
            }
            self.click(square, scale)?;
            let Some(shown) = shown else {
                // Whether anything is selected is not seen, and a click on the piece would select it where nothing is.
                return Ok(None);
            };
            if self.looks_until(|clicks, after| (clicks.changed(before, after) & shown).is_empty())? {
                return Ok(Some(how));
            }
        }
        Ok(None)
    }

    /// Looks again and again until a frame is what is waited for; false when its time is up.
    fn looks_until(&mut self, mut enough: impl FnMut(&Clicks, &Frame) -> bool) -> Result<bool, LiveError> {
        let clicked = Timestamp::now();
        while Timestamp::now().since(clicked) < SELECTION_WITHIN {
            std::thread::sleep(LOOK_EVERY);
            let after = self.screen.next_frame()?;
            if enough(self, &after) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The squares that look otherwise than before.
    fn changed(&self, before: &Frame, after: &Frame) -> Bitboard {
        let differ = |square: &Square| differs((&before.image, self.map), (&after.image, self.map), *square);
        Square::ALL.into_iter().filter(differ).collect()
    }

    fn click(&mut self, square: Square, scale: InputScale) -> Result<(), LiveError> {
        let at = on_desktop(self.origin, self.map.center(square));
        self.mouse.perform(&Gesture::Click(scale.input(at)), self.stop)?;
        Ok(())
    }
}

/// Where a pixel lies of a frame whose upper left one is at `origin`.
fn on_desktop(origin: DesktopPx, pixel: FramePx) -> DesktopPx {
    DesktopPx {
        x: origin.x + pixel.x,
        y: origin.y + pixel.y,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;

    #[test]
    fn what_moves_beside_the_board_is_no_motion_on_it() {
        let board = BoardRect::new(20.0, 10.0, 160.0, 160.0).unwrap();
        let picture = |x: u32, y: u32| {
            let mut picture = RgbaImage::from_pixel(300, 200, Rgba([90, 90, 90, 255]));
            torres_picture::fill_rect(
                &mut picture,
                torres_geometry::FrameRect {
                    x: f64::from(x),
                    y: f64::from(y),
                    width: 18.0,
                    height: 18.0,
                },
                Rgba([240, 200, 20, 255]),
            );
            picture
        };
        let (before, beside) = (picture(200, 30), picture(230, 180));
        assert_eq!(noise_between(&before, &beside, Some(&board)), Some(0));
        assert_eq!(noise_between(&before, &beside, None), None);
        assert_eq!(noise_between(&before, &picture(160, 150), Some(&board)), None);
        let mut faint = before.clone();
        faint.put_pixel(179, 169, Rgba([97, 90, 90, 255]));
        assert_eq!(noise_between(&before, &faint, Some(&board)), Some(7));
    }
}
