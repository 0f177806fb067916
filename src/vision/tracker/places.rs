//! How far beside their places a board's pieces lie when they rest: on some boards exactly there, on others up to half
//! a cell aside, since their squares are no whole number of pixels.

use serde::{Deserialize, Serialize};

/// Before any move was seen, the mean counts like this many pieces that lay this far aside, in cells: the mean over the
/// boards of rendered scenes.
const FIRST: f32 = 0.2;
const AS_MANY_AS: f32 = 2.0;

/// A piece that seems to lie farther than this aside, in cells, has something over it.
const FARTHEST: f32 = 1.0;

/// What the moves believed so far tell of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Places {
    moves: u32,
    /// By how much their pieces lay aside, all together, in cells.
    aside: f32,
}

impl Places {
    /// A piece has landed this far beside its place, in cells.
    pub fn landed(&mut self, aside: f32) {
        self.moves += 1;
        self.aside += aside.min(FARTHEST);
    }

    /// The mean, in cells.
    pub fn usual(&self) -> f32 {
        (AS_MANY_AS * FIRST + self.aside) / (AS_MANY_AS + self.moves as f32)
    }
}
