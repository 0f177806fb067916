//! How a square compares with everything that may stand on it.

use super::alike::Alike;
use super::content::{CONTENTS, EMPTY};
use super::edges::Edges;

/// Sides of a square.
pub(crate) const SIDES: usize = 4;
/// Corners of a square.
pub(crate) const CORNERS: usize = 4;

/// How a square compares with everything that may stand on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SquareScores {
    /// Mean cost of a cell, 0 to 1, by content, the border aside; infinite for a piece that is not learned.
    pub cost: [f32; CONTENTS],
    /// The same over the cells of the piece's body only (for nothing: over the middle of the square).
    pub body: [f32; CONTENTS],
    /// The square's own colour as measured at its margin: the plain one, and what a tint adds to it.
    pub margin: [i16; 3],
    /// The colour of its outermost ring, where some sites draw a frame.
    pub ring: [i16; 3],
    /// The same for each of its sides; `None` where it was not measured.
    pub sides: Option<[[i16; 3]; SIDES]>,
    /// The same for each of its corners, where some sites draw brackets.
    pub corners: Option<[[i16; 3]; CORNERS]>,
    /// How far the margin is from the plain colour, in levels of the channel that differs most.
    pub tint: i16,
    /// A sign of motion, if the square shows one.
    pub motion: Option<Motion>,
    /// Contents that no picture tells apart.
    pub alike: Alike,
    /// What it shows along its edges.
    pub edges: Edges,
    /// What the best content's picture costs the next one on this ground: no clean picture tells the two by more.
    /// `None` where they are far apart.
    pub apart: Option<f32>,
    /// Mean cost of a cell if the square had one even colour and nothing on it; `None` where it is not painted over.
    pub even: Option<f32>,
    /// Contents that were never seen on squares of this colour: a bit each.
    pub guesses: u16,
    /// Mean cost of a cell if each showed what explains it best: what lies over the square.
    pub unexplained: f32,
}

/// Signs that a square's picture is taken in the middle of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// The best piece would fit better somewhat beside its place: it is on its way.
    Displaced,
    /// Two pieces over each other explain what none explains alone: a capture is going on.
    Superposed,
    /// An empty square shows a piece faintly: it is being dragged, or fades.
    Ghost,
}

impl SquareScores {
    /// Whether it is a guess how this content looks here: it was seen on squares of the other colour only.
    pub fn is_guess(&self, content: usize) -> bool {
        self.guesses >> content & 1 == 1
    }

    /// The best content and by how much the next one is worse.
    pub fn best(&self) -> (usize, f32) {
        let mut best = EMPTY;
        for k in 0..CONTENTS {
            if self.cost[k] < self.cost[best] {
                best = k;
            }
        }
        let others = (0..CONTENTS)
            .filter(|k| !self.alike.same(*k, best))
            .map(|k| self.cost[k]);
        (best, others.fold(f32::INFINITY, f32::min) - self.cost[best])
    }

    /// The cost of the best content.
    pub fn least(&self) -> f32 {
        self.cost.iter().copied().fold(f32::INFINITY, f32::min)
    }

    /// What the best content leaves open, what lies over the square aside.
    pub(super) fn left_open(&self) -> f32 {
        self.least() - self.unexplained
    }

    /// By how much a content is worse than the best.
    pub(crate) fn regret(&self, content: usize) -> f32 {
        self.cost[content] - self.least()
    }
}
