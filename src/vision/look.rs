//! How this board's squares and pieces appear, learned from one known position.

use crate::geometry::{BoardMap, BySquare};
use image::RgbaImage;
use serde::{Deserialize, Serialize};
use shakmaty::{Board, Piece, Square};

/// What stands on a square, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SquareReading {
    /// The piece seen, `None` for an empty square.
    pub content: Option<Piece>,
    /// 0 to 1.
    pub confidence: f64,
    /// Covered, or too like something else, to be believed.
    pub doubtful: bool,
}

/// What stands on every square.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardReading {
    /// Square by square.
    pub squares: BySquare<SquareReading>,
}

impl BoardReading {
    /// The pieces as read, doubtful squares by their best guess.
    pub fn board(&self) -> Board {
        let pieces = self.squares.iter().filter_map(|(s, r)| Some((s, r.content?)));
        pieces.collect()
    }

    /// The least sure square's confidence.
    pub fn confidence(&self) -> f64 {
        self.squares.iter().map(|(_, r)| r.confidence).fold(1.0, f64::min)
    }

    /// The squares not to be believed.
    pub fn doubtful(&self) -> Vec<Square> {
        self.squares
            .iter()
            .filter(|(_, r)| r.doubtful)
            .map(|(s, _)| s)
            .collect()
    }
}

/// Why a look cannot be learned from a picture.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LearnError {
    /// The board does not lie wholly inside the picture.
    #[error("the board is not wholly inside the picture")]
    OutOfPicture,
    /// The picture does not show the position that it is said to show.
    #[error("the picture does not show the stated position: {0}")]
    NotThatPosition(String),
}

/// How this board's squares and pieces appear.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Look {}

impl Look {
    /// Learns from a picture that shows `board` at `map`.
    pub fn learn(_image: &RgbaImage, _map: &BoardMap, _board: &Board) -> Result<Look, LearnError> {
        todo!()
    }

    /// Reads all 64 squares.
    pub fn read(&self, _image: &RgbaImage, _map: &BoardMap) -> BoardReading {
        todo!()
    }
}
