//! Both sides' clocks, kept by Torres itself: the site's own clocks are not read.

use crate::frame::Timestamp;
use shakmaty::{ByColor, Color};
use std::time::Duration;

/// A time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Time at the start.
    pub initial: Duration,
    /// Time gained with each move.
    pub increment: Duration,
}

/// A site's clock runs from the opponent's move on, ours from when that is known: after its animation and its way over the screen, some 130 ms on
/// the practice site (of 55 moves at 1+0, by its log). So much may be missing for each of our moves.
const UNSEEN: Duration = Duration::from_millis(150);

/// What both sides have left. The opponent's time runs from our move *landed* to theirs *known*, ours from theirs
/// *known* to ours *landed*.
#[derive(Clone, Debug)]
pub struct GameClock {
    control: TimeControl,
    left: ByColor<Duration>,
    /// Moves that were timed.
    moves: ByColor<u32>,
    /// Whose clock runs, and since when; none before the first move and after the last.
    running: Option<(Color, Timestamp)>,
}

impl GameClock {
    /// Both clocks full and standing.
    pub fn new(control: TimeControl) -> GameClock {
        GameClock {
            control,
            left: ByColor::new_with(|_| control.initial),
            moves: ByColor::default(),
            running: None,
        }
    }

    /// Clocks in the middle of a game, after so many moves that were timed: whose runs, and since when; until then both had this left.
    pub fn resumed(
        control: TimeControl,
        left: ByColor<Duration>,
        moves: ByColor<u32>,
        running: (Color, Timestamp),
    ) -> GameClock {
        GameClock {
            control,
            left,
            moves,
            running: Some(running),
        }
    }

    /// The time control.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// Starts the clock of the side to move; one that runs already goes on.
    pub fn start(&mut self, turn: Color, now: Timestamp) {
        self.running.get_or_insert((turn, now));
    }

    /// It is that side's turn from now on, whatever was booked before.
    pub fn turn(&mut self, turn: Color, now: Timestamp) {
        self.stop(now);
        self.start(turn, now);
    }

    /// Books a move of `mover` at that moment: its time is taken, the increment given, the other clock started.
    /// Returns what the move took.
    pub fn moved(&mut self, mover: Color, at: Timestamp) -> Duration {
        let took = match self.running {
            Some((turn, since)) if turn == mover => at.since(since),
            _ => Duration::ZERO,
        };
        let left = self.left[mover].saturating_sub(took);
        // A flag that fell stays down: the increment does not raise it again.
        self.left[mover] = if left.is_zero() {
            left
        } else {
            left + self.control.increment
        };
        self.moves[mover] += 1;
        self.running = Some((!mover, at));
        took
    }

    /// Stops both clocks.
    pub fn stop(&mut self, now: Timestamp) {
        if let Some((turn, _)) = self.running {
            self.left[turn] = self.left(turn, now);
        }
        self.running = None;
    }

    /// What a side has left at that moment.
    pub fn left(&self, color: Color, now: Timestamp) -> Duration {
        match self.running {
            Some((turn, since)) if turn == color => self.left[color].saturating_sub(now.since(since)),
            _ => self.left[color],
        }
    }

    /// What a side that sees the other's moves on the screen may count on: less than it has left, as the site's clock may have run longer.
    pub fn at_least(&self, color: Color, now: Timestamp) -> Duration {
        let left = self.left(color, now);
        left.saturating_sub(UNSEEN * self.moves[color]).max(left / 10)
    }

    /// Whose flag is down at that moment.
    pub fn flag(&self, now: Timestamp) -> Option<Color> {
        Color::ALL.into_iter().find(|c| self.left(*c, now).is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Timestamp {
        Timestamp(Duration::from_secs(seconds))
    }

    fn clock() -> GameClock {
        GameClock::new(TimeControl {
            initial: Duration::from_secs(60),
            increment: Duration::from_secs(5),
        })
    }

    #[test]
    fn a_move_costs_its_time_and_earns_the_increment() {
        let mut clock = clock();
        clock.start(Color::White, at(100));
        assert_eq!(clock.moved(Color::White, at(110)), Duration::from_secs(10));
        assert_eq!(clock.left(Color::White, at(200)), Duration::from_secs(55));
        assert_eq!(clock.left(Color::Black, at(130)), Duration::from_secs(40));
    }

    #[test]
    fn a_fallen_flag_stays_down() {
        let mut clock = clock();
        clock.start(Color::White, at(0));
        assert_eq!(clock.flag(at(59)), None);
        assert_eq!(clock.flag(at(60)), Some(Color::White));
        clock.moved(Color::White, at(61));
        assert_eq!(clock.flag(at(61)), Some(Color::White));
    }

    #[test]
    fn what_a_site_may_have_counted_unseen_is_not_thought_with() {
        let mut clock = GameClock::new(TimeControl {
            initial: Duration::from_secs(60),
            increment: Duration::ZERO,
        });
        clock.start(Color::White, at(0));
        assert_eq!(clock.at_least(Color::White, at(0)).as_millis(), 60_000);
        for move_number in 0..40 {
            clock.moved(Color::White, at(2 * move_number + 1));
            clock.moved(Color::Black, at(2 * move_number + 2));
        }
        assert_eq!(clock.left(Color::White, at(80)).as_millis(), 20_000);
        assert_eq!(clock.at_least(Color::White, at(80)).as_millis(), 14_000);
        // Something always remains to move in.
        assert_eq!(clock.at_least(Color::White, at(95)).as_millis(), 500);
    }
}
