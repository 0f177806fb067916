//! Where features go: into a sum for the search, or into a list for the tuner. Both come from the same code.

use super::Tapered;
use super::features::COUNT;
use super::weights::WEIGHTS;
use crate::{ByColor, Color};

/// Takes features as they are found.
pub(super) trait Sink {
    /// Whether every feature must be named, rather than its value known.
    const TRACES: bool;

    /// A side has a feature so many times.
    fn add(&mut self, color: Color, feature: usize, count: i32);

    /// A value that was summed up before, White's minus Black's; only where nothing is traced.
    fn add_sum(&mut self, sum: Tapered);
}

/// Adds up values.
#[derive(Default)]
pub(super) struct Sum(ByColor<Tapered>);

impl Sum {
    /// White's minus Black's.
    pub fn total(&self) -> Tapered {
        self.0.white - self.0.black
    }
}

impl Sink for Sum {
    const TRACES: bool = false;

    #[inline(always)]
    fn add(&mut self, color: Color, feature: usize, count: i32) {
        self.0[color] += WEIGHTS[feature] * count;
    }

    #[inline(always)]
    fn add_sum(&mut self, sum: Tapered) {
        self.0.white += sum;
    }
}

/// Counts features.
pub(super) struct Counts(Box<[i16; COUNT]>);

impl Default for Counts {
    fn default() -> Counts {
        Counts(Box::new([0; COUNT]))
    }
}

impl Counts {
    /// White's count minus Black's of each feature that the two do not share.
    pub fn differences(&self) -> Vec<(u16, i16)> {
        let counted = self.0.iter().enumerate().filter(|&(_, &count)| count != 0);
        counted.map(|(feature, &count)| (feature as u16, count)).collect()
    }
}

impl Sink for Counts {
    const TRACES: bool = true;

    fn add(&mut self, color: Color, feature: usize, count: i32) {
        let count = count as i16;
        self.0[feature] += match color {
            Color::White => count,
            Color::Black => -count,
        };
    }

    fn add_sum(&mut self, _sum: Tapered) {
        debug_assert!(false, "a sum says nothing of its features");
    }
}
