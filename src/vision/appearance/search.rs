//! Where in a picture a piece is, at any place and size: for dialogs that offer pieces beside the board's squares.

use super::super::patch::{CELLS, Cut, N};
use super::template::{BODY, Template};
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

/// How many of the places that fit best are looked at closely.
const CLOSELY: usize = 24;

/// A piece found in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundPiece {
    /// The middle of the square that it would stand on.
    pub center: FramePx,
    /// Mean cost of a cell of its body, 0 to 1.
    pub cost: f32,
}

/// A piece's body, drawn as on a square of some size: points relative to that square's corner, in pixels, and the
/// colour at each.
struct Body {
    points: Vec<(f64, f64, [i32; 3])>,
    side: f64,
}

impl Body {
    fn new(template: &Template, side: f64) -> Body {
        let cell = side / N as f64;
        let cells = (0..CELLS).filter(|k| template.opacity[*k] >= BODY).step_by(SPARSE);
        let points = cells.map(|k| {
            let opacity = i32::from(template.opacity[k]);
            let color = [0, 1, 2].map(|c| i32::from(template.color[c][k]) * 255 / opacity);
            let middle = |at: usize| (at as f64 + 0.5) * cell;
            (middle(k % N), middle(k / N), color)
        });
        Body {
            points: points.collect(),
            side,
        }
    }

    /// Mean cost of a point, 0 to 1, where the square's corner lies there; a point outside the picture costs all.
    fn cost(&self, image: &RgbaImage, (x, y): (f64, f64)) -> f32 {
        let (width, height) = (image.width() as usize, image.height() as usize);
        let (pixels, mut sum) = (image.as_raw(), 0);
        for (dx, dy, color) in &self.points {
            let (px, py) = ((x + dx).floor() as isize, (y + dy).floor() as isize);
            let inside = (0..width as isize).contains(&px) && (0..height as isize).contains(&py);
            let at = 4 * (py.unsigned_abs() * width + px.unsigned_abs());
            sum += match pixels.get(at..at + 3).filter(|_| inside) {
                Some(seen) => {
                    let apart = |c: usize| (i32::from(seen[c]) - color[c]).abs();
                    (apart(0).max(apart(1)).max(apart(2)) - TOLERANCE).clamp(0, WORST)
                }
                None => WORST,
            };
        }
        sum as f32 / (self.points.len().max(1) as i32 * WORST) as f32
    }

    /// The places in a part of the picture where the body fits best, as corners of its square, whose middle lies in
    /// that part, at a point that may be.
    fn places(&self, image: &RgbaImage, part: &FrameRect, may_be: &impl Fn(FramePx) -> bool) -> Vec<(f64, f64)> {
        let stride = self.stride();
        let half = self.side / 2.0;
        let steps = |length: f64| (length / stride) as usize + 1;
        let mut places: Vec<(f32, (f64, f64))> = Vec::with_capacity(steps(part.width) * steps(part.height));
        for row in 0..steps(part.height) {
            for column in 0..steps(part.width) {
                let (x, y) = (part.x + column as f64 * stride, part.y + row as f64 * stride);
                let corner = (x - half, y - half);
                if may_be(FramePx { x, y }) {
                    places.push((self.cost(image, corner), corner));
                }
            }
        }
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        places.into_iter().take(CLOSELY).map(|(_, corner)| corner).collect()
    }

    /// How far apart the places compared lie, in pixels: a cell, and a pixel at least.
    fn stride(&self) -> f64 {
        (self.side / N as f64).max(1.0)
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
    let half = side / 2.0;
    let close = body.places(image, part, may_be).into_iter().map(|(x, y)| {
        let middle = FramePx {
            x: x + half,
            y: y + half,
        };
        piece_near(appearance, image, middle, body.stride(), piece, side)
    });
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
    let shifts = (-reach..=reach).flat_map(|dx| (-reach..=reach).map(move |dy| (dx, dy)));
    let found = shifts.map(|(dx, dy)| {
        let center = FramePx {
            x: around.x + f64::from(dx),
            y: around.y + f64::from(dy),
        };
        let square = FrameRect {
            x: center.x - side / 2.0,
            y: center.y - side / 2.0,
            width: side,
            height: side,
        };
        let cost = appearance
            .comparer
            .cost_of_body(&Cut::of(square).take(image), index(Some(piece)));
        FoundPiece {
            center,
            cost: cost.unwrap_or(f32::INFINITY),
        }
    });
    let best = found.min_by(|a, b| a.cost.total_cmp(&b.cost));
    best.unwrap_or(FoundPiece {
        center: around,
        cost: f32::INFINITY,
    })
}
