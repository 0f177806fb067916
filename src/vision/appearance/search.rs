//! Where in a picture a piece is, at any place and size: for dialogs that offer pieces beside the board's squares.

use super::super::patch::{CELLS, Cut, N};
use super::template::Template;
use super::{Appearance, index};
use image::RgbaImage;
use shakmaty::Piece;
use torres_geometry::{FramePx, FrameRect};

/// Differences beyond this many levels cost no more.
const WORST: i32 = 48;

/// Differences up to this many levels cost nothing: pieces are drawn in other sizes.
const TOLERANCE: i32 = 8;

/// Of this many cells of a piece's body, one is compared before places are looked at closely.
const SPARSE: usize = 2;

/// The body's cells are compared in so many rounds, each of which goes over all of it.
const SCATTERED: usize = 16;

/// How many of the places that fit best are looked at closely.
const CLOSELY: usize = 96;

/// A piece found in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundPiece {
    /// The middle of the square that it would stand on.
    pub center: FramePx,
    /// Mean cost of a cell of its body, 0 to 1.
    pub cost: f32,
}

/// A piece's body, drawn as on a square of some size: pixels from that square's corner, to the right and down, and the
/// colour at each.
struct Body {
    points: Vec<(i32, i32, [i32; 3])>,
    side: f64,
}

impl Body {
    fn new(template: &Template, side: f64) -> Body {
        let cell = side / N as f64;
        let in_body = template.body();
        let cells: Vec<usize> = (0..CELLS).filter(|k| in_body(*k)).step_by(SPARSE).collect();
        // From all over the body: a place that does not fit is given up the sooner.
        let scattered = (0..SCATTERED).flat_map(|from| cells.iter().skip(from).step_by(SCATTERED));
        let points = scattered.map(|&k| {
            let opacity = i32::from(template.opacity[k]);
            let color = [0, 1, 2].map(|c| i32::from(template.color[c][k]) * 255 / opacity);
            let middle = |at: usize| ((at as f64 + 0.5) * cell) as i32;
            (middle(k % N), middle(k / N), color)
        });
        Body {
            points: points.collect(),
            side,
        }
    }

    /// What all points cost together where the square's corner lies there; a point outside the picture costs all.
    /// `None` as soon as it is `most` or more.
    fn cost(&self, image: &RgbaImage, (x, y): (i32, i32), most: i32) -> Option<i32> {
        let width = image.width() as i32;
        let (pixels, mut sum) = (image.as_raw().as_chunks::<4>().0, 0);
        for (dx, dy, color) in &self.points {
            let (px, py) = (x + dx, y + dy);
            let at = (0..width).contains(&px).then_some(py * width + px);
            sum += match at.and_then(|at| pixels.get(usize::try_from(at).ok()?)) {
                Some(seen) => {
                    let apart = |c: usize| (i32::from(seen[c]) - color[c]).abs();
                    (apart(0).max(apart(1)).max(apart(2)) - TOLERANCE).clamp(0, WORST)
                }
                None => WORST,
            };
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
        let half = self.side / 2.0;
        let steps = |length: f64| (length / stride) as usize + 1;
        let mut places: Vec<(i32, FramePx)> = Vec::with_capacity(CLOSELY + 1);
        for row in 0..steps(part.height) {
            for column in 0..steps(part.width) {
                let middle = FramePx {
                    x: part.x + column as f64 * stride,
                    y: part.y + row as f64 * stride,
                };
                let corner = ((middle.x - half).round() as i32, (middle.y - half).round() as i32);
                let most = places.get(CLOSELY - 1).map_or(i32::MAX, |worst| worst.0);
                if may_be(middle)
                    && let Some(cost) = self.cost(image, corner, most)
                {
                    let at = places.partition_point(|place| place.0 <= cost);
                    places.insert(at, (cost, middle));
                    places.truncate(CLOSELY);
                }
            }
        }
        places.into_iter().map(|(_, middle)| middle).collect()
    }

    /// How far apart the places compared lie, in pixels: half a cell, for an outline is no wider, and a pixel at least.
    fn stride(&self) -> f64 {
        (self.side / N as f64 / 2.0).max(1.0)
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
    let template = appearance.template(index(Some(piece)))?;
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
