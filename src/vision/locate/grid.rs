//! The lines between a board's squares, where its ground goes on around it: on a page of the same colour nothing else
//! tells where the board ends.
//!
//! A line is a row or a few, or a column or a few, in which nothing of the ground is seen over a long way. Lines of
//! both directions are a board's where each set cuts the other's length into eight.

use super::unchequered::{SMALLEST, UNEVEN, evenly_spaced, is_ground};
use image::RgbaImage;
use torres_geometry::BoardRect;

/// How many pixels apart lines of one board, and the rows of one line, may begin and end.
const RAGGED: usize = 2;

/// How far from an eighth of the length a line may lie, in squares: the outermost ones may be wider than the others.
const ASIDE: f64 = 0.1;

/// The largest board that lines no wider than `widest` show on this ground, and how wide they are.
pub fn find(image: &RgbaImage, ground: [u8; 3], widest: usize) -> Option<(BoardRect, usize)> {
    let (mut across, mut down) = (Lines::default(), Lines::default());
    let mut above: Vec<usize> = vec![0; image.width() as usize];
    for (y, row) in image.rows().enumerate() {
        let mut before = 0;
        for (x, pixel) in row.enumerate() {
            match is_ground(pixel.0, ground) {
                true => {
                    across.ends(y, (x - before, x));
                    down.ends(x, (y - above[x], y));
                    (before, above[x]) = (0, 0);
                }
                false => {
                    before += 1;
                    above[x] += 1;
                }
            }
        }
        let width = image.width() as usize;
        across.ends(y, (width - before, width));
    }
    let height = image.height() as usize;
    for (x, length) in above.iter().enumerate() {
        down.ends(x, (height - length, height));
    }
    let (across, down) = (across.of_one_length(widest), down.of_one_length(widest));
    let pairs = across
        .iter()
        .flat_map(|across| down.iter().map(move |down| (across, down)));
    let boards = pairs.filter_map(|(across, down)| {
        let (x, y) = (inner(down, across[0].from_to)?, inner(across, down[0].from_to)?);
        let is_square = (x.length / y.length - 1.0).abs() <= UNEVEN;
        let rect = BoardRect::new(x.start, y.start, x.length, y.length).ok()?;
        let line = across.iter().chain(down).map(|line| line.width()).max()?;
        is_square.then_some((rect, line))
    });
    boards.max_by(|a, b| a.0.width().total_cmp(&b.0.width()))
}

/// A line: its rows (or columns), first and beyond the last, and where it begins and ends along them.
#[derive(Clone, Copy, Debug)]
struct Line {
    rows: (usize, usize),
    from_to: (usize, usize),
}

impl Line {
    fn width(&self) -> usize {
        self.rows.1 - self.rows.0
    }

    fn middle(&self) -> f64 {
        (self.rows.0 + self.rows.1) as f64 / 2.0
    }

    fn is_along(&self, from_to: (usize, usize)) -> bool {
        self.from_to.0.abs_diff(from_to.0) <= RAGGED && self.from_to.1.abs_diff(from_to.1) <= RAGGED
    }
}

/// The lines of one direction.
#[derive(Default)]
struct Lines(Vec<Line>);

impl Lines {
    /// A way without ground ends in a row (or column).
    fn ends(&mut self, row: usize, from_to: (usize, usize)) {
        if from_to.1 - from_to.0 >= SMALLEST {
            self.0.push(Line {
                rows: (row, row + 1),
                from_to,
            });
        }
    }

    /// Those that begin and end together, seven or more of a length. Broader areas are no lines.
    fn of_one_length(mut self, widest: usize) -> Vec<Vec<Line>> {
        self.0.sort_by_key(|line| line.rows);
        let mut lines: Vec<Line> = Vec::new();
        for line in self.0 {
            let mut beside = lines
                .iter_mut()
                .rev()
                .take_while(|other| other.rows.1 + widest >= line.rows.0);
            match beside.find(|other| other.rows.1 == line.rows.0 && other.is_along(line.from_to)) {
                Some(other) => other.rows.1 = line.rows.1,
                None => lines.push(line),
            }
        }
        lines.retain(|line| line.width() <= widest);
        let mut sets: Vec<Vec<Line>> = Vec::new();
        for line in lines {
            match sets.iter_mut().find(|set| set[0].is_along(line.from_to)) {
                Some(set) => set.push(line),
                None => sets.push(vec![line]),
            }
        }
        sets.retain(|set| set.len() >= 7);
        sets
    }
}

/// A board along one axis, in pixels.
struct Side {
    start: f64,
    length: f64,
}

/// The board whose seven inner lines cut a way into eight.
fn inner(lines: &[Line], (from, to): (usize, usize)) -> Option<Side> {
    let square = (to - from) as f64 / 8.0;
    let middle = |k: usize| {
        let at = from as f64 + k as f64 * square;
        let nearest = lines
            .iter()
            .map(Line::middle)
            .min_by(|a, b| (a - at).abs().total_cmp(&(b - at).abs()))?;
        ((nearest - at).abs() <= ASIDE * square).then_some(nearest)
    };
    let middles: Vec<f64> = (1..8).map(middle).collect::<Option<_>>()?;
    let (first, period) = evenly_spaced(&middles, 0.0)?;
    Some(Side {
        start: first - period,
        length: 8.0 * period,
    })
}
