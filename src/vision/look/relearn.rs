//! Second thoughts about pieces that were learned from a single square: a cursor or a notice may have lain over it, a coordinate may
//! be written there, and what shows between the points of a crown is not told from the piece.

use super::super::patch::{CELLS, Patch};
use super::compare::index;
use super::matting::Instance;
use super::{CLEAN, Look};
use crate::geometry::BoardMap;
use image::RgbaImage;
use shakmaty::{Bitboard, Board};

/// A piece that was seen this often, where it was learned, as it was learned is left alone there.
const ENOUGH: u8 = 3;

/// A piece seen in one other way in so many positions looks like that.
const AGAIN: u8 = 3;

/// Two pictures are the same when their cells differ by no more than this in the mean, in levels.
const SAME: i32 = 4;

/// What was seen of one piece on one square colour since it was learned.
#[derive(Clone, Debug, Default)]
struct Doubted {
    /// How often it looked as learned where it was learned.
    at_home: u8,
    /// Whether it did so anywhere else.
    elsewhere: bool,
    /// Another picture of it, in how many positions it was seen, and the last of these.
    rival: Option<(Patch, u8, Board)>,
}

/// Follows how well the pieces that stand alone on squares of one colour look as they were learned.
#[derive(Clone, Debug, Default)]
pub struct Relearning {
    doubted: [[Doubted; 12]; 2],
    first: Option<Board>,
}

impl Relearning {
    /// Takes a frame known to show `board`. A piece that never looked as it was learned, and looks the same in another way again and
    /// again, is learned anew, but for pieces on squares that are `coloured` for a while. Says whether one was.
    pub fn take(
        &mut self,
        look: &mut Look,
        image: &RgbaImage,
        map: &BoardMap,
        board: &Board,
        coloured: Bitboard,
    ) -> bool {
        let first = self.first.get_or_insert_with(|| board.clone());
        let mut learned = false;
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
            let Some(old) = look.templates[k].as_ref().filter(|_| !well_known && is_alone) else {
                continue;
            };
            let (patch, scores) = look.reader(map).aligned(image, square);
            if scores.cost[k] <= CLEAN {
                doubted.at_home += u8::from(is_home);
                doubted.elsewhere |= !is_home;
                doubted.rival = None;
                continue;
            }
            let times = match &doubted.rival {
                Some((rival, times, then)) if apart(rival, &patch) <= SAME => times + u8::from(then != board),
                _ => 1,
            };
            if times < AGAIN {
                doubted.rival = Some((patch, times, board.clone()));
                continue;
            }
            *doubted = Doubted::default();
            let other = look.plain[usize::from(!dark)];
            let seen_on_other = old.seen_on.has(!dark).then(|| old.over(other));
            let known = seen_on_other.as_ref().map(|patch| Instance { patch, square: other });
            if let Some(template) = look.template_of(k, &patch, dark, known) {
                look.templates[k] = Some(template);
                learned = true;
            }
        }
        if learned {
            look.remake();
        }
        learned
    }
}

/// Mean difference of two pictures, in levels.
fn apart(a: &Patch, b: &Patch) -> i32 {
    let planes = a.planes.iter().zip(&b.planes);
    let sum: i32 = planes
        .flat_map(|(a, b)| a.iter().zip(b))
        .map(|(a, b)| i32::from((a - b).abs()))
        .sum();
    sum / (3 * CELLS as i32)
}
