//! Which frames are kept in mind for evidence, and what is said about them. Pure: nothing is written here.

use shakmaty::Chess;
use std::collections::VecDeque;
use std::time::Duration;
use torres_fixture::Decided;
use torres_fixture::decision::{Decision, DecisionInput, Explained, ReadingKind};
use torres_frame::{Frame, Timestamp};
use torres_geometry::BoardRect;
use torres_vision::tracker::examine;
use torres_vision::{Reading, Tracker};

/// Frames kept after the last one that is known to show the position believed.
const RECENT: usize = 8;

/// Folders that a game may leave, pauses and retries included; and those that moments of doubt may take of them, so
/// that what stops a game always has its evidence.
const FOLDERS: u32 = 24;
const MOMENTS: u32 = 16;

/// A frame, and how long before it another one was looked at.
#[derive(Clone, Debug)]
pub struct TimedFrame {
    /// The frame.
    pub frame: Frame,
    /// The time between the two.
    pub looked_before: Duration,
}

/// The frames that a decision about the next one would rest on: one that was understood, and what changed since.
#[derive(Clone, Debug, Default)]
pub struct Recent {
    /// The last frame before the recent ones that shows the position believed.
    understood: Option<TimedFrame>,
    /// Frames that look different from the one before, and whether they show the position believed.
    changed: VecDeque<(TimedFrame, bool)>,
    /// When the last frame was looked at, and how long before it the one before.
    looked: Option<(Timestamp, Duration)>,
    board: Option<BoardRect>,
    /// The doubt that lasts; it is one as long as nothing is understood in between.
    doubt: Option<Decided>,
}

impl Recent {
    /// Takes in the next frame that was looked at; says whether a doubt begins with it, and which.
    pub fn look(&mut self, frame: &Frame, reading: &Reading, board: &BoardRect) -> Option<Decided> {
        if self.board != Some(*board) {
            // Frames of another place do not compare.
            *self = Recent {
                board: Some(*board),
                doubt: self.doubt,
                ..Recent::default()
            };
        }
        let gap = self.looked.map_or(Duration::ZERO, |(last, _)| frame.at.since(last));
        self.looked = Some((frame.at, gap));
        let kept = || TimedFrame {
            frame: frame.clone(),
            looked_before: gap,
        };
        let stands = ReadingKind::from(reading) == ReadingKind::Unchanged;
        if ReadingKind::from(reading) == ReadingKind::Seen {
            self.changed.clear();
            self.understood = Some(kept());
        } else if !(self.looks_like_last(frame) || stands && self.shows_belief()) {
            self.changed.push_back((kept(), stands));
            if self.changed.len() > RECENT
                && let Some((oldest, true)) = self.changed.pop_front()
            {
                self.understood = Some(oldest);
            }
        }
        let doubt = match reading {
            Reading::Unchanged | Reading::Stands | Reading::Played(_) | Reading::Recalled(_) => None,
            Reading::Moving => self.doubt,
            Reading::Unknown(_) => Some(Decided::Unknown),
            Reading::Lost => Some(Decided::Lost),
        };
        self.change_to(doubt)
    }

    /// The board is not where it was, whatever else was said of the frame; says whether that is new.
    pub fn lose(&mut self) -> Option<Decided> {
        self.change_to(Some(Decided::Lost))
    }

    /// The doubt that lasts.
    pub fn doubt(&self) -> Option<Decided> {
        self.doubt
    }

    fn change_to(&mut self, doubt: Option<Decided>) -> Option<Decided> {
        let new = doubt != self.doubt;
        self.doubt = doubt;
        doubt.filter(|_| new)
    }

    /// Whether the last frame kept shows the position believed: another such one adds nothing.
    fn shows_belief(&self) -> bool {
        match self.changed.back() {
            Some((_, stands)) => *stands,
            None => self.understood.is_some(),
        }
    }

    fn looks_like_last(&self, frame: &Frame) -> bool {
        let last = self.changed.back().map(|(kept, _)| kept).or(self.understood.as_ref());
        last.is_some_and(|last| last.frame.image == frame.image)
    }

    /// The frames behind a decision on `last`, oldest first.
    pub fn frames(&self, last: &Frame) -> Vec<TimedFrame> {
        let before = self.understood.iter().chain(self.changed.iter().map(|(kept, _)| kept));
        let mut frames: Vec<TimedFrame> = before.filter(|kept| kept.frame.at < last.at).cloned().collect();
        let gap = self.looked.filter(|(at, _)| *at == last.at).map(|(_, gap)| gap);
        frames.push(TimedFrame {
            frame: last.clone(),
            looked_before: gap.unwrap_or_default(),
        });
        frames
    }
}

/// How many folders a game has left so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    folders: u32,
    moments: u32,
}

impl Budget {
    /// Whether one more may be left for such a decision; it is counted.
    pub fn allows(&mut self, decided: Decided) -> bool {
        let momentary = matches!(decided, Decided::Unknown | Decided::Lost);
        let allowed = self.folders < FOLDERS && !(momentary && self.moments >= MOMENTS);
        self.folders += u32::from(allowed);
        self.moments += u32::from(allowed && momentary);
        allowed
    }
}

/// What was decided on the last of `frames`, and on what grounds: the doubt's own, or else what the frame by itself
/// says.
pub fn decision(
    (decided, why): (Decided, &str),
    frames: &[TimedFrame],
    reading: &Reading,
    position: &Chess,
    tracker: &Tracker,
) -> Option<Decision> {
    let frame = &frames.last()?.frame;
    let examined = examine(
        tracker.appearance(),
        &frame.image,
        tracker.map(),
        position,
        tracker.marks(),
    );
    let seen = match reading {
        Reading::Unknown(doubt) => doubt,
        _ => &examined.seen,
    };
    let looked_before: Vec<Duration> = frames.iter().map(|kept| kept.looked_before).collect();
    let input = DecisionInput {
        decided,
        why,
        position,
        reading: ReadingKind::from(reading),
        seen,
        map: tracker.map(),
        marks: tracker.marks(),
        learned: tracker.learned(),
        looked_before: &looked_before,
        explained: Explained::from(&examined.explanation),
    };
    Some(Decision::on_line(frames.len() - 1, input))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};
    use torres_geometry::DesktopPx;

    fn frame(shade: u8, ms: u32) -> Frame {
        Frame {
            image: RgbaImage::from_pixel(8, 8, Rgba([shade, shade, shade, 255])).into(),
            at: Timestamp::from_ms(f64::from(ms)),
            origin: DesktopPx::default(),
        }
    }

    fn board() -> BoardRect {
        BoardRect::new(0.0, 0.0, 400.0, 400.0).unwrap()
    }

    fn shades(recent: &Recent, last: &Frame) -> Vec<u8> {
        let frames = recent.frames(last);
        frames.iter().map(|f| f.frame.image.get_pixel(0, 0).0[0]).collect()
    }

    #[test]
    fn of_a_standing_picture_one_frame_is_kept_and_the_last_one_decided_on() {
        let mut recent = Recent::default();
        for ms in 0..50 {
            recent.look(&frame(1, ms), &Reading::Unchanged, &board());
        }
        for ms in 50..90 {
            recent.look(&frame(2, ms), &Reading::Moving, &board());
        }
        let last = frame(2, 100);
        assert_eq!(shades(&recent, &last), [1, 2, 2]);
        let times: Vec<f64> = recent.frames(&last).iter().map(|f| f.frame.at.as_ms()).collect();
        assert_eq!(times, [0.0, 50.0, 100.0]);
    }

    #[test]
    fn a_long_animation_leaves_its_end_and_the_frame_before_it() {
        let mut recent = Recent::default();
        recent.look(&frame(1, 0), &Reading::Unchanged, &board());
        for shade in 2..100u8 {
            recent.look(&frame(shade, u32::from(shade)), &Reading::Moving, &board());
        }
        assert_eq!(
            shades(&recent, &frame(100, 100)),
            [1, 92, 93, 94, 95, 96, 97, 98, 99, 100]
        );
    }

    #[test]
    fn a_doubt_begins_once_however_often_it_is_looked_at() {
        let mut recent = Recent::default();
        let mut look = |reading: &Reading, ms| recent.look(&frame(1, ms), reading, &board());
        assert_eq!(look(&Reading::Unchanged, 0), None);
        assert_eq!(look(&Reading::Lost, 1), Some(Decided::Lost));
        assert_eq!(look(&Reading::Lost, 2), None);
        assert_eq!(look(&Reading::Moving, 3), None, "it is the same doubt still");
        assert_eq!(look(&Reading::Lost, 4), None);
        assert_eq!(look(&Reading::Unchanged, 5), None);
        assert_eq!(look(&Reading::Lost, 6), Some(Decided::Lost));
    }

    #[test]
    fn frames_of_another_place_are_forgotten() {
        let mut recent = Recent::default();
        recent.look(&frame(1, 0), &Reading::Unchanged, &board());
        recent.look(&frame(2, 1), &Reading::Moving, &board().translated(40.0, 0.0));
        assert_eq!(shades(&recent, &frame(3, 2)), [2, 3]);
    }

    #[test]
    fn moments_of_doubt_leave_room_for_what_stops_a_game() {
        let mut budget = Budget::default();
        let moments = (0..100).filter(|_| budget.allows(Decided::Unknown)).count();
        let pauses = (0..100).filter(|_| budget.allows(Decided::Pause)).count();
        assert_eq!((moments as u32, pauses as u32), (MOMENTS, FOLDERS - MOMENTS));
    }
}
