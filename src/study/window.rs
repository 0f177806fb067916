//! The window of an alpha-beta search.

use super::table::Bound;

/// The values of interest: above `alpha`, below `beta`.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// What one's own side has for sure.
    pub alpha: i32,
    /// What the other side can avoid.
    pub beta: i32,
}

impl Window {
    /// All values, where each is less than `infinite`, to either side.
    pub const fn full(infinite: i32) -> Window {
        Window {
            alpha: -infinite,
            beta: infinite,
        }
    }

    /// The same as the other side sees it.
    pub fn turned(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// What a value that was found in this window says of the true one.
    pub fn bound_of(self, value: i32) -> Bound {
        match value {
            _ if value >= self.beta => Bound::Lower,
            _ if value > self.alpha => Bound::Exact,
            _ => Bound::Upper,
        }
    }

    /// Whether a value that is such a bound is as good as the true one.
    pub fn is_settled_by(self, value: i32, bound: Bound) -> bool {
        match bound {
            Bound::Exact => true,
            Bound::Lower => value >= self.beta,
            Bound::Upper => value <= self.alpha,
        }
    }
}
