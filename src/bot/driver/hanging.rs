//! Whether the program with the board gets to its events after a gesture. Some think, or let an engine think, in the middle
//! of them: they draw nothing meanwhile, and what is clicked waits.

use std::time::Duration;
use torres_screen::Ping;

/// A program that has drawn nothing for so long after a gesture is asked.
pub(super) const ASKED_AFTER: Duration = Duration::from_millis(200);

/// What is known of it since the last gesture.
#[derive(Default)]
pub(super) enum Hanging {
    /// It was not asked.
    #[default]
    NotAsked,
    /// It was asked, and may have answered.
    Asked(Box<Ping>),
    /// It cannot be asked.
    NotKnown,
}

impl Hanging {
    /// Whether the program of this window has not answered, which is asked first: until the next look it has its time.
    pub fn look(&mut self, window: Option<u32>) -> bool {
        match self {
            Hanging::Asked(ping) => !ping.is_answered(),
            Hanging::NotKnown => false,
            Hanging::NotAsked => {
                *self = window
                    .and_then(Ping::send)
                    .map_or(Hanging::NotKnown, |ping| Hanging::Asked(Box::new(ping)));
                false
            }
        }
    }
}
