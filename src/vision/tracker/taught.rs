//! What a game teaches a tracker beside the appearance and the marks; evidence keeps it, so that a replay starts where the game was.

use super::super::appearance::{BareSquares, Relearning};
use super::motion::Motions;
use super::past::Past;
use serde::{Deserialize, Serialize};

/// The state that decisions rest on and that no single frame shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Learned {
    /// How moves came about: how long animations take, or that there are none.
    pub(super) motions: Motions,
    /// How well the pieces that were learned from one square look as they were learned.
    pub(super) relearning: Relearning,
    /// Bare squares that were seen once.
    #[serde(skip)]
    pub(super) bare: BareSquares,
    /// The positions of the game so far.
    pub(super) past: Past,
}
