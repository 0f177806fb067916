//! Finds boards in a screenshot without being told their colours.
//!
//! The inner crossings of the 8×8 pattern are found as saddles of the brightness at half size ([`crossings`]),
//! gathered into lattices of one period and alternating kind ([`lattice`]), and the edges between the squares then
//! give the rectangle to a fraction of a pixel ([`refine`]). What stands on the squares tells which way the board is
//! turned ([`content`]).

mod border;
mod content;
mod crossings;
mod gray;
mod lattice;
mod refine;

use crate::geometry::{BoardRect, Orientation};
use content::Content;
use crossings::CrossingMap;
use gray::{VIEWS, Weights};
use image::RgbaImage;

/// Grey levels by which a crossing's bright squares must exceed its dark ones.
const CONTRAST: u8 = 5;

/// A lattice must keep this many of its 49 crossings at full resolution.
const MIN_CONFIRMED: usize = 24;

/// With this many confirmed there is nothing to gain from another view.
const PLENTY: usize = 40;

/// A board in use holds at least two kings and at most 32 pieces; decorations and dialogs may add some.
const HELD: std::ops::RangeInclusive<usize> = 2..=48;

/// A board closer than this to where it was has not moved, in pixels: half the error of one measurement.
const UNMOVED: f64 = 0.4;

/// How far [`still_there`] looks, in pixels.
const NEAR: f64 = 2.0;

/// A board found in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundBoard {
    /// Where it lies, in pixels of the picture.
    pub rect: BoardRect,
    /// Which way it is turned, where its pieces tell.
    pub orientation: Option<Orientation>,
    /// How much it looks like the board to play on, 0 to 1: the share of the pattern that is seen, and somewhat its size.
    pub score: f64,
}

/// All boards in the picture, best first.
pub fn locate(image: &RgbaImage) -> Vec<FoundBoard> {
    let mut found = Vec::new();
    for view in VIEWS {
        found = locate_in(image, view);
        if !found.is_empty() {
            break;
        }
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found
}

fn locate_in(image: &RgbaImage, view: Weights) -> Vec<FoundBoard> {
    let half = gray::half_size(image, view);
    let map = CrossingMap::of(&half, CONTRAST);
    let crossings = map.all();
    let max_period = half.width().min(half.height()) as f32 / 8.0 + 1.0;
    let lattices = lattice::find(&map, &crossings, max_period);
    lattices
        .iter()
        .filter_map(|l| {
            // A pixel of the half-size picture is centred on the corner of four.
            let full = |v: f32| 2.0 * f64::from(v) + 1.0;
            let side = |period: f32| 16.0 * f64::from(period);
            let rough = [full(l.x), full(l.y), side(l.period_x), side(l.period_y)];
            let refined = refine::refine(image, view, rough, l.bright_corner)?;
            let content = Content::of(image, &refined.rect);
            if refined.hits < MIN_CONFIRMED || !HELD.contains(&content.held()) {
                return None;
            }
            Some(FoundBoard {
                rect: refined.rect,
                orientation: content.orientation(),
                score: score(image, &refined.rect, refined.hits),
            })
        })
        .collect()
}

/// The share of the pattern that is seen, less for a board that is small on its screen.
fn score(image: &RgbaImage, rect: &BoardRect, hits: usize) -> f64 {
    let screen = f64::from(image.width().min(image.height()));
    let size = (rect.width() / (0.5 * screen)).min(1.0);
    hits as f64 / 49.0 * (0.6 + 0.4 * size)
}

/// The board's exact place now, if it still lies within two pixels of where it was; cheap.
///
/// A board that moved by less than a measurement's error is reported exactly where it was.
pub fn still_there(image: &RgbaImage, was: &BoardRect) -> Option<BoardRect> {
    let rough = [was.x(), was.y(), was.width(), was.height()];
    // The upper left square is a light one whichever way the board is turned; only odd themes need the other tries.
    let tries = VIEWS
        .iter()
        .flat_map(|view| [true, false].map(|bright| (*view, bright)));
    let mut best: Option<refine::Refined> = None;
    for (view, bright_corner) in tries {
        let Some(refined) = refine::refine(image, view, rough, bright_corner) else {
            continue;
        };
        if best.as_ref().is_none_or(|b| refined.hits > b.hits) {
            best = Some(refined);
        }
        if best.as_ref().is_some_and(|b| b.hits >= PLENTY) {
            break;
        }
    }
    let best = best?;
    if best.hits < MIN_CONFIRMED || best.rect.distance(was) > NEAR {
        return None;
    }
    Some(if best.rect.distance(was) < UNMOVED {
        *was
    } else {
        best.rect
    })
}
