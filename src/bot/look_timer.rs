//! When to look at the board: when something was drawn on it, and otherwise as seldom as what is waited for allows.
//!
//! Where changes are reported, a look follows each report at once, and without one there is a look now and then:
//! waiting for a resting board costs next to nothing. Where they are not, the board is looked at every [`LOOK_EVERY`].
//! That reports come is not taken for granted: changes that were found without one end the trust in them.

use image::RgbaImage;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use torres_frame::{Changes, Frame, FrameSource, Timestamp};
use torres_geometry::DesktopRect;

/// Time between two looks where changes are not reported, and while what is seen becomes clear with time alone.
pub const LOOK_EVERY: Duration = Duration::from_millis(8);
/// Time between two looks at a board of which something is expected: our own move, or that it comes back.
const EXPECTANT: Duration = Duration::from_millis(25);
/// Time between two looks at a board that rests, changes being reported: in case one is not, and for the clock's sake.
const RESTING: Duration = Duration::from_millis(500);
/// Reports do not make looks follow each other more closely: a program that draws in many small steps makes many
/// reports.
const APART: Duration = Duration::from_millis(4);
/// How much later than the change is seen a report may come.
const REPORT_LATE: Duration = Duration::from_millis(100);
/// Changes found without a report, one after the other, until reports are not relied on any more.
const MISSED: u32 = 3;

/// How soon to look again if no change is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// The answer hangs on how long the picture stands.
    Quick,
    /// Something is expected.
    Expectant,
    /// Nothing is expected but a change.
    Resting,
}

/// The timer of whoever watches a board.
#[derive(Debug)]
pub struct LookTimer {
    changes: Option<Changes>,
    due: Instant,
    /// Not before, whatever is reported.
    earliest: Instant,
    /// A report came that no look has followed yet.
    reported: bool,
    /// Whether the last look was made because of a report.
    by_report: bool,
    pace: Pace,
    /// When a change was found without a report, and how many reports there had been.
    suspect: Option<(Instant, u64)>,
    missed: u32,
}

impl LookTimer {
    /// Wakes by what a source reports of a region, if it does; the first look is due at once.
    pub fn new(source: &impl FrameSource, region: DesktopRect) -> LookTimer {
        let now = Instant::now();
        LookTimer {
            changes: source.changes(region),
            due: now,
            earliest: now,
            reported: false,
            by_report: false,
            pace: Pace::Quick,
            suspect: None,
            missed: 0,
        }
    }

    /// Waits until it is time to look. Dropping the future loses nothing.
    pub async fn next(&mut self) {
        if !self.reported
            && let Some(changes) = &mut self.changes
        {
            let told = tokio::select! {
                told = changes.next() => Some(told),
                () = tokio::time::sleep_until(self.due) => None,
            };
            match told {
                Some(true) => self.reported = true,
                Some(false) => self.changes = None,
                None => {}
            }
        }
        tokio::time::sleep_until(self.until()).await;
    }

    /// When it is time to look, by what is known now.
    fn until(&self) -> Instant {
        if self.reported {
            self.earliest.min(self.due)
        } else {
            self.due
        }
    }

    /// To be called right before a look: what was reported until now, it will see.
    pub fn looking_at(&mut self, region: DesktopRect) {
        self.by_report = std::mem::take(&mut self.reported);
        if let Some(changes) = &mut self.changes {
            changes.watch(region);
            changes.forget();
        }
    }

    /// Takes whether the look showed a change, and how soon to look again. Returns true when reports are given up,
    /// since changes come without them.
    pub fn looked(&mut self, changed: bool, pace: Pace, now: Instant) -> bool {
        let given_up = self.is_let_down(changed, now);
        if given_up {
            self.changes = None;
        }
        self.pace = pace;
        let rest = match (&self.changes, pace) {
            (None, _) | (_, Pace::Quick) => LOOK_EVERY,
            (_, Pace::Expectant) => EXPECTANT,
            (_, Pace::Resting) => RESTING,
        };
        self.due = now + rest;
        self.earliest = now + APART;
        given_up
    }

    /// Looks again at once, as after a gesture.
    pub fn hurry(&mut self) {
        self.due = Instant::now();
        self.pace = Pace::Quick;
    }

    /// Whether changes are found on a resting board again and again that nobody reports.
    fn is_let_down(&mut self, changed: bool, now: Instant) -> bool {
        let Some(changes) = &self.changes else { return false };
        let count = changes.count();
        if let Some((since, before)) = self.suspect
            && now >= since + REPORT_LATE
        {
            self.missed = if count == before { self.missed + 1 } else { 0 };
            self.suspect = None;
        }
        if changed {
            if self.by_report {
                self.missed = 0;
            } else if self.pace == Pace::Resting {
                self.suspect.get_or_insert((now, count));
            }
        }
        self.missed >= MISSED
    }
}

/// A picture that stood still for this long is at rest: no animation pauses as long.
const AT_REST: Duration = Duration::from_millis(600);

/// How long the picture stands still, for whoever looks at it without vision.
#[derive(Clone, Debug, Default)]
pub struct Stillness {
    last: Option<(Arc<RgbaImage>, Timestamp)>,
}

impl Stillness {
    /// Takes the next frame; says whether it differs from the one before.
    pub fn take(&mut self, frame: &Frame) -> bool {
        let changed = self.last.as_ref().is_none_or(|(image, _)| *image != frame.image);
        if changed {
            self.last = Some((frame.image.clone(), frame.at));
        }
        changed
    }

    /// How long the picture has stood at a time.
    pub fn lasts(&self, now: Timestamp) -> Duration {
        self.last
            .as_ref()
            .map_or(Duration::ZERO, |(_, since)| now.since(*since))
    }

    /// How soon to look again, changes aside: a picture that stands is at rest after a while.
    pub fn pace(&self, now: Timestamp) -> Pace {
        if self.lasts(now) >= AT_REST {
            Pace::Resting
        } else {
            Pace::Quick
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use std::sync::Mutex;
    use torres_frame::{FrameError, Reporter};
    use torres_geometry::DesktopPx;

    const BOARD: DesktopRect = DesktopRect {
        x: 10,
        y: 10,
        width: 80,
        height: 80,
    };

    /// A screen that shows nothing, and reports changes if there is a reporter.
    struct Screen(Mutex<Option<Changes>>);

    impl FrameSource for Screen {
        fn next_frame(&mut self) -> Result<Frame, FrameError> {
            Err(FrameError::Ended)
        }

        fn changes(&self, _region: DesktopRect) -> Option<Changes> {
            self.0.lock().unwrap().take()
        }
    }

    /// A board being looked at, and the time there.
    struct Vigil {
        timer: LookTimer,
        now: Instant,
        runtime: tokio::runtime::Runtime,
    }

    impl Vigil {
        fn new(changes: Option<Changes>) -> Vigil {
            let mut runtime = tokio::runtime::Builder::new_current_thread();
            Vigil {
                timer: LookTimer::new(&Screen(Mutex::new(changes)), BOARD),
                now: Instant::now(),
                runtime: runtime.enable_time().build().unwrap(),
            }
        }

        fn reporting() -> (Reporter, Vigil) {
            let (reporter, changes) = Changes::within(BOARD);
            (reporter, Vigil::new(Some(changes)))
        }

        /// The next look when it is time for it: after how long, and whether reports are given up because of it.
        fn look(&mut self, changed: bool, pace: Pace) -> (Duration, bool) {
            {
                let _timers = self.runtime.enter();
                let _ = self.timer.next().now_or_never();
            }
            let waited = self.timer.until().saturating_duration_since(self.now);
            self.now += waited;
            self.timer.looking_at(BOARD);
            (waited, self.timer.looked(changed, pace, self.now))
        }

        fn rests(&mut self) -> Duration {
            self.look(false, Pace::Resting).0
        }
    }

    #[test]
    fn a_resting_board_is_looked_at_seldom_and_after_each_report_at_once() {
        let (reporter, mut vigil) = Vigil::reporting();
        assert_eq!(vigil.rests(), Duration::ZERO);
        assert_eq!(vigil.rests(), RESTING);
        reporter.drawn([BOARD]);
        assert_eq!(vigil.look(true, Pace::Quick).0, APART);
        // It moves: looked at again soon, report or not.
        assert_eq!(vigil.rests(), LOOK_EVERY);
        assert_eq!(vigil.rests(), RESTING);
    }

    #[test]
    fn a_screen_that_does_not_report_is_looked_at_all_the_time() {
        let mut vigil = Vigil::new(None);
        vigil.rests();
        assert_eq!(vigil.rests(), LOOK_EVERY);
    }

    #[test]
    fn when_reports_end_the_board_is_looked_at_all_the_time() {
        let (reporter, mut vigil) = Vigil::reporting();
        vigil.rests();
        drop(reporter);
        vigil.rests();
        assert_eq!(vigil.rests(), LOOK_EVERY);
    }

    #[test]
    fn changes_found_without_reports_end_the_trust_in_them() {
        let (_reporter, mut vigil) = Vigil::reporting();
        let mut changes = 0;
        loop {
            vigil.rests();
            vigil.rests();
            changes += 1;
            if vigil.look(true, Pace::Resting).1 || vigil.look(false, Pace::Resting).1 {
                break;
            }
            assert!(changes < 10, "still relied on");
        }
        assert!(changes > 1, "given up at the first doubt");
        assert_eq!(vigil.rests(), LOOK_EVERY);
    }

    #[test]
    fn a_report_that_comes_a_little_late_is_one() {
        let (reporter, mut vigil) = Vigil::reporting();
        for _ in 0..10 {
            vigil.rests();
            assert!(!vigil.look(true, Pace::Resting).1);
            reporter.drawn([BOARD]);
        }
        vigil.rests();
        assert_eq!(vigil.rests(), RESTING);
    }

    #[test]
    fn a_picture_is_looked_at_quickly_until_it_has_stood_for_a_while() {
        let frame = |shade: u8, ms: f64| Frame {
            image: RgbaImage::from_pixel(4, 4, image::Rgba([shade, 0, 0, 255])).into(),
            at: Timestamp::from_ms(ms),
            origin: DesktopPx::default(),
        };
        let mut stillness = Stillness::default();
        let mut look = |shade, ms| {
            let changed = stillness.take(&frame(shade, ms));
            (changed, stillness.pace(Timestamp::from_ms(ms)))
        };
        assert_eq!(look(1, 0.0), (true, Pace::Quick));
        assert_eq!(look(1, 599.0), (false, Pace::Quick));
        assert_eq!(look(1, 600.0), (false, Pace::Resting));
        assert_eq!(look(2, 5000.0), (true, Pace::Quick));
        assert_eq!(look(2, 5599.0), (false, Pace::Quick));
    }
}
