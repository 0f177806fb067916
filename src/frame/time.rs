//! Two clocks that are never mixed: moments are compared with each other, the wall clock's time is written down for
//! people.
//!
//! The wall clock may be set at any time, by its user or by the network, so that no game, patience or animation may
//! hang on it. [`Clocks::wall`] is the only way from a moment to a time of day, and there is no way back.

use serde::{Deserialize, Serialize};
use std::ops::Add;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A moment on a line that nobody can set: time since the machine was started, its sleep counted. In a recording, time
/// since its first frame.
///
/// It is no time of day and cannot be written down as one:
///
/// ```compile_fail
/// use torres_frame::{Timestamp, WallTime};
/// let ended = Timestamp::now() < WallTime::now();
/// ```
///
/// ```compile_fail
/// let text = serde_json::to_string(&torres_frame::Timestamp::now());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(pub Duration);

impl Timestamp {
    /// Now.
    pub fn now() -> Timestamp {
        Timestamp(since_the_start())
    }

    /// Time passed since an earlier moment; zero if that moment is later.
    pub fn since(self, earlier: Timestamp) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// Milliseconds since the line's beginning, with fractions.
    pub fn as_ms(self) -> f64 {
        self.0.as_secs_f64() * 1e3
    }

    /// The moment that many milliseconds after the line's beginning; the beginning where no clock has such a time.
    pub fn from_ms(ms: f64) -> Timestamp {
        Timestamp(Duration::try_from_secs_f64(ms / 1e3).unwrap_or_default())
    }
}

impl Add<Duration> for Timestamp {
    type Output = Timestamp;

    fn add(self, later: Duration) -> Timestamp {
        Timestamp(self.0.saturating_add(later))
    }
}

/// Time since the machine was started, by the clock that goes on while it sleeps: `Instant`'s stands still then.
#[cfg(target_os = "linux")]
fn since_the_start() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    Duration::try_from(time).unwrap_or_default()
}

/// Time since this process first asked, and a day before that: what began at [`Timestamp::default`] is long ago, as it
/// is on Linux.
#[cfg(not(target_os = "linux"))]
fn since_the_start() -> Duration {
    static FIRST: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    const DAY: Duration = Duration::from_secs(86_400);
    DAY + FIRST.get_or_init(std::time::Instant::now).elapsed()
}

/// Which start of the machine moments count from; `None` where the system does not say, or a moment counts from the
/// process' own start.
pub fn boot_id() -> Option<String> {
    if cfg!(not(target_os = "linux")) {
        return None;
    }
    let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(text.trim().to_owned()).filter(|id| !id.is_empty())
}

/// The wall clock's time, as Unix time in ms with fractions, for the journal and other files. It may be set: of two of
/// them, the later one need not be the greater.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WallTime(f64);

impl WallTime {
    /// What the wall clock shows now, to the microsecond.
    pub fn now() -> WallTime {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        WallTime(to_the_microsecond(since.as_secs_f64() * 1e3))
    }

    /// The time of day of a moment, as the wall clock goes now.
    pub fn of(at: Timestamp) -> WallTime {
        Clocks::now().wall(at)
    }

    /// Unix time in ms.
    pub fn as_ms(self) -> f64 {
        self.0
    }

    /// That Unix time in ms.
    pub const fn from_ms(ms: f64) -> WallTime {
        WallTime(ms)
    }

    /// What the wall clock went forward since it showed an earlier time: what passed, if nobody set it. Zero if it went
    /// back.
    pub fn since(self, earlier: WallTime) -> Duration {
        Duration::try_from_secs_f64((self.0 - earlier.0) / 1e3).unwrap_or_default()
    }
}

impl Add<Duration> for WallTime {
    type Output = WallTime;

    fn add(self, later: Duration) -> WallTime {
        WallTime(self.0 + later.as_secs_f64() * 1e3)
    }
}

fn to_the_microsecond(ms: f64) -> f64 {
    (ms * 1e3).round() / 1e3
}

/// Both clocks, read together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clocks {
    /// The moment.
    pub moment: Timestamp,
    /// What the wall clock showed at it.
    pub wall: WallTime,
}

/// Readings of the two clocks that lie further apart are made again: this thread was interrupted between them.
const TOGETHER: Duration = Duration::from_micros(20);

impl Clocks {
    /// What both show now.
    pub fn now() -> Clocks {
        let mut read = Clocks::read();
        for _ in 0..4 {
            if read.1 <= TOGETHER {
                break;
            }
            read = Clocks::read();
        }
        read.0
    }

    /// Both clocks, and how far apart they may have been read.
    fn read() -> (Clocks, Duration) {
        let (before, wall, after) = (Timestamp::now(), WallTime::now(), Timestamp::now());
        let apart = after.since(before);
        let moment = before + apart / 2;
        (Clocks { moment, wall }, apart)
    }

    /// The time of day of another moment, as the wall clock goes now: had it been set in between, this is what it would
    /// have shown then. So times that one reading gives are as far apart as the moments are.
    pub fn wall(&self, at: Timestamp) -> WallTime {
        WallTime(to_the_microsecond(self.wall.0 + (at.as_ms() - self.moment.as_ms())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_reading_gives_times_that_are_as_far_apart_as_the_moments() {
        let moment = Timestamp::from_ms(5_000.0);
        let clocks = |wall| Clocks {
            moment,
            wall: WallTime::from_ms(wall),
        };
        let read = clocks(1_700_000_000_123.4);
        assert_eq!(read.wall(moment).as_ms(), 1_700_000_000_123.4);
        assert_eq!(read.wall(Timestamp::from_ms(4_000.5)).as_ms(), 1_699_999_999_123.9);
        assert_eq!(read.wall(Timestamp::from_ms(5_001.0)).as_ms(), 1_700_000_000_124.4);
        // Set forward by an hour meanwhile: a moment from before is told by the clock of now.
        let later = clocks(1_700_003_600_123.4);
        assert_eq!(
            later
                .wall(moment)
                .since(later.wall(Timestamp::from_ms(4_000.0)))
                .as_millis(),
            1_000
        );
    }

    #[test]
    fn moments_go_forward_and_both_clocks_are_read_together() {
        let before = Timestamp::now();
        let read = Clocks::now();
        let after = Timestamp::now();
        assert!(before <= read.moment && read.moment <= after);
        assert!(after.since(before) < Duration::from_secs(60), "{before:?} {after:?}");
        let system = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let apart = (system.as_secs_f64() * 1e3 - read.wall.as_ms()).abs();
        assert!(apart < 60_000.0, "the wall clock is Unix time in ms, {apart} ms off");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_moment_is_the_machines_time_since_it_was_started_sleep_counted() {
        // /proc/uptime is the same clock, told by the kernel in another way.
        let uptime = || -> f64 {
            let text = std::fs::read_to_string("/proc/uptime").unwrap();
            text.split(' ').next().unwrap().parse().unwrap()
        };
        let (before, now, after) = (uptime(), Timestamp::now().0.as_secs_f64(), uptime());
        assert!(before - 0.02 <= now && now <= after + 0.02, "{before} {now} {after}");
        assert_eq!(boot_id(), boot_id());
        assert_eq!(boot_id().map(|id| id.len()), Some(36), "{:?}", boot_id());
    }

    #[test]
    fn a_clock_that_was_set_back_has_not_gone_forward() {
        let (early, late) = (WallTime::from_ms(1_000.0), WallTime::from_ms(4_600_000.0));
        assert_eq!(early.since(late), Duration::ZERO);
        assert_eq!(late.since(early).as_millis(), 4_599_000);
        assert_eq!((early + Duration::from_millis(3)).as_ms(), 1_003.0);
    }

    #[test]
    fn a_time_of_day_is_a_number_in_files_and_reads_back_to_the_last_bit() {
        let written = serde_json::to_string(&WallTime::from_ms(1_700_000_000_123.457)).unwrap();
        assert_eq!(written, "1700000000123.457");
        let read: WallTime = serde_json::from_str(&written).unwrap();
        assert_eq!(read.as_ms(), 1_700_000_000_123.457);
    }
}
