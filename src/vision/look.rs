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

/// stand-in
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Look {
    items: Vec<(char, bool, Vec<u8>)>,
}
const N: u32 = 12;
fn cell(image: &RgbaImage, map: &BoardMap, s: Square) -> Vec<u8> {
    let r = map.square_rect(s);
    let c = image::imageops::crop_imm(image, (r.x + 3.0) as u32, (r.y + 3.0) as u32, r.width as u32 - 6, r.height as u32 - 6).to_image();
    let t = image::imageops::resize(&c, N, N, image::imageops::FilterType::Triangle);
    t.pixels().map(|p| ((u32::from(p.0[0]) + u32::from(p.0[1]) + u32::from(p.0[2])) / 3) as u8).collect()
}
impl Look {
    pub fn learn(image: &RgbaImage, map: &BoardMap, board: &Board) -> Result<Look, LearnError> {
        let mut items: Vec<(char, bool, Vec<u8>)> = Vec::new();
        for s in Square::ALL {
            let k = (board.piece_at(s).map_or('.', |p| p.char()), s.is_light());
            let v = cell(image, map, s);
            if let Some(i) = items.iter().find(|i| (i.0, i.1) == k) {
                let d: u32 = i.2.iter().zip(&v).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
                if d > 10 * N * N { return Err(LearnError::NotThatPosition(format!("{s}"))); }
            } else { items.push((k.0, k.1, v)); }
        }
        Ok(Look { items })
    }
    pub fn read(&self, image: &RgbaImage, map: &BoardMap) -> BoardReading {
        BoardReading { squares: BySquare::from_fn(|s| {
            let v = cell(image, map, s);
            let mut best: Vec<(u32, char)> = self.items.iter().map(|i| {
                let m1: i32 = v.iter().map(|x| i32::from(*x)).sum::<i32>() / v.len() as i32;
                let m2: i32 = i.2.iter().map(|x| i32::from(*x)).sum::<i32>() / v.len() as i32;
                let d: u32 = i.2.iter().zip(&v).map(|(a, b)| ((i32::from(*a) - m2) - (i32::from(*b) - m1)).unsigned_abs()).sum();
                (d, i.0)
            }).collect();
            best.sort();
            SquareReading { content: Piece::from_char(best[0].1), confidence: 1.0, doubtful: best[0].0 > 25 * N * N }
        }) }
    }
    pub fn read_pieces(&self, image: &RgbaImage, map: &BoardMap) -> BySquare<Option<Piece>> {
        let r = self.read(image, map);
        BySquare::from_fn(|s| r.squares[s].content)
    }
}
