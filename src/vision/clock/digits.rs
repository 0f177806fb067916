//! The ten digits of a page's clocks, and the time that a line of them shows.

use super::text::{ClockText, SIDE, Shape};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A character is a digit if it differs from it by no more than this ([`Shape::distance`]).
const SAME: f64 = 0.1;
/// How many times as much it must differ from each other digit.
const APART: f64 = 1.5;
/// The most pictures of a digit that are kept.
const PICTURES: usize = 8;

/// How each digit is drawn, in one or more ways.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Vec<String>>", into = "Vec<Vec<String>>")]
pub struct Digits([Vec<Shape>; 10]);

/// What a clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockTime {
    /// The time in its digits.
    pub left: Duration,
    /// How long the same digits are shown at most: a second, or a tenth of it. The true time may be more or less by as
    /// much.
    pub step: Duration,
}

impl Digits {
    /// Takes pictures of each digit, from 0 to 9; `None` where two digits are too alike to be told apart, or one has no
    /// picture.
    pub fn new(mut pictures: [Vec<Shape>; 10]) -> Option<Digits> {
        pictures.iter_mut().for_each(|pictures| pictures.truncate(PICTURES));
        let digits = Digits(pictures);
        let is_told = |digit: usize| {
            let pictures = &digits.0[digit];
            !pictures.is_empty()
                && pictures
                    .iter()
                    .all(|picture| digits.digit(picture) == Some(digit as u8))
        };
        (0..10).all(is_told).then_some(digits)
    }

    /// The digit that a character is, if it is like one and unlike the others.
    pub fn digit(&self, shape: &Shape) -> Option<u8> {
        let mut costs: Vec<(f64, u8)> = (0..10)
            .map(|digit| {
                let pictures = self.0[usize::from(digit)].iter();
                (
                    pictures.map(|picture| picture.distance(shape)).fold(1.0, f64::min),
                    digit,
                )
            })
            .collect();
        costs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let [(best, digit), (next, _), ..] = costs[..] else {
            return None;
        };
        (best <= SAME && next >= best * APART + 0.02).then_some(digit)
    }

    /// The time that a line shows: `m:ss`, `mm:ss` or `h:mm:ss`, with a tenth of a second or without.
    pub fn read(&self, line: &ClockText) -> Option<ClockTime> {
        let (groups, behind) = line.groups()?;
        let number = |shapes: &[&Shape]| {
            shapes
                .iter()
                .try_fold(0, |sum, shape| Some(10 * sum + u64::from(self.digit(shape)?)))
        };
        let mut seconds = 0;
        for (place, group) in groups.iter().enumerate() {
            let number = number(group)?;
            if place > 0 && number >= 60 {
                return None;
            }
            seconds = 60 * seconds + number;
        }
        let (fraction, step) = match behind.len() {
            0 => (0, 1000),
            1 => (100 * number(&behind)?, 100),
            _ => (10 * number(&behind)?, 10),
        };
        Some(ClockTime {
            left: Duration::from_millis(1000 * seconds + fraction),
            step: Duration::from_millis(step),
        })
    }
}

impl TryFrom<Vec<Vec<String>>> for Digits {
    type Error = String;

    fn try_from(file: Vec<Vec<String>>) -> Result<Digits, String> {
        let shape = |text: &String| {
            let cells = STANDARD
                .decode(text)
                .map_err(|e| format!("a digit's picture is not base64: {e}"))?;
            let cells = <[u8; SIDE * SIDE]>::try_from(cells);
            cells
                .map(|cells| Shape(Box::new(cells)))
                .map_err(|cells| format!("a digit's picture has {} cells, not {}", cells.len(), SIDE * SIDE))
        };
        let mut digits = Vec::new();
        for pictures in &file {
            let shapes: Vec<Shape> = pictures.iter().map(shape).collect::<Result<_, _>>()?;
            if shapes.is_empty() || shapes.len() > PICTURES {
                return Err(format!(
                    "a digit has {} pictures; it has one to {PICTURES}",
                    shapes.len()
                ));
            }
            digits.push(shapes);
        }
        let digits = <[Vec<Shape>; 10]>::try_from(digits);
        digits
            .map(Digits)
            .map_err(|digits| format!("there are {} digits, not 10", digits.len()))
    }
}

impl From<Digits> for Vec<Vec<String>> {
    fn from(digits: Digits) -> Vec<Vec<String>> {
        let text = |shape: &Shape| STANDARD.encode(shape.0.as_slice());
        digits
            .0
            .iter()
            .map(|pictures| pictures.iter().map(text).collect())
            .collect()
    }
}
