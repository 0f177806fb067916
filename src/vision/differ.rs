//! Whether a square looks otherwise than before, however faintly: for marks and dots that no histogram and no piece's
//! picture would tell.

use super::histogram::{of_square, pixels};
use image::RgbaImage;
use shakmaty::{Bitboard, Square};
use torres_geometry::BoardMap;

/// A pixel differs when one of its channels is more than so many levels (of 255) away.
const LEVELS: u8 = 8;

/// The share of its pixels, 0 to 1, from which on a square looks otherwise: a thin frame, or a dot in its middle.
pub const SHARE: f64 = 0.005;

/// The share of a square's pixels, 0 to 1, that differ between two pictures of a board, each with where the board lies
/// in it.
///
/// Where the square has another size in the second, half the distance of their histograms stands for it.
pub fn differing(a: (&RgbaImage, &BoardMap), b: (&RgbaImage, &BoardMap), square: Square) -> f64 {
    let (of_a, of_b) = (pixels(a.1, square), pixels(b.1, square));
    let size = |(x, y): ((usize, usize), (usize, usize))| (x.1 - x.0, y.1 - y.0);
    if size(of_a) != size(of_b) {
        return f64::from(of_square(a.0, a.1, square).l1(&of_square(b.0, b.1, square))) / 2.0;
    }
    let (width, height) = size(of_a);
    let pixel = |image: &RgbaImage, x: usize, y: usize| {
        let at = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        image.get_pixel_checked(at.0, at.1).map(|pixel| pixel.0)
    };
    let differs = |x: usize, y: usize| {
        let before = pixel(a.0, of_a.0.0 + x, of_a.1.0 + y);
        let after = pixel(b.0, of_b.0.0 + x, of_b.1.0 + y);
        match (before, after) {
            (Some(p), Some(q)) => (0..3).any(|c| p[c].abs_diff(q[c]) > LEVELS),
            // What one of them does not show is no difference.
            _ => false,
        }
    };
    let count = (0..height).map(|y| (0..width).filter(|x| differs(*x, y)).count());
    count.sum::<usize>() as f64 / (width * height).max(1) as f64
}

/// Whether a square looks otherwise in the second picture.
pub fn differs(a: (&RgbaImage, &BoardMap), b: (&RgbaImage, &BoardMap), square: Square) -> bool {
    differing(a, b, square) >= SHARE
}

/// The squares that look otherwise in the second picture.
pub fn differing_squares(a: (&RgbaImage, &BoardMap), b: (&RgbaImage, &BoardMap)) -> Bitboard {
    Square::ALL
        .into_iter()
        .filter(|square| differs(a, b, *square))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;
    use torres_geometry::{BoardRect, Orientation};

    fn map(x: f64, side: f64) -> BoardMap {
        BoardMap {
            rect: BoardRect::new(x, 10.0, side, side).unwrap(),
            orientation: Orientation::White,
        }
    }

    fn bare() -> RgbaImage {
        RgbaImage::from_pixel(500, 500, Rgba([200, 190, 170, 255]))
    }

    #[test]
    fn a_faint_dot_in_the_middle_is_seen_on_its_square_alone() {
        let (map, mut dotted) = (map(10.0, 400.0), bare());
        let middle = map.center(Square::E4);
        for (dx, dy) in (0..25).map(|k| (k % 5, k / 5)) {
            dotted.put_pixel(middle.x as u32 + dx, middle.y as u32 + dy, Rgba([190, 180, 160, 255]));
        }
        let differing = differing_squares((&bare(), &map), (&dotted, &map));
        assert_eq!(differing, Bitboard::from_square(Square::E4));
        // Less than an eye can see.
        let fainter = RgbaImage::from_pixel(500, 500, Rgba([204, 186, 174, 255]));
        assert!(!differs((&bare(), &map), (&fainter, &map), Square::E4));
    }

    #[test]
    fn a_board_that_moved_or_grew_looks_the_same() {
        let draw = |map: &BoardMap| {
            let mut picture = bare();
            let r = map.square_rect(Square::B2);
            for y in 0..r.height as u32 {
                for x in 0..r.width as u32 / 2 {
                    picture.put_pixel(r.x as u32 + x, r.y as u32 + y, Rgba([90, 60, 40, 255]));
                }
            }
            picture
        };
        let (here, there, larger) = (map(10.0, 400.0), map(37.0, 400.0), map(10.0, 480.0));
        for other in [there, larger] {
            assert!(!differs((&draw(&here), &here), (&draw(&other), &other), Square::B2));
            assert!(differs((&draw(&here), &here), (&bare(), &other), Square::B2));
        }
    }
}
