//! A board that is seen through a filter: pages grey it, darken it or wash it out once a game is over. One map of
//! colours, linear and the same for all squares, takes what a position looks like to what shows of it (least squares).

use super::super::patch::{CELLS, Patch};
use super::ground::from_border;
use super::{Appearance, cut, index};
use image::RgbaImage;
use shakmaty::{Board, Square};
use torres_geometry::{BoardMap, BySquare};

/// What keeps the equations of a board without colours solvable, in squared levels a cell.
const RIDGE: f64 = 1e-2;

/// So many cells at a square's border are no part of what differs in it: marks frame squares.
const INNER: usize = 4;

/// The map is found from so many squares, those that it fits best; others may be covered (least trimmed squares,
/// Rousseeuw 1984).
const KEPT: usize = 36;
/// In so many rounds, each with the squares that the one before fits best.
const ROUNDS: usize = 6;
/// In the end from all squares that differ by no more than this.
const NEAR: f32 = 0.6;

/// How far each square is from showing this position through a filter: the difference that remains (root mean square),
/// as a share of the board's contrast.
pub fn unlike(appearance: &Appearance, image: &RgbaImage, map: &BoardMap, board: &Board) -> BySquare<f32> {
    let expected = BySquare::from_fn(|square| {
        let ground = appearance
            .own_ground(square)
            .unwrap_or_else(|| appearance.ground(square.is_dark()));
        let piece = board.piece_at(square).map(|piece| index(Some(piece)));
        let template = piece.and_then(|piece| appearance.template(piece));
        template.map_or_else(|| ground.clone(), |template| template.over(ground))
    });
    let seen = BySquare::from_fn(|square| cut(map, square).take(image));
    let contrast = contrast(&seen);
    let differences = |squares: &[Square]| {
        let filter = Filter::between(&expected, &seen, squares);
        BySquare::from_fn(|square| filter.difference(&expected[square], &seen[square]) / contrast)
    };
    let mut found = differences(&Square::ALL);
    for _ in 0..ROUNDS {
        let mut kept = Square::ALL;
        kept.sort_by(|a, b| found[*a].total_cmp(&found[*b]));
        found = differences(&kept[..KEPT]);
    }
    let near: Vec<Square> = Square::ALL
        .into_iter()
        .filter(|square| found[*square] <= NEAR)
        .collect();
    differences(&near)
}

/// Root mean square of the levels' distance from their mean.
fn contrast(seen: &BySquare<Patch>) -> f32 {
    let levels = |c: usize| {
        let squares = Square::ALL.into_iter();
        squares.flat_map(move |square| seen[square].planes[c].iter().map(|level| f32::from(*level)))
    };
    let count = (CELLS * Square::ALL.len()) as f32;
    let spread = |c: usize| {
        let mean = levels(c).sum::<f32>() / count;
        levels(c).map(|level| (level - mean).powi(2)).sum::<f32>() / count
    };
    ([0, 1, 2].map(spread).iter().sum::<f32>() / 3.0).sqrt().max(1.0)
}

/// What each channel becomes: shares of red, green and blue, and a level that is added.
struct Filter([[f64; 4]; 3]);

impl Filter {
    /// The one that comes nearest to taking what is expected on these squares to what is seen there.
    fn between(expected: &BySquare<Patch>, seen: &BySquare<Patch>, squares: &[Square]) -> Filter {
        let mut together = [[0.0; 4]; 4];
        let mut with_seen = [[0.0; 4]; 3];
        for &square in squares {
            for cell in 0..CELLS {
                let from = with_one(expected[square].color(cell));
                let to = seen[square].color(cell);
                for i in 0..4 {
                    (0..4).for_each(|j| together[i][j] += from[i] * from[j]);
                    (0..3).for_each(|c| with_seen[c][i] += f64::from(to[c]) * from[i]);
                }
            }
        }
        (0..4).for_each(|i| together[i][i] += RIDGE * CELLS as f64);
        Filter(with_seen.map(|right| solved(together, right)))
    }

    /// Root mean square of what differs within a square, in levels. A mark of the last move is a frame, or lies evenly
    /// over the square: what all cells have in common is none of the piece's.
    fn difference(&self, expected: &Patch, seen: &Patch) -> f32 {
        let inner: Vec<usize> = (0..CELLS).filter(|cell| from_border(*cell) >= INNER).collect();
        let spread = |c: usize| {
            let apart = |cell: &usize| {
                let from = with_one(expected.color(*cell));
                self.0[c].iter().zip(from).map(|(a, b)| a * b).sum::<f64>() - f64::from(seen.color(*cell)[c])
            };
            let mean =
                |of: &dyn Fn(f64) -> f64| inner.iter().map(|cell| of(apart(cell))).sum::<f64>() / inner.len() as f64;
            let common = mean(&|apart| apart);
            mean(&|apart| (apart - common).powi(2))
        };
        ((0..3).map(spread).sum::<f64>() / 3.0).sqrt() as f32
    }
}

fn with_one(color: [i16; 3]) -> [f64; 4] {
    let [r, g, b] = color.map(f64::from);
    [r, g, b, 1.0]
}

/// The solution of four equations whose matrix is positive definite (Gaussian elimination).
fn solved(mut matrix: [[f64; 4]; 4], mut right: [f64; 4]) -> [f64; 4] {
    for i in 0..4 {
        for below in i + 1..4 {
            let times = matrix[below][i] / matrix[i][i];
            (i..4).for_each(|k| matrix[below][k] -= times * matrix[i][k]);
            right[below] -= times * right[i];
        }
    }
    for i in (0..4).rev() {
        let known: f64 = (i + 1..4).map(|k| matrix[i][k] * right[k]).sum();
        right[i] = (right[i] - known) / matrix[i][i];
    }
    right
}
