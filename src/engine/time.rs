//! How long to think about a move: a pure function of the clock.

use super::Clock;
use std::time::Duration;

/// Time kept back for what happens outside the search: reading the command, writing the answer, the other side's clock.
const OVERHEAD: Duration = Duration::from_millis(30);
/// With less time than the overhead, this part of it may still be used.
const LAST_RESORT: f64 = 0.25;
/// Moves the game is planned to last, when the clock is for the rest of the game.
const MOVES_AHEAD: u32 = 24;
/// More moves than this are not planned for, whatever the clock's period.
const MOST_MOVES_AHEAD: u32 = 40;
/// Part of the increment that is spent with each move.
const INCREMENT_SHARE: f64 = 0.75;
/// A search may take so many times its planned time before it is cut off.
const OVERRUN: f64 = 4.0;
/// No single move takes more than this part of what is left.
const LARGEST_SHARE: f64 = 0.5;

/// How long a search may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// After this no new iteration is begun, when nothing speaks for longer or shorter thought.
    pub(super) planned: Duration,
    /// At this the search is cut off.
    pub(super) most: Duration,
}

/// The budget for the next move of a side with this clock.
pub(super) fn allocate(clock: Clock, moves_to_go: Option<u32>) -> Budget {
    let usable = clock
        .remaining
        .saturating_sub(OVERHEAD)
        .max(clock.remaining.mul_f64(LAST_RESORT));
    let moves = moves_to_go.unwrap_or(MOVES_AHEAD).clamp(1, MOST_MOVES_AHEAD);
    let share = usable / moves + clock.increment.mul_f64(INCREMENT_SHARE);
    let largest = usable.mul_f64(LARGEST_SHARE);
    Budget {
        planned: share.min(largest),
        most: share.mul_f64(OVERRUN).min(largest),
    }
}

/// How the planned time is stretched or shortened, from how the search went: for how many iterations in a row the
/// best move has been the same, and how far its value (centipawns) has fallen since the iteration before.
pub(super) fn stretch(stable_iterations: u32, fall: i32) -> f64 {
    // A move that stays the best for four iterations is probably the one.
    let stability = [1.6, 1.25, 1.0, 0.85, 0.7][stable_iterations.min(4) as usize];
    // Trouble is worth up to half as much time again.
    let trouble = 1.0 + f64::from(fall.clamp(0, 50)) / 100.0;
    stability * trouble
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn clock(remaining_ms: u64, increment_ms: u64) -> Clock {
        Clock {
            remaining: Duration::from_millis(remaining_ms),
            increment: Duration::from_millis(increment_ms),
        }
    }

    proptest! {
        #[test]
        fn a_move_never_takes_what_the_clock_does_not_have(
            remaining in 1u64..100_000_000, increment in 0u64..1_000_000, moves in proptest::option::of(0u32..1000)
        ) {
            let budget = allocate(clock(remaining, increment), moves);
            prop_assert!(budget.planned <= budget.most);
            prop_assert!(budget.most < Duration::from_millis(remaining));
            prop_assert!(budget.most > Duration::ZERO);
            if remaining > 40 {
                prop_assert!(budget.most + OVERHEAD <= Duration::from_millis(remaining));
            }
        }

        #[test]
        fn a_long_game_never_loses_on_time(
            start in 100u64..1_000_000, increment in 10u64..20_000, moves in proptest::option::of(1u32..60)
        ) {
            // Each move takes all it may, and the way to and from the engine a few ms more.
            let mut left = Duration::from_millis(start);
            for _ in 0..300 {
                let clock = Clock { remaining: left, increment: Duration::from_millis(increment) };
                let used = allocate(clock, moves).most + Duration::from_millis(5);
                prop_assert!(used < left, "{used:?} of {left:?}");
                left = left - used + clock.increment;
            }
        }
    }

    #[test]
    fn no_time_at_all_does_not_confuse_it() {
        assert_eq!(allocate(clock(0, 0), Some(0)).most, Duration::ZERO);
    }

    #[test]
    fn the_plan_uses_the_clock() {
        // 15+10: neither a waste of the increment nor of the first minutes.
        let planned = allocate(clock(900_000, 10_000), None).planned;
        assert!((20..60).contains(&planned.as_secs()), "{planned:?}");
        // The last move before more time comes may use much of it.
        assert!(allocate(clock(10_000, 0), Some(1)).planned > Duration::from_secs(4));
    }

    #[test]
    fn doubt_takes_longer() {
        assert!(stretch(0, 0) > stretch(2, 0));
        assert!(stretch(9, 0) < stretch(2, 0));
        assert!(stretch(2, 40) > stretch(2, 0));
        assert_eq!(stretch(2, -40), stretch(2, 0));
    }
}
