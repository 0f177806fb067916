//! What a page draws beside the board: pixels at edges, gathered to words and pictures.

use image::{Rgba, RgbaImage};
use torres_geometry::{BoardRect, FrameRect};
use torres_vision::joined::{Area, Joined, joined};

/// Neighbouring pixels that differ by more than this (levels of 255) are the edge of something drawn.
pub(super) const EDGE: u8 = 48;
/// The same of what is drawn dimly: slanted edges are soft besides.
pub(super) const FAINT_EDGE: u8 = 24;
/// Edges within this many pixels of each other (across, down) belong to one word.
pub(super) const WORD_GAP: (usize, usize) = (6, 2);
/// The heights of words and pictures in a panel, in pixels.
pub(super) const HEIGHTS: std::ops::RangeInclusive<usize> = 6..=72;
/// A frame around words has nothing of its own farther inside than this, in pixels.
const FRAME: usize = 4;
/// A bar, of somebody's strength or time, is so many times as wide as high, and of so many columns one at most differs
/// from the one before: where it ends, and where it is filled up to.
const OBLONG: usize = 6;
const ALIKE: usize = 10;
/// Around the board, in pixels: its frame and shadow.
const RIM: f64 = 4.0;

/// The words and small pictures beside the board.
pub(super) fn words_beside(picture: &RgbaImage, board: &BoardRect) -> Vec<FrameRect> {
    let (_, blobs) = drawn_beside(picture, board);
    let words = blobs
        .iter()
        .filter(|blob| !blob.hollow && HEIGHTS.contains(&blob.area.height()));
    words.map(|blob| blob.area.rect()).collect()
}

/// All that is drawn beside the board, whatever its size, by edges that are stronger than this.
pub(super) fn drawings_beside(picture: &RgbaImage, board: &BoardRect, edge: u8) -> Vec<FrameRect> {
    let drawn = Mask::of(picture, |x, y| {
        !is_on(board, x, y) && is_edge_over(picture, (x, y), edge)
    });
    let nothing = Mask::of(picture, |_, _| false);
    let blobs = blobs(&drawn, &nothing);
    blobs.iter().map(|blob| blob.area.rect()).collect()
}

/// What is drawn beside the board in a single picture, which does not show what runs.
pub(super) fn drawn_beside(picture: &RgbaImage, board: &BoardRect) -> (Mask, Vec<Blob>) {
    let drawn = Mask::of(picture, |x, y| !is_on(board, x, y) && is_edge(picture, x, y));
    let nothing = Mask::of(picture, |_, _| false);
    let blobs = blobs(&drawn, &nothing);
    (drawn, blobs)
}

/// The pixels of a picture that have one property.
pub(super) struct Mask {
    pub width: usize,
    set: Vec<bool>,
}

impl Mask {
    pub(crate) fn of(picture: &RgbaImage, is: impl Fn(u32, u32) -> bool) -> Mask {
        let (width, height) = picture.dimensions();
        Mask {
            width: width as usize,
            set: (0..height)
                .flat_map(|y| (0..width).map(move |x| (x, y)))
                .map(|(x, y)| is(x, y))
                .collect(),
        }
    }

    pub(crate) fn height(&self) -> usize {
        self.set.len() / self.width.max(1)
    }

    /// Those that have it.
    pub(crate) fn pixels(&self) -> impl Iterator<Item = (u32, u32)> {
        let set = self.set.iter().enumerate().filter(|(_, set)| **set);
        set.map(|(nth, _)| ((nth % self.width) as u32, (nth / self.width) as u32))
    }
}

/// Pixels that are no farther from each other than a word's letters.
pub(super) struct Blob {
    pub area: Area,
    /// Whether it is only a frame around others.
    pub hollow: bool,
    /// Whether any of them runs.
    pub runs: bool,
    /// Whether it is a bar that is filled as far as the game has come, and not a frame around words.
    pub is_bar: bool,
}

/// Whether these pixels, in an area of a picture of this width, look like a bar: letters are less alike.
fn is_bar(pixels: &[usize], area: &Area, width: usize) -> bool {
    if !HEIGHTS.contains(&area.height()) || area.width() < OBLONG * area.height() {
        return false;
    }
    // A bit a row: words have fewer than it has bits.
    let mut columns = vec![0u128; area.width()];
    for pixel in pixels {
        columns[pixel % width - area.left] |= 1 << (pixel / width - area.top);
    }
    let differing = columns.windows(2).filter(|pair| pair[0] != pair[1]).count();
    ALIKE * differing <= area.width()
}

/// Whether a pixel of an area lies near one of its sides.
fn is_rim(area: &Area, (x, y): (usize, usize)) -> bool {
    let inside = area.left + FRAME <= x && x + FRAME <= area.right && area.top + FRAME <= y && y + FRAME <= area.bottom;
    !inside
}

/// What is drawn or runs, gathered.
pub(super) fn blobs(drawn: &Mask, runs: &Mask) -> Vec<Blob> {
    let set: Vec<bool> = drawn
        .set
        .iter()
        .zip(&runs.set)
        .map(|(drawn, runs)| *drawn || *runs)
        .collect();
    let blob = |Joined { pixels, area }: Joined| Blob {
        area,
        hollow: pixels
            .iter()
            .all(|pixel| is_rim(&area, (pixel % drawn.width, pixel / drawn.width))),
        runs: pixels.iter().any(|pixel| runs.set[*pixel]),
        is_bar: is_bar(&pixels, &area, drawn.width),
    };
    let mut blobs: Vec<Blob> = joined(&set, drawn.width, WORD_GAP).into_iter().map(blob).collect();
    let areas: Vec<Area> = blobs.iter().map(|blob| blob.area).collect();
    let holds = |area: Area| areas.iter().any(|other| *other != area && area.joined(other) == area);
    for blob in blobs.iter_mut().filter(|blob| blob.is_bar) {
        blob.is_bar = !holds(blob.area);
    }
    blobs
}

/// Whether a pixel lies on the board, its frame or its shadow.
pub(super) fn is_on(board: &BoardRect, x: u32, y: u32) -> bool {
    let (x, y) = (f64::from(x), f64::from(y));
    (board.x() - RIM..board.x() + board.width() + RIM).contains(&x)
        && (board.y() - RIM..board.y() + board.height() + RIM).contains(&y)
}

/// Whether a pixel is at the edge of something drawn.
pub(super) fn is_edge(picture: &RgbaImage, x: u32, y: u32) -> bool {
    is_edge_over(picture, (x, y), EDGE)
}

/// The same of an edge that is stronger than so many levels.
fn is_edge_over(picture: &RgbaImage, (x, y): (u32, u32), levels: u8) -> bool {
    let here = picture.get_pixel(x, y);
    let beside = [(x + 1, y), (x, y + 1)];
    beside
        .iter()
        .filter_map(|&(x, y)| picture.get_pixel_checked(x, y))
        .any(|other| distance(here, other) > levels)
}

/// Whether two pictures differ at a pixel by more than `levels`.
pub(super) fn differ(a: &RgbaImage, b: &RgbaImage, (x, y): (u32, u32), levels: u8) -> bool {
    distance(a.get_pixel(x, y), b.get_pixel(x, y)) > levels
}

fn distance(a: &Rgba<u8>, b: &Rgba<u8>) -> u8 {
    (0..3).map(|c| a.0[c].abs_diff(b.0[c])).max().unwrap_or(0)
}
