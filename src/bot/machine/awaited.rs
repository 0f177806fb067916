//! How long the opponent's move has been waited for, compared with those before.

use std::time::Duration;
use torres_frame::Timestamp;

/// How many times as long as their longest so far their next move may take, before it is said that none comes.
const LONGER: u32 = 3;
/// And before the game is left.
const MUCH_LONGER: u32 = 10;

/// What is kept in mind of the opponent's thoughts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Awaited {
    longest: Duration,
    /// Since when their move has been waited for, in time in which somebody looked.
    since: Timestamp,
    /// The user was told that none comes.
    told: bool,
    /// Since when the page has not named the opponent.
    unnamed: Option<Timestamp>,
}

impl Awaited {
    /// Takes note of how long the opponent's move took.
    pub fn came_after(&mut self, took: Duration) {
        self.longest = self.longest.max(took);
    }

    /// Counts out a time in which nobody looked.
    pub fn forgive(&mut self, away: Duration) {
        self.since = self.since + away;
        self.unnamed = None;
    }

    /// Whether the page names the opponent at this moment.
    pub fn named(&mut self, is_named: bool, now: Timestamp) {
        self.unnamed = (!is_named).then(|| self.unnamed.unwrap_or(now));
    }

    /// For how long the page has not named the opponent.
    pub fn unnamed_for(&self, now: Timestamp) -> Duration {
        self.unnamed.map_or(Duration::ZERO, |since| now.since(since))
    }

    /// A turn begins.
    pub fn next_turn(&mut self, now: Timestamp) {
        (self.since, self.told, self.unnamed) = (now, false, None);
    }

    /// For how long it has been waited, once that is this time at least, and unusual.
    pub fn for_long(&self, patience: Duration, now: Timestamp) -> Option<Duration> {
        self.waited(patience.max(self.longest * LONGER), now)
    }

    /// The same once; the user is told of it.
    pub fn newly_long(&mut self, patience: Duration, now: Timestamp) -> Option<Duration> {
        let waited = self.for_long(patience, now).filter(|_| !self.told);
        self.told |= waited.is_some();
        waited
    }

    /// The same once it is so long that no move is to be hoped for.
    pub fn in_vain(&self, patience: Duration, now: Timestamp) -> Option<Duration> {
        self.waited(patience.max(self.longest * MUCH_LONGER), now)
    }

    fn waited(&self, least: Duration, now: Timestamp) -> Option<Duration> {
        Some(now.since(self.since)).filter(|waited| *waited >= least)
    }
}
