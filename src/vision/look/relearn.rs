//! Second thoughts about pieces that were learned from a single square: a cursor or a notice may have lain over it.

use super::super::patch::{CELLS, Patch};
use super::compare::index;
use super::{CLEAN, Look, cut};
use crate::geometry::BoardMap;
use image::RgbaImage;
use shakmaty::Board;

/// A piece that was seen this often as it was learned is learned well.
const ENOUGH: u8 = 3;

/// A piece seen this often in one other way looks like that.
const AGAIN: u8 = 3;

/// Two pictures are the same when their cells differ by no more than this in the mean, in levels.
const SAME: i32 = 4;

/// What was seen of one piece since it was learned.
#[derive(Clone, Debug, Default)]
struct Doubted {
    agreed: u8,
    rival: Option<(Patch, u8)>,
}

/// Follows how well the pieces that stand on one square only look as they were learned.
#[derive(Clone, Debug, Default)]
pub struct Relearning([Doubted; 12]);

impl Relearning {
    /// Takes a frame known to show `board`. A piece that never looked as it was learned, and looks the same in another way again and
    /// again, is learned anew. Says whether one was.
    pub fn take(&mut self, look: &mut Look, image: &RgbaImage, map: &BoardMap, board: &Board) -> bool {
        let mut learned = false;
        for (square, piece) in board.iter() {
            let k = index(Some(piece));
            let doubted = &mut self.0[k];
            if doubted.agreed >= ENOUGH || board.by_piece(piece).count() != 1 || look.templates[k].is_none() {
                continue;
            }
            let patch = cut(map, square).take(image);
            let scores = look.comparer.scores(&patch, square.is_dark());
            if scores.cost[k] <= CLEAN {
                doubted.agreed += 1;
                doubted.rival = None;
                continue;
            }
            let times = match &doubted.rival {
                Some((rival, times)) if apart(rival, &patch) <= SAME => times + 1,
                _ => 1,
            };
            if times < AGAIN {
                doubted.rival = Some((patch, times));
                continue;
            }
            if let Some(template) = look.template_of(&patch, square.is_dark(), None) {
                look.templates[k] = Some(template);
                learned = true;
            }
            *doubted = Doubted::default();
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
