//! Both players' time. The server's clock decides; the page's only counts along. It is the machine's own, which nobody
//! sets and which its sleep does not stop: a player on the same machine counts by the same.

use shakmaty::{ByColor, Color};
use std::time::Duration;
use torres_chess::TimeControl;
use torres_frame::Timestamp;

/// Two clocks of which at most one runs.
#[derive(Clone, Debug)]
pub struct Clock {
    remaining: ByColor<Duration>,
    increment: Duration,
    running: Option<(Color, Timestamp)>,
}

impl Clock {
    /// Both clocks full, none running.
    pub fn new(control: TimeControl) -> Clock {
        Clock {
            remaining: ByColor::new_with(|_| control.initial),
            increment: control.increment,
            running: None,
        }
    }

    /// Lets `color`'s clock run from `now` on. The other stops and, if it was running, gains the increment.
    pub fn switch_to(&mut self, color: Color, now: Timestamp) {
        let moved = self.running.map(|(mover, _)| mover);
        self.stop(now);
        if let Some(mover) = moved.filter(|&mover| mover != color) {
            self.remaining[mover] += self.increment;
        }
        self.running = Some((color, now));
    }

    /// Sets both clocks, and lets one run, or none, since a moment.
    pub fn set(&mut self, remaining: ByColor<Duration>, running: Option<(Color, Timestamp)>) {
        self.remaining = remaining;
        self.running = running;
    }

    /// Stops both.
    pub fn stop(&mut self, now: Timestamp) {
        if let Some((color, _)) = self.running {
            self.remaining[color] = self.remaining(color, now);
            self.running = None;
        }
    }

    /// What `color` has left at `now`.
    pub fn remaining(&self, color: Color, now: Timestamp) -> Duration {
        match self.running {
            Some((running, since)) if running == color => self.remaining[color].saturating_sub(now.since(since)),
            _ => self.remaining[color],
        }
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// When the running clock's flag falls, and whose.
    pub fn flag(&self) -> Option<(Color, Timestamp)> {
        self.running
            .map(|(color, since)| (color, since + self.remaining[color]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn ten_plus_two() -> (Clock, Timestamp) {
        let clock = Clock::new(TimeControl {
            initial: SECOND * 10,
            increment: SECOND * 2,
        });
        (clock, Timestamp::now())
    }

    #[test]
    fn only_the_side_to_move_loses_time_and_moving_gains_the_increment() {
        let (mut clock, start) = ten_plus_two();
        assert_eq!(clock.flag(), None);
        clock.switch_to(Color::White, start);
        assert_eq!(clock.remaining(Color::White, start + SECOND * 3), SECOND * 7);
        assert_eq!(clock.remaining(Color::Black, start + SECOND * 3), SECOND * 10);
        clock.switch_to(Color::Black, start + SECOND * 3);
        assert_eq!(clock.remaining(Color::White, start + SECOND * 60), SECOND * 9);
        assert_eq!(clock.running(), Some(Color::Black));
    }

    #[test]
    fn whose_clock_runs_on_gains_nothing() {
        let (mut clock, start) = ten_plus_two();
        clock.switch_to(Color::White, start);
        clock.switch_to(Color::White, start + SECOND * 3);
        assert_eq!(clock.remaining(Color::White, start + SECOND * 4), SECOND * 6);
    }

    #[test]
    fn the_flag_falls_when_the_time_is_used_up() {
        let (mut clock, start) = ten_plus_two();
        clock.switch_to(Color::Black, start);
        assert_eq!(clock.flag(), Some((Color::Black, start + SECOND * 10)));
        assert_eq!(clock.remaining(Color::Black, start + SECOND * 11), Duration::ZERO);
    }

    #[test]
    fn a_stopped_clock_keeps_its_time() {
        let (mut clock, start) = ten_plus_two();
        clock.switch_to(Color::White, start);
        clock.stop(start + SECOND);
        assert_eq!(clock.remaining(Color::White, start + SECOND * 5), SECOND * 9);
        assert_eq!(clock.flag(), None);
    }

    #[test]
    fn a_time_control_reads_as_players_write_it() {
        assert_eq!(TimeControl::default().to_string(), "15+10");
    }
}
