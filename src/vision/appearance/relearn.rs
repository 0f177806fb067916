//! Learns pieces anew that were learned wrongly from a single square: a cursor or a notice may have lain over it, a
//! coordinate may be written there, and the ground between the points of a crown may have been taken for a part of the
//! piece.

use super::super::patch::{CELLS, Patch};
use super::compare::OVERLAID;
use super::content::{content, index};
use super::{Appearance, CLEAN};
use image::RgbaImage;
use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Board, Piece};
use std::collections::BTreeMap;
use torres_geometry::BoardMap;

/// A piece that looked as it was learned this often, on the square where it was learned, is not learned anew on that
/// square colour.
const ENOUGH: u8 = 3;

/// In how many positions a piece must look the same in another way to be learned anew.
const AGAIN: u8 = 3;

/// Two pictures are the same when their cells differ by less than this in the mean, in levels.
const SAME: f32 = 5.0;

/// What was seen of one piece on one square colour since it was learned.
#[derive(Clone, Debug, Default, PartialEq)]
struct Doubted {
    /// How often it looked as learned where it was learned.
    at_home: u8,
    /// Whether it looked as learned anywhere else.
    elsewhere: bool,
    /// Another picture of it, in how many positions it was seen, and the last of these.
    rival: Option<(Box<Patch>, u8, Board)>,
}

/// Follows how well the pieces that stand alone on squares of one colour look as they were learned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RelearningFile", into = "RelearningFile")]
pub struct Relearning {
    doubted: [[Doubted; 12]; 2],
    first: Option<Board>,
}

/// The same as a file has it: pieces by their FEN letters, the position that the appearance was learned from as a FEN's
/// first field.
#[derive(Clone, Serialize, Deserialize)]
struct RelearningFile {
    first: Option<String>,
    #[serde(default)]
    light: BTreeMap<char, DoubtedFile>,
    #[serde(default)]
    dark: BTreeMap<char, DoubtedFile>,
}

/// What was seen of a piece, as a file has it.
#[derive(Clone, Serialize, Deserialize)]
struct DoubtedFile {
    at_home: u8,
    elsewhere: bool,
    /// How often it looked like `other`.
    #[serde(default)]
    times: u8,
    /// The last position in which it did.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    on: String,
    /// Red, green and blue of every cell, plane by plane.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    other: Vec<i16>,
}

impl From<Doubted> for DoubtedFile {
    fn from(doubted: Doubted) -> DoubtedFile {
        let (other, times, on) = match doubted.rival {
            Some((patch, times, on)) => (patch.planes.concat(), times, on.to_string()),
            None => (Vec::new(), 0, String::new()),
        };
        DoubtedFile {
            at_home: doubted.at_home,
            elsewhere: doubted.elsewhere,
            times,
            on,
            other,
        }
    }
}

impl TryFrom<DoubtedFile> for Doubted {
    type Error = String;

    fn try_from(file: DoubtedFile) -> Result<Doubted, String> {
        let rival = match file.other.len() {
            0 => None,
            n if n == 3 * CELLS => {
                let plane = |c: usize| std::array::from_fn(|k| file.other[c * CELLS + k]);
                let planes = [plane(0), plane(1), plane(2)];
                Some((Box::new(Patch { planes }), file.times, placement(&file.on)?))
            }
            n => return Err(format!("a piece's other picture has {n} values, not {}", 3 * CELLS)),
        };
        Ok(Doubted {
            at_home: file.at_home,
            elsewhere: file.elsewhere,
            rival,
        })
    }
}

fn placement(text: &str) -> Result<Board, String> {
    let read = Board::from_ascii_board_fen(text.as_bytes());
    read.map_err(|e| format!("'{text}' is no placement: {e}"))
}

impl From<Relearning> for RelearningFile {
    fn from(relearning: Relearning) -> RelearningFile {
        let [light, dark] = relearning.doubted.map(|pieces| {
            let known = pieces.into_iter().enumerate();
            let known = known.filter(|(_, doubted)| *doubted != Doubted::default());
            known
                .filter_map(|(k, doubted)| Some((content(k)?.char(), doubted.into())))
                .collect()
        });
        RelearningFile {
            first: relearning.first.map(|board| board.to_string()),
            light,
            dark,
        }
    }
}

impl TryFrom<RelearningFile> for Relearning {
    type Error = String;

    fn try_from(file: RelearningFile) -> Result<Relearning, String> {
        let mut relearning = Relearning {
            first: file.first.as_deref().map(placement).transpose()?,
            ..Relearning::default()
        };
        for (pieces, doubted) in [file.light, file.dark].into_iter().zip(&mut relearning.doubted) {
            for (letter, file) in pieces {
                let piece =
                    Piece::from_char(letter).ok_or_else(|| format!("{letter:?} is not a piece's FEN letter"))?;
                doubted[index(Some(piece))] = file.try_into()?;
            }
        }
        Ok(relearning)
    }
}

impl Relearning {
    /// Takes a frame known to show `board`. A piece that never looked as it was learned, and looks the same in another
    /// way again and again, is learned anew, but for pieces on squares that are `coloured` for a while. Says whether
    /// one was.
    pub fn take(
        &mut self,
        appearance: &mut Appearance,
        image: &RgbaImage,
        map: &BoardMap,
        board: &Board,
        coloured: Bitboard,
    ) -> bool {
        let first = self.first.get_or_insert_with(|| board.clone());
        let mut seen = Vec::new();
        for (square, piece) in board.iter().filter(|(square, _)| !coloured.contains(*square)) {
            let (k, dark) = (index(Some(piece)), square.is_dark());
            let of_color = if dark {
                Bitboard::DARK_SQUARES
            } else {
                Bitboard::LIGHT_SQUARES
            };
            let is_home = first.piece_at(square) == Some(piece);
            let doubted = &mut self.doubted[usize::from(dark)][k];
            let well_known = doubted.elsewhere || (is_home && doubted.at_home >= ENOUGH);
            let is_alone = (board.by_piece(piece) & of_color).count() == 1;
            if well_known || !is_alone || appearance.template(k).is_none() {
                continue;
            }
            let (patch, scores) = appearance.reader(map).closely_aligned(image, square);
            // What colours the square may lie over the piece too.
            if scores.tint > OVERLAID {
                continue;
            }
            if scores.cost[k] <= CLEAN {
                doubted.at_home += u8::from(is_home);
                doubted.elsewhere |= !is_home;
                doubted.rival = None;
                continue;
            }
            let times = match &doubted.rival {
                Some((rival, times, then)) if rival.mean_difference(&patch) < SAME => times + u8::from(then != board),
                _ => 1,
            };
            if times < AGAIN {
                doubted.rival = Some((Box::new(patch), times, board.clone()));
                continue;
            }
            *doubted = Doubted::default();
            seen.push((k, patch, square));
        }
        appearance.relearn(&seen)
    }
}
