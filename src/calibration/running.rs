//! What runs beside a board: clocks, and whatever else a page moves by itself.

use super::drawings::{Mask, differ, is_on};
use image::RgbaImage;
use std::sync::Arc;
use torres_geometry::BoardRect;

/// A pixel that differs by more than this between two pictures belongs to something that runs.
const RUNNING: u8 = 24;

/// A page of whose edges more than this share look otherwise has moved as a whole. Of what is drawn anew somewhere else
/// half of the edges do: an edge's outer pixel has the ground's colour before and after.
const MOVED: f64 = 0.25;

/// What looks otherwise in a later picture of the same size. A page may move as a whole: its header shrinks, say, once
/// the bot has moved. Its words run no more than they did before then, so such pictures tell nothing.
/// `drawn` are the picture's edges beside the board.
pub(super) fn running(picture: &RgbaImage, later: &[Arc<RgbaImage>], drawn: &Mask, board: &BoardRect) -> Mask {
    let edges = drawn.pixels().count() as f64;
    let has_moved = |other: &RgbaImage| {
        let differing = drawn.pixels().filter(|at| differ(picture, other, *at, RUNNING));
        differing.count() as f64 > MOVED * edges
    };
    let later: Vec<_> = later
        .iter()
        .filter(|other| other.dimensions() == picture.dimensions() && !has_moved(other))
        .collect();
    let runs = |x, y| later.iter().any(|other| differ(picture, other, (x, y), RUNNING));
    Mask::of(picture, |x, y| !is_on(board, x, y) && runs(x, y))
}
