//! What is joined in a picture: pixels that touch each other, or lie no farther apart than that.

use torres_geometry::FrameRect;

/// A rectangle of whole pixels, its last ones included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// First column.
    pub left: usize,
    /// First row.
    pub top: usize,
    /// Last column.
    pub right: usize,
    /// Last row.
    pub bottom: usize,
}

impl Area {
    /// A single pixel.
    fn at(x: usize, y: usize) -> Area {
        Area {
            left: x,
            top: y,
            right: x,
            bottom: y,
        }
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.right - self.left + 1
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.bottom - self.top + 1
    }

    /// The least area that has both.
    pub fn joined(&self, other: &Area) -> Area {
        Area {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Whether it reaches the edge of a picture of that size: it may go on there.
    pub fn is_cut(&self, (width, height): (usize, usize)) -> bool {
        self.left == 0 || self.top == 0 || self.right + 1 >= width || self.bottom + 1 >= height
    }

    /// Whether the two share a pixel.
    pub fn overlaps(&self, other: &Area) -> bool {
        self.left <= other.right && other.left <= self.right && self.top <= other.bottom && other.top <= self.bottom
    }

    /// The same area in pixels of the frame.
    pub fn rect(&self) -> FrameRect {
        FrameRect {
            x: self.left as f64,
            y: self.top as f64,
            width: self.width() as f64,
            height: self.height() as f64,
        }
    }
}

/// Pixels that are joined.
#[derive(Clone, Debug)]
pub struct Joined {
    /// Their numbers, counted row by row.
    pub pixels: Vec<usize>,
    /// The least area that has them all.
    pub area: Area,
}

/// All that is joined of the pixels that are `set`, in a picture of `width` columns. Two are if they lie no more than
/// `reach` columns and rows apart: (1, 1) for pixels that touch, corners included.
pub fn joined(set: &[bool], width: usize, reach: (usize, usize)) -> Vec<Joined> {
    let height = set.len() / width.max(1);
    let mut left_over = set.to_vec();
    let mut all = Vec::new();
    for start in 0..left_over.len() {
        if !std::mem::take(&mut left_over[start]) {
            continue;
        }
        let mut area = Area::at(start % width, start / width);
        let (mut pixels, mut next) = (vec![start], 0);
        while let Some(&pixel) = pixels.get(next) {
            next += 1;
            let (x, y) = (pixel % width, pixel / width);
            area = area.joined(&Area::at(x, y));
            for near_y in y.saturating_sub(reach.1)..=(y + reach.1).min(height - 1) {
                for near_x in x.saturating_sub(reach.0)..=(x + reach.0).min(width - 1) {
                    let near = near_y * width + near_x;
                    if std::mem::take(&mut left_over[near]) {
                        pixels.push(near);
                    }
                }
            }
        }
        all.push(Joined { pixels, area });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_join_and_a_wider_reach_joins_over_gaps() {
        let drawn = ["#...#", ".#...", "....#"];
        let set: Vec<bool> = drawn.iter().flat_map(|row| row.chars().map(|c| c == '#')).collect();
        let areas = |reach| -> Vec<Area> { joined(&set, 5, reach).iter().map(|it| it.area).collect() };
        let corner = Area {
            left: 0,
            top: 0,
            right: 1,
            bottom: 1,
        };
        assert_eq!(areas((1, 1)), [corner, Area::at(4, 0), Area::at(4, 2)]);
        assert_eq!(areas((1, 2)).len(), 2);
        assert_eq!(areas((3, 2)).len(), 1);
        assert!(corner.is_cut((5, 3)) && !Area::at(1, 1).is_cut((5, 3)));
    }
}
