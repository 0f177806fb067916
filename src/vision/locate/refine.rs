//! From a lattice that is right to about two pixels to a rectangle that is right to a fraction of one.
//!
//! Around each inner crossing, where no piece reaches, the brightness gradient (Sobel) of the four square edges is
//! located by its centre of mass; a straight line through the seven columns, and one through the seven rows, gives the
//! board's sides without looking at its border, which any frame or shadow may hide.

use super::border;
use super::gray::{self, Weights};
use super::lattice;
use image::RgbaImage;
use torres_geometry::BoardRect;

/// How far an edge may lie from where a good guess expects it, in pixels.
const SEARCH: f64 = 3.0;

/// The weakest edge that counts: the step between the two squares in grey levels, on average along an arm.
const MIN_STEP: i64 = 3;

/// A step of one grey level, summed over a line across the edge, in Sobel units.
const SOBEL_STEP: i64 = 8;

/// The same where squares do not touch or have round corners, as a share of a square's side: an edge is as wide as the gap
/// and the shades along it.
const SEARCH_APART: f64 = 0.1;

/// Which part of an edge is looked at there, from the crossing, as a share of a square's side: beyond the corners, and
/// short of the next ones.
const APART: (f64, f64) = (0.2, 0.42);

/// Measurements, each around the place that the one before found.
const PASSES: usize = 2;

/// Lines of the seven that must be seen along each axis.
const FITTED: usize = 5;

/// A measurement this many standard deviations from the lines is of something else.
const OUTLYING: f64 = 3.0;

/// A standard deviation in median absolute deviations, for errors that are normal.
const DEVIATION: f64 = 1.4826;

/// No measurement is expected to be better than this, in pixels.
const EXACT: f64 = 0.25;

/// A square's side is a whole number of pixels when it is nearer to one than this.
const WHOLE: f64 = 0.05;

/// Where such squares begin is told to this, in pixels: measured finer, half a pixel would be rounded at random.
const SMALLEST: f64 = 1.0 / 64.0;

/// Squares of another side end up to half a pixel aside, and their lines lie that far from where the others say, in
/// pixels.
const ROUNDED: f64 = 0.75;

/// How a board's squares meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Squares {
    /// In common edges and corners.
    Touching,
    /// In gaps, or with round corners: their edges are seen away from the crossings alone.
    Apart,
}

impl Squares {
    /// From where to where an edge is looked at from a crossing, and how far it may lie aside, in pixels; `side` is a
    /// square's.
    fn arms(self, side: f64) -> ((f64, f64), f64) {
        match self {
            // Long enough to average, short enough to stay clear of the pieces.
            Squares::Touching => ((2.0, (side * 0.13).clamp(4.0, 9.0)), SEARCH),
            Squares::Apart => ((APART.0 * side, APART.1 * side), SEARCH.max(SEARCH_APART * side)),
        }
    }
}

/// Where the edges really are: the rectangle, and how many of the 49 crossings show all four edges with the right sign.
pub struct Refined {
    /// The board, its border at the innermost strong step near.
    pub rect: BoardRect,
    /// The same as the lines between the squares say: left, top, width, height.
    by_lines: [f64; 4],
    /// The standard error of a side's place by the lines (columns, rows), in pixels.
    error: [f64; 2],
    /// Crossings confirmed, of 49.
    pub hits: usize,
}

impl Refined {
    /// Whether the lines between the squares may be those of this rectangle, each side at most `near` pixels or the
    /// error of measuring away.
    pub fn may_be(&self, rect: &BoardRect, near: f64) -> bool {
        let [x, y, width, height] = self.by_lines;
        let is_near = |off: f64, error: f64| off.abs() <= near.max(border::SURE * error);
        let [across, down] = self.error;
        is_near(x - rect.x(), across)
            && is_near(x + width - rect.x() - rect.width(), across)
            && is_near(y - rect.y(), down)
            && is_near(y + height - rect.y() - rect.height(), down)
    }
}

/// Refines a rectangle whose lines are right to `slack` pixels; `bright_corner` tells whether the upper left square is
/// of the brighter colour. `None` when too few edges are where they should be.
pub fn refine(
    image: &RgbaImage,
    (view, squares): (Weights, Squares),
    rect: [f64; 4],
    slack: f64,
    bright_corner: bool,
) -> Option<Refined> {
    let mut at = rect;
    let mut hits = 0;
    let mut error = [0.0; 2];
    let (arms, search) = squares.arms(rect[2].min(rect[3]) / 8.0);
    let coarse = (slack > search).then_some(slack);
    for search in coarse.into_iter().chain([search; PASSES]) {
        let edges = Edges::measure(image, view, at, (arms, search), bright_corner);
        hits = edges.hits;
        let (across, down) = (Edges::side(&edges.columns)?, Edges::side(&edges.rows)?);
        at = [across.start, down.start, across.length, down.length];
        error = [across.error, down.error];
    }
    let [x, y, width, height] = border::snap(image, at, error);
    Some(Refined {
        rect: BoardRect::new(x, y, width, height).ok()?,
        by_lines: at,
        error,
        hits,
    })
}

/// The positions measured for each of the seven inner columns and rows.
struct Edges {
    columns: [Vec<f64>; 7],
    rows: [Vec<f64>; 7],
    hits: usize,
}

impl Edges {
    fn measure(
        image: &RgbaImage,
        view: Weights,
        [x, y, width, height]: [f64; 4],
        arms: ((f64, f64), f64),
        bright_corner: bool,
    ) -> Edges {
        let mut edges = Edges {
            columns: Default::default(),
            rows: Default::default(),
            hits: 0,
        };
        let (sx, sy) = (width / 8.0, height / 8.0);
        for row in 0..7 {
            for column in 0..7 {
                let (cx, cy) = (x + sx * (column + 1) as f64, y + sy * (row + 1) as f64);
                let falling = ((row + column) % 2 == 0) == bright_corner;
                if let Some((ex, ey)) = cross(image, view, (cx, cy), arms, falling) {
                    edges.columns[column].push(ex);
                    edges.rows[row].push(ey);
                    edges.hits += 1;
                }
            }
        }
        edges
    }

    /// Start and length of the board along one axis, and how far single measurements scatter around its lines.
    fn side(lines: &[Vec<f64>; 7]) -> Option<Side> {
        let rough = fit(lines, theil_sen)?;
        let off_its_line = |line: &Vec<f64>| {
            let middle = median(&mut line.clone()).unwrap_or(0.0);
            let off: Vec<f64> = line.iter().map(|v| v - middle).collect();
            off
        };
        let mut off: Vec<f64> = lines.iter().flat_map(off_its_line).map(f64::abs).collect();
        // A scatter that every measurement has is the board's own; what a mark around a square, a notice or a piece
        // displaces is not.
        let limit = (OUTLYING * DEVIATION * median(&mut off)?).max(EXACT);
        // Where the side is a whole number of pixels all lines lie where the others say.
        let mut rough = rough;
        let mut is_whole = (rough.step - rough.step.round()).abs() < WHOLE;
        // Most lines of a fractional side may be a whole number of pixels apart, too; the others then tell.
        if is_whole && drifts(lines, rough) {
            rough = fit(lines, least_squares).unwrap_or(rough);
            is_whole = false;
        }
        let farthest = limit.max(if is_whole { EXACT } else { ROUNDED });
        let kept: [Vec<f64>; 7] = std::array::from_fn(|k| {
            let middle = median(&mut lines[k].clone()).unwrap_or(0.0);
            if (middle - rough.at(k)).abs() > farthest {
                return Vec::new();
            }
            let line = lines[k].iter().copied();
            line.filter(|v| (v - middle).abs() <= limit).collect()
        });
        let fitted = fit(&kept, least_squares).unwrap_or(rough);
        let fitted = if is_whole { fitted.whole() } else { fitted };
        let mean_square = |off: &[f64]| off.iter().map(|v| v.powi(2)).sum::<f64>() / off.len().max(1) as f64;
        let scatter: Vec<f64> = kept.iter().flat_map(off_its_line).collect();
        let off_the_fit = |(k, line): (usize, &Vec<f64>)| Some(median(&mut line.clone())? - fitted.at(k));
        let bent: Vec<f64> = kept.iter().enumerate().filter_map(off_the_fit).collect();
        Some(Side {
            start: fitted.start,
            length: 8.0 * fitted.step,
            error: border::error(mean_square(&scatter), mean_square(&bent)),
        })
    }
}

/// The board along one axis, in pixels.
struct Side {
    start: f64,
    length: f64,
    /// The standard error of its ends: zero for drawn squares, a pixel or so where the squares are part of a photograph
    /// of wood.
    error: f64,
}

/// Nine lines at the same distance from each other.
#[derive(Clone, Copy)]
struct Lines {
    start: f64,
    step: f64,
}

impl Lines {
    /// Takes a step that is nearly whole pixels for whole pixels, where rounding would part the squares. Lines that lie
    /// half-way between two pixels, as thin ones of a grid do, would be rounded down on one half of the board and up on the
    /// other.
    fn whole(self) -> Lines {
        let step = self.step.round();
        let first = self.start.round();
        let is_apart = |k: i32| (self.start + self.step * f64::from(k)).round() != first + step * f64::from(k);
        if (self.step - step).abs() >= WHOLE || !(1..=8).any(is_apart) {
            return self;
        }
        let start = self.start + 4.0 * (self.step - step);
        Lines {
            start: (start / SMALLEST).round() * SMALLEST,
            step,
        }
    }

    /// Where the inner line of this index lies, of seven.
    fn at(self, k: usize) -> f64 {
        self.start + self.step * (k + 1) as f64
    }
}

/// Whether lines leave the places that these say by a pixel in one direction, two or more of them and all that follow:
/// lines of a side that is no whole number of pixels, each drawn at a whole one, do. What a mark around a square
/// displaces does not go on.
fn drifts(lines: &[Vec<f64>; 7], from: Lines) -> bool {
    let off = |(k, line): (usize, &Vec<f64>)| Some((median(&mut line.clone())? - from.at(k)).round() as i64);
    let off: Vec<i64> = lines.iter().enumerate().filter_map(off).collect();
    let away = off.iter().filter(|o| **o != 0).count();
    let one_way = off.is_sorted() || off.iter().rev().is_sorted();
    away >= 2 && one_way && off.iter().all(|o| o.abs() <= 1)
}

/// The upper middle one of the values.
fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// A line through the medians of at least [`FITTED`] of the seven.
fn fit(lines: &[Vec<f64>; 7], through: fn(&[(f64, f64)]) -> Option<Lines>) -> Option<Lines> {
    let medians = (1..).zip(lines).filter_map(|(k, line)| {
        let middle = median(&mut line.clone())?;
        Some((f64::from(k), middle))
    });
    let medians: Vec<(f64, f64)> = medians.collect();
    if medians.len() < FITTED {
        return None;
    }
    through(&medians)
}

/// The Theil–Sen line: the median of all slopes between two points. Two of seven points may be anywhere.
fn theil_sen(points: &[(f64, f64)]) -> Option<Lines> {
    let pairs = (1..)
        .zip(points)
        .flat_map(|(n, a)| points.iter().skip(n).map(move |b| (*a, *b)));
    let mut slopes: Vec<f64> = pairs.map(|(a, b)| (b.1 - a.1) / (b.0 - a.0)).collect();
    let step = median(&mut slopes)?;
    let mut starts: Vec<f64> = points.iter().map(|(k, v)| v - step * k).collect();
    let start = median(&mut starts)?;
    Some(Lines { start, step })
}

/// The line of least squares.
fn least_squares(points: &[(f64, f64)]) -> Option<Lines> {
    // Counted from the first point, which keeps the precision of single numbers.
    let origin = points.first()?.1;
    let (start, step) = lattice::line(points.iter().map(|(k, v)| (*k as f32, (v - origin) as f32)))?;
    Some(Lines {
        start: origin + f64::from(start),
        step: f64::from(step),
    })
}

/// Where the vertical and the horizontal edge at a crossing lie, if all four arms are seen.
fn cross(
    image: &RgbaImage,
    view: Weights,
    (cx, cy): (f64, f64),
    ((from, to), search): ((f64, f64), f64),
    falling: bool,
) -> Option<(f64, f64)> {
    let reach = (to.max(search) + 2.0).ceil();
    let (left, top) = (cx.round() - reach, cy.round() - reach);
    let side = (2.0 * reach) as u32;
    if left < 0.0 || top < 0.0 || left as u32 + side > image.width() || top as u32 + side > image.height() {
        return None;
    }
    let patch = gray::crop(image, left as u32, top as u32, side, side, view);
    let (middle_x, middle_y) = (cx - left, cy - top);
    // Going right above the crossing the picture gets darker when the upper left square is the bright one.
    let sign = if falling { -1 } else { 1 };
    let at = |x, y| i16::from(patch.get_pixel(x, y).0[0]);
    let across = |along, over| sobel(at, over, along);
    let down = |along, over| sobel(|y, x| at(x, y), over, along);
    let upper = edge(across, side, (middle_y, middle_x), search, (-to, -from), sign)?;
    let lower = edge(across, side, (middle_y, middle_x), search, (from, to), -sign)?;
    let left_arm = edge(down, side, (middle_x, middle_y), search, (-to, -from), sign)?;
    let right_arm = edge(down, side, (middle_x, middle_y), search, (from, to), -sign)?;
    Some((left + (upper + lower) / 2.0, top + (left_arm + right_arm) / 2.0))
}

/// Sobel's gradient along the first coordinate. It is asked at few of a patch's pixels.
fn sobel(at: impl Fn(u32, u32) -> i16, over: u32, along: u32) -> i16 {
    let beside = |over| at(over, along - 1) + 2 * at(over, along) + at(over, along + 1);
    beside(over + 1) - beside(over - 1)
}

/// The centre of mass of the gradients of one sign, across one arm, in pixels from the patch's edge.
fn edge(
    at: impl Fn(u32, u32) -> i16,
    side: u32,
    (along_middle, over_middle): (f64, f64),
    search: f64,
    (from, to): (f64, f64),
    sign: i64,
) -> Option<f64> {
    let range = |from: f64, to: f64| (from.floor().max(1.0) as u32)..=(to.floor().min(f64::from(side) - 2.0) as u32);
    let (mut step, mut mass, mut moment, mut lines) = (0i64, 0i64, 0.0, 0);
    for along in range(along_middle + from, along_middle + to) {
        lines += 1;
        for over in range(over_middle - search, over_middle + search) {
            let gradient = i64::from(at(along, over)) * sign;
            step += gradient;
            let strength = gradient.max(0);
            mass += strength;
            moment += strength as f64 * (f64::from(over) + 0.5);
        }
    }
    // The step counts from one square to the other, whatever line, shade or weave lies between.
    (lines > 0 && step >= MIN_STEP * SOBEL_STEP * lines).then(|| moment / mass as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::gray::LUMA;
    use image::Rgba;

    /// xboard's plain board: squares of 50 pixels between dark lines one pixel wide.
    fn lined(marked: &[(u32, u32)]) -> RgbaImage {
        const SIDE: u32 = 50;
        const AT: u32 = 20;
        let is_on_a_line = |v: u32| v.is_multiple_of(SIDE);
        RgbaImage::from_fn(AT + 8 * SIDE + 30, AT + 8 * SIDE + 30, |x, y| {
            let (Some(x), Some(y)) = (x.checked_sub(AT), y.checked_sub(AT)) else {
                return Rgba([220, 218, 213, 255]);
            };
            if x > 8 * SIDE || y > 8 * SIDE {
                return Rgba([220, 218, 213, 255]);
            }
            let is_outline = |(column, row): &(u32, u32)| {
                let inside = |v: u32, k: u32| (k * SIDE..=(k + 1) * SIDE).contains(&v);
                inside(x, *column) && inside(y, *row)
            };
            if is_on_a_line(x) || is_on_a_line(y) {
                return match marked.iter().any(is_outline) {
                    true => Rgba([255, 255, 0, 255]),
                    false => Rgba([0, 0, 0, 255]),
                };
            }
            match (x / SIDE + y / SIDE) % 2 {
                0 => Rgba([200, 195, 101, 255]),
                _ => Rgba([119, 162, 109, 255]),
            }
        })
    }

    /// A table's squares of 54 pixels between thin lines; one column's were seen 0.02 of a pixel aside: the squares on the
    /// left were taken from one pixel, those on the right from the next.
    #[test]
    fn lines_half_way_between_two_pixels_are_rounded_to_one_side() {
        let lines: [Vec<f64>; 7] = std::array::from_fn(|k| {
            let aside = if k == 6 { 0.02 } else { 0.0 };
            vec![124.5 + 54.0 * (k + 1) as f64 + aside; 7]
        });
        let side = Edges::side(&lines).unwrap();
        assert_eq!(side.length, 432.0);
        let sides = (0..8).map(|k| (side.start + side.length / 8.0 * f64::from(k)).round());
        let sides: Vec<f64> = sides.collect();
        assert!(sides.windows(2).all(|pair| pair[1] - pair[0] == 54.0), "{sides:?}");
    }

    #[test]
    fn outlines_around_the_squares_of_a_move_leave_the_board_where_it_is() {
        let rough = [19.5, 21.0, 401.0, 399.0];
        for marked in [&[][..], &[(2, 1), (1, 3)], &[(2, 3), (0, 3)], &[(6, 3), (4, 3), (5, 5)]] {
            let refined = refine(&lined(marked), (LUMA, Squares::Touching), rough, 2.0, true).expect("a board");
            let expected = BoardRect::new(20.5, 20.5, 400.0, 400.0).unwrap();
            let off = refined.rect.distance(&expected);
            assert!(off < 0.15, "{marked:?}: {off} px off, {:?}", refined.rect);
        }
    }

    /// A board of a fractional side, whose squares are drawn at whole pixels as browsers do.
    fn rounded(start: f64, side: f64) -> RgbaImage {
        let line = |k: u32| (start + side / 8.0 * f64::from(k)).round() as u32;
        let square = |v: u32| (0..8).find(|k| (line(*k)..line(k + 1)).contains(&v));
        RgbaImage::from_fn(line(8) + 40, line(8) + 40, |x, y| match (square(x), square(y)) {
            (Some(column), Some(row)) if (column + row) % 2 == 0 => Rgba([196, 226, 172, 255]),
            (Some(_), Some(_)) => Rgba([119, 185, 65, 255]),
            _ => Rgba([22, 21, 18, 255]),
        })
    }

    #[test]
    fn squares_of_a_fractional_side_most_of_which_are_equally_wide_are_measured() {
        for (start, side) in [(103.61, 326.33), (159.0, 278.5), (60.3, 401.2), (60.0, 402.9)] {
            let rough = [start - 1.0, start + 0.6, side + 1.5, side - 1.0];
            let refined = refine(&rounded(start, side), (LUMA, Squares::Touching), rough, 2.0, true).expect("a board");
            let off = refined
                .rect
                .distance(&BoardRect::new(start, start, side, side).unwrap());
            assert!(off < 0.75, "{start} {side}: {off} px off, {:?}", refined.rect);
        }
    }
}
