//! The eye: screen, the board's place and the tracker as one. Every look goes the same way: a shot of the screen, in
//! which the board is in its place, and what is read in it. Looking for a move, the final check before a gesture and
//! the proof after it differ in what they ask of it only.

use super::guard::Guard;
use super::look_timer::LookTimer;
use super::place::{BoardPlace, Lost};
use shakmaty::uci::UciMove;
use shakmaty::{Board, Chess, EnPassantMode, Move, Position};
use std::time::Duration;
use torres_calibration::Calibration;
use torres_frame::{Frame, FrameError, FrameSource, Timestamp};
use torres_geometry::{BoardMap, DesktopPx, DesktopRect};
use torres_screen::LiveScreen;
use torres_vision::{Covered, ExplainedLine, OwnSide, Reading, Tracker};

/// A lost board is looked for this often.
const SEARCH_EVERY: Duration = Duration::from_millis(250);

/// Sees one board.
pub struct Eye<'a> {
    calibration: &'a Calibration,
    screen: LiveScreen,
    place: BoardPlace,
    tracker: Tracker,
    /// The board was not where it should be when it was looked at last.
    lost: bool,
    /// When a lost board was looked for last.
    searched: Timestamp,
}

/// The screen at one moment, and where the board lies in it.
#[derive(Clone, Debug)]
pub struct Shot {
    /// The board and a margin.
    pub board: Frame,
    /// All that was captured at that moment.
    whole: Frame,
    /// Where the board lies in `board`.
    pub map: BoardMap,
    /// The board lies elsewhere than in the shot before.
    pub moved: bool,
    /// The board was lost and was found at another place.
    pub found: bool,
}

/// A frame that was looked at, what it says, and where the board lies in it.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The frame.
    pub frame: Frame,
    /// What vision says of it.
    pub reading: Reading,
    /// Where the board lies in it.
    pub map: BoardMap,
    /// Whether there is a board at its place.
    pub board_present: bool,
}

/// Why there is no shot of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureError {
    /// The board is not to be seen.
    NoBoard,
    /// Its window is closed.
    WindowClosed,
}

/// Whether the board is still where it was seen last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardStatus {
    /// It is.
    There,
    /// It lies elsewhere now, where the eye has found it.
    Moved,
    /// It is not to be seen.
    Gone,
}

impl<'a> Eye<'a> {
    /// Sees a board at a place with a tracker that follows it.
    pub fn new(calibration: &'a Calibration, screen: LiveScreen, place: BoardPlace, tracker: Tracker) -> Eye<'a> {
        Eye {
            calibration,
            screen,
            place,
            tracker,
            lost: false,
            searched: Timestamp::default(),
        }
    }

    /// Where the board was seen last.
    pub fn place(&self) -> &BoardPlace {
        &self.place
    }

    /// The tracker that follows the board.
    pub fn tracker(&self) -> &Tracker {
        &self.tracker
    }

    /// What wakes whoever watches this board.
    pub fn look_timer(&self) -> LookTimer {
        LookTimer::new(&self.screen, self.place.region())
    }

    /// Reads the board afresh, where it was seen last.
    pub(crate) fn refresh(&mut self) {
        self.lost = false;
        let map = *self.tracker.map();
        self.tracker.moved_to(map);
    }

    /// Captures the board, on which these pieces should stand; a lost one is looked for every now and then.
    ///
    /// With a guard, the opponent panel is captured in the same moment, and the board's place is measured in that very
    /// shot. While a dialog of our own making is `awaited`, a board that cannot be found lies beneath it, as long as
    /// its window stays where it was.
    pub fn capture(&mut self, pieces: &Board, guard: Option<&Guard>, awaited: bool) -> Result<Shot, CaptureError> {
        let before = self.place;
        let beneath = self.is_beneath(awaited);
        let found = self.lost && !beneath && self.search(pieces)?;
        let region = self.place.region();
        let panel = guard.map(|guard| guard.expected(&self.place));
        let whole = self.grab(panel.map_or(region, |panel| region.around(&panel)));
        let shot = whole.ok().and_then(|whole| Some((part(&whole, region)?, whole)));
        let Some((board, whole)) = shot else {
            return Err(self.lose());
        };
        if guard.is_some() {
            match self.place.confirmed(&board, self.calibration) {
                Some(place) => self.place = place,
                None if beneath => {}
                None => return Err(self.lose()),
            }
        }
        self.lost = false;
        let map = self.place.map(&board);
        if map != *self.tracker.map() {
            self.tracker.moved_to(map);
        }
        Ok(Shot {
            board,
            whole,
            map,
            moved: self.place != before,
            found,
        })
    }

    /// Whether a board that is not to be seen must lie beneath the dialog that is awaited: its window is where it was.
    fn is_beneath(&self, awaited: bool) -> bool {
        awaited && self.place.window().is_some() && !self.place.window_has_left()
    }

    /// Reads a shot, compared with the position believed; `awaited` as for [`Eye::capture`], and `own` our side, where
    /// nobody but Torres moves its pieces.
    pub fn read(&mut self, shot: &Shot, position: &Chess, awaited: bool, own: Option<OwnSide>) -> Observation {
        self.tracker.expect_own(own);
        let entered = own.and_then(|own| own.entered);
        let reading = match self.tracker.step(&shot.board, position) {
            Reading::Played(explained) => Reading::Played(ExplainedLine {
                line: as_entered(&explained.line, position, entered),
                ..explained
            }),
            other => other,
        };
        // What is no board at all may look like one in doubt: something else of one colour, say.
        self.lost = match &reading {
            Reading::Lost => true,
            Reading::Unknown(_) => {
                self.place.confirmed(&shot.board, self.calibration).is_none() || self.place.window_has_left()
            }
            _ => false,
        };
        self.lost &= !self.is_beneath(awaited);
        let map = *self.tracker.map();
        self.place = self.place.with_orientation(map.orientation);
        Observation {
            frame: shot.board.clone(),
            reading,
            map,
            board_present: !self.lost,
        }
    }

    /// The place where the board was seen last, as it looks now, where no board was found. `None` where it cannot be
    /// captured.
    pub fn unfound(&mut self) -> Option<Observation> {
        let frame = self.grab(self.place.region()).ok()?;
        Some(Observation {
            map: self.place.map(&frame),
            frame,
            reading: Reading::Lost,
            board_present: false,
        })
    }

    /// The squares that something lies over in the frame that was read last, on which these pieces stand.
    pub fn covered(&mut self, frame: &Frame, pieces: &Board) -> Covered {
        self.tracker.covered(frame, pieces)
    }

    /// Since when the picture has stood still, where the frame that was read last shows this position whole.
    pub fn stands(&mut self, frame: &Frame, position: &Chess) -> Option<Timestamp> {
        self.tracker.stands(frame, position)
    }

    /// Looks whether the board is where it was seen last. Returns the frame too: a gesture may be under way.
    pub fn stays(&mut self, pieces: &Board) -> (BoardStatus, Option<Frame>) {
        let frame = self.grab(self.place.region()).ok();
        let left = self.place.window_has_left();
        let confirmed = || match left {
            true => None,
            false => self.place.confirmed(frame.as_ref()?, self.calibration),
        };
        let place = match confirmed() {
            Some(place) => Ok(place),
            None => self.place.find_again(Some(pieces), self.calibration, &mut self.screen),
        };
        let status = match place {
            Ok(place) if place.is_at(&self.place) || !left && self.place.takes_drops_of(&place) => BoardStatus::There,
            Ok(place) => {
                self.place = place;
                BoardStatus::Moved
            }
            Err(_) => BoardStatus::Gone,
        };
        (status, frame)
    }

    /// The pixels of a part of the desktop as they were in a shot, or else as they are now.
    pub fn pixels(&mut self, shot: &Shot, region: DesktopRect) -> Result<Frame, FrameError> {
        match part(&shot.whole, region).filter(|part| part.image.dimensions() == (region.width, region.height)) {
            Some(part) => Ok(part),
            None => self.grab(region),
        }
    }

    /// The pixels of a part of the desktop as they are now.
    pub fn grab(&mut self, region: DesktopRect) -> Result<Frame, FrameError> {
        self.screen.set_region(Some(region));
        self.screen.next_frame()
    }

    /// The board is not where it should be. It is looked for at the next look.
    fn lose(&mut self) -> CaptureError {
        if !self.lost {
            self.searched = Timestamp::default();
        }
        self.lost = true;
        CaptureError::NoBoard
    }

    /// Looks for the board on the whole window, if it is time to; whether it was found at another place.
    fn search(&mut self, pieces: &Board) -> Result<bool, CaptureError> {
        let now = Timestamp::now();
        if now.since(self.searched) < SEARCH_EVERY {
            return Err(CaptureError::NoBoard);
        }
        self.searched = now;
        match self.place.find_again(Some(pieces), self.calibration, &mut self.screen) {
            Ok(place) => {
                let place = self.place.found_again(place);
                Ok(std::mem::replace(&mut self.place, place) != place)
            }
            Err(Lost::WindowGone(_)) => Err(CaptureError::WindowClosed),
            Err(_) => Err(CaptureError::NoBoard),
        }
    }
}

/// The part of a frame that shows this region of the desktop, as far as it does; `None` where it shows nothing of it.
fn part(frame: &Frame, region: DesktopRect) -> Option<Frame> {
    let whole = DesktopRect {
        x: frame.origin.x as i32,
        y: frame.origin.y as i32,
        width: frame.image.width(),
        height: frame.image.height(),
    };
    if region == whole {
        return Some(frame.clone());
    }
    let common = region.intersect(&whole)?;
    let (x, y) = (common.x.abs_diff(whole.x), common.y.abs_diff(whole.y));
    Some(Frame {
        image: torres_frame::crop(&frame.image, (x, y), (common.width, common.height)).into(),
        at: frame.at,
        origin: DesktopPx {
            x: f64::from(common.x),
            y: f64::from(common.y),
        },
    })
}

/// A line with the move that was entered in place of its first one, where both lines end in the same position: a pawn's
/// piece that was captured at once leaves no trace of which it was.
fn as_entered(line: &[Move], position: &Chess, entered: Option<Move>) -> Vec<Move> {
    let instead = || {
        let entered = entered?;
        let (mut seen, mut meant) = (position.clone(), position.clone());
        let mut ordered = Vec::with_capacity(line.len());
        for (index, &played) in line.iter().enumerate() {
            let instead = match index {
                0 => entered,
                // The same squares; what is captured there may be another piece.
                _ => UciMove::from_standard(played).to_move(&meant).ok()?,
            };
            seen.play_unchecked(played);
            meant.play_unchecked(instead);
            ordered.push(instead);
        }
        let setup = |position: &Chess| position.to_setup(EnPassantMode::Legal);
        (setup(&seen) == setup(&meant)).then_some(ordered)
    };
    instead().unwrap_or_else(|| line.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};
    use torres_chess::{parse_fen, parse_move};
    use torres_geometry::DesktopPx;

    fn line(position: &Chess, moves: [&str; 2]) -> Vec<Move> {
        let mut position = position.clone();
        let played = moves.map(|text| {
            let played = parse_move(text, &position).unwrap();
            position.play_unchecked(played);
            played
        });
        played.to_vec()
    }

    #[test]
    fn a_promoted_piece_that_was_captured_at_once_is_the_one_that_was_ordered() {
        let position = parse_fen("7k/8/8/8/8/8/4p2K/3QR3 b - - 0 1").unwrap();
        let line = |moves| line(&position, moves);
        let knight = line(["e2d1n", "e1d1"])[0];
        let read = |moves, entered| as_entered(&line(moves), &position, entered);
        // Which piece it was cannot be seen any more.
        assert_eq!(read(["e2d1q", "e1d1"], Some(knight)), line(["e2d1n", "e1d1"]));
        assert_eq!(read(["e2d1q", "e1d1"], None), line(["e2d1q", "e1d1"]));
        // Here it can: the rook went elsewhere, and the piece stands.
        assert_eq!(read(["e2d1q", "e1e8"], Some(knight)), line(["e2d1q", "e1e8"]));
    }

    #[test]
    fn a_part_of_a_shot_lies_where_it_lay_on_the_desktop() {
        let mut image = RgbaImage::new(40, 30);
        image.put_pixel(12, 7, Rgba([1, 2, 3, 255]));
        let frame = Frame {
            image: image.into(),
            at: Timestamp::default(),
            origin: DesktopPx { x: -10.0, y: 5.0 },
        };
        let region = |x, y, width, height| DesktopRect { x, y, width, height };
        let cut = part(&frame, region(0, 10, 8, 9)).unwrap();
        assert_eq!(
            (cut.image.dimensions(), cut.origin),
            ((8, 9), DesktopPx { x: 0.0, y: 10.0 })
        );
        assert_eq!(cut.image.get_pixel(2, 2).0, [1, 2, 3, 255]);
        let cut = part(&frame, region(20, 0, 100, 10)).unwrap();
        assert_eq!(
            (cut.image.dimensions(), cut.origin),
            ((10, 5), DesktopPx { x: 20.0, y: 5.0 })
        );
        assert!(part(&frame, region(30, 5, 10, 10)).is_none());
    }
}
