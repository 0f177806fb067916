//! Squares that have their own ground: a board drawn as one picture of wood or marble shows another grain on each.
//!
//! A square that a believed position says is empty shows its ground, unless it is marked or something lies over it.
//! What it shows in two different positions in the same way is its ground. Squares that look like the others of their
//! colour need no picture of their own.

use super::super::patch::{CELLS, N, Patch};
use super::ground::even;
use super::picture_text::{decoded, encoded};
use super::{Appearance, cut};
use image::{ExtendedColorType, RgbaImage};
use shakmaty::{Bitboard, Board, Square};
use std::sync::Arc;
use torres_geometry::{BoardMap, BySquare};

/// A square that is no farther from the ground of its colour has none of its own, in levels of the channel that differs
/// most, as a mean: an edge that falls between two pixels makes one or two.
const LIKE_OTHERS: f32 = 3.0;

/// Two pictures of a bare square are the same when they are no farther apart.
const SAME: f32 = 1.5;

/// Bare squares as they were seen in believed positions.
#[derive(Clone, Debug, PartialEq)]
pub struct BareSquares {
    /// A picture that was seen once, and the position then.
    once: BySquare<Option<(Box<Patch>, Board)>>,
}

impl Default for BareSquares {
    fn default() -> BareSquares {
        BareSquares {
            once: BySquare::from_fn(|_| None),
        }
    }
}

impl BareSquares {
    /// Takes a frame known to show `board`. Squares that are `coloured` for a while teach nothing. Says whether the
    /// appearance changed.
    pub fn take(
        &mut self,
        appearance: &mut Appearance,
        image: &RgbaImage,
        map: &BoardMap,
        board: &Board,
        coloured: Bitboard,
    ) -> bool {
        let mut changed = Vec::new();
        for s in !board.occupied() & !coloured {
            let patch = cut(map, s).take(image);
            let from_others = patch.mean_distance(appearance.ground(s.is_dark()));
            if let Some(own) = appearance.own_ground(s) {
                // The page is scaled anew, or this was never the square's ground.
                if from_others < patch.mean_distance(own) {
                    changed.push((s, None));
                }
                continue;
            }
            if from_others <= LIKE_OTHERS {
                self.once[s] = None;
                continue;
            }
            match &self.once[s] {
                Some((seen, then)) if seen.mean_distance(&patch) <= SAME => {
                    if then != board {
                        changed.push((s, Some(patch)));
                        self.once[s] = None;
                    }
                }
                _ => self.once[s] = Some((Box::new(patch), board.clone())),
            }
        }
        appearance.set_own_grounds(changed)
    }
}

/// The place of a square's cells in the picture of all squares, the eighth rank first.
fn corner(s: Square) -> (usize, usize) {
    (usize::from(s.file()) * N, (7 - usize::from(s.rank())) * N)
}

/// The squares' pictures as they stand in a file: a board seen from White's side, transparent where a square has none
/// (PNG, base64). `None` where no square has one.
pub fn to_file(own: &BySquare<Option<Arc<Patch>>>) -> Option<String> {
    if own.iter().all(|(_, patch)| patch.is_none()) {
        return None;
    }
    let side = 8 * N;
    let mut pixels = vec![0u8; 4 * side * side];
    for (s, patch) in own.iter() {
        let Some(patch) = patch else { continue };
        let (left, top) = corner(s);
        for cell in 0..CELLS {
            let at = 4 * ((top + cell / N) * side + left + cell % N);
            let [r, g, b] = patch.color(cell).map(|level| level.clamp(0, 255) as u8);
            pixels[at..at + 4].copy_from_slice(&[r, g, b, 255]);
        }
    }
    encoded(&pixels, (side as u32, side as u32), ExtendedColorType::Rgba8)
}

/// The squares' pictures from a file, if it has any.
pub fn from_file(picture: Option<&str>) -> Result<BySquare<Option<Arc<Patch>>>, String> {
    let Some(text) = picture else {
        return Ok(BySquare::from_fn(|_| None));
    };
    let side = 8 * N as u32;
    let picture = decoded("the picture of single squares", text, (side, side))?;
    Ok(BySquare::from_fn(|s| {
        let (left, top) = corner(s);
        let mut patch = even([0; 3]);
        for cell in 0..CELLS {
            let pixel = picture.get_pixel((left + cell % N) as u32, (top + cell / N) as u32);
            if pixel.0[3] < 255 {
                return None;
            }
            (0..3).for_each(|c| patch.planes[c][cell] = i16::from(pixel.0[c]));
        }
        Some(Arc::new(patch))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;
    use shakmaty::{Chess, Position};
    use torres_geometry::{BoardRect, Orientation};

    const SIDE: u32 = 40;

    fn map() -> BoardMap {
        let side = f64::from(8 * SIDE);
        BoardMap {
            rect: BoardRect::new(0.0, 0.0, side, side).unwrap(),
            orientation: Orientation::White,
        }
    }

    /// The middle of a board that is one picture of wood, of bars instead of pieces, e4 marked or not.
    fn wood(board: &Board, marked: bool) -> RgbaImage {
        RgbaImage::from_fn(8 * SIDE, 8 * SIDE, |x, y| {
            let (file, rank) = (x / SIDE, 7 - y / SIDE);
            let s = Square::from_coords(shakmaty::File::new(file), shakmaty::Rank::new(rank));
            let plain = if s.is_dark() { 120 } else { 200 };
            let grain = ((x * 7 + y * 3 + (x * y) / 50) % 41) as u8;
            let (dx, dy) = (x % SIDE, y % SIDE);
            if let Some(piece) = board.piece_at(s)
                && (12..28).contains(&dx)
                && (6..34).contains(&dy)
            {
                let ink = if piece.color.is_white() { 250 } else { 10 };
                return Rgba([ink, ink, 8 * piece.role as u8, 255]);
            }
            // A knot in the wood.
            if s == Square::D4 && (4..20).contains(&dx) && (20..36).contains(&dy) {
                return Rgba([60, 20, 10, 255]);
            }
            let mark = if marked && s == Square::E4 { 15 } else { 0 };
            Rgba([plain + grain / 2 + mark, plain - grain, plain - grain, 255])
        })
    }

    fn after(moves: &[&str]) -> Board {
        let position = torres_chess::position_after(Chess::default(), moves).unwrap();
        position.board().clone()
    }

    /// The appearance, and which squares of it have their own ground, after these positions were seen.
    fn taught(boards: &[(&Board, bool)], coloured: Bitboard) -> (Appearance, Bitboard) {
        let start = Chess::default().board().clone();
        let mut appearance = Appearance::learn(&wood(&start, false), &map(), &start).unwrap();
        let mut bare = BareSquares::default();
        for (board, marked) in boards {
            bare.take(&mut appearance, &wood(board, *marked), &map(), board, coloured);
        }
        let own = Square::ALL.into_iter();
        let own = own.filter(|s| appearance.own_ground(*s).is_some()).collect();
        (appearance, own)
    }

    #[test]
    fn the_ground_of_an_empty_square_is_learned_when_it_was_seen_twice() {
        let [start, one, two] = [after(&[]), after(&["g1f3"]), after(&["g1f3", "g8f6"])];
        let nothing = Bitboard::EMPTY;
        assert_eq!(
            taught(&[(&start, false), (&start, false)], nothing).1,
            nothing,
            "one position twice"
        );
        let (appearance, own) = taught(&[(&start, false), (&one, false)], nothing);
        let middle = !(start.occupied() | one.occupied());
        assert_eq!(own, middle);
        // An empty square with its own ground costs less than with the common one.
        let picture = wood(&two, false);
        let plain = taught(&[], nothing).0;
        let cost = |appearance: &Appearance| appearance.reader(&map()).scores(&picture, Square::D4).least();
        assert!(
            cost(&appearance) < cost(&plain),
            "{} {}",
            cost(&appearance),
            cost(&plain)
        );
        let read = appearance.read(&picture, &map()).squares[Square::D4];
        assert!(read.content.is_none() && !read.doubtful, "{read:?}");
    }

    #[test]
    fn what_is_marked_is_no_ground() {
        let [start, one, two] = [after(&[]), after(&["g1f3"]), after(&["g1f3", "g8f6"])];
        let (_, own) = taught(&[(&start, true), (&one, false)], Bitboard::EMPTY);
        assert!(!own.contains(Square::E4), "it looked otherwise the second time");
        let e4 = Bitboard::from_square(Square::E4);
        assert!(!taught(&[(&start, true), (&one, true)], e4).1.contains(Square::E4));
        // A ground that was learned wrongly is forgotten when the square looks like the others again.
        let even = RgbaImage::from_fn(8 * SIDE, 8 * SIDE, |x, y| {
            let dark = (x / SIDE + y / SIDE) % 2 == 1;
            let level = if dark { 120 } else { 200 };
            Rgba([level, level, level, 255])
        });
        let (mut appearance, _) = taught(&[(&start, false), (&one, false)], Bitboard::EMPTY);
        let mut bare = BareSquares::default();
        assert!(bare.take(&mut appearance, &even, &map(), &two, Bitboard::EMPTY));
        assert!(appearance.own_ground(Square::D4).is_none());
    }

    #[test]
    fn grounds_of_single_squares_come_back_from_a_file() {
        let (appearance, own) = taught(&[(&after(&[]), false), (&after(&["e2e4"]), false)], Bitboard::EMPTY);
        assert!(!own.is_empty());
        assert_eq!(from_file(to_file(&appearance.own).as_deref()).unwrap(), appearance.own);
        assert_eq!(to_file(&BySquare::from_fn(|_| None)), None);
        assert!(from_file(Some("no base64!")).is_err());
        let small = encoded(&RgbaImage::new(3, 3), (3, 3), ExtendedColorType::Rgba8);
        assert!(from_file(Some(&small.unwrap())).is_err());
    }
}
