//! Where in a picture a piece is, at any place and size: for dialogs that offer pieces beside the board's squares.

use super::super::patch::{CELLS, Cut, N};
use super::template::Template;
use super::{Appearance, index};
use image::RgbaImage;
use shakmaty::Piece;
use torres_geometry::{FramePx, FrameRect};

/// Differences beyond this many levels cost no more.
const WORST: i16 = 48;

/// Differences up to this many levels cost nothing: pieces are drawn in other sizes.
const TOLERANCE: i16 = 8;

/// Of this many cells of a piece's body, one is compared before places are looked at closely.
const SPARSE: usize = 2;

/// The body's cells are compared in so many rounds, each of which goes over all of it.
const SCATTERED: usize = 16;

/// How many of the places that fit best are looked at closely.
const CLOSELY: usize = 16;

/// A piece found in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundPiece {
    /// The middle of the square that it would stand on.
    pub center: FramePx,
    /// Mean cost of a cell of its body, 0 to 1.
    pub cost: f32,
}

/// A part of a picture as the cells of a square see it: their mean colours, at places that are half a cell apart.
struct Lattice {
    means: Vec<[i16; 3]>,
    across: usize,
}

impl Lattice {
    /// From this corner on, so many cells to the right and down, whose sides are `cell` pixels long. The picture's border
    /// goes on beyond it.
    fn new(image: &RgbaImage, (left, top): (f64, f64), cell: f64, (across, down): (usize, usize)) -> Lattice {
        let (width, height) = image.dimensions();
        let columns: Vec<_> = (0..across).map(|at| overlaps(left, at, cell, width)).collect();
        let rows: Vec<_> = (0..down).map(|at| overlaps(top, at, cell, height)).collect();
        let blend = |parts: &[(u32, f32)], color: &dyn Fn(u32) -> [f32; 3]| {
            parts.iter().fold([0.0; 3], |sum, (at, share)| {
                let color = color(*at);
                std::array::from_fn(|c| sum[c] + share * color[c])
            })
        };
        let (first, last) = (
            rows.first().map_or(0, |row| row[0].0),
            rows.last().map_or(0, |row| row[row.len() - 1].0),
        );
        let lines: Vec<Vec<[f32; 3]>> = (first..=last)
            .map(|y| {
                let color = |x| {
                    let pixel = image.get_pixel(x, y).0;
                    [0, 1, 2].map(|c| f32::from(pixel[c]))
                };
                columns.iter().map(|column| blend(column, &color)).collect()
            })
            .collect();
        let means = rows.iter().flat_map(|row| {
            let lines = &lines;
            (0..across).map(move |column| {
                blend(row, &|y| lines[(y - first) as usize][column]).map(|level| level.round() as i16)
            })
        });
        Lattice {
            means: means.collect(),
            across,
        }
    }
}

/// The pixels that a cell covers along one side, the `at`th half cell from `start`, and how much of it each covers.
fn overlaps(start: f64, at: usize, cell: f64, length: u32) -> Vec<(u32, f32)> {
    let from = start + at as f64 * cell / 2.0;
    let pixels = from.floor() as i64..=((from + cell).ceil() as i64 - 1);
    let share = |pixel: i64| ((pixel + 1) as f64).min(from + cell) - (pixel as f64).max(from);
    let last = i64::from(length.saturating_sub(1));
    pixels
        .map(|pixel| (pixel.clamp(0, last) as u32, (share(pixel) / cell) as f32))
        .collect()
}

/// A piece's body, drawn as on a square of some size.
struct Body {
    points: Vec<BodyPoint>,
    side: f64,
}

/// A cell of a body: how many cells from the square's corner, to the right and down, and the levels that each channel has
/// there at least, and at most beyond that: what shows through is unknown.
struct BodyPoint {
    column: usize,
    row: usize,
    least: [i16; 3],
    through: i16,
}

impl Body {
    fn new(template: &Template, side: f64) -> Body {
        let in_body = template.body();
        let cells: Vec<usize> = (0..CELLS).filter(|k| in_body(*k)).step_by(SPARSE).collect();
        // From all over the body: a place that does not fit is given up the sooner.
        let scattered = (0..SCATTERED).flat_map(|from| cells.iter().skip(from).step_by(SCATTERED));
        let points = scattered.map(|&k| BodyPoint {
            column: k % N,
            row: k / N,
            least: [0, 1, 2].map(|c| i16::from(template.color[c][k])),
            through: 255 - i16::from(template.opacity[k]),
        });
        Body {
            points: points.collect(),
            side,
        }
    }

    /// What all points cost together where the square's corner is at this place of the lattice. `None` as soon as it is
    /// `most` or more.
    fn cost(&self, lattice: &Lattice, (column, row): (usize, usize), most: i32) -> Option<i32> {
        let mut sum = 0;
        for point in &self.points {
            let seen = lattice.means[(row + 2 * point.row) * lattice.across + column + 2 * point.column];
            let apart = |c: usize| {
                let more = seen[c] - point.least[c];
                (more - point.through).max(-more)
            };
            sum += i32::from((apart(0).max(apart(1)).max(apart(2)) - TOLERANCE).clamp(0, WORST));
            if sum >= most {
                return None;
            }
        }
        Some(sum)
    }

    /// The places in a part of the picture where the body fits best, as middles of its square, which lie in that part,
    /// at a point that may be.
    fn places(&self, image: &RgbaImage, part: &FrameRect, may_be: &impl Fn(FramePx) -> bool) -> Vec<FramePx> {
        let stride = self.stride();
        let steps = |length: f64| (length / stride) as usize + 1;
        let (columns, rows) = (steps(part.width), steps(part.height));
        let corner = (part.x - self.side / 2.0, part.y - self.side / 2.0);
        let lattice = Lattice::new(image, corner, 2.0 * stride, (columns + 2 * N, rows + 2 * N));
        let mut places: Vec<(i32, FramePx)> = Vec::with_capacity(CLOSELY + 1);
        for row in 0..rows {
            for column in 0..columns {
                let middle = FramePx {
                    x: part.x + column as f64 * stride,
                    y: part.y + row as f64 * stride,
                };
                let most = places.get(CLOSELY - 1).map_or(i32::MAX, |worst| worst.0);
                if may_be(middle)
                    && let Some(cost) = self.cost(&lattice, (column, row), most)
                {
                    let at = places.partition_point(|place| place.0 <= cost);
                    places.insert(at, (cost, middle));
                    places.truncate(CLOSELY);
                }
            }
        }
        places.into_iter().map(|(_, middle)| middle).collect()
    }

    /// How far apart the places compared lie, in pixels: half a cell, for an outline is no wider.
    fn stride(&self) -> f64 {
        self.side / N as f64 / 2.0
    }
}

/// [`Appearance::find_piece`].
pub fn find_piece(
    appearance: &Appearance,
    (image, part): (&RgbaImage, &FrameRect),
    may_be: &impl Fn(FramePx) -> bool,
    piece: Piece,
    side: f64,
) -> Option<FoundPiece> {
    let template = appearance.comparer.closed(index(Some(piece)))?;
    let body = Body::new(template, side);
    let places = body.places(image, part, may_be).into_iter();
    let close = places.map(|middle| piece_near(appearance, image, middle, body.stride(), piece, side));
    close.min_by(|a, b| a.cost.total_cmp(&b.cost))
}

/// The best fit of a piece at most `distance` pixels away from a place.
pub fn piece_near(
    appearance: &Appearance,
    image: &RgbaImage,
    around: FramePx,
    distance: f64,
    piece: Piece,
    side: f64,
) -> FoundPiece {
    let reach = distance.ceil() as i32;
    let cost = |cut: Cut| {
        let cost = appearance.comparer.cost_of_body(&cut.take(image), index(Some(piece)));
        cost.unwrap_or(f32::INFINITY)
    };
    let at = |(dx, dy): (i32, i32)| {
        let center = FramePx {
            x: around.x + f64::from(dx),
            y: around.y + f64::from(dy),
        };
        let cut = Cut::of(FrameRect {
            x: center.x - side / 2.0,
            y: center.y - side / 2.0,
            width: side,
            height: side,
        });
        (cost(cut), center, cut)
    };
    let shifts = (-reach..=reach).flat_map(|dx| (-reach..=reach).map(move |dy| (dx, dy)));
    let best = shifts.map(at).min_by(|a, b| a.0.total_cmp(&b.0));
    let Some((in_place, center, cut)) = best else {
        return FoundPiece {
            center: around,
            cost: f32::INFINITY,
        };
    };
    // Sizes are tried in steps of a pixel or more.
    let stretched = cut.stretched().into_iter().map(cost);
    FoundPiece {
        center,
        cost: stretched.fold(in_place, f32::min),
    }
}
