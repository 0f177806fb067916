//! How far the game is when we come: at its start, or a move or two later.

use super::game::Game;
use crate::frame::Frame;
use crate::geometry::BoardMap;
use crate::vision::{Look, Reading, Tracker};
use shakmaty::{Chess, Position};

/// Recognises the game from its first frames, trying every position from which it may have started.
#[derive(Clone, Debug)]
pub struct Opening {
    starts: Vec<(Chess, Tracker)>,
}

impl Opening {
    /// The game starts from one of these positions, the likeliest first.
    pub fn new(starts: Vec<Chess>, look: &Look, map: BoardMap) -> Opening {
        let with_tracker = |start| (start, Tracker::new(look.clone(), map));
        Opening {
            starts: starts.into_iter().map(with_tracker).collect(),
        }
    }

    /// The board lies elsewhere now.
    pub fn moved_to(&mut self, map: BoardMap) {
        for (_, tracker) in &mut self.starts {
            tracker.moved_to(map);
        }
    }

    /// Looks at the next frame. The game with the moves already played, once the whole board is explained, and
    /// the tracker that has seen it.
    pub fn step(&mut self, frame: &Frame) -> Option<(Game, Tracker)> {
        for (start, tracker) in &mut self.starts {
            let Reading::Seen(sighting) = tracker.step(frame, start) else {
                continue;
            };
            let mut game = Game::new(start.clone());
            if sighting.line.iter().all(|m| game.play(*m).is_ok()) {
                return Some((game, tracker.clone()));
            }
        }
        None
    }
}

/// The positions from which a game may have started: the usual one, and the one that the calibration showed.
pub fn possible_starts(calibrated: Option<Chess>) -> Vec<Chess> {
    let usual = Chess::default();
    let other = calibrated.filter(|position| position.board() != usual.board() || position.turn() != usual.turn());
    std::iter::once(usual).chain(other).collect()
}
