//! Boards without a chequer: all squares have one colour, with lines between them or without.
//!
//! Nothing crosses there that could be searched for. What tells such a board is its ground, one colour that fills a
//! square part of the picture, the places where lines cut it into eight by eight, and the pieces: each stands inside
//! its square, and those of a kind look the same wherever they stand.

use super::super::patch::{CELLS, Cut, Patch};
use super::grid;
use image::RgbaImage;
use torres_geometry::{BoardRect, FrameRect};

/// How many of the picture's most frequent colours may be a board's ground.
const COLORS: usize = 3;

/// A ground fills at least this share of the picture.
const LEAST_SHARE: f64 = 0.02;

/// Pixels between the samples by which colours, and a column's or a row's pixels of one, are counted.
const STEP: usize = 4;

/// Levels by which the ground's pixels may differ from its colour.
const SAME: u8 = 6;

/// The same around a piece, where its shadow may fall.
const SHADED: u8 = 24;

/// The least side of a board, in pixels.
pub(super) const SMALLEST: usize = 120;

/// A column or a row belongs to the ground if it has this share of the most that any has: eight pieces' feet beside
/// each other leave little more.
const FILLED: f64 = 0.12;

/// A column or a row with less than this share is a line between squares.
const LINE: f64 = 0.05;

/// The widest line between squares, in pixels; in large pictures this share of the picture is tried as well, a
/// sixteenth of a square that fills it.
const WIDEST: usize = 8;
const WIDEST_SHARE: usize = 128;

/// By how much of its width a board's height may differ from it, and lines from their places, in squares.
pub(super) const UNEVEN: f64 = 0.03;

/// A part that is this many times as wide as high, or as high as wide, need not be looked at more closely.
const OBLONG: f64 = 1.5;

/// How far from a square's border it must be free around a piece, as a share of its side.
const FREE: f64 = 0.05;

/// Points along each side of a square at which that is looked at.
const POINTS: usize = 12;

/// A square holds something if this share of its cells differs from the ground.
const HELD: f64 = 0.03;

/// How many squares may hold something: two kings at least, and half of the board with some marks.
const STANDING: std::ops::RangeInclusive<usize> = 2..=40;

/// The same where lines show the squares: the ranks' and files' names may stand in more of them.
const STANDING_IN_LINES: std::ops::RangeInclusive<usize> = 2..=48;

/// The share of the squares that hold something in which it reaches nowhere near the border: marks and tints do.
const FREE_SHARE: f64 = 0.85;

/// Two squares show the same when their cells differ by no more than this in the mean, in levels: squares a pixel apart
/// in their rounding do, different pieces differ by twice that.
const ALIKE: f32 = 8.0;

/// Pictures that are there twice or more: pawns, and pieces of one kind.
const REPEATED: usize = 2;

/// Different pictures on a board.
const KINDS: usize = 3;

/// A board without a chequer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unchequered {
    /// Where it lies.
    pub rect: BoardRect,
    /// Whether its pieces say that it is a board; otherwise it counts only where a board is known to be.
    pub is_told_by_pieces: bool,
    /// Whether lines cut it into eight by eight.
    pub is_lined: bool,
}

/// All such boards in a picture whose ground ends where they do.
pub fn find(image: &RgbaImage) -> Vec<Unchequered> {
    on_grounds(image, whole_ground)
}

/// All such boards in a picture that lines cut out of a ground that goes on around them. Takes longer.
pub fn find_by_lines(image: &RgbaImage) -> Vec<Unchequered> {
    on_grounds(image, grid::find)
}

/// Where a board lies on a ground, with lines no wider than that, and how wide they are; 0 without any.
type Place = fn(&RgbaImage, [u8; 3], usize) -> Option<(BoardRect, usize)>;

fn on_grounds(image: &RgbaImage, place: Place) -> Vec<Unchequered> {
    let mut found: Vec<Unchequered> = Vec::new();
    let wider = (image.width().min(image.height()) as usize / WIDEST_SHARE).max(WIDEST);
    let on_ground = |ground| {
        let board = |widest| on_ground(image, ground, place(image, ground, widest)?);
        board(WIDEST).or_else(|| (wider > WIDEST).then(|| board(wider)).flatten())
    };
    for ground in frequent_colors(image, COLORS) {
        // Two shades of one ground have the same place.
        if let Some(board) = on_ground(ground)
            && found
                .iter()
                .all(|other| other.rect.distance(&board.rect) > wider as f64)
        {
            found.push(board);
        }
    }
    found
}

/// The picture's most frequent colours, at most so many, the most frequent first.
pub(super) fn frequent_colors(image: &RgbaImage, most: usize) -> Vec<[u8; 3]> {
    // Five bits of each channel.
    let bin = |p: [u8; 4]| p[..3].iter().fold(0usize, |bin, v| bin << 5 | usize::from(v >> 3));
    let mut counts = vec![(0u32, [0u32; 3]); 1 << 15];
    let mut samples = 0u32;
    for y in (0..image.height()).step_by(STEP) {
        for x in (0..image.width()).step_by(STEP) {
            let pixel = image.get_pixel(x, y).0;
            let (count, sum) = &mut counts[bin(pixel)];
            *count += 1;
            (0..3).for_each(|c| sum[c] += u32::from(pixel[c]));
            samples += 1;
        }
    }
    counts.retain(|(count, _)| *count > 0 && f64::from(*count) >= LEAST_SHARE * f64::from(samples));
    counts.sort_unstable_by_key(|(count, _)| std::cmp::Reverse(*count));
    let often = counts.iter().take(most);
    often.map(|(count, sum)| sum.map(|s| (s / count) as u8)).collect()
}

/// Whether a pixel shows the ground.
pub(super) fn is_ground(pixel: [u8; 4], ground: [u8; 3]) -> bool {
    is_within(pixel, ground, SAME)
}

/// Whether a pixel differs from a colour by at most `levels` in each channel.
fn is_within(pixel: [u8; 4], color: [u8; 3], levels: u8) -> bool {
    (0..3).all(|c| pixel[c].abs_diff(color[c]) <= levels)
}

/// Columns and rows of the picture, first and beyond the last.
type Span = (usize, usize);

/// The board in that place on this ground, if pieces stand on it.
fn on_ground(image: &RgbaImage, ground: [u8; 3], (rect, line): (BoardRect, usize)) -> Option<Unchequered> {
    let is_lined = line > 0;
    let squares = Squares::of(image, &rect, ground, line);
    // Lines show where the squares are; without them, that what stands there stands inside them does.
    let is_position = match is_lined {
        true => STANDING_IN_LINES.contains(&squares.held.len()),
        false => squares.is_position(),
    };
    is_position.then(|| Unchequered {
        rect,
        is_told_by_pieces: squares.has_pieces(is_lined),
        is_lined,
    })
}

/// The square part of the picture that the ground fills, and how wide the lines are that cut it; 0 without any.
fn whole_ground(image: &RgbaImage, ground: [u8; 3], widest: usize) -> Option<(BoardRect, usize)> {
    let (mut columns, mut rows) = ((0, image.width() as usize), (0, image.height() as usize));
    // Each time within the other axis' part that was found before.
    for _ in 0..3 {
        columns = filled(&profile(image, ground, columns, rows, true), columns, widest)?;
        rows = filled(&profile(image, ground, rows, columns, false), rows, widest)?;
        let (width, height) = ((columns.1 - columns.0) as f64, (rows.1 - rows.0) as f64);
        if !(1.0 / OBLONG..=OBLONG).contains(&(width / height)) {
            return None;
        }
    }
    let across = side(&profile(image, ground, columns, rows, true), columns, widest);
    let down = side(&profile(image, ground, rows, columns, false), rows, widest);
    let (across, down) = (across?, down?);
    let (width, height) = (across.length, down.length);
    if (width / height - 1.0).abs() > UNEVEN {
        return None;
    }
    let rect = BoardRect::new(across.start, down.start, width, height).ok()?;
    let line = if across.line > 0 && down.line > 0 {
        across.line.max(down.line)
    } else {
        0
    };
    Some((rect, line))
}

/// A board along one axis, in pixels.
struct Side {
    start: f64,
    length: f64,
    /// How wide the lines between its squares are; 0 without any.
    line: usize,
}

/// How many pixels of the ground each column (or row) of a span has within a span of the other axis, of every fourth
/// one there.
fn profile(image: &RgbaImage, ground: [u8; 3], span: Span, within: Span, vertical: bool) -> Vec<u32> {
    let mut counts = vec![0; span.1 - span.0];
    let stride = image.width() as usize * 4;
    let row = |y: usize| image.as_raw()[y * stride..][..stride].as_chunks::<4>().0;
    if vertical {
        // The same as `is_ground`, but words and no branches: the compiler makes vectors of that.
        let is_near = |word: u32, c: usize| {
            let value = (word >> (8 * c) & 0xff) as i32;
            (value - i32::from(ground[c])).abs() <= i32::from(SAME)
        };
        for y in (within.0..within.1).step_by(STEP) {
            for (count, pixel) in counts.iter_mut().zip(&row(y)[span.0..span.1]) {
                let word = u32::from_le_bytes(*pixel);
                *count += u32::from(is_near(word, 0) & is_near(word, 1) & is_near(word, 2));
            }
        }
    } else {
        for (count, y) in counts.iter_mut().zip(span.0..span.1) {
            let pixels = row(y)[within.0..within.1].iter().step_by(STEP);
            *count = pixels.map(|pixel| u32::from(is_ground(*pixel, ground))).sum();
        }
    }
    counts
}

/// The longest part of a span in which no more than a line's width is without ground.
fn filled(profile: &[u32], span: Span, widest: usize) -> Option<Span> {
    let least = FILLED * f64::from(profile.iter().copied().max()?);
    let (mut best, mut start, mut last) = ((0, 0), None, 0);
    for at in (0..profile.len()).filter(|at| f64::from(profile[*at]) > least) {
        if start.is_none() || at - last > widest + 1 {
            start = Some(at);
        }
        last = at;
        let from = start.unwrap_or(at);
        if at + 1 - from > best.1 - best.0 {
            best = (from, at + 1);
        }
    }
    (best.1 - best.0 >= SMALLEST).then_some((span.0 + best.0, span.0 + best.1))
}

/// The first of two places or more and how far apart they are, if they lie evenly: each no farther aside than a board's
/// lines do, or than this, in pixels.
pub(super) fn evenly_spaced(places: &[f64], aside: f64) -> Option<(f64, f64)> {
    let (first, last) = (*places.first()?, *places.last()?);
    let period = (last - first) / places.len().checked_sub(1).filter(|steps| *steps > 0)? as f64;
    let is_even = |(k, place): (usize, &f64)| (place - first - period * k as f64).abs() <= (UNEVEN * period).max(aside);
    places.iter().enumerate().all(is_even).then_some((first, period))
}

/// The board along one axis: by the seven lines between its squares, or, without any, the ground's own.
fn side(profile: &[u32], span: Span, widest: usize) -> Option<Side> {
    let least = LINE * f64::from(profile.iter().copied().max()?);
    let mut lines: Vec<Span> = Vec::new();
    for at in (0..profile.len()).filter(|at| f64::from(profile[*at]) < least) {
        match lines.last_mut() {
            Some(line) if line.1 == at => line.1 = at + 1,
            _ => lines.push((at, at + 1)),
        }
    }
    if lines.is_empty() {
        return Some(Side {
            start: span.0 as f64,
            length: profile.len() as f64,
            line: 0,
        });
    }
    let middles: Vec<f64> = lines.iter().map(|line| (line.0 + line.1) as f64 / 2.0).collect();
    let (first, period) = evenly_spaced(&middles, 0.0)?;
    let start = first - period;
    let room = widest as f64;
    let fits = start.abs() <= room && (first + 7.0 * period - profile.len() as f64).abs() <= room;
    (lines.len() == 7 && fits).then(|| Side {
        start: span.0 as f64 + start,
        length: 8.0 * period,
        line: lines.iter().map(|line| line.1 - line.0).max().unwrap_or(0),
    })
}

/// What the squares hold.
struct Squares {
    /// The pictures of those that hold something, and whether it is free all around.
    held: Vec<(Patch, bool)>,
}

impl Squares {
    /// `line` is the width of the lines between them.
    fn of(image: &RgbaImage, rect: &BoardRect, ground: [u8; 3], line: usize) -> Squares {
        let square = |k: usize| {
            let (width, height) = (rect.width() / 8.0, rect.height() / 8.0);
            let place = FrameRect {
                x: rect.x() + (k % 8) as f64 * width,
                y: rect.y() + (k / 8) as f64 * height,
                width,
                height,
            };
            let (aside, above) = (FREE * width + line as f64 / 2.0, FREE * height + line as f64 / 2.0);
            let inner = FrameRect {
                x: place.x + aside,
                y: place.y + above,
                width: width - 2.0 * aside,
                height: height - 2.0 * above,
            };
            let patch = Cut::of(inner).take(image);
            let differs =
                |k: &usize| (0..3).any(|c| (patch.planes[c][*k] - i16::from(ground[c])).abs() > i16::from(SAME));
            let held = (0..CELLS).filter(differs).count() as f64 >= HELD * CELLS as f64;
            held.then(|| (patch, is_free(image, inner, ground)))
        };
        Squares {
            held: (0..64).filter_map(square).collect(),
        }
    }

    /// Whether what the squares hold stands inside them, as pieces do.
    fn is_position(&self) -> bool {
        let free = self.held.iter().filter(|(_, free)| *free).count() as f64;
        STANDING.contains(&self.held.len()) && free >= FREE_SHARE * self.held.len() as f64
    }

    /// Whether several pictures are there more than once, and others too; of those that stand inside their squares, or
    /// of `all`.
    fn has_pieces(&self, all: bool) -> bool {
        let mut kinds: Vec<(&Patch, usize)> = Vec::new();
        for (patch, _) in self.held.iter().filter(|(_, free)| all || *free) {
            match kinds.iter_mut().find(|(kind, _)| kind.mean_difference(patch) <= ALIKE) {
                Some((_, count)) => *count += 1,
                None => kinds.push((patch, 1)),
            }
        }
        kinds.len() >= KINDS && kinds.iter().filter(|(_, count)| *count > 1).count() >= REPEATED
    }
}

/// Whether a rectangle's border shows nothing but the ground.
fn is_free(image: &RgbaImage, r: FrameRect, ground: [u8; 3]) -> bool {
    let (right, bottom) = (r.x + r.width - 1.0, r.y + r.height - 1.0);
    let shows_ground = |x: f64, y: f64| {
        let pixel = image.get_pixel_checked(x.max(0.0) as u32, y.max(0.0) as u32);
        pixel.is_some_and(|p| is_within(p.0, ground, SHADED))
    };
    (0..POINTS).all(|k| {
        let t = (k as f64 + 0.5) / POINTS as f64;
        let (x, y) = (r.x + t * r.width, r.y + t * r.height);
        shows_ground(x, r.y) && shows_ground(x, bottom) && shows_ground(r.x, y) && shows_ground(right, y)
    })
}
