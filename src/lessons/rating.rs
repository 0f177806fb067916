//! How strong a learner is at puzzles, and how hard a puzzle is: Glicko-2.
//!
//! A try is a game between the two (crate `skillratings`; M. Glickman, *Example of the Glicko-2 system*, 2012).

use serde::{Deserialize, Serialize};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, expected_score, glicko2};

/// How much volatility may change: the middle of what Glickman finds reasonable (0.3 to 1.2).
const TAU: f64 = 0.75;
/// Deviations stay in these bounds: a rating is never quite sure, and never less sure than at the start.
const DEVIATIONS: std::ops::RangeInclusive<f64> = 45.0..=350.0;
/// Ratings stay in these bounds.
const RATINGS: std::ops::RangeInclusive<f64> = 400.0..=4000.0;

/// A strength on Glicko's scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// About 1500 for the average.
    pub rating: f64,
    /// Standard deviation of the rating.
    pub deviation: f64,
    /// How erratic the results are.
    pub volatility: f64,
}

impl Default for Rating {
    fn default() -> Rating {
        Rating {
            rating: 1500.0,
            deviation: 350.0,
            volatility: 0.06,
        }
    }
}

impl Rating {
    /// Whether it says little so far: Glicko's usual bound of 110.
    pub fn is_provisional(&self) -> bool {
        self.deviation > 110.0
    }

    fn glicko(self) -> Glicko2Rating {
        Glicko2Rating {
            rating: self.rating,
            deviation: self.deviation,
            volatility: self.volatility,
        }
    }
}

impl From<Glicko2Rating> for Rating {
    fn from(new: Glicko2Rating) -> Rating {
        Rating {
            rating: new.rating.clamp(*RATINGS.start(), *RATINGS.end()),
            deviation: new.deviation.clamp(*DEVIATIONS.start(), *DEVIATIONS.end()),
            volatility: new.volatility,
        }
    }
}

/// The learner's rating after a puzzle was tried. The puzzle's own rating comes from many players, and stays.
pub fn after_puzzle(learner: Rating, puzzle: Rating, solved: bool) -> Rating {
    after_try(learner, puzzle, solved).0
}

/// Both ratings after a puzzle was tried: the learner's, and that of a puzzle which nobody else tries.
pub fn after_try(learner: Rating, puzzle: Rating, solved: bool) -> (Rating, Rating) {
    let outcome = if solved { Outcomes::WIN } else { Outcomes::LOSS };
    let config = Glicko2Config {
        tau: TAU,
        ..Glicko2Config::new()
    };
    let (learner, puzzle) = glicko2(&learner.glicko(), &puzzle.glicko(), &outcome, &config);
    (learner.into(), puzzle.into())
}

/// The chance, 0 to 1, that the learner solves the puzzle.
pub fn chance(learner: Rating, puzzle: Rating) -> f64 {
    expected_score(&learner.glicko(), &puzzle.glicko()).0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(rating: f64, deviation: f64) -> Rating {
        Rating {
            rating,
            deviation,
            volatility: 0.06,
        }
    }

    #[test]
    fn solving_lifts_and_failing_lowers_the_more_the_less_was_expected() {
        let learner = rated(1500.0, 80.0);
        let gain = |puzzle: f64| after_puzzle(learner, rated(puzzle, 75.0), true).rating - 1500.0;
        let loss = |puzzle: f64| 1500.0 - after_puzzle(learner, rated(puzzle, 75.0), false).rating;
        assert!(0.0 < gain(1200.0) && gain(1200.0) < gain(1500.0) && gain(1500.0) < gain(1800.0));
        assert!(loss(1200.0) > loss(1500.0) && loss(1500.0) > loss(1800.0) && loss(1800.0) > 0.0);
        assert!((chance(learner, rated(1500.0, 75.0)) - 0.5).abs() < 1e-9);
        assert!(chance(learner, rated(1800.0, 75.0)) < 0.2);
    }

    #[test]
    fn a_rating_finds_a_learners_strength() {
        // A learner of strength 1800 solves as often as is expected of that strength, puzzle by puzzle.
        let (strength, mut learner, mut owed) = (rated(1800.0, 45.0), Rating::default(), 0.0);
        assert!(learner.is_provisional());
        for number in 0..300 {
            let puzzle = rated(1500.0 + f64::from(number % 7) * 100.0, 75.0);
            owed += chance(strength, puzzle);
            let solved = owed >= 0.5;
            owed -= f64::from(u8::from(solved));
            learner = after_puzzle(learner, puzzle, solved);
        }
        assert!(
            (learner.rating - 1800.0).abs() < 100.0 && !learner.is_provisional(),
            "{learner:?}"
        );
    }

    #[test]
    fn a_puzzle_that_is_solved_is_easier_than_one_that_is_not() {
        let (learner, puzzle) = (rated(1500.0, 80.0), rated(1500.0, 200.0));
        let (better, easier) = after_try(learner, puzzle, true);
        let (worse, harder) = after_try(learner, puzzle, false);
        assert!(better.rating > worse.rating && easier.rating < 1500.0 && harder.rating > 1500.0);
        assert_eq!(after_puzzle(learner, puzzle, true), better);
    }

    #[test]
    fn a_rating_stays_in_its_bounds() {
        let mut learner = Rating::default();
        for _ in 0..500 {
            learner = after_puzzle(learner, rated(400.0, 45.0), false);
        }
        assert!(
            RATINGS.contains(&learner.rating) && DEVIATIONS.contains(&learner.deviation),
            "{learner:?}"
        );
    }
}
