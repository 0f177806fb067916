//! A value that depends on how much of the game is left.

use super::Value;
use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// A value for the middlegame and one for the endgame, in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tapered {
    pub(crate) middle: Value,
    pub(crate) end: Value,
}

impl Tapered {
    /// Worth nothing.
    pub(super) const ZERO: Tapered = Tapered { middle: 0, end: 0 };

    /// Mixed by what is left of the middlegame, from [`FULL_PHASE`](super::endgame::FULL_PHASE) to 0.
    pub(super) fn at(self, phase: i32) -> Value {
        use super::endgame::FULL_PHASE;
        (self.middle * phase + self.end * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

impl Add for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn add(self, other: Tapered) -> Tapered {
        Tapered {
            middle: self.middle + other.middle,
            end: self.end + other.end,
        }
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered {
            middle: self.middle - other.middle,
            end: self.end - other.end,
        }
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline(always)]
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn mul(self, factor: i32) -> Tapered {
        Tapered {
            middle: self.middle * factor,
            end: self.end * factor,
        }
    }
}
