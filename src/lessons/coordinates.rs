//! The coordinates trainer: find squares by their names, against the clock.

use serde::{Deserialize, Serialize};
use shakmaty::Square;

/// How long a round lasts, in milliseconds.
pub const ROUND_MS: u64 = 30_000;

/// A round: which square is asked, and how it goes. It can be kept and taken up again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// From which the squares follow.
    seed: u64,
    /// When it began, in milliseconds of the caller's clock.
    began_ms: u64,
    /// Squares found.
    pub right: u32,
    /// Wrong clicks.
    pub wrong: u32,
}

impl Round {
    /// A round that begins now. Equal seeds ask for equal squares.
    pub fn new(seed: u64, now_ms: u64) -> Round {
        Round {
            seed,
            began_ms: now_ms,
            right: 0,
            wrong: 0,
        }
    }

    /// The square that is asked for now. It is never the one before.
    pub fn asked(&self) -> Square {
        let drawn = |turn: u32| scrambled(self.seed, u64::from(turn));
        // The first is any of 64; each later one is 1 to 63 squares further.
        let first = drawn(0) % 64;
        let steps: u64 = (1..=self.right).map(|turn| 1 + drawn(turn) % 63).sum();
        Square::new(((first + steps) % 64) as u32)
    }

    /// The round after a click, or `None` when its time is over.
    #[must_use]
    pub fn clicked(self, square: Square, now_ms: u64) -> Option<Round> {
        let found = square == self.asked();
        self.left_ms(now_ms).map(|_| Round {
            right: self.right + u32::from(found),
            wrong: self.wrong + u32::from(!found),
            ..self
        })
    }

    /// The time that is left, or `None` when it is over.
    pub fn left_ms(&self, now_ms: u64) -> Option<u64> {
        ROUND_MS
            .checked_sub(now_ms.saturating_sub(self.began_ms))
            .filter(|&left| left > 0)
    }
}

/// A number that looks drawn at random: SplitMix64's output (G. Steele et al., 2014) at this place.
fn scrambled(seed: u64, place: u64) -> u64 {
    let state = seed.wrapping_add(place.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn a_round_counts_until_its_time_is_over() {
        let begun = Round::new(7, 1_000);
        let asked = begun.asked();
        let wrong = begun.clicked(Square::new((asked as u32 + 1) % 64), 2_000).unwrap();
        assert_eq!((wrong.right, wrong.wrong, wrong.asked()), (0, 1, asked));
        let right = wrong.clicked(asked, 3_000).unwrap();
        assert_eq!((right.right, right.wrong), (1, 1));
        assert_eq!(right.left_ms(30_999), Some(1));
        assert_eq!(right.clicked(right.asked(), 31_000), None);
        // A clock that was set back ends nothing.
        assert!(right.clicked(right.asked(), 0).is_some());
    }

    #[test]
    fn every_square_is_asked_and_never_twice_in_a_row() {
        let mut counts = HashMap::new();
        for seed in 0..100 {
            let mut round = Round::new(seed, 0);
            for _ in 0..64 {
                let asked = round.asked();
                *counts.entry(asked).or_insert(0) += 1;
                round = round.clicked(asked, 1).unwrap();
                assert_ne!(round.asked(), asked);
            }
        }
        // 6,400 draws from 64 squares: 100 each, with a standard deviation of 10.
        assert_eq!(counts.len(), 64);
        assert!(counts.values().all(|count| (50..=150).contains(count)), "{counts:?}");
    }
}
