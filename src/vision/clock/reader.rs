//! Both clocks over a game: digits are learned, and what is read is believed if it agrees with what the clock showed
//! before.

use super::digits::{ClockTime, Digits};
use super::learner::Learner;
use super::line::Line;
use std::time::Duration;
use torres_frame::Timestamp;

/// How much later than it ran a clock may be drawn.
const LATE: Duration = Duration::from_millis(1200);
/// How many looks must agree on a time that does not follow from what was shown before.
const AGREED: u32 = 3;

/// Reads the two clocks of a game.
#[derive(Clone, Debug, Default)]
pub struct ClockReader {
    digits: Option<Digits>,
    learner: Learner,
    believed: [Option<(ClockTime, Timestamp)>; 2],
    /// What was read last: the same line shows the same.
    last: [Option<(Line, Option<ClockTime>)>; 2],
    /// What was read but did not follow, since when, and in how many looks.
    surprising: [Option<(ClockTime, Timestamp, u32)>; 2],
}

impl ClockReader {
    /// Reads with the digits that are known from games before, if any.
    pub fn new(digits: Option<Digits>) -> ClockReader {
        ClockReader {
            digits,
            ..ClockReader::default()
        }
    }

    /// The digits, once they are known.
    pub fn digits(&self) -> Option<&Digits> {
        self.digits.as_ref()
    }

    /// What one of the two clocks shows at a moment; `None` where that is not certain. `runs` is whether it should be
    /// running, `increment` what a move adds to it.
    pub fn look(
        &mut self,
        clock: usize,
        line: Option<&Line>,
        at: Timestamp,
        (runs, increment): (bool, Duration),
    ) -> Option<ClockTime> {
        if self.digits.is_none() {
            self.learner.saw(clock, line, at, (runs, !increment.is_zero()));
            self.digits = self.learner.digits();
        }
        let line = line?;
        let shown = match self.last.get(clock)? {
            Some((last, shown)) if last == line => *shown,
            _ => {
                let shown = self.digits.as_ref()?.read(line);
                self.last[clock] = Some((line.clone(), shown));
                shown
            }
        }?;
        let follows = |before: &ClockTime, since: Duration| {
            shown.left <= before.left + increment + before.step && shown.left + since + LATE >= before.left
        };
        let is_expected = match self.believed.get(clock)? {
            Some((before, then)) => follows(before, at.since(*then)),
            // It agrees with what was shown before.
            None => true,
        };
        if is_expected {
            self.surprising[clock] = None;
            self.believed[clock] = Some((shown, at));
            return Some(shown);
        }
        let looks = match &self.surprising[clock] {
            Some((before, then, looks)) if follows(before, at.since(*then)) => looks + 1,
            _ => 1,
        };
        self.surprising[clock] = Some((shown, at, looks));
        if looks < AGREED {
            return None;
        }
        self.surprising[clock] = None;
        self.believed[clock] = Some((shown, at));
        Some(shown)
    }

    /// Forgets the times: they belong to another game. The digits stay known.
    pub fn new_game(&mut self) {
        self.believed = [None, None];
        self.surprising = [None, None];
        self.learner = Learner::default();
        self.last = [None, None];
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::{Mark, SIDE, Shape};
    use super::*;

    /// A digit in a type that has nothing in common between two of them.
    fn shape(digit: u8) -> Shape {
        let mut cells = [0; SIDE * SIDE];
        let from = usize::from(digit) * 24;
        cells[from..from + 20].fill(255);
        Shape(Box::new(cells))
    }

    /// A line such as `1:05` or `0:09.9`.
    fn line(text: &str) -> Line {
        let mark = |c: char| match c {
            ':' => Mark::Colon,
            '.' => Mark::Point,
            digit => Mark::Digit(shape(digit as u8 - b'0')),
        };
        Line {
            marks: text.chars().map(mark).collect(),
            place: (0, 0, 40, 10),
        }
    }

    fn at(ms: u64) -> Timestamp {
        Timestamp(Duration::from_secs(1000) + Duration::from_millis(ms))
    }

    fn knowing() -> ClockReader {
        ClockReader::new(Digits::new(std::array::from_fn(|digit| vec![shape(digit as u8)])))
    }

    /// What it makes of looks at one clock, by the ms of each; `None` where it says nothing.
    fn looks(reader: &mut ClockReader, increment: u64, looks: &[(u64, &str)]) -> Vec<Option<u64>> {
        let running = (true, Duration::from_secs(increment));
        let mut look = |&(ms, text): &(u64, &str)| {
            let shown = reader.look(0, Some(&line(text)), at(ms), running);
            shown.map(|shown| shown.left.as_millis() as u64)
        };
        looks.iter().map(&mut look).collect()
    }

    #[test]
    fn a_clock_counts_down_and_gains_its_increment() {
        let mut reader = knowing();
        let begins = [(0, "5:00"), (100, "5:00"), (200, "5:00")];
        assert_eq!(looks(&mut reader, 3, &begins), [Some(300_000); 3]);
        let goes_on = [(900, "4:59"), (5_000, "4:55"), (5_100, "4:58"), (60_000, "4:03")];
        let read = [299_000, 295_000, 298_000, 243_000].map(Some);
        assert_eq!(looks(&mut reader, 3, &goes_on), read);
    }

    #[test]
    fn what_does_not_follow_is_believed_only_when_it_stays() {
        let mut reader = knowing();
        looks(&mut reader, 0, &[(0, "5:00"), (100, "5:00"), (200, "5:00")]);
        // One look is misread; then the opponent gives fifteen seconds.
        let odd = [
            (300, "0:12"),
            (400, "4:59"),
            (500, "5:14"),
            (600, "5:14"),
            (700, "5:14"),
            (800, "5:13"),
        ];
        let read = [None, Some(299_000), None, None, Some(314_000), Some(313_000)];
        assert_eq!(looks(&mut reader, 0, &odd), read);
    }

    #[test]
    fn tenths_hours_and_what_is_no_time() {
        let digits = knowing().digits.expect("digits that differ");
        let read = |text: &str| {
            digits
                .read(&line(text))
                .map(|shown| (shown.left.as_millis(), shown.step.as_millis()))
        };
        assert_eq!(read("0:09.4"), Some((9_400, 100)));
        assert_eq!(read("00:04.9"), Some((4_900, 100)));
        assert_eq!(read("1:00:01"), Some((3_601_000, 1_000)));
        for other in ["1:60", "1:5", "12", "1:61:00", "1:00:00:00", "1.05"] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn digits_are_learned_from_ticks_whatever_is_added_between_them() {
        let mut reader = ClockReader::default();
        // Three seconds a move, and seven are added to those that are left.
        let (mut ms, mut ran) = (0, 0);
        for moves in 0..12 {
            let mut look = |ms: u64, ran: u64, runs| {
                let left = 300 + 7 * moves - ran / 1000;
                let text = format!("{}:{:02}", left / 60, left % 60);
                reader.look(0, Some(&line(&text)), at(ms), (runs, Duration::from_secs(7)));
            };
            for _ in 0..12 {
                look(ms, ran, true);
                (ms, ran) = (ms + 250, ran + 250);
            }
            look(ms, ran, false);
            ms += 370;
        }
        let digits = reader.digits().expect("learned");
        for digit in 0..10 {
            assert_eq!(digits.digit(&shape(digit)), Some(digit));
        }
    }

    #[test]
    fn a_clock_that_jumps_about_teaches_nothing() {
        let mut reader = ClockReader::default();
        let mut seed = 7u64;
        for look in 0..400 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let text = format!("{}:{:02}", (seed >> 33) % 10, (seed >> 40) % 60);
            reader.look(0, Some(&line(&text)), at(250 * look), (true, Duration::ZERO));
        }
        assert!(reader.digits().is_none());
    }
}
