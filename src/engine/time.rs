//! How long to think about a move: a pure function of the clock.

use super::Clock;
use std::time::Duration;

/// Time kept back, unless told otherwise, for what happens outside the search: reading the command, writing the answer,
/// the other side's clock.
pub(super) const OVERHEAD: Duration = Duration::from_millis(30);
/// With less time than the overhead, this part of it may still be used.
const LAST_RESORT: f64 = 0.25;
/// Moves the game is planned to last, when the clock is for the rest of the game.
const MOVES_AHEAD: u32 = 26;
/// More moves than this are not planned for, whatever the clock's period.
const MOST_MOVES_AHEAD: u32 = 40;
/// Part of the increment that is spent with each move. The less, the more stays on the clock in a long game: with half
/// of it some 13 increments.
const INCREMENT_SHARE: f64 = 0.5;
/// How many times its planned time a search may take before it is cut off.
const OVERRUN: f64 = 4.0;
/// No single move takes more than this part of what is left: a reserve against a machine that lets the engine wait.
const LARGEST_SHARE: f64 = 0.25;
/// The same when more time is added after some moves.
const LARGEST_SHARE_OF_PERIOD: f64 = 0.5;

/// How long a search may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// After this no new iteration is begun, when nothing speaks for longer or shorter thought.
    pub(super) planned: Duration,
    /// At this the search is cut off.
    pub(super) most: Duration,
}

/// The budget for the next move of a side with this clock, when so much time passes outside the search.
pub(super) fn allocate(clock: Clock, moves_to_go: Option<u32>, overhead: Duration) -> Budget {
    let usable = clock
        .remaining
        .saturating_sub(overhead)
        .max(clock.remaining.mul_f64(LAST_RESORT));
    let moves = moves_to_go.unwrap_or(MOVES_AHEAD).clamp(1, MOST_MOVES_AHEAD);
    let share = usable / moves + clock.increment.mul_f64(INCREMENT_SHARE);
    let largest = usable.mul_f64(match moves_to_go {
        Some(_) => LARGEST_SHARE_OF_PERIOD,
        None => LARGEST_SHARE,
    });
    Budget {
        planned: share.min(largest),
        most: share.mul_f64(OVERRUN).min(largest),
    }
}

/// How a search has gone so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Progress {
    /// For how many iterations in a row the best move has been the same.
    pub(super) stable_iterations: u32,
    /// How far its value has fallen since the iteration before, in centipawns.
    pub(super) fall: i32,
    /// The part of all nodes that were spent on the best move, 0 to 1.
    pub(super) best_share: f64,
}

/// How the planned time is stretched or shortened.
pub(super) fn stretch(progress: Progress) -> f64 {
    // A move that stays the best for four iterations is probably the one.
    let stability = [1.6, 1.25, 1.0, 0.85, 0.7][progress.stable_iterations.min(4) as usize];
    // Trouble is worth up to half as much time again.
    let trouble = 1.0 + f64::from(progress.fall.clamp(0, 50)) / 100.0;
    // A move that takes nearly all nodes has no rival left; one that takes a third has several.
    let rivals = (1.65 - progress.best_share.clamp(0.0, 1.0)) * 1.2;
    stability * trouble * rivals
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
            let budget = allocate(clock(remaining, increment), moves, OVERHEAD);
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
                let used = allocate(clock, moves, OVERHEAD).most + Duration::from_millis(5);
                prop_assert!(used < left, "{used:?} of {left:?}");
                left = left - used + clock.increment;
            }
        }
    }

    #[test]
    fn no_time_at_all_does_not_confuse_it() {
        assert_eq!(allocate(clock(0, 0), Some(0), OVERHEAD).most, Duration::ZERO);
    }

    #[test]
    fn the_plan_uses_the_clock() {
        // 15+10: neither a waste of the increment nor of the first minutes.
        let planned = allocate(clock(900_000, 10_000), None, OVERHEAD).planned;
        assert!((20..60).contains(&planned.as_secs()), "{planned:?}");
        // The last move before more time comes may use much of it.
        assert!(allocate(clock(10_000, 0), Some(1), OVERHEAD).planned > Duration::from_secs(4));
    }

    #[test]
    fn the_largest_time_is_four_times_the_plan_and_a_quarter_of_what_is_left() {
        let ms = Duration::from_millis;
        let budget = |remaining, increment, moves| allocate(clock(remaining, increment), moves, Duration::ZERO);
        // 26 moves ahead: 100 ms each, 400 at most; 2600 / 4 is more.
        assert_eq!(
            budget(2600, 0, None),
            Budget {
                planned: ms(100),
                most: ms(400)
            }
        );
        // Half of the increment comes to it: 150 and 600.
        assert_eq!(
            budget(2600, 100, None),
            Budget {
                planned: ms(150),
                most: ms(600)
            }
        );
        // With a large one the plan itself is bounded.
        assert_eq!(
            budget(2600, 10_000, None),
            Budget {
                planned: ms(650),
                most: ms(650)
            }
        );
        // Before more time comes, half may be used.
        assert_eq!(
            budget(2600, 0, Some(1)),
            Budget {
                planned: ms(1300),
                most: ms(1300)
            }
        );
        assert_eq!(
            budget(2600, 0, Some(13)),
            Budget {
                planned: ms(200),
                most: ms(800)
            }
        );
    }

    #[test]
    fn a_larger_overhead_is_kept_back() {
        let most = |overhead| allocate(clock(1000, 0), Some(1), Duration::from_millis(overhead)).most;
        assert!(most(500) < most(30));
    }

    #[test]
    fn doubt_takes_longer() {
        let calm = Progress {
            stable_iterations: 2,
            fall: 0,
            best_share: 0.8,
        };
        let than = |progress| stretch(progress).total_cmp(&stretch(calm));
        use std::cmp::Ordering::*;
        assert_eq!(
            than(Progress {
                stable_iterations: 0,
                ..calm
            }),
            Greater
        );
        assert_eq!(
            than(Progress {
                stable_iterations: 9,
                ..calm
            }),
            Less
        );
        assert_eq!(than(Progress { fall: 40, ..calm }), Greater);
        assert_eq!(than(Progress { fall: -40, ..calm }), Equal);
        assert_eq!(
            than(Progress {
                best_share: 0.3,
                ..calm
            }),
            Greater
        );
        assert_eq!(
            than(Progress {
                best_share: 0.99,
                ..calm
            }),
            Less
        );
    }
}
