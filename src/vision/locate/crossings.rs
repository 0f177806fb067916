//! Crossings: the points where four squares of a checker pattern meet.
//!
//! At such a point the two squares on one diagonal are both brighter than the two on the other (a saddle of the
//! brightness). Pieces stay inside their squares, so the 49 inner crossings of a board stay visible under any position,
//! and a tinted square rarely changes who is brighter. Same idea as the ring test of Bennett and Lasenby's *ChESS*
//! detector (2014), with eight samples instead of sixteen.

use image::GrayImage;

/// Distances of the diagonal samples from the crossing, in pixels of the reduced picture.
const REACH: [usize; 2] = [2, 3];

/// Which diagonal of a crossing is the brighter one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saddle {
    /// Upper left and lower right are brighter.
    Falling,
    /// Upper right and lower left are brighter.
    Rising,
}

impl Saddle {
    /// The kind that every neighbouring crossing has.
    pub fn opposite(self) -> Saddle {
        match self {
            Saddle::Falling => Saddle::Rising,
            Saddle::Rising => Saddle::Falling,
        }
    }
}

/// A crossing found, in pixels of the reduced picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Pixels to the right.
    pub x: f32,
    /// Pixels down.
    pub y: f32,
    /// Its kind.
    pub saddle: Saddle,
}

/// For every pixel, by how many grey levels it is a crossing.
pub struct CrossingMap<'a> {
    width: usize,
    height: usize,
    falling: Vec<u8>,
    rising: Vec<u8>,
    gray: &'a GrayImage,
    contrast: u8,
}

impl<'a> CrossingMap<'a> {
    /// Computes the map of a reduced picture. Differences below `contrast` grey levels do not count.
    pub fn of(gray: &'a GrayImage, contrast: u8) -> CrossingMap<'a> {
        let (width, height) = (gray.width() as usize, gray.height() as usize);
        let mut map = CrossingMap {
            width,
            height,
            falling: vec![0; width * height],
            rising: vec![0; width * height],
            gray,
            contrast,
        };
        let margin = REACH[1];
        if width <= 2 * margin || height <= 2 * margin {
            return map;
        }
        let raw = gray.as_raw();
        let row = |y: usize, shift: usize| &raw[y * width + shift..][..width - 2 * margin];
        for y in margin..height - margin {
            let [near, far] = REACH.map(|d| {
                [
                    row(y - d, margin - d),
                    row(y - d, margin + d),
                    row(y + d, margin - d),
                    row(y + d, margin + d),
                ]
            });
            let falling = &mut map.falling[y * width + margin..][..width - 2 * margin];
            let rising = &mut map.rising[y * width + margin..][..width - 2 * margin];
            for x in 0..width - 2 * margin {
                let low = |i: usize| near[i][x].min(far[i][x]);
                let high = |i: usize| near[i][x].max(far[i][x]);
                falling[x] = low(0)
                    .min(low(3))
                    .saturating_sub(high(1).max(high(2)).saturating_add(contrast));
                rising[x] = low(1)
                    .min(low(2))
                    .saturating_sub(high(0).max(high(3)).saturating_add(contrast));
            }
        }
        map
    }

    fn plane(&self, saddle: Saddle) -> &[u8] {
        match saddle {
            Saddle::Falling => &self.falling,
            Saddle::Rising => &self.rising,
        }
    }

    /// The crossing of that kind within `reach` pixels of a point, at the centre of its response.
    pub fn near(&self, x: f32, y: f32, saddle: Saddle, reach: i32) -> Option<Crossing> {
        // Rounded; below 0, where nothing crosses, any way of it will do.
        let (cx, cy) = ((x + 0.5) as i32, (y + 0.5) as i32);
        let place = |from: i32, limit: usize| from.clamp(0, limit as i32) as usize;
        let (left, right) = (place(cx - reach, self.width), place(cx + reach + 1, self.width));
        let (top, bottom) = (place(cy - reach, self.height), place(cy + reach + 1, self.height));
        let plane = self.plane(saddle);
        let row = |y: usize| &plane[y * self.width..][left..right];
        // Almost everywhere there is nothing.
        if (top..bottom).all(|y| row(y).iter().fold(0, |any, response| any | response) == 0) {
            return None;
        }
        let (mut weight, mut across, mut down) = (0u32, 0u32, 0u32);
        for y in top..bottom {
            for (dx, response) in (0..).zip(row(y)) {
                let response = u32::from(*response);
                weight += response;
                across += dx * response;
                down += (y - top) as u32 * response;
            }
        }
        Some(Crossing {
            x: left as f32 + across as f32 / weight as f32,
            y: top as f32 + down as f32 / weight as f32,
            saddle,
        })
    }

    /// Whether the picture is brighter around the one point than around the other.
    pub fn is_brighter(&self, one: (f32, f32), other: (f32, f32)) -> bool {
        match (self.sum(one), self.sum(other)) {
            (Some(a), Some(b)) => a > b + 9 * u32::from(self.contrast),
            _ => false,
        }
    }

    /// Whether the squares at a crossing may be those of one pattern: the two bright ones differ from each other by no
    /// more than from the dark ones, and so do the two dark ones.
    pub fn is_even(&self, c: &Crossing) -> bool {
        // Where the crossing's own samples lie: farther out, narrow squares end.
        let far = REACH[1] as i64;
        let (x, y) = (c.x.round() as i64, c.y.round() as i64);
        let gray = |dx: i64, dy: i64| {
            let at = (u32::try_from(x + dx).ok()?, u32::try_from(y + dy).ok()?);
            Some(self.gray.get_pixel_checked(at.0, at.1)?.0[0])
        };
        let [upper_left, upper_right, lower_left, lower_right] =
            [(-far, -far), (far, -far), (-far, far), (far, far)].map(|(dx, dy)| gray(dx, dy).unwrap_or(0));
        let (bright, dark) = match c.saddle {
            Saddle::Falling => ([upper_left, lower_right], [upper_right, lower_left]),
            Saddle::Rising => ([upper_right, lower_left], [upper_left, lower_right]),
        };
        let contrast = bright[0].min(bright[1]).saturating_sub(dark[0].max(dark[1]));
        [bright, dark].iter().all(|[a, b]| a.abs_diff(*b) <= contrast)
    }

    /// The sum of the 3×3 pixels around a point, `None` at the picture's border and beyond.
    fn sum(&self, (x, y): (f32, f32)) -> Option<u32> {
        let (x, y) = (x.round() as i64, y.round() as i64);
        let inside = x >= 1 && y >= 1 && x + 1 < self.width as i64 && y + 1 < self.height as i64;
        inside.then(|| {
            let row = |dy: usize| &self.gray.as_raw()[(y as usize + dy - 1) * self.width + x as usize - 1..][..3];
            (0..3).flat_map(row).map(|v| u32::from(*v)).sum()
        })
    }

    /// All crossings, row by row: the strongest pixel of each 5×5 neighbourhood, centred on its response.
    pub fn all(&self) -> Vec<Crossing> {
        let mut found = Vec::new();
        for y in 2..self.height.saturating_sub(2) {
            for saddle in [Saddle::Falling, Saddle::Rising] {
                let plane = self.plane(saddle);
                let row = &plane[y * self.width..][..self.width];
                let mut x = 2;
                while x + 2 < self.width {
                    // Most of a page is flat: skip sixteen silent pixels at a time.
                    if let Some(block) = row.get(x..x + 16)
                        && block.iter().fold(0, |a, b| a | b) == 0
                    {
                        x += 16;
                        continue;
                    }
                    if row[x] > 0 && self.is_peak(plane, x, y) {
                        found.extend(self.near(x as f32, y as f32, saddle, 2));
                    }
                    x += 1;
                }
            }
        }
        found
    }

    /// Whether no pixel within two is stronger, the first of equals winning.
    fn is_peak(&self, plane: &[u8], x: usize, y: usize) -> bool {
        let here = plane[y * self.width + x];
        for py in y - 2..=y + 2 {
            for px in x - 2..=x + 2 {
                let other = plane[py * self.width + px];
                if other > here || (other == here && (py, px) < (y, x)) {
                    return false;
                }
            }
        }
        true
    }
}
