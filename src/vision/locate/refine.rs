//! From a lattice that is right to about two pixels to a rectangle that is right to a fraction of one.
//!
//! Around each inner crossing, where no piece reaches, the brightness gradient (Sobel) of the four square edges is
//! located by its centre of mass; a straight line through the seven columns, and one through the seven rows, gives the
//! board's sides without looking at its border, which any frame or shadow may hide.

use super::border;
use super::gray::{self, Weights};
use super::lattice;
use crate::geometry::BoardRect;
use image::RgbaImage;
use imageproc::gradients::{horizontal_sobel, vertical_sobel};

/// How far an edge may lie from where a good guess expects it, in pixels.
const SEARCH: f64 = 3.0;

/// The weakest edge that counts: the step between the two squares in grey levels, on average along an arm.
const MIN_STEP: i64 = 3;

/// A step of one grey level, summed over a line across the edge, in Sobel units.
const SOBEL_STEP: i64 = 8;

/// Measurements, each around the place that the one before found.
const PASSES: usize = 2;

/// Where the edges really are: the rectangle, and how many of the 49 crossings show all four edges with the right sign.
pub struct Refined {
    /// The board.
    pub rect: BoardRect,
    /// Crossings confirmed, of 49.
    pub hits: usize,
}

/// Refines a rectangle whose lines are right to `slack` pixels; `bright_corner` tells whether the upper left square is
/// of the brighter colour. `None` when too few edges are where they should be.
pub fn refine(image: &RgbaImage, view: Weights, rect: [f64; 4], slack: f64, bright_corner: bool) -> Option<Refined> {
    let mut at = rect;
    let mut hits = 0;
    let mut spread = [0.0; 2];
    let coarse = (slack > SEARCH).then_some(slack);
    for search in coarse.into_iter().chain([SEARCH; PASSES]) {
        let edges = Edges::measure(image, view, at, search, bright_corner);
        hits = edges.hits;
        let (x, width) = edges.side(&edges.columns)?;
        let (y, height) = edges.side(&edges.rows)?;
        at = [x, y, width, height];
        spread = [Edges::spread(&edges.columns), Edges::spread(&edges.rows)];
    }
    let at = border::snap(image, at, spread);
    let rect = BoardRect::new(at[0], at[1], at[2], at[3]).ok()?;
    Some(Refined { rect, hits })
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
        search: f64,
        bright_corner: bool,
    ) -> Edges {
        let mut edges = Edges {
            columns: Default::default(),
            rows: Default::default(),
            hits: 0,
        };
        let (sx, sy) = (width / 8.0, height / 8.0);
        // Arms of the cross that is looked at: long enough to average, short enough to stay clear of the pieces.
        let arm = (sx.min(sy) * 0.13).clamp(4.0, 9.0);
        for row in 0..7 {
            for column in 0..7 {
                let (cx, cy) = (x + sx * (column + 1) as f64, y + sy * (row + 1) as f64);
                let falling = ((row + column) % 2 == 0) == bright_corner;
                if let Some((ex, ey)) = cross(image, view, (cx, cy), (arm, search), falling) {
                    edges.columns[column].push(ex);
                    edges.rows[row].push(ey);
                    edges.hits += 1;
                }
            }
        }
        edges
    }

    /// How far measurements of the same line lie apart: the root mean square distance from the line's median, in pixels.
    /// Near zero for drawn squares, a pixel or so where the squares are part of a photograph of wood.
    fn spread(lines: &[Vec<f64>; 7]) -> f64 {
        let squares = lines.iter().flat_map(|line| {
            let mut sorted = line.clone();
            sorted.sort_by(f64::total_cmp);
            let middle = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
            sorted.into_iter().map(move |v| (v - middle).powi(2))
        });
        let count = lines.iter().map(Vec::len).sum::<usize>().max(1) as f64;
        (squares.sum::<f64>() / count).sqrt()
    }

    /// Start and length of the board along one axis.
    fn side(&self, lines: &[Vec<f64>; 7]) -> Option<(f64, f64)> {
        let mut points: Vec<(f32, f32)> = Vec::new();
        let mut origin = None;
        for (k, line) in lines.iter().enumerate() {
            let mut sorted = line.clone();
            sorted.sort_by(f64::total_cmp);
            if let Some(middle) = sorted.get(sorted.len() / 2) {
                let origin = *origin.get_or_insert(*middle);
                points.push((k as f32 + 1.0, (middle - origin) as f32));
            }
        }
        if points.len() < 5 {
            return None;
        }
        let mut fitted = lattice::line(points.iter().copied())?;
        // One line that a decoration hides may be off by pixels: drop the worst if it clearly is.
        let off = |(k, v): &(f32, f32), (a, b): (f32, f32)| (v - (a + b * k)).abs();
        let worst = points.iter().map(|p| off(p, fitted)).fold(0.0, f32::max);
        if worst > 0.75 {
            points.retain(|p| off(p, fitted) < worst);
            fitted = lattice::line(points.iter().copied())?;
        }
        Some((origin? + f64::from(fitted.0), 8.0 * f64::from(fitted.1)))
    }
}

/// Where the vertical and the horizontal edge at a crossing lie, if all four arms are seen.
fn cross(
    image: &RgbaImage,
    view: Weights,
    (cx, cy): (f64, f64),
    (arm, search): (f64, f64),
    falling: bool,
) -> Option<(f64, f64)> {
    let reach = (arm.max(search) + 2.0).ceil();
    let (left, top) = (cx.round() - reach, cy.round() - reach);
    let side = (2.0 * reach) as u32;
    if left < 0.0 || top < 0.0 || left as u32 + side > image.width() || top as u32 + side > image.height() {
        return None;
    }
    let patch = gray::crop(image, left as u32, top as u32, side, side, view);
    let (middle_x, middle_y) = (cx - left, cy - top);
    // Going right above the crossing the picture gets darker when the upper left square is the bright one.
    let sign = if falling { -1 } else { 1 };
    let gx = horizontal_sobel(&patch);
    let gy = vertical_sobel(&patch);
    let across = |along: u32, over: u32| gx.get_pixel(over, along).0[0];
    let down = |along: u32, over: u32| gy.get_pixel(along, over).0[0];
    let upper = edge(across, side, (middle_y, middle_x), search, (-arm, -2.0), sign)?;
    let lower = edge(across, side, (middle_y, middle_x), search, (2.0, arm), -sign)?;
    let left_arm = edge(down, side, (middle_x, middle_y), search, (-arm, -2.0), sign)?;
    let right_arm = edge(down, side, (middle_x, middle_y), search, (2.0, arm), -sign)?;
    Some((left + (upper + lower) / 2.0, top + (left_arm + right_arm) / 2.0))
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
