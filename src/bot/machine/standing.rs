//! For how long one position has been seen standing on the board: only time between looks that show it counts.

use std::time::Duration;
use torres_frame::Timestamp;

/// The time that was counted, and the last look that is part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    counted: Duration,
    last: Option<Timestamp>,
}

impl Standing {
    /// A look shows the position. For how long it has been seen by now.
    pub(super) fn seen(&mut self, now: Timestamp) -> Duration {
        if let Some(last) = self.last.replace(now) {
            self.counted += now.since(last);
        }
        self.counted
    }

    /// Nobody sees whether it stands: what was counted stays, and the time until the next look does not count.
    pub(super) fn interrupt(&mut self) {
        self.last = None;
    }
}
