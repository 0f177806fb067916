//! What a square shows along its edges: a thing that lies over two squares has one colour on both sides of the edge
//! between them, where a board, its marks and its pieces have two.

use super::super::patch::{N, Patch};
use shakmaty::Square;
use torres_geometry::Orientation;

/// How many parts an edge is looked at in.
const PARTS: usize = 6;

/// Levels by which the cells of a part may differ, and parts of one colour on both sides.
const EVEN: u8 = 4;

/// How many parts of an edge must have the same colour on both sides: a third of it.
const ENOUGH: usize = 2;

/// The parts of one edge, where they are even, from left to right or from top to bottom of the picture.
type Edge = [Option<[u8; 3]>; PARTS];

/// A square's four edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edges {
    /// Towards the a-file, the h-file, the first rank and the eighth.
    sides: [Edge; 4],
}

impl Edges {
    /// From the picture of a square.
    pub fn of(patch: &Patch, orientation: Orientation) -> Edges {
        // The outermost cells may show some of the neighbour's colour.
        let (near, far) = (1, N - 2);
        let left = edge(patch, |k| k * N + near);
        let right = edge(patch, |k| k * N + far);
        let top = edge(patch, |k| near * N + k);
        let bottom = edge(patch, |k| far * N + k);
        Edges {
            sides: match orientation {
                Orientation::White => [left, right, bottom, top],
                Orientation::Black => [right, left, top, bottom],
                Orientation::WhiteMirrored => [right, left, bottom, top],
                Orientation::BlackMirrored => [left, right, top, bottom],
            },
        }
    }

    /// The colours that go on from a square `a` with these edges to its neighbour `b` with the others.
    pub fn shared(&self, other: &Edges, a: Square, b: Square) -> Vec<[i16; 3]> {
        let (files, ranks) = (a.file().distance(b.file()), a.rank().distance(b.rank()));
        let (here, there) = match (files, ranks) {
            (1, 0) if b > a => (1, 0),
            (1, 0) => (0, 1),
            (0, 1) if b > a => (3, 2),
            (0, 1) => (2, 3),
            _ => return Vec::new(),
        };
        let pairs = self.sides[here].iter().zip(&other.sides[there]);
        let same: Vec<[u8; 3]> = pairs
            .filter_map(|(a, b)| (*a).zip(*b))
            .filter(|(a, b)| alike(*a, *b))
            .map(|(a, _)| a)
            .collect();
        let often = |color: &[u8; 3]| same.iter().filter(|c| alike(**c, *color)).count() >= ENOUGH;
        same.iter().filter(|c| often(c)).map(|c| c.map(i16::from)).collect()
    }
}

fn alike(a: [u8; 3], b: [u8; 3]) -> bool {
    (0..3).all(|c| a[c].abs_diff(b[c]) <= EVEN)
}

fn edge(patch: &Patch, cell: impl Fn(usize) -> usize) -> Edge {
    std::array::from_fn(|part| {
        let range = part * N / PARTS..(part + 1) * N / PARTS;
        let mut mean = [0; 3];
        for (plane, mean) in patch.planes.iter().zip(&mut mean) {
            let levels = || range.clone().map(|k| plane[cell(k)]);
            let (low, high) = (levels().min()?, levels().max()?);
            if high - low > i16::from(EVEN) {
                return None;
            }
            *mean = u8::try_from((low + high) / 2).ok()?;
        }
        Some(mean)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::patch::CELLS;
    use super::*;

    /// A square of one colour, with another over the cells for which `over` says so, by column and row.
    fn square(color: i16, over: impl Fn(usize, usize) -> bool) -> Patch {
        let plane: [i16; CELLS] = std::array::from_fn(|k| if over(k % N, k / N) { 51 } else { color });
        Patch { planes: [plane; 3] }
    }

    #[test]
    fn what_lies_over_two_squares_goes_on_across_the_edge_between_them() {
        for orientation in Orientation::ALL {
            // In the picture: the left square's right half and the right square's left half, upper rows only.
            let left = Edges::of(&square(200, |x, y| x >= N / 2 && y < N / 2), orientation);
            let right = Edges::of(&square(120, |x, y| x < N / 2 && y < N / 2), orientation);
            let (at_left, at_right) = match orientation {
                Orientation::White | Orientation::BlackMirrored => (Square::D4, Square::E4),
                Orientation::Black | Orientation::WhiteMirrored => (Square::E4, Square::D4),
            };
            assert_eq!(left.shared(&right, at_left, at_right), [[51; 3]; 3]);
            assert_eq!(right.shared(&left, at_right, at_left), [[51; 3]; 3]);
            // The other way round they do not meet there, nor one above the other.
            assert!(left.shared(&right, at_right, at_left).is_empty());
            assert!(left.shared(&right, Square::D4, Square::D5).is_empty());
        }
    }

    #[test]
    fn what_lies_over_one_square_does_not() {
        let orientation = Orientation::White;
        let notice = Edges::of(&square(200, |x, _| x >= N / 2), orientation);
        let bare = Edges::of(&square(120, |_, _| false), orientation);
        assert!(notice.shared(&bare, Square::D4, Square::E4).is_empty());
        // A corner is too little.
        let corner = Edges::of(&square(120, |_, y| y < N / PARTS), orientation);
        assert!(notice.shared(&corner, Square::D4, Square::E4).is_empty());
    }
}
