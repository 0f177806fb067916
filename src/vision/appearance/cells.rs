//! Some of a patch's cells, and what they cost on average.

use super::super::patch::{CELLS, N};

/// How many costs are added up side by side at once.
const LANES: usize = 16;

/// A choice of cells.
#[derive(Clone, Debug)]
pub struct Cells {
    /// -1 (all bits) in the cells chosen, else 0.
    bits: [i16; CELLS],
    count: f32,
}

impl Cells {
    /// The cells for which the question is answered with yes.
    pub fn of(inside: impl Fn(usize) -> bool) -> Cells {
        let bits = std::array::from_fn(|k| if inside(k) { -1 } else { 0 });
        let count = (0..CELLS).filter(|k| inside(*k)).count().max(1) as f32;
        Cells { bits, count }
    }

    /// Whether a cell is chosen.
    pub fn has(&self, cell: usize) -> bool {
        self.bits[cell] != 0
    }

    /// A cell's value if it is chosen, else 0.
    pub fn pick(&self, cell: usize, value: i16) -> i16 {
        value & self.bits[cell]
    }

    /// The mean over the chosen cells of costs from 0 to `worst`, as a share of that. `worst` is at most 512.
    pub fn mean(&self, costs: &[i16; CELLS], worst: i16) -> f32 {
        // CELLS / LANES costs of at most `worst` fit an i16.
        let mut sums = [0i16; LANES];
        let costs = costs.as_chunks::<LANES>().0.iter();
        for (costs, bits) in costs.zip(self.bits.as_chunks::<LANES>().0) {
            for k in 0..LANES {
                sums[k] = sums[k].wrapping_add(costs[k] & bits[k]);
            }
        }
        let total: i32 = sums.into_iter().map(i32::from).sum();
        total as f32 / (self.count * f32::from(worst))
    }
}

/// The four neighbours of a cell.
pub fn neighbours(cell: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (cell % N, cell / N);
    let left = (x > 0).then(|| cell - 1);
    let right = (x + 1 < N).then_some(cell + 1);
    let up = (y > 0).then(|| cell - N);
    let down = (y + 1 < N).then_some(cell + N);
    [left, right, up, down].into_iter().flatten()
}

/// The connected parts of some cells.
pub fn parts(of: &[bool]) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut left = of.to_vec();
    for start in 0..CELLS {
        if !left[start] {
            continue;
        }
        left[start] = false;
        let (mut part, mut open) = (Vec::new(), vec![start]);
        while let Some(cell) = open.pop() {
            part.push(cell);
            for next in neighbours(cell) {
                if left[next] {
                    left[next] = false;
                    open.push(next);
                }
            }
        }
        parts.push(part);
    }
    parts
}

/// Some cells, and those at most so many beside them.
pub fn grown(cells: &[bool; CELLS], by: usize) -> [bool; CELLS] {
    let mut grown = *cells;
    for _ in 0..by {
        let before = grown;
        (0..CELLS)
            .filter(|cell| before[*cell])
            .flat_map(neighbours)
            .for_each(|cell| grown[cell] = true);
    }
    grown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_that_of_the_chosen_cells() {
        let costs = std::array::from_fn(|k| (k % 50) as i16);
        let chosen = |k: usize| k.is_multiple_of(3);
        let values: Vec<f32> = (0..CELLS).filter(|k| chosen(*k)).map(|k| f32::from(costs[k])).collect();
        let expected = values.iter().sum::<f32>() / values.len() as f32 / 50.0;
        assert!((Cells::of(chosen).mean(&costs, 50) - expected).abs() < 1e-6);
        assert_eq!(Cells::of(|_| true).mean(&[50; CELLS], 50), 1.0);
        assert_eq!(Cells::of(|_| false).mean(&[50; CELLS], 50), 0.0);
    }
}
