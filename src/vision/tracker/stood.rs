//! What stood on squares since the position was believed.
//!
//! A pawn that goes one step and then another shows in the end what it shows after two steps at once. If it was seen to
//! stand half-way, too long for one on its way, it went by single steps.

use shakmaty::{Piece, Square};
use std::time::Duration;
use torres_frame::Timestamp;
use torres_geometry::BySquare;

/// Pieces that stood where the position believed has none of them.
#[derive(Clone, Debug)]
pub struct Stood {
    /// When each square's picture changed last.
    stirred: BySquare<Timestamp>,
    pieces: Vec<(Square, Piece)>,
}

impl Default for Stood {
    fn default() -> Stood {
        Stood {
            stirred: BySquare::from_fn(|_| Timestamp::default()),
            pieces: Vec::new(),
        }
    }
}

impl Stood {
    /// A frame has come in which these squares have another picture than in the frame before.
    pub fn stir(&mut self, moved: impl IntoIterator<Item = Square>, now: Timestamp) {
        for s in moved {
            self.stirred[s] = now;
        }
    }

    /// These pieces are read for certain where the position believed has none of them: those that have stood for `long`
    /// are kept.
    pub fn see(&mut self, pieces: impl IntoIterator<Item = (Square, Piece)>, now: Timestamp, long: Duration) {
        for (s, piece) in pieces {
            if now.since(self.stirred[s]) >= long && !self.pieces.contains(&(s, piece)) {
                self.pieces.push((s, piece));
            }
        }
    }

    /// Another position is believed.
    pub fn forget(&mut self) {
        self.pieces.clear();
    }

    /// What stood on the way.
    pub fn pieces(&self) -> &[(Square, Piece)] {
        &self.pieces
    }
}
