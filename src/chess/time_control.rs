//! How a game is timed, in the words of the command line and the pages: `15+10`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Time at the start and time gained with each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Time at the start.
    pub initial: Duration,
    /// Time gained with each move.
    pub increment: Duration,
}

impl TimeControl {
    /// 15+10, where nothing else is said.
    pub const RAPID: TimeControl = TimeControl {
        initial: Duration::from_secs(15 * 60),
        increment: Duration::from_secs(10),
    };
}

impl Default for TimeControl {
    fn default() -> TimeControl {
        TimeControl::RAPID
    }
}

impl fmt::Display for TimeControl {
    /// `15+10`: minutes and seconds, as it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minutes = self.initial.as_secs_f64() / 60.0;
        write!(f, "{minutes}+{}", self.increment.as_secs_f64())
    }
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeControl, String> {
        let wrong = || format!("'{text}' is not MINUTES+SECONDS, such as 15+10; there must be time for a first move");
        let (minutes, seconds) = text.split_once('+').ok_or_else(wrong)?;
        let minutes: f64 = minutes.parse().map_err(|_| wrong())?;
        let seconds: f64 = seconds.parse().map_err(|_| wrong())?;
        if !(0.0..=600.0).contains(&minutes) || !(0.0..=600.0).contains(&seconds) {
            return Err(wrong());
        }
        let control = TimeControl {
            initial: Duration::from_secs_f64(minutes * 60.0),
            increment: Duration::from_secs_f64(seconds),
        };
        // The engine is told whole milliseconds.
        (control.initial >= Duration::from_millis(1))
            .then_some(control)
            .ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_control_is_minutes_plus_seconds() {
        let control: TimeControl = "15+10".parse().unwrap();
        assert_eq!(control.initial, Duration::from_secs(900));
        assert_eq!(control.increment, Duration::from_secs(10));
        assert_eq!(control.to_string(), "15+10");
        assert_eq!("0.5+0".parse::<TimeControl>().unwrap().to_string(), "0.5+0");
        for wrong in ["15", "+", "-1+0", "0+0", "0+5", "1e-9+5", "NaN+0", "15+x", "1e9+0"] {
            assert!(wrong.parse::<TimeControl>().is_err(), "{wrong}");
        }
    }
}
