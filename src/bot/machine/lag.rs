//! How late this page answers. A busy page leaves the position before standing for a while after a gesture, so what
//! stands may be a move that is late, and not one that the page did not take.

use super::Attempt;
use std::time::Duration;
use torres_frame::Timestamp;

/// A page is waited for this many times as long as it was late before.
const MARGIN: u32 = 2;

/// Longest time for which it is waited, however late it was: a judgement.
const MOST: Duration = Duration::from_secs(3);

/// Longest time for which a program is waited for that does not get to its events: a judgement.
const HANGS_AT_MOST: Duration = Duration::from_secs(30);

/// One that hung for less than this has as long to draw what waited anyway, and is busy rather than late.
const HUNG: Duration = Duration::from_secs(1);

/// Each move that landed sooner takes this part off what is known of the page's lag: a busy machine gets rest.
const WORN: u32 = 8;

/// The last attempt at the move that is entered, and how late the page has been.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Lag {
    /// The last attempt that was made, and when its button was released; it may land late.
    made: Option<(Attempt, Timestamp)>,
    /// When the position before it was last seen standing.
    stood: Timestamp,
    /// The page has drawn something on the board since.
    drew: bool,
    /// The program with the board does not get to its events: it has not had the attempt.
    hangs: bool,
    /// For how long this page has left the position before standing after a gesture that landed.
    longest: Duration,
}

impl Lag {
    /// An attempt was made.
    pub fn made(&mut self, attempt: Attempt, released: Timestamp) {
        self.made = Some((attempt, released));
        self.stood = released;
        (self.drew, self.hangs) = (false, false);
    }

    /// The attempt is the game's past, or its move is not awaited any more. Returns it, and when it was made.
    pub fn take(&mut self) -> Option<(Attempt, Timestamp)> {
        self.made.take()
    }

    /// The page has drawn something on the board since the attempt was made.
    pub fn drew(&mut self) {
        self.drew = true;
    }

    /// Whether the program with the board does not get to its events. Returns whether it gets to them again: it answers
    /// before it has drawn what waited, and for so long it was late already.
    pub fn hangs(&mut self, hangs: bool, now: Timestamp) -> bool {
        let ends = std::mem::replace(&mut self.hangs, hangs) && !hangs;
        let hung = self.made.map(|(_, released)| now.since(released));
        if let Some(hung) = hung.filter(|hung| ends && *hung >= HUNG) {
            self.longest = self.longest.max(hung);
        }
        ends
    }

    /// Whether it has drawn something since.
    pub fn has_drawn(&self) -> bool {
        self.drew
    }

    /// The position before the attempt stands.
    pub fn stands(&mut self, now: Timestamp) {
        self.stood = now;
    }

    /// The attempt, released then, has landed: what that says of the page.
    pub fn landed(&mut self, released: Timestamp) {
        let stood = self.stood.since(released);
        self.longest = stood.max(self.longest - self.longest / WORN);
    }

    /// How long the position before must stand for the attempt not to have landed: the first of these times, the second
    /// where the page has drawn nothing since, and longer where it has been late.
    pub fn patience(&self, not_landed: Duration, unanswered: Duration) -> Duration {
        let least = match (self.drew, self.hangs) {
            (true, _) => not_landed,
            (false, false) => unanswered,
            (false, true) => HANGS_AT_MOST,
        };
        least.max((self.longest * MARGIN).min(MOST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gesture::Manner;
    use shakmaty::{Move, Role, Square};

    fn attempt() -> Attempt {
        let played = Move::Normal {
            role: Role::Pawn,
            from: Square::E2,
            capture: None,
            to: Square::E4,
            promotion: None,
        };
        Attempt::first(played, Manner::Drag)
    }

    fn at(ms: u64) -> Timestamp {
        Timestamp(Duration::from_millis(ms))
    }

    fn patience(lag: &Lag) -> u128 {
        lag.patience(Duration::from_millis(400), Duration::from_secs(1))
            .as_millis()
    }

    /// The lag of a page that left the position before standing for so long, in ms, after moves that landed.
    fn late_by(times: &[u64]) -> Lag {
        let mut lag = Lag::default();
        for &ms in times {
            lag.made(attempt(), at(5000));
            lag.stands(at(5000 + ms));
            lag.drew();
            lag.landed(at(5000));
        }
        lag
    }

    #[test]
    fn a_page_that_has_been_late_is_waited_for_twice_as_long_and_at_most_for_three_seconds() {
        assert_eq!(patience(&late_by(&[])), 1000, "nothing was made, and nothing drawn");
        assert_eq!(patience(&late_by(&[200])), 400);
        assert_eq!(patience(&late_by(&[600])), 1200);
        assert_eq!(patience(&late_by(&[2500])), 3000);
    }

    #[test]
    fn a_page_that_answers_sooner_again_is_waited_for_less_long_again() {
        assert_eq!(patience(&late_by(&[800, 0])), 1400);
        let mut times = vec![800];
        times.extend([0; 12]);
        assert_eq!(patience(&late_by(&times)), 400);
    }

    #[test]
    fn a_program_that_does_not_get_to_its_events_is_waited_for() {
        let mut lag = late_by(&[100]);
        lag.made(attempt(), at(9000));
        assert!(!lag.hangs(true, at(9200)));
        assert_eq!(patience(&lag), 30_000);
        assert!(lag.hangs(false, at(9600)), "it gets to them again");
        assert_eq!((lag.hangs(false, at(9700)), patience(&lag)), (false, 1000));
        lag.hangs(true, at(9800));
        assert!(lag.hangs(false, at(10_200)));
        assert_eq!(patience(&lag), 2400, "it answers before it draws");
        lag.drew();
        assert_eq!(patience(&lag), 2400, "it draws what waited one by one");
        lag.hangs(true, at(10_300));
        lag.made(attempt(), at(10_400));
        assert_eq!(patience(&lag), 2400, "of another attempt nothing is known");
    }

    #[test]
    fn a_page_that_has_drawn_nothing_may_not_have_taken_the_gesture_in_yet() {
        let mut lag = late_by(&[100]);
        lag.made(attempt(), at(9000));
        assert_eq!(patience(&lag), 1000);
        lag.drew();
        assert_eq!(patience(&lag), 400);
    }
}
