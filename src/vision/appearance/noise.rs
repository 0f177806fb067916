//! How uneven the texture of bare squares is.

use super::super::patch::Patch;

/// One cell in so many of a texture lies farther from its ground than what nearly all do.
const RARE: usize = 1000;

/// A normal distribution leaves one value in [`RARE`] farther from its middle than so many standard deviations.
const NEARLY_ALL: f32 = 3.3;

/// The noise of the squares' texture, in levels: what their ground does not explain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Of all squares: one standard deviation.
    pub of_board: f32,
    /// Of light and dark squares: as much, or less where nearly all cells of that colour lie nearer to their ground than
    /// such a deviation would have it. The lines of a hatching reach their own grey and no farther.
    pub of_color: [f32; 2],
}

impl Noise {
    /// The same on all squares.
    pub fn even(level: f32) -> Noise {
        Noise {
            of_board: level,
            of_color: [level; 2],
        }
    }

    /// From pictures of bare light and dark squares, each with its ground. Only `cells` count.
    pub fn of(bare: [&[(&Patch, Patch)]; 2], cells: &[usize]) -> Noise {
        let squares = bare.into_iter().flatten();
        let mut deviations: Vec<i16> = squares.map(|(seen, ground)| seen.deviation(ground, cells)).collect();
        deviations.sort_unstable();
        let of_board = f32::from(deviations.get(deviations.len() / 2).copied().unwrap_or(0));
        let of_color = bare.map(|squares| {
            let apart =
                |(seen, ground): &(&Patch, Patch)| cells.iter().map(|cell| seen.distance(ground, *cell)).collect();
            let mut apart: Vec<i16> = squares.iter().flat_map::<Vec<i16>, _>(apart).collect();
            let place = apart.len().saturating_sub(1 + apart.len() / RARE);
            match apart.is_empty() {
                true => of_board,
                false => of_board.min(f32::from(*apart.select_nth_unstable(place).1) / NEARLY_ALL),
            }
        });
        Noise { of_board, of_color }
    }

    /// Of a piece over any square: what was learned on one colour has that colour's texture on the other, too.
    pub fn of_pieces(&self) -> f32 {
        self.of_color[0].max(self.of_color[1])
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::patch::CELLS;
    use super::super::ground::even;
    use super::*;

    /// A square of 200 levels, and so many less in each cell.
    fn darker(by: impl Fn(usize) -> i16) -> Patch {
        let mut patch = even([200; 3]);
        for plane in &mut patch.planes {
            plane
                .iter_mut()
                .enumerate()
                .for_each(|(cell, level)| *level -= by(cell));
        }
        patch
    }

    fn noise(light: &Patch, dark: &Patch) -> Noise {
        let cells: Vec<usize> = (0..CELLS).collect();
        let (light, dark) = ([(light, even([200; 3]))], [(dark, even([200; 3]))]);
        Noise::of([&light, &dark], &cells)
    }

    #[test]
    fn a_hatching_reaches_its_own_grey_and_no_farther() {
        let hatched = darker(|cell| if cell % 2 == 0 { 44 } else { 0 });
        let found = noise(&even([200; 3]), &hatched);
        assert_eq!(found.of_board, 44.0);
        assert_eq!(found.of_color[0], 0.0);
        assert!((found.of_color[1] - 44.0 / 3.3).abs() < 0.1, "{found:?}");
        assert_eq!(found.of_pieces(), found.of_color[1]);
    }

    #[test]
    fn a_grain_with_long_tails_has_its_deviation() {
        // Two thirds lie within 10 levels, one in a hundred far outside.
        let grain = darker(|cell| match cell % 100 {
            0 => 60,
            1..=70 => 10,
            _ => 20,
        });
        assert_eq!(noise(&grain, &grain), Noise::even(10.0));
    }
}
