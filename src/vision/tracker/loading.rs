//! Pages that are loading, or lost their connection, show their board in its first position until they know better.
//! Where a page is looked at live, a game is therefore taken to have begun anew only when its board has shown that for
//! a while.

use std::time::Duration;
use torres_frame::Timestamp;

/// Between two sights of a beginning that lie further apart, something else was seen.
const GAP: Duration = Duration::from_secs(1);

/// A beginning that is seen, and for how long one must be.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Loading {
    patience: Duration,
    /// When a beginning was seen first and last without anything else in between.
    seen: Option<(Timestamp, Timestamp)>,
}

impl Loading {
    /// Beginnings are believed when they were seen for `patience`.
    pub fn with_patience(patience: Duration) -> Loading {
        Loading { patience, seen: None }
    }

    /// A beginning is seen now: whether it has not been for long enough.
    pub fn may_be_loading(&mut self, now: Timestamp) -> bool {
        let first = match self.seen {
            Some((first, last)) if now.since(last) < GAP => first,
            _ => now,
        };
        self.seen = Some((first, now));
        now.since(first) < self.patience
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Timestamp {
        Timestamp(Duration::from_millis(1_000_000 + ms))
    }

    #[test]
    fn a_beginning_is_believed_when_it_was_seen_long_enough_without_a_gap() {
        let mut loading = Loading::with_patience(Duration::from_secs(2));
        let looks = [0, 700, 1400, 1990].map(|ms| loading.may_be_loading(at(ms)));
        assert_eq!(looks, [true; 4]);
        assert!(!loading.may_be_loading(at(2000)));
        // Something else for more than a second: another beginning.
        assert!(loading.may_be_loading(at(3500)));
    }

    #[test]
    fn recordings_are_believed_at_once() {
        assert!(!Loading::default().may_be_loading(at(0)));
    }
}
