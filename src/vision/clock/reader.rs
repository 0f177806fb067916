//! Both clocks over a game: digits are learned, and what is read is believed if it agrees with what the clock showed
//! before.

use super::digits::{ClockTime, Digits};
use super::learner::{Learner, Turn};
use super::text::ClockText;
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
    last: [Option<(ClockText, Option<ClockTime>)>; 2],
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

    /// What one of the two clocks shows at a moment; `None` where that is not certain.
    pub fn look(&mut self, clock: usize, line: Option<&ClockText>, at: Timestamp, turn: Turn) -> Option<ClockTime> {
        if self.digits.is_none() {
            self.learner.saw(clock, line, at, turn);
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
            shown.left <= before.left + turn.increment + before.step && shown.left + since + LATE >= before.left
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
    use super::super::text::{Mark, SIDE, Shape};
    use super::*;

    /// A digit in a type that has nothing in common between two of them.
    fn shape(digit: u8) -> Shape {
        let mut cells = [0; SIDE * SIDE];
        let from = usize::from(digit) * 24;
        cells[from..from + 20].fill(255);
        Shape(Box::new(cells))
    }

    /// A line such as `1:05` or `0:09.9`.
    fn line(text: &str) -> ClockText {
        let mark = |c: char| match c {
            ':' => Mark::Colon,
            '.' => Mark::Point,
            digit => Mark::Digit(shape(digit as u8 - b'0')),
        };
        ClockText {
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

    /// One's own turn, or none.
    fn turn(runs: bool, increment: u64, moves: u32) -> Turn {
        Turn {
            runs,
            increment: Duration::from_secs(increment),
            moves,
            is_prompt: false,
        }
    }

    /// What it makes of looks at one clock, by the ms of each; `None` where it says nothing.
    fn looks(reader: &mut ClockReader, increment: u64, looks: &[(u64, &str)]) -> Vec<Option<u64>> {
        let running = turn(true, increment, 0);
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
                reader.look(0, Some(&line(&text)), at(ms), turn(runs, 7, 0));
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

    /// The clock of a side that moves after 1.3 s and gains two seconds with each move. `known_after` is how long after a
    /// move it is known, in ms.
    fn quick_game(reader: &mut ClockReader, moves: u32, known_after: u64) {
        // In ms: what is left, and the time of the game.
        let (mut left, mut now) = (180_000u64, 0);
        let mut look = |left: u64, now: u64, known: u32, runs| {
            let text = format!("{}:{:02}", left / 60_000, left / 1000 % 60);
            let turn = Turn {
                is_prompt: true,
                ..turn(runs, 2, known)
            };
            reader.look(0, Some(&line(&text)), at(now), turn);
        };
        for known in 0..moves {
            for _ in 0..26 {
                look(left, now, known, true);
                (left, now) = (left - 50, now + 50);
            }
            left += 2000;
            for since in (0..1000).step_by(50) {
                let is_known = since >= known_after;
                look(left, now, known + u32::from(is_known), !is_known);
                now += 50;
            }
        }
    }

    #[test]
    fn a_change_that_no_move_follows_is_a_tick() {
        let mut reader = ClockReader::default();
        quick_game(&mut reader, 60, 300);
        let digits = reader.digits().expect("learned");
        for digit in 0..10 {
            assert_eq!(digits.digit(&shape(digit)), Some(digit));
        }
    }

    #[test]
    fn what_moves_add_is_no_tick_where_they_are_known_late() {
        let mut reader = ClockReader::default();
        quick_game(&mut reader, 200, 750);
        let digits = reader.digits();
        assert!(digits.is_none_or(|digits| (0..10).all(|digit| digits.digit(&shape(digit)) == Some(digit))));
    }

    #[test]
    fn seconds_before_tenths_teach_digits_too() {
        let mut reader = ClockReader::default();
        for look in 0..400 {
            let left = 60_000 - 50 * look;
            let text = format!("{}:{:02}.{}", left / 60_000, left / 1000 % 60, left / 100 % 10);
            reader.look(0, Some(&line(&text)), at(50 * look), turn(true, 0, 0));
        }
        assert!(reader.digits().is_some());
    }

    #[test]
    fn a_clock_that_jumps_about_teaches_nothing() {
        let mut reader = ClockReader::default();
        let mut seed = 7u64;
        for look in 0..400 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let text = format!("{}:{:02}", (seed >> 33) % 10, (seed >> 40) % 60);
            reader.look(0, Some(&line(&text)), at(250 * look), turn(true, 0, 0));
        }
        assert!(reader.digits().is_none());
    }
}
