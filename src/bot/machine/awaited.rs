//! How long the opponent's move has been waited for, compared with those before.

use std::time::Duration;
use torres_frame::Timestamp;

/// How many times as long as their longest so far their next move may take, before it is said that none comes.
const LONGER: u32 = 3;
/// And before the game is left.
const MUCH_LONGER: u32 = 10;
/// So many moves of theirs tell how long they think.
const KNOWN_AFTER: u32 = 4;

/// What is kept in mind of the opponent's thoughts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Awaited {
    longest: Duration,
    /// How many moves of theirs came.
    came: u32,
    /// Since when their move has been waited for, in time in which somebody looked.
    since: Timestamp,
    /// The user was told that none comes.
    told: bool,
    /// Since when the page has not named the opponent.
    unnamed: Option<Timestamp>,
    /// Something new stands on the page.
    page_changed: bool,
}

impl Awaited {
    /// Takes note of how long the opponent's move took.
    pub fn came_after(&mut self, took: Duration) {
        self.longest = self.longest.max(took);
        self.came += 1;
    }

    /// Counts out a time in which nobody looked.
    pub fn forgive(&mut self, away: Duration) {
        self.since = self.since + away;
        (self.unnamed, self.page_changed) = (None, false);
    }

    /// Whether the page names the opponent at this moment.
    pub fn named(&mut self, is_named: bool, now: Timestamp) {
        self.unnamed = (!is_named).then(|| self.unnamed.unwrap_or(now));
    }

    /// For how long the page has not named the opponent.
    pub fn unnamed_for(&self, now: Timestamp) -> Duration {
        self.unnamed.map_or(Duration::ZERO, |since| now.since(since))
    }

    /// Whether something new stands on the page at this moment.
    pub fn page_changed(&mut self, is_new: bool) {
        self.page_changed = is_new;
    }

    /// Whether something new stands on the page, and it is known how long the opponent thinks.
    pub fn is_told_by_page(&self) -> bool {
        self.page_changed && self.came >= KNOWN_AFTER
    }

    /// A turn begins.
    pub fn next_turn(&mut self, now: Timestamp) {
        *self = Awaited {
            longest: self.longest,
            came: self.came,
            since: now,
            ..Awaited::default()
        };
    }

    /// For how long it has been waited, once that is this time at least, and unusual.
    pub fn for_long(&self, patience: Duration, now: Timestamp) -> Option<Duration> {
        self.waited_at_least(patience.max(self.longest * LONGER), now)
    }

    /// The same once; the user is told of it.
    pub fn newly_long(&mut self, patience: Duration, now: Timestamp) -> Option<Duration> {
        let waited = self.for_long(patience, now).filter(|_| !self.told);
        self.told |= waited.is_some();
        waited
    }

    /// The same once it is so long that no move is to be hoped for.
    pub fn in_vain(&self, patience: Duration, now: Timestamp) -> Option<Duration> {
        self.waited_at_least(patience.max(self.longest * MUCH_LONGER), now)
    }

    /// For how long it has been waited.
    pub fn waited(&self, now: Timestamp) -> Duration {
        now.since(self.since)
    }

    fn waited_at_least(&self, least: Duration, now: Timestamp) -> Option<Duration> {
        Some(self.waited(now)).filter(|waited| *waited >= least)
    }
}
