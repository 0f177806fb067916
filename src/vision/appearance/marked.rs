//! Bare squares under the page's mark of the last move, where that is more than a tint or a frame: a glow, dots, stars.
//!
//! The square that a move has left is bare, and marked. What two of them show in the same way is how a marked square of
//! their colour looks; a piece is then looked for over that picture, too.

use super::super::patch::{CELLS, N, Patch};
use super::picture_text::{decoded, encoded};
use super::{Appearance, CLEAN, EMPTY, cut};
use image::{ExtendedColorType, RgbaImage};
use shakmaty::Square;
use std::sync::Arc;
use torres_geometry::BoardMap;

/// Two pictures of a marked square are the same when they are no farther apart, in levels of the channel that differs
/// most, as a mean: an edge that falls between two pixels makes one or two.
const SAME: f32 = 3.0;

/// How bare squares under the mark look, light and dark; `None` where that is not known, or not needed.
pub type Marked = [Option<Arc<Patch>>; 2];

/// Squares that moves have left, as they were seen once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarkedSquares {
    once: [Option<(Box<Patch>, Square)>; 2],
}

impl MarkedSquares {
    /// Takes a frame in which the last move has left this square, which is bare and rests. Says whether the appearance
    /// changed.
    pub fn take(&mut self, appearance: &mut Appearance, image: &RgbaImage, map: &BoardMap, left: Square) -> bool {
        let dark = usize::from(left.is_dark());
        if appearance.marked[dark].is_some() || appearance.own_ground(left).is_some() {
            return false;
        }
        let scores = appearance.reader(map).scores(image, left);
        // A tint explains the picture, or something else lies there.
        if scores.best().0 != EMPTY || scores.cost[EMPTY] <= CLEAN {
            return false;
        }
        let patch = cut(map, left).take(image);
        match &self.once[dark] {
            Some((seen, at)) if *at != left && seen.mean_distance(&patch) <= SAME => {
                appearance.set_marked(left.is_dark(), patch);
                true
            }
            _ => {
                self.once[dark] = Some((Box::new(patch), left));
                false
            }
        }
    }
}

/// The pictures of marked light and dark squares as they stand in a file, side by side, transparent where there is none
/// (PNG, base64); `None` where neither is known.
pub fn to_file(marked: &Marked) -> Option<String> {
    if marked.iter().all(Option::is_none) {
        return None;
    }
    let mut pixels = vec![0u8; 4 * 2 * CELLS];
    for (place, patch) in marked.iter().enumerate() {
        let Some(patch) = patch else { continue };
        for cell in 0..CELLS {
            let at = 4 * (cell / N * 2 * N + place * N + cell % N);
            let [r, g, b] = patch.color(cell).map(|level| level.clamp(0, 255) as u8);
            pixels[at..at + 4].copy_from_slice(&[r, g, b, 255]);
        }
    }
    encoded(&pixels, (2 * N as u32, N as u32), ExtendedColorType::Rgba8)
}

/// The same from a file's picture, if it has one.
pub fn from_file(picture: Option<&str>) -> Result<Marked, String> {
    let Some(text) = picture else {
        return Ok([None, None]);
    };
    let picture = decoded("the marked squares' picture", text, (2 * N as u32, N as u32))?;
    let patch = |place: usize| {
        let mut patch = super::ground::even([0; 3]);
        for cell in 0..CELLS {
            let pixel = picture.get_pixel((place * N + cell % N) as u32, (cell / N) as u32).0;
            if pixel[3] == 0 {
                return None;
            }
            (0..3).for_each(|c| patch.planes[c][cell] = i16::from(pixel[c]));
        }
        Some(Arc::new(patch))
    };
    Ok([patch(0), patch(1)])
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::index;
    use super::*;
    use image::{Rgba, RgbaImage};
    use shakmaty::{Board, Chess, File, Piece, Position, Rank};
    use torres_geometry::{BoardRect, Orientation};

    /// A square's side in [`picture`], in pixels.
    pub(crate) const SIDE: u32 = 48;

    /// Where the board of [`picture`] lies.
    pub(crate) fn map() -> BoardMap {
        BoardMap {
            rect: BoardRect::new(0.0, 0.0, f64::from(8 * SIDE), f64::from(8 * SIDE)).unwrap(),
            orientation: Orientation::White,
        }
    }

    /// A board with bars for pieces, each as wide as its role, and a glow about the middle of these squares.
    pub(crate) fn picture(board: &Board, glowing: &[Square]) -> RgbaImage {
        RgbaImage::from_fn(8 * SIDE, 8 * SIDE, |x, y| {
            let s = Square::from_coords(File::new(x / SIDE), Rank::new(7 - y / SIDE));
            let (dx, dy) = (x % SIDE, y % SIDE);
            let is_piece = |piece: &Piece| {
                let aside = 5 + 3 * (6 - piece.role as u32);
                (aside..SIDE - aside).contains(&dx) && (10..SIDE - 6).contains(&dy)
            };
            if let Some(piece) = board.piece_at(s).filter(is_piece) {
                let level = if piece.color.is_white() { 250 } else { 10 };
                return Rgba([level, level, level, 255]);
            }
            let ground = if s.is_dark() { [170, 100, 70] } else { [230, 215, 190] };
            let from_middle = (f64::from(dx) - 23.5).hypot(f64::from(dy) - 23.5);
            let glow = match glowing.contains(&s) {
                true => (1.0 - from_middle / 24.0).clamp(0.0, 0.9),
                false => 0.0,
            };
            let mixed = |c: usize, to: f64| (f64::from(ground[c] as u8) * (1.0 - glow) + to * glow) as u8;
            Rgba([mixed(0, 255.0), mixed(1, 150.0), mixed(2, 20.0), 255])
        })
    }

    /// A glow had become a part of a queen, who was read as a king without it.
    #[test]
    fn a_piece_is_learned_on_the_other_colour_where_no_glow_lies_around_it() {
        let mut board = Chess::default().board().clone();
        let bishop = board.remove_piece_at(Square::C1).unwrap();
        let mut appearance = Appearance::learn(&picture(&board, &[]), &map(), &board).unwrap();
        board.set_piece_at(Square::D4, bishop);
        let plain = picture(&board, &[]);
        // A glow in the colour of light squares makes a dark one look as if half of it shone through something.
        let glowing = RgbaImage::from_fn(plain.width(), plain.height(), |x, y| {
            let pixel = *plain.get_pixel(x, y);
            let from_middle = (f64::from(x) - 167.5).hypot(f64::from(y) - 215.5);
            match pixel.0 {
                [170, 100, 70, _] if from_middle < 20.0 => Rgba([200, 158, 130, 255]),
                _ => pixel,
            }
        });
        let mut learned = |image: &RgbaImage| {
            let only = Square::D4.into();
            appearance.learn_more(image, &map(), &board, only).len()
        };
        assert_eq!(learned(&glowing), 0);
        assert_eq!(learned(&plain), 1);
    }

    #[test]
    fn squares_under_a_glow_are_read_once_two_moves_have_shown_it() {
        let start = Chess::default().board().clone();
        let mut appearance = Appearance::learn(&picture(&start, &[]), &map(), &start).unwrap();
        let knight = Piece::from_char('N').unwrap();
        let mut board = start.clone();
        let mut marked = MarkedSquares::default();
        // g1 is dark, and so is the square that the knight has left then.
        _ = board.remove_piece_at(Square::G1);
        board.set_piece_at(Square::F3, knight);
        let one = picture(&board, &[Square::G1, Square::F3]);
        let read = |appearance: &Appearance, image: &RgbaImage, s: Square| {
            let read = appearance.read(image, &map()).squares[s];
            (read.content, read.doubtful)
        };
        assert!(read(&appearance, &one, Square::G1).1, "nobody knows that glow");
        assert!(!marked.take(&mut appearance, &one, &map(), Square::G1));
        assert!(
            !marked.take(&mut appearance, &one, &map(), Square::G1),
            "one square twice"
        );
        _ = board.remove_piece_at(Square::F3);
        board.set_piece_at(Square::G5, knight);
        let two = picture(&board, &[Square::E3, Square::G5]);
        assert!(marked.take(&mut appearance, &two, &map(), Square::E3));
        assert_eq!(read(&appearance, &two, Square::E3), (None, false));
        let scores = appearance.reader(&map()).scores(&two, Square::G5);
        assert!(scores.cost[index(Some(knight))] < CLEAN, "{scores:?}");
        // Light squares look otherwise, and have shown nothing yet.
        let light = picture(&board, &[Square::E4]);
        assert!(read(&appearance, &light, Square::E4).1);
        assert!(
            !marked.take(&mut appearance, &light, &map(), Square::A3),
            "it is bare without a mark"
        );
        let file = to_file(&appearance.marked);
        assert_eq!(from_file(file.as_deref()).unwrap(), appearance.marked);
        assert_eq!(to_file(&[None, None]), None);
        assert!(from_file(Some("no base64!")).is_err());
    }
}
