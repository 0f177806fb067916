//! The board beneath what passes over it all the time, as snow does: what most of some pictures show at each pixel.

use image::RgbaImage;
use torres_geometry::BoardRect;

/// A pixel shows the same in two pictures where no channel differs by more than this, in levels of 255.
const SAME: u8 = 12;
/// What lies beneath shows in at least this share of the pictures. A piece that moved once shows in some half of them.
const SHOWS: f64 = 0.7;
/// A share of this many of the board's pixels may show nothing for long enough.
const UNCLEAR: f64 = 0.002;
/// The least pictures that tell.
pub(super) const PICTURES: usize = 13;

/// The whole picture with the middle value of these pictures at each pixel of the board, channel by channel; beside the
/// board it is the last one. `None` where there are too few, or the board shows no one thing in most of them.
pub(super) fn beneath(pictures: &[&RgbaImage], board: &BoardRect) -> Option<RgbaImage> {
    let mut beneath = (*pictures.last()?).clone();
    let (width, height) = beneath.dimensions();
    if pictures.len() < PICTURES || pictures.iter().any(|picture| picture.dimensions() != (width, height)) {
        return None;
    }
    let span = |from: f64, length: f64, end: u32| from.max(0.0) as u32..end.min((from + length).max(0.0) as u32);
    let columns = span(board.x(), board.width(), width);
    let rows = span(board.y(), board.height(), height);
    let enough = (SHOWS * pictures.len() as f64).ceil() as usize;
    let (mut unclear, mut values) = (0, Vec::with_capacity(pictures.len()));
    for (x, y) in rows.clone().flat_map(|y| columns.clone().map(move |x| (x, y))) {
        let middle: [u8; 3] = std::array::from_fn(|c| {
            values.clear();
            values.extend(pictures.iter().map(|picture| picture.get_pixel(x, y).0[c]));
            values.sort_unstable();
            values[values.len() / 2]
        });
        let shows = |picture: &&&RgbaImage| {
            let pixel = picture.get_pixel(x, y).0;
            (0..3).all(|c| pixel[c].abs_diff(middle[c]) <= SAME)
        };
        unclear += usize::from(pictures.iter().filter(shows).count() < enough);
        beneath.get_pixel_mut(x, y).0[..3].copy_from_slice(&middle);
    }
    let most = UNCLEAR * (columns.len() * rows.len()) as f64;
    (unclear as f64 <= most).then_some(beneath)
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;
    use torres_geometry::FrameRect;

    /// A ground with a piece there and a flake elsewhere, which lies over the piece now and then.
    fn picture(piece: f64, flake: f64) -> RgbaImage {
        let mut picture = RgbaImage::from_pixel(220, 220, Rgba([90, 120, 90, 255]));
        for (at, color) in [(piece, [20, 20, 20, 255]), (flake, [250, 250, 250, 255])] {
            let square = FrameRect {
                x: at,
                y: at,
                width: 14.0,
                height: 14.0,
            };
            torres_picture::fill_rect(&mut picture, square, Rgba(color));
        }
        picture
    }

    fn board() -> BoardRect {
        BoardRect::new(10.0, 10.0, 200.0, 200.0).unwrap()
    }

    #[test]
    fn what_passes_over_a_board_is_taken_off_it() {
        let pictures: Vec<_> = (0..13).map(|at| picture(50.0, 15.0 * f64::from(at))).collect();
        let pictures: Vec<_> = pictures.iter().collect();
        let seen = beneath(&pictures, &board()).unwrap();
        let bare = picture(50.0, -20.0);
        let is_on_board = |x: u32, y: u32| (10..210).contains(&x) && (10..210).contains(&y);
        let differ = seen
            .enumerate_pixels()
            .filter(|(x, y, p)| is_on_board(*x, *y) && **p != *bare.get_pixel(*x, *y));
        assert_eq!(differ.count(), 0);
        assert_eq!(beneath(&pictures[1..], &board()), None, "too few");
    }

    #[test]
    fn a_board_on_which_a_piece_was_moved_meanwhile_is_not_taken() {
        let moved: Vec<_> = (0..13)
            .map(|at| picture(if at < 5 { 30.0 } else { 60.0 }, -20.0))
            .collect();
        let moved: Vec<_> = moved.iter().collect();
        assert_eq!(beneath(&moved, &board()), None);
    }
}
