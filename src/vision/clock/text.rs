//! Finds the characters of a clock: ink on an even ground, in one line, with a colon among them. `Digits` reads them.

use crate::joined::{Area, joined};
use image::{Rgba, RgbaImage};
use std::ops::Range;
use torres_geometry::FrameRect;

/// Rows and columns of a [`Shape`].
pub const SIDE: usize = 16;
/// Ink differs from its ground by this at least, in levels of 255.
const CONTRAST: u8 = 48;
/// A pixel belongs to a character where ink covers this share of it. The small share finds thin strokes; the larger one
/// separates characters that touch.
const COVERED: [f32; 3] = [0.35, 0.5, 0.6];
/// The heights of digits, in pixels.
const HEIGHTS: std::ops::RangeInclusive<usize> = 7..=120;
/// How far around the characters their ground is looked at, in their heights.
const GROUND_AROUND: f64 = 0.25;
/// The least height of a digit, as a share of the highest one's: tenths may be smaller.
const DIGIT: f64 = 0.55;
/// The greatest height and width of a colon's dot, or of the dot before the tenths, as a share of the highest digit's
/// height.
const DOT: f64 = 0.36;
/// The greatest width of a digit, as a share of its height.
const WIDEST: f64 = 1.1;
/// Characters of one line are no farther from each other than this, compared with the highest digit.
const GAP: f64 = 0.9;
/// How far before the time a side's name ends at least: as a share of the highest digit's height, and in widest gaps
/// between the time's characters.
const SPACE: f64 = 0.42;
const WIDER: f64 = 1.5;
/// Pictures of one digit at one place differ by no more than this ([`Shape::distance`]): two digits differ by 0.067 at
/// least (docs/vision.md).
const ONE_DIGIT: f64 = 0.03;
/// What surrounds so many pieces of ink is a frame around the clock: a digit surrounds one at most, a dotted zero's dot.
const FRAMED: usize = 3;
/// The most characters of a clock: 1:00:00.0.
const MOST: usize = 10;

/// How a character is drawn, whatever its size and colours: the share of each cell that ink covers, 0 to 255, row by
/// row. Its height fills the cells, and it stands in their middle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape(pub(super) Box<[u8; SIDE * SIDE]>);

impl Shape {
    /// How much two characters differ, 0 for the same picture and about 1 where no ink is common: `Σ (a − b)² / (Σ a² +
    /// Σ b²)` over the cells. Squares, since a stroke that only one of them has weighs more than edges that are drawn a
    /// little softer. They may lie half a cell apart to each side: the least counts.
    pub fn distance(&self, other: &Shape) -> f64 {
        let mut least = f64::INFINITY;
        for (down, right) in (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right))) {
            let shifted = other.shifted(down, right);
            let (mut apart, mut both) = (0.0, 0.0);
            for (&a, b) in self.0.iter().zip(shifted) {
                let a = f32::from(a);
                apart += (a - b) * (a - b);
                both += a * a + b * b;
            }
            least = least.min(f64::from(apart) / f64::from(both).max(1.0));
        }
        least
    }

    /// Its cells, moved by `down` and `right` halves of a cell.
    fn shifted(&self, down: isize, right: isize) -> [f32; SIDE * SIDE] {
        let at = |row: usize, column: usize, down: isize, right: isize| {
            let (row, column) = (row.checked_add_signed(-down), column.checked_add_signed(-right));
            match (row, column) {
                (Some(row), Some(column)) if row < SIDE && column < SIDE => f32::from(self.0[row * SIDE + column]),
                _ => 0.0,
            }
        };
        std::array::from_fn(|cell| {
            let (row, column) = (cell / SIDE, cell % SIDE);
            (at(row, column, 0, 0)
                + at(row, column, down, 0)
                + at(row, column, 0, right)
                + at(row, column, down, right))
                / 4.0
        })
    }
}

/// One character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// What may be a digit.
    Digit(Shape),
    /// Two dots, one above the other.
    Colon,
    /// A dot or comma at the foot of the line.
    Point,
}

/// The characters of a clock, from left to right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockText {
    /// The characters.
    pub marks: Vec<Mark>,
    /// Where they stand, in whole pixels of the picture: left and upper edge, width and height.
    pub place: (u32, u32, u32, u32),
}

/// What stands between two gaps of a line.
struct Character {
    all: Area,
    pieces: Vec<Area>,
}

/// What characters stand on.
#[derive(Clone, Copy)]
enum Ground {
    /// The commonest colour at the characters and a little around them, since bold digits leave less of it between them
    /// than they cover.
    Even,
    /// What lies from the commonest colour above them to the commonest below.
    Slope,
}

/// How much ink covers each pixel of a picture, 0 to 1.
struct Ink {
    width: usize,
    height: usize,
    share: Vec<f32>,
}

impl ClockText {
    /// The line of characters that stands at `about`, if one does and looks like a clock: a colon among two to seven
    /// digits. The picture may show more; what touches its edge is not taken for a character.
    pub fn find(picture: &RgbaImage, about: &FrameRect) -> Option<ClockText> {
        [Ground::Even, Ground::Slope].into_iter().find_map(|ground| {
            let ink = Ink::of(picture, about, ground)?;
            COVERED
                .into_iter()
                .find_map(|covered| ClockText::of(&ink, covered, about))
        })
    }

    fn of(ink: &Ink, covered: f32, about: &FrameRect) -> Option<ClockText> {
        let is_near = |piece: &Area| {
            let middle = (piece.top + piece.bottom + 1) as f64 / 2.0;
            (about.y..about.y + about.height).contains(&middle)
        };
        let is_about = |character: &&Character| {
            let all = character.all;
            (all.right as f64) >= about.x && (all.left as f64) < about.x + about.width
        };
        let characters = by_columns(
            without_frames(ink.pieces(covered))
                .into_iter()
                .filter(is_near)
                .collect(),
        );
        let high = characters
            .iter()
            .filter(is_about)
            .map(|character| character.all.height())
            .max()?;
        if !HEIGHTS.contains(&high) {
            return None;
        }
        let gap = |pair: &[Character]| pair[1].all.left.saturating_sub(pair[0].all.right) as f64;
        let is_beside = |left: &Character, right: &Character| {
            right.all.left.saturating_sub(left.all.right) as f64 <= GAP * high as f64
        };
        let run = characters
            .chunk_by(is_beside)
            .max_by_key(|run| (run.iter().filter(is_about).count(), run.len()))?;
        // A side's name may stand before the time, and its letters may be taken for digits: the last words that are a
        // clock are the clock.
        let begins = |&at: &usize| {
            let widest = run[at..].windows(2).map(gap).fold(0.0, f64::max);
            at == 0 || gap(&run[at - 1..=at]) >= (SPACE * high as f64).max(WIDER * widest)
        };
        let mut words = (0..run.len()).rev().filter(begins);
        words.find_map(|at| ClockText::in_run(ink, &run[at..], high))
    }

    /// The clock that these characters are, if all of them are one.
    fn in_run(ink: &Ink, run: &[Character], high: usize) -> Option<ClockText> {
        if run.len() > MOST {
            return None;
        }
        let foot = run.iter().map(|character| character.all.bottom).max()?;
        let marks: Option<Vec<Mark>> = run.iter().map(|character| ink.mark(character, (high, foot))).collect();
        let place = run.iter().map(|character| character.all).reduce(|a, b| a.joined(&b))?;
        let line = ClockText {
            marks: marks?,
            place: (
                place.left as u32,
                place.top as u32,
                place.width() as u32,
                place.height() as u32,
            ),
        };
        line.groups().is_some().then_some(line)
    }

    /// Whether it shows the same characters as another one, drawn a little otherwise perhaps.
    pub fn is_like(&self, other: &ClockText) -> bool {
        let is_alike = |pair: (&Mark, &Mark)| match pair {
            (Mark::Digit(a), Mark::Digit(b)) => a == b || a.distance(b) <= ONE_DIGIT,
            (a, b) => a == b,
        };
        self == other || self.marks.len() == other.marks.len() && self.marks.iter().zip(&other.marks).all(is_alike)
    }

    /// Groups of digits between colons, and the digits behind a point, if it is built like a clock: `m:ss`, `mm:ss`,
    /// `h:mm:ss`, with or without `.t`.
    pub(super) fn groups(&self) -> Option<(Vec<Vec<&Shape>>, Vec<&Shape>)> {
        let (mut groups, mut behind) = (vec![Vec::new()], None);
        for mark in &self.marks {
            match (mark, &mut behind) {
                (Mark::Digit(shape), None) => groups.last_mut()?.push(shape),
                (Mark::Digit(shape), Some(behind)) => Vec::push(behind, shape),
                (Mark::Colon, None) => groups.push(Vec::new()),
                (Mark::Point, None) => behind = Some(Vec::new()),
                _ => return None,
            }
        }
        let rest_is_right = groups.len() >= 2 && groups.len() <= 3 && groups[1..].iter().all(|group| group.len() == 2);
        let behind_is_right = behind.as_ref().is_none_or(|behind| (1..=2).contains(&behind.len()));
        (rest_is_right && behind_is_right && (1..=3).contains(&groups[0].len()))
            .then(|| (groups, behind.unwrap_or_default()))
    }
}

impl Ink {
    /// The ink at `about`; `None` where nothing stands out of the ground.
    fn of(picture: &RgbaImage, about: &FrameRect, ground: Ground) -> Option<Ink> {
        let (width, height) = picture.dimensions();
        let room = GROUND_AROUND * about.height;
        let within = |from: f64, to: f64, most: u32| {
            (from - room).max(0.0) as u32..((to + room).ceil().max(0.0) as u32).min(most)
        };
        let columns = within(about.x, about.x + about.width, width);
        let rows = within(about.y, about.y + about.height, height);
        let within_rows = |rows: Range<u32>| {
            let columns = columns.clone();
            rows.flat_map(move |y| columns.clone().map(move |x| (x, y)))
        };
        let common = |rows: Range<u32>| commonest(within_rows(rows).map(|(x, y)| picture.get_pixel(x, y)));
        let (above, below) = match ground {
            Ground::Even => [common(rows.clone())?; 2].into(),
            Ground::Slope => {
                let (top, bottom) = (about.y.max(0.0) as u32, (about.y + about.height).ceil() as u32);
                (common(rows.start..top)?, common(bottom.min(rows.end)..rows.end)?)
            }
        };
        let slope = (about.height + room).max(1.0);
        let ground: Vec<[u8; 3]> = (0..height)
            .map(|y| {
                let down = ((f64::from(y) + 0.5 - about.y + room / 2.0) / slope).clamp(0.0, 1.0);
                [0, 1, 2].map(|c| (f64::from(above[c]) + down * (f64::from(below[c]) - f64::from(above[c]))) as u8)
            })
            .collect();
        let far = |(x, y): (u32, u32)| {
            let (pixel, ground) = (picture.get_pixel(x, y), ground[y as usize]);
            (0..3).map(|c| pixel.0[c].abs_diff(ground[c])).max().unwrap_or(0)
        };
        let mut strengths: Vec<u8> = within_rows(rows).map(far).filter(|&far| far >= CONTRAST).collect();
        strengths.sort_unstable();
        let full = *strengths.get(strengths.len() * 4 / 5)?;
        let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let share = all.map(|at| (f32::from(far(at)) / f32::from(full)).min(1.0)).collect();
        Some(Ink {
            width: width as usize,
            height: height as usize,
            share,
        })
    }

    /// What is joined, without what touches the picture's edge.
    fn pieces(&self, covered: f32) -> Vec<Area> {
        let is_ink: Vec<bool> = self.share.iter().map(|share| *share >= covered).collect();
        let pieces = joined(&is_ink, self.width, (1, 1)).into_iter().map(|piece| piece.area);
        pieces
            .filter(|piece| !piece.is_cut((self.width, self.height)))
            .collect()
    }

    /// What a character is, in a line whose highest digit has the height `high` and whose foot is at the row `foot`.
    fn mark(&self, Character { all, pieces }: &Character, (high, foot): (usize, usize)) -> Option<Mark> {
        let high = high as f64;
        let is_dot = |piece: &Area| {
            piece.height() as f64 <= (DOT * high).max(2.0) && piece.width() as f64 <= (DOT * high).max(2.0)
        };
        match &pieces[..] {
            [upper, lower] if is_dot(upper) && is_dot(lower) => Some(Mark::Colon),
            [dot] if is_dot(dot) => (((foot - dot.bottom) as f64) < 0.2 * high).then_some(Mark::Point),
            _ => {
                let is_digit =
                    all.height() as f64 >= DIGIT * high && all.width() as f64 <= WIDEST * all.height() as f64;
                is_digit.then(|| Mark::Digit(self.shape(*all)))
            }
        }
    }

    /// A character scaled to the cells of a [`Shape`]: each cell is the mean of the pixels under it.
    fn shape(&self, all: Area) -> Shape {
        // Half covered pixels around it belong to it.
        let (top, bottom) = (all.top.saturating_sub(1), (all.bottom + 1).min(self.height - 1));
        let (left, right) = (all.left.saturating_sub(1), (all.right + 1).min(self.width - 1));
        let cell = (bottom - top + 1) as f64 / SIDE as f64;
        let middle = (left + right + 1) as f64 / 2.0;
        let mut cells = [0; SIDE * SIDE];
        for (index, value) in cells.iter_mut().enumerate() {
            let (row, column) = (index / SIDE, index % SIDE);
            let from = middle + (column as f64 - SIDE as f64 / 2.0) * cell;
            let mean = self.mean(
                (from, from + cell),
                (top as f64 + row as f64 * cell, top as f64 + (row + 1) as f64 * cell),
                (left, right),
            );
            *value = (255.0 * mean).round() as u8;
        }
        Shape(Box::new(cells))
    }

    /// The mean share of ink in a rectangle; outside these columns there is none.
    fn mean(&self, (from_x, to_x): (f64, f64), (from_y, to_y): (f64, f64), (left, right): (usize, usize)) -> f64 {
        let mut sum = 0.0;
        for y in from_y.floor().max(0.0) as usize..(to_y.ceil().max(0.0) as usize).min(self.height) {
            let high = (to_y.min(y as f64 + 1.0) - from_y.max(y as f64)).max(0.0);
            for x in from_x.floor().max(left as f64) as usize..(to_x.ceil().max(0.0) as usize).min(right + 1) {
                let wide = (to_x.min(x as f64 + 1.0) - from_x.max(x as f64)).max(0.0);
                sum += wide * high * f64::from(self.share[y * self.width + x]);
            }
        }
        sum / ((to_x - from_x) * (to_y - from_y))
    }
}

/// The commonest colour, to eight levels; of two that are as common the brighter one, so that the answer hangs on nothing
/// else. `None` of no pixels.
fn commonest<'a>(pixels: impl Iterator<Item = &'a Rgba<u8>>) -> Option<[u8; 3]> {
    let mut counts = std::collections::HashMap::<[u8; 3], (u32, [u32; 3])>::new();
    for pixel in pixels {
        let bin = [0, 1, 2].map(|c| pixel.0[c] >> 3);
        let (count, sums) = counts.entry(bin).or_default();
        *count += 1;
        (0..3).for_each(|c| sums[c] += u32::from(pixel.0[c]));
    }
    let (_, (count, sums)) = counts.into_iter().max_by_key(|(bin, (count, _))| (*count, *bin))?;
    Some(sums.map(|sum| (sum / count) as u8))
}

/// The pieces without the frames around others.
fn without_frames(pieces: Vec<Area>) -> Vec<Area> {
    let is_within = |one: &Area, other: &Area| {
        other.left < one.left && one.right < other.right && other.top < one.top && one.bottom < other.bottom
    };
    let is_frame = |piece: &Area| {
        pieces
            .iter()
            .filter(|one| is_within(one, piece))
            .nth(FRAMED - 1)
            .is_some()
    };
    pieces.iter().filter(|piece| !is_frame(piece)).copied().collect()
}

/// Areas that stand one over the other are one character, from left to right: a colon's dots, the parts of a digit of
/// seven segments.
fn by_columns(mut pieces: Vec<Area>) -> Vec<Character> {
    pieces.sort_by_key(|piece| (piece.left, piece.top));
    let mut characters: Vec<Character> = Vec::new();
    for piece in pieces {
        match characters.last_mut() {
            Some(character) if piece.left <= character.all.right => {
                character.all = character.all.joined(&piece);
                character.pieces.push(piece);
            }
            _ => characters.push(Character {
                all: piece,
                pieces: vec![piece],
            }),
        }
    }
    for character in &mut characters {
        character.pieces.sort_by_key(|piece| piece.top);
    }
    characters
}
