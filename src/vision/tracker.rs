//! Follows a game frame by frame: the histogram diff wakes, the legal moves explain, the whole board confirms.

use super::look::{BoardReading, Look};
use crate::frame::Frame;
use crate::geometry::BoardMap;
use shakmaty::{Chess, Move, Position, Square};

/// What vision says of a frame, compared with the position believed so far.
#[derive(Clone, Debug)]
pub enum Reading {
    /// No square differs from the last frame that was understood: nothing happened.
    Unchanged,
    /// The picture moves or is not understood yet; look again.
    Moving,
    /// The whole board is explained.
    Seen(Sighting),
    /// The picture is at rest and no legal line explains it, or more than one does.
    Unknown(Doubt),
    /// There is no board at its place any more.
    Lost,
}

/// The one legal line that explains the whole board.
#[derive(Clone, Debug)]
pub struct Sighting {
    /// Moves from the believed position to the one seen; empty when that one stands there still.
    pub line: Vec<Move>,
    /// The position after the line.
    pub position: Chess,
    /// How sure the least sure square is, 0 to 1.
    pub confidence: f64,
}

/// Why a resting picture is not understood.
#[derive(Clone, Debug)]
pub struct Doubt {
    /// What was read, square by square.
    pub reading: BoardReading,
    /// Squares that differ from the last frame that was understood.
    pub changed: Vec<Square>,
    /// The legal lines that come nearest, with their cost (0 is a perfect fit), best first.
    pub candidates: Vec<(Vec<Move>, f64)>,
}

/// Vision's state between frames.
#[derive(Clone, Debug)]
pub struct Tracker {
    look: Look,
    map: BoardMap,
    last: Option<image::RgbaImage>,
    prev: Option<image::RgbaImage>,
}

impl Tracker {
    /// Starts with no frame seen.
    pub fn new(look: Look, map: BoardMap) -> Tracker {
        Tracker { look, map, last: None, prev: None }
    }

    /// Where the board is taken to lie in the frames.
    pub fn map(&self) -> &BoardMap {
        &self.map
    }

    /// The board lies elsewhere now: the next frame is read afresh.
    pub fn moved_to(&mut self, map: BoardMap) {
        self.map = map; self.last = None;
    }

    /// How the board appears.
    pub fn look(&self) -> &Look {
        &self.look
    }

    /// Takes the next frame; `position` is the one believed so far.
    pub fn step(&mut self, frame: &Frame, position: &Chess) -> Reading {
        if super::locate::still_there(&frame.image, &self.map.rect).is_none() { return Reading::Lost; }
        if self.last.as_ref() == Some(&frame.image) { return Reading::Unchanged; }
        if self.prev.as_ref() != Some(&frame.image) { self.prev = Some(frame.image.clone()); return Reading::Moving; }
        let b = self.look.read(&frame.image, &self.map).board();
        let mut lines = vec![(vec![], position.clone())];
        for m in position.legal_moves() {
            let mut p = position.clone(); p.play_unchecked(m);
            lines.push((vec![m], p.clone()));
            for m2 in p.legal_moves() { let mut q = p.clone(); q.play_unchecked(m2); lines.push((vec![m, m2], q)); }
        }
        for (line, p) in lines { if *p.board() == b { self.last = Some(frame.image.clone()); return Reading::Seen(Sighting { line, position: p, confidence: 1.0 }); } }
        Reading::Moving
    }
}
