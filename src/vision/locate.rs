//! Finds boards in a screenshot without being told their colours.

use crate::geometry::{BoardRect, Orientation};
use image::RgbaImage;

/// A board found in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundBoard {
    /// Where it lies, in pixels of the picture.
    pub rect: BoardRect,
    /// Which way it is turned, where its pieces tell.
    pub orientation: Option<Orientation>,
    /// How much it looks like a board, 0 to 1.
    pub score: f64,
}

/// All boards in the picture, best first.
pub fn locate(_image: &RgbaImage) -> Vec<FoundBoard> {
    todo!()
}

/// The board's exact place now, if it still lies within two pixels of where it was; cheap.
pub fn still_there(_image: &RgbaImage, _was: &BoardRect) -> Option<BoardRect> {
    todo!()
}
