//! How long to wait for an engine, and how much time is left after waiting.

use super::messages::{Go, Limits};
use shakmaty::Color;
use std::time::Duration;

/// How patient a supervisor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// How often a thinking engine is pinged.
    pub ping_every: Duration,
    /// After how many times that long without an answer it counts as frozen. Counted in our own ticks, so that time
    /// in which this process itself did not run is not held against the engine.
    pub patience: u32,
    /// How far past its limits a search may go before it is told to stop.
    pub grace: Duration,
    /// How long it may take to answer after that.
    pub after_stop: Duration,
    /// After how many failures in a row to give up.
    pub failures: u32,
}

impl Default for Policy {
    /// Frozen after 1 to 1.25 s of silence; told to stop 300 ms past its limits, lost 500 ms later; three failures,
    /// with twice the patience each time.
    fn default() -> Policy {
        Policy {
            ping_every: Duration::from_millis(250),
            patience: 4,
            grace: Duration::from_millis(300),
            after_stop: Duration::from_millis(500),
            failures: 3,
        }
    }
}

impl Policy {
    /// The patience with another engine after this number of failures: twice as much each time. If the machine is so
    /// busy that no engine can answer in time, more of the same haste would not help. On a clock that is short there is
    /// none to spare.
    pub(super) fn after(self, failures: u32, clock: Option<Duration>) -> Policy {
        let short = clock.is_some_and(|left| left < SHORT);
        let times = if short { 1 } else { 1 << failures.min(4) };
        Policy {
            patience: self.patience * times,
            grace: self.grace * times,
            after_stop: self.after_stop * times,
            ..self
        }
    }
}

/// With less on the clock than this, another second of patience might lose the game.
const SHORT: Duration = Duration::from_secs(20);

/// After what time a search is told to stop, counted from the question; `None` where no limit of time was given.
///
/// No engine that manages its time should want more than half of what is left on the clock for one move.
pub(super) fn longest(go: &Go, turn: Color, grace: Duration) -> Option<Duration> {
    if go.ponder || go.infinite {
        return None;
    }
    let clock = turn.fold_wb(go.limits.white_ms, go.limits.black_ms);
    let half = clock.map(|left| Duration::from_millis(left / 2));
    let asked = go.limits.move_ms.map(|asked| Duration::from_millis(asked) + grace);
    half.into_iter().chain(asked).min()
}

/// The limits when a part of the time has gone already; something always remains to answer in.
pub(super) fn reduced(limits: Limits, turn: Color, gone: Duration) -> Limits {
    /// A quick look, in ms.
    const LEAST: u64 = 100;
    let gone = u64::try_from(gone.as_millis()).unwrap_or(u64::MAX);
    let less = |time: Option<u64>| time.map(|time| time.saturating_sub(gone).max(time.min(LEAST)));
    let mut limits = Limits {
        move_ms: less(limits.move_ms),
        ..limits
    };
    match turn {
        Color::White => limits.white_ms = less(limits.white_ms),
        Color::Black => limits.black_ms = less(limits.black_ms),
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(limits: Limits) -> Go {
        Go {
            id: 1,
            fen: String::new(),
            moves: vec![],
            limits,
            ..Go::default()
        }
    }

    #[test]
    fn the_nearer_limit_of_time_decides_when_to_stop() {
        let grace = Duration::from_millis(300);
        let clocks = Limits {
            white_ms: Some(60_000),
            black_ms: Some(1_000),
            ..Limits::default()
        };
        assert_eq!(longest(&go(clocks), Color::White, grace), Some(Duration::from_secs(30)));
        assert_eq!(
            longest(&go(clocks), Color::Black, grace),
            Some(Duration::from_millis(500))
        );
        let both = Limits {
            move_ms: Some(1_000),
            ..clocks
        };
        assert_eq!(
            longest(&go(both), Color::White, grace),
            Some(Duration::from_millis(1_300))
        );
        assert_eq!(
            longest(&go(both), Color::Black, grace),
            Some(Duration::from_millis(500))
        );
        assert_eq!(
            longest(
                &go(Limits {
                    depth: Some(9),
                    ..Limits::default()
                }),
                Color::White,
                grace
            ),
            None
        );
        assert_eq!(
            longest(
                &Go {
                    ponder: true,
                    ..go(both)
                },
                Color::White,
                grace
            ),
            None
        );
        assert_eq!(
            longest(
                &Go {
                    infinite: true,
                    ..go(both)
                },
                Color::White,
                grace
            ),
            None
        );
    }

    #[test]
    fn patience_grows_with_the_failures() {
        let policy = Policy::default();
        assert_eq!(policy.after(0, None), policy);
        let minute = Some(Duration::from_secs(60));
        let twice = policy.after(1, minute);
        assert_eq!(twice.grace, Duration::from_millis(600));
        assert_eq!(twice.after_stop, Duration::from_secs(1));
        assert_eq!(twice.patience, 8);
        assert_eq!(policy.after(2, None).grace, Duration::from_millis(1_200));
        assert_eq!(policy.after(2, None).failures, policy.failures);
        assert_eq!(policy.after(2, Some(Duration::from_secs(3))), policy, "no time for it");
    }

    #[test]
    fn time_that_is_gone_is_taken_from_the_side_to_move_only() {
        let limits = Limits {
            white_ms: Some(5_000),
            black_ms: Some(5_000),
            white_inc_ms: Some(10),
            move_ms: Some(1_000),
            ..Limits::default()
        };
        let after = reduced(limits, Color::White, Duration::from_millis(600));
        assert_eq!(
            after,
            Limits {
                white_ms: Some(4_400),
                move_ms: Some(400),
                ..limits
            }
        );
        let late = reduced(limits, Color::Black, Duration::from_secs(60));
        assert_eq!(
            late,
            Limits {
                black_ms: Some(100),
                move_ms: Some(100),
                ..limits
            }
        );
        let short = Limits {
            move_ms: Some(20),
            ..Limits::default()
        };
        assert_eq!(
            reduced(short, Color::White, Duration::from_secs(60)),
            short,
            "never more than was asked"
        );
    }
}
