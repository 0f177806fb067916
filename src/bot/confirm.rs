//! When moves that are known are confirmed too: the whole board rests in the position after them.
//!
//! A move may be known while its piece still slides, since a site marks the move at once. What is known is acted on;
//! that the board then came to show it is written down beside it. Pure: times come in, times go out.

use shakmaty::Move;
use std::time::Duration;
use torres_frame::{Timestamp, WallTime};

/// A picture that stands this long shows no animation: its next frame would have come.
const RESTS: Duration = Duration::from_millis(50);

/// A move that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// The move.
    pub played: Move,
    /// When it was known.
    pub at: Timestamp,
    /// The time that was written down for it then; the clock may have been set since.
    pub written: WallTime,
}

/// The moves that are known and not confirmed yet, in order.
#[derive(Clone, Debug, Default)]
pub struct Confirming {
    waiting: Vec<Known>,
}

impl Confirming {
    /// These moves are known now.
    pub fn known(&mut self, line: &[Move], at: Timestamp, written: WallTime) {
        let known = line.iter().map(|&played| Known { played, at, written });
        self.waiting.extend(known);
    }

    /// Whether a move waits to be confirmed.
    pub fn waits(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The whole board shows the position believed, and its picture has not changed since `still`: the moves that are
    /// confirmed by that. A move before the last one may have been seen by what came of it only.
    pub fn stands(&mut self, still: Timestamp, now: Timestamp) -> Vec<Known> {
        if now.since(still) < RESTS {
            return Vec::new();
        }
        std::mem::take(&mut self.waiting)
    }

    /// The moves known are no part of the game any more.
    pub fn forget(&mut self) {
        self.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};

    fn ms(ms: f64) -> Timestamp {
        Timestamp::from_ms(ms)
    }

    #[test]
    fn a_move_is_confirmed_when_the_board_has_rested_in_its_position_and_once() {
        let mut confirming = Confirming::default();
        let played = Chess::default().legal_moves()[0];
        let written = WallTime::from_ms(1e12);
        assert!(!confirming.waits());
        confirming.known(&[played], ms(100.0), written);
        assert!(confirming.waits());
        // The piece arrives at 300.
        assert_eq!(confirming.stands(ms(300.0), ms(349.0)), []);
        let confirmed = confirming.stands(ms(300.0), ms(350.0));
        let at = ms(100.0);
        assert_eq!(confirmed, [Known { played, at, written }]);
        assert_eq!(confirming.stands(ms(300.0), ms(400.0)), []);
    }

    #[test]
    fn a_move_overtaken_by_the_next_is_confirmed_with_it_and_one_taken_back_never() {
        let mut confirming = Confirming::default();
        let moves = Chess::default().legal_moves();
        // Set back by an hour in between: what was written down stays.
        let written = [WallTime::from_ms(1e12), WallTime::from_ms(1e12 - 3.6e6)];
        confirming.known(&moves[..1], ms(100.0), written[0]);
        confirming.known(&moves[1..2], ms(200.0), written[1]);
        let confirmed = confirming.stands(ms(300.0), ms(400.0));
        let times: Vec<(Timestamp, WallTime)> = confirmed.iter().map(|known| (known.at, known.written)).collect();
        assert_eq!(times, [(ms(100.0), written[0]), (ms(200.0), written[1])]);
        confirming.known(&moves[..1], ms(500.0), written[0]);
        confirming.forget();
        assert_eq!(confirming.stands(ms(500.0), ms(900.0)), []);
    }
}
