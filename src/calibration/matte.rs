//! A name on a ground that moves: a gradient that wanders, a picture that plays. What belongs to the name (letters, their
//! edges and shadows) lies over the ground, and stays; so the name is cut out of the ground, and the ground is left out of
//! what is compared.
//!
//! A pixel that lies with opacity *a* and the colour *o* over the ground *g* shows *c* = *a o* + (1 − *a*) *g*. While *g* moves, the
//! line through all pairs (*g*, *c*) tells 1 − *a*, its slope, and *a o* (*triangulation matting*, Smith and Blinn 1996, over many
//! grounds). For *g* stands what a plane through the bare pixels around tells.

use super::dots::commonest;
use image::{Rgb, RgbImage, Rgba, RgbaImage};

/// A pixel moves when a channel of it changes by more levels than this, beyond the noise.
const MOVES: f64 = 3.0;

/// How far around a pixel its ground is taken from, in pixels; twice over, so that what is near counts most, and what is
/// twice as far still counts: beyond the widest strokes of letters.
const AROUND: usize = 5;

/// At first a pixel is taken for bare that moves at least so much of what the liveliest around it does (by the variance).
const LIVELY: f64 = 0.2;

/// Then one is bare that is never farther from the ground than so many levels, and lets at least so much of it through: on a
/// brighter ground a faint shadow makes more.
const BARE: f64 = 12.0;
const BARE_THROUGH: f64 = 0.97;

/// How often what is bare tells how opaque all pixels are, and that what is bare.
const ROUNDS: usize = 3;

/// Bare pixels that are spread less than this tell no slope of the ground (the determinant of their covariance, in pixels⁴).
const SPREAD: f64 = 4.0;

/// A ground that moves less than this tells no slope (variance, in squared levels over the three channels).
const HARDLY: f64 = 12.0;

/// A pixel at least so opaque shows its own colour.
const SOLID: f64 = 0.95;

/// What a name shows over whatever ground.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matte {
    /// Its own colour, and how opaque it is (255: nothing shines through). What is bare has the ground's mean colour.
    name: RgbaImage,
}

impl Matte {
    /// From pictures of one panel, taken one after the other, in which pixels at rest differ by `noise` levels. `None` where
    /// less than half of the panel moves, or no ground is seen.
    pub(super) fn of(pictures: &[RgbImage], noise: f64) -> Option<Matte> {
        let (width, height) = pictures.first()?.dimensions();
        if !moves(pictures, noise) {
            return None;
        }
        let variances = Plane::of(width, height, |x, y| {
            let colors = || pictures.iter().map(|picture| picture.get_pixel(x, y).0.map(f64::from));
            Line::through(colors().zip(colors())).variance
        });
        let liveliest = variances.most_around().most_around();
        let is_lively = |(x, y)| variances.at(x, y) >= LIVELY * liveliest.at(x, y);
        let mut bare: Vec<bool> = places(width, height).map(is_lively).collect();
        let mut lines = Vec::new();
        for _ in 0..ROUNDS {
            let grounds: Option<Vec<Ground>> = pictures.iter().map(|picture| Ground::of(picture, &bare)).collect();
            let grounds = grounds?;
            let line = |(x, y)| {
                let seen = pictures.iter().map(|picture| picture.get_pixel(x, y).0.map(f64::from));
                Line::through(grounds.iter().map(|ground| ground.at(x, y)).zip(seen))
            };
            lines = places(width, height).map(line).collect::<Vec<Line>>();
            bare = lines.iter().map(Line::is_bare).collect();
        }
        let bare_lines = || lines.iter().zip(&bare).filter(|(_, bare)| **bare).map(|(line, _)| line);
        let count = bare_lines().count().max(1) as f64;
        let ground = [0, 1, 2].map(|c| (bare_lines().map(|line| line.ground[c]).sum::<f64>() / count) as u8);
        let name = RgbaImage::from_fn(width, height, |x, y| {
            let line = &lines[(y * width + x) as usize];
            let opacity = (255.0 * (1.0 - line.slope)).round();
            if line.is_bare() || opacity < 1.0 {
                return Rgba([ground[0], ground[1], ground[2], 0]);
            }
            let [red, green, blue] = line.over().map(|over| (over / (1.0 - line.slope)).round() as u8);
            Rgba([red, green, blue, opacity as u8])
        });
        Some(Matte { name })
    }

    /// How opaque the name is at a pixel, 0 to 1.
    fn opacity(&self, x: u32, y: u32) -> f64 {
        f64::from(self.name.get_pixel(x, y).0[3]) / 255.0
    }

    /// Whether nothing of the name is there.
    pub(super) fn is_bare(&self, x: u32, y: u32) -> bool {
        self.name.get_pixel(x, y).0[3] == 0
    }

    /// Whether nothing of the ground shines through.
    pub(super) fn is_solid(&self, x: u32, y: u32) -> bool {
        self.opacity(x, y) >= SOLID
    }

    /// The colour that most of it has.
    pub(super) fn ink(&self) -> Option<[u8; 3]> {
        let solid = places(self.name.width(), self.name.height()).filter(|(x, y)| self.is_solid(*x, *y));
        commonest(solid.map(|(x, y)| self.own(x, y)))
    }

    /// The name's own colour at a pixel.
    fn own(&self, x: u32, y: u32) -> [u8; 3] {
        let [red, green, blue, _] = self.name.get_pixel(x, y).0;
        [red, green, blue]
    }

    /// The name on the ground that a picture of the same size shows where the name is bare; `None` where no ground is seen.
    pub(super) fn over_ground_of(&self, picture: &RgbImage) -> Option<NameOverGround> {
        let (width, height) = self.name.dimensions();
        let bare: Vec<bool> = places(width, height).map(|(x, y)| self.is_bare(x, y)).collect();
        let ground = Ground::of(picture, &bare)?;
        let color = |x, y| self.over(x, y, ground.at(x, y));
        let hidden = |(x, y): &(u32, u32)| {
            let apart = |c: usize| (f64::from(self.own(*x, *y)[c]) - ground.at(*x, *y)[c]).abs();
            self.is_solid(*x, *y) && (0..3).map(apart).fold(0.0, f64::max) <= HIDDEN
        };
        Some(NameOverGround {
            picture: RgbImage::from_fn(width, height, |x, y| Rgb(color(x, y))),
            hidden: places(width, height).filter(hidden).count(),
        })
    }

    /// The name on an even ground, of the colour that its ground had as a mean.
    pub(super) fn on_even_ground(&self) -> RgbImage {
        let ground = self
            .name
            .pixels()
            .find(|pixel| pixel.0[3] == 0)
            .map_or([0; 4], |pixel| pixel.0);
        let ground = [0, 1, 2].map(|c| f64::from(ground[c]));
        RgbImage::from_fn(self.name.width(), self.name.height(), |x, y| {
            Rgb(self.over(x, y, ground))
        })
    }

    /// What a pixel shows over this colour.
    fn over(&self, x: u32, y: u32, ground: [f64; 3]) -> [u8; 3] {
        let (own, opacity) = (self.own(x, y), self.opacity(x, y));
        [0, 1, 2].map(|c| (opacity * f64::from(own[c]) + (1.0 - opacity) * ground[c]).round() as u8)
    }

    /// The name cut out: transparent where it is bare.
    pub(super) fn picture(&self) -> &RgbaImage {
        &self.name
    }

    /// From such a picture; `None` for one that is opaque everywhere.
    pub(super) fn from_picture(name: RgbaImage) -> Option<Matte> {
        let matte = Matte { name };
        matte.name.pixels().any(|pixel| pixel.0[3] == 0).then_some(matte)
    }
}

/// A name on the ground that is there now.
pub(super) struct NameOverGround {
    /// What it would show.
    pub picture: RgbImage,
    /// How many solid pixels do not stand out from that ground.
    pub hidden: usize,
}

/// A solid pixel does not stand out from a ground that is within so many levels of it.
const HIDDEN: f64 = 40.0;

/// Whether at least half of the pixels differ somewhere in pictures of one size.
pub(super) fn moves(pictures: &[RgbImage], noise: f64) -> bool {
    let Some(first) = pictures.first() else {
        return false;
    };
    let (width, height) = first.dimensions();
    if pictures.iter().any(|picture| picture.dimensions() != (width, height)) {
        return false;
    }
    let stays = |(x, y): &(u32, u32)| {
        let before = first.get_pixel(*x, *y).0;
        let apart = |after: [u8; 3]| (0..3).map(|c| before[c].abs_diff(after[c])).max().unwrap_or(0);
        let mut after = pictures.iter().map(|picture| picture.get_pixel(*x, *y).0);
        after.all(|after| f64::from(apart(after)) <= MOVES + noise)
    };
    let still = places(width, height).filter(stays).count();
    2 * still <= (width * height) as usize
}

/// How a pixel's colour follows from its ground's.
struct Line {
    /// How much of the ground shows through, 0 to 1.
    slope: f64,
    /// The mean of the ground, and of the pixel.
    ground: [f64; 3],
    seen: [f64; 3],
    /// By how much the ground moves, over the three channels.
    variance: f64,
    /// How far the two are from each other at most, in levels.
    farthest: f64,
}

impl Line {
    /// The line that comes nearest to these pairs of ground and pixel (least squares, one slope for all channels).
    fn through(pairs: impl Iterator<Item = ([f64; 3], [f64; 3])>) -> Line {
        let (mut count, mut ground, mut seen) = (0.0, [0.0; 3], [0.0; 3]);
        let (mut squares, mut products, mut farthest) = (0.0, 0.0, 0.0f64);
        for (g, c) in pairs {
            count += 1.0;
            for k in 0..3 {
                ground[k] += g[k];
                seen[k] += c[k];
                squares += g[k] * g[k];
                products += g[k] * c[k];
                farthest = farthest.max((g[k] - c[k]).abs());
            }
        }
        let (ground, seen) = (ground.map(|sum| sum / count), seen.map(|sum| sum / count));
        let dot = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| a[k] * b[k]).sum::<f64>();
        let variance = squares / count - dot(ground, ground);
        let together = products / count - dot(ground, seen);
        let slope = match variance >= HARDLY {
            true => (together / variance).clamp(0.0, 1.0),
            false => f64::from(u8::from(farthest <= BARE)),
        };
        Line {
            slope,
            ground,
            seen,
            variance,
            farthest,
        }
    }

    fn is_bare(&self) -> bool {
        self.farthest <= BARE && self.slope >= BARE_THROUGH
    }

    /// What lies over the ground, by its opacity: 0 to 255 times that.
    fn over(&self) -> [f64; 3] {
        let most = 255.0 * (1.0 - self.slope);
        [0, 1, 2].map(|k| (self.seen[k] - self.slope * self.ground[k]).clamp(0.0, most))
    }
}

/// The ground beneath each pixel of a picture.
struct Ground {
    levels: [Plane; 3],
}

impl Ground {
    /// The plane that comes nearest to the bare pixels around (least squares; the nearest count most): a gradient goes on
    /// beneath letters and to the panel's edge. `None` where there are too few around a pixel.
    fn of(picture: &RgbImage, bare: &[bool]) -> Option<Ground> {
        let (width, height) = picture.dimensions();
        let sums = |of: &dyn Fn(u32, u32) -> f64| {
            let seen = |x: u32, y: u32| match bare[(y * width + x) as usize] {
                true => of(x, y),
                false => 0.0,
            };
            Plane::of(width, height, seen).sums_around().sums_around()
        };
        let (right, down) = (|x: u32, _: u32| f64::from(x), |_: u32, y: u32| f64::from(y));
        let ones = sums(&|_, _| 1.0);
        let (x, y) = (sums(&right), sums(&down));
        let (xx, xy, yy) = (
            sums(&|x, _| f64::from(x * x)),
            sums(&|x, y| f64::from(x * y)),
            sums(&|_, y| f64::from(y * y)),
        );
        let level = |c: usize| move |x: u32, y: u32| f64::from(picture.get_pixel(x, y).0[c]);
        let levels = [0, 1, 2].map(|c| {
            let (z, xz, yz) = (
                sums(&level(c)),
                sums(&|x, y| f64::from(x) * level(c)(x, y)),
                sums(&|x, y| f64::from(y) * level(c)(x, y)),
            );
            Plane::of(width, height, |at_x, at_y| {
                let of = |plane: &Plane| plane.at(at_x, at_y) / ones.at(at_x, at_y);
                let (mean_x, mean_y, mean) = (of(&x), of(&y), of(&z));
                let (sxx, sxy, syy) = (
                    of(&xx) - mean_x * mean_x,
                    of(&xy) - mean_x * mean_y,
                    of(&yy) - mean_y * mean_y,
                );
                let (sxz, syz) = (of(&xz) - mean_x * mean, of(&yz) - mean_y * mean);
                let determinant = sxx * syy - sxy * sxy;
                if determinant < SPREAD {
                    return mean;
                }
                let slope_x = (sxz * syy - syz * sxy) / determinant;
                let slope_y = (syz * sxx - sxz * sxy) / determinant;
                mean + slope_x * (f64::from(at_x) - mean_x) + slope_y * (f64::from(at_y) - mean_y)
            })
        });
        ones.numbers
            .iter()
            .all(|count| *count > 0.0)
            .then_some(Ground { levels })
    }

    fn at(&self, x: u32, y: u32) -> [f64; 3] {
        [0, 1, 2].map(|c| self.levels[c].at(x, y))
    }
}

/// All pixels, row by row.
fn places(width: u32, height: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}

/// A number for each pixel.
struct Plane {
    width: u32,
    height: u32,
    numbers: Vec<f64>,
}

impl Plane {
    fn of(width: u32, height: u32, number: impl Fn(u32, u32) -> f64) -> Plane {
        let numbers = places(width, height).map(|(x, y)| number(x, y)).collect();
        Plane { width, height, numbers }
    }

    fn at(&self, x: u32, y: u32) -> f64 {
        self.numbers[(y * self.width + x) as usize]
    }

    /// What this makes of each row, and then of each column of that.
    fn each_way(&self, along: impl Fn(&[f64]) -> Vec<f64>) -> Plane {
        let across = self
            .numbers
            .chunks(self.width.max(1) as usize)
            .flat_map(&along)
            .collect();
        let turned = |plane: &Plane| Plane::of(plane.height, plane.width, |x, y| plane.at(y, x));
        let down = turned(&Plane {
            numbers: across,
            ..*self
        });
        let numbers = down
            .numbers
            .chunks(self.height.max(1) as usize)
            .flat_map(&along)
            .collect();
        turned(&Plane { numbers, ..down })
    }

    /// The largest number of those around each pixel.
    fn most_around(&self) -> Plane {
        self.each_way(|line| {
            let most = |at: usize| line[around(at, line.len())].iter().copied().fold(0.0, f64::max);
            (0..line.len()).map(most).collect()
        })
    }

    /// The sums of those around each pixel.
    fn sums_around(&self) -> Plane {
        self.each_way(|line| {
            let mut up_to = vec![0.0];
            line.iter()
                .for_each(|number| up_to.push(up_to[up_to.len() - 1] + number));
            let sum = |at: usize| {
                let around = around(at, line.len());
                up_to[around.end] - up_to[around.start]
            };
            (0..line.len()).map(sum).collect()
        })
    }
}

/// What of a line lies around one of its pixels.
fn around(at: usize, length: usize) -> std::ops::Range<usize> {
    at.saturating_sub(AROUND)..(at + AROUND + 1).min(length)
}
