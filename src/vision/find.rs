//! Which of the boards in a picture is the one that a game is played on: told by what stands on it.
//!
//! [`locate()`] finds boards without knowing a thing about them. Whoever knows how the board looks can say which one it
//! is, also where it was moved, resized or zoomed, and where a smaller one of the same make lies beside it.

use super::appearance::{Appearance, BoardReading, judge};
use super::locate::locate;
use image::RgbaImage;
use shakmaty::{Board, Square};
use torres_geometry::{BoardMap, Orientation};

/// How many of the boards found in a picture are read.
const CANDIDATES: usize = 4;

/// A board, and how well it reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recognised {
    /// Where it lies in the picture.
    pub map: BoardMap,
    /// On how many squares, of 64, stands what should; where nobody knows what should, how many are read for certain.
    pub agreeing: usize,
}

/// A board of which so many squares are read for certain is the one, though one that ranks below it reads better: a
/// notice lies over it.
const READS: usize = 48;

/// Of boards, best first, the first that is read for the most part, or else the one that is read most surely.
pub fn first_that_reads(
    image: &RgbaImage,
    appearance: &Appearance,
    boards: impl Iterator<Item = BoardMap>,
) -> Option<(BoardMap, BoardReading)> {
    let mut surest: Option<(BoardMap, BoardReading, usize)> = None;
    for map in boards {
        let reading = appearance.read(image, &map);
        let sure = Square::ALL.len() - reading.doubtful().len();
        if sure >= READS {
            return Some((map, reading));
        }
        if surest.as_ref().is_none_or(|(.., most)| sure > *most) {
            surest = Some((map, reading, sure));
        }
    }
    surest.map(|(map, reading, _)| (map, reading))
}

/// Finds the board wherever it lies in a picture, with this colour at the bottom, and reads it. Of several boards, the
/// [first that reads](first_that_reads): a second, small board looks different from the one that was learned.
pub fn find_and_read(
    image: &RgbaImage,
    appearance: &Appearance,
    orientation: Orientation,
) -> Option<(BoardMap, BoardReading)> {
    let boards = locate(image).into_iter().map(|found| BoardMap {
        rect: found.rect,
        orientation,
    });
    first_that_reads(image, appearance, boards)
}

/// A square whose best content costs less than this, as a mean over the square, shows that and not a part of it.
const FITS: f32 = 0.06;

/// How many squares of a board that lies there are read without doubt and show what they are read as whole, of 64; one
/// whose piece has a double does, as such.
pub fn read_at(image: &RgbaImage, appearance: &Appearance, map: &BoardMap) -> usize {
    let reader = appearance.reader(map);
    let is_read = |square: &Square| {
        let scores = reader.scores(image, *square);
        !judge(&scores).doubtful && scores.least() <= FITS
    };
    Square::ALL.into_iter().filter(is_read).count()
}

/// Of the boards in a picture the one that reads best: against the pieces that should stand there, where these are
/// known.
pub fn recognise(
    image: &RgbaImage,
    appearance: &Appearance,
    pieces: Option<&Board>,
    bottom: Orientation,
) -> Option<Recognised> {
    let expected = pieces.map(|board| appearance.alike().board(board));
    let reads = |map: BoardMap| {
        let squares = appearance.read(image, &map).squares;
        let agrees = |s: &&Square| match &expected {
            Some(board) => squares[**s].content == board.piece_at(**s),
            None => !squares[**s].doubtful,
        };
        Recognised {
            map,
            agreeing: Square::ALL.iter().filter(agrees).count(),
        }
    };
    // Of equals the last counts as the greatest: the worst comes first.
    let found: Vec<Recognised> = boards(image, bottom).map(reads).collect();
    found.into_iter().rev().max_by_key(|found| found.agreeing)
}

/// The boards in a picture, best first, as many as are worth a try.
pub fn boards(image: &RgbaImage, bottom: Orientation) -> impl Iterator<Item = BoardMap> {
    let found = locate(image).into_iter().take(CANDIDATES);
    found.map(move |board| BoardMap {
        rect: board.rect,
        orientation: bottom,
    })
}
