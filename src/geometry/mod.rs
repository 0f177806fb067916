//! Places: on a captured frame, on the desktop, under the mouse, and on a chess board.
//!
//! Each space has a type of its own, so that a pixel of the frame cannot be clicked and a point of the
//! mouse cannot be looked up in a picture. Everything here is arithmetic; nothing here looks at pixels.

use serde::{Deserialize, Serialize};
use shakmaty::{Color, File, Rank, Square};
use std::fmt;
use std::ops::{Index, IndexMut};

/// A point in a frame, in captured pixels from the frame's upper left corner; may lie between pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FramePx {
    /// Pixels to the right.
    pub x: f64,
    /// Pixels down.
    pub y: f64,
}

/// A point on the desktop, in captured pixels from the upper left corner of the virtual desktop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DesktopPx {
    /// Pixels to the right.
    pub x: f64,
    /// Pixels down.
    pub y: f64,
}

/// A point as the input system takes it (on X11 the same space as [`DesktopPx`], elsewhere possibly scaled).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputPt {
    /// Units to the right.
    pub x: i32,
    /// Units down.
    pub y: i32,
}

/// How many input units one captured pixel is; measured at calibration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct InputScale(f64);

impl InputScale {
    /// Captured pixels and input units are the same.
    pub const IDENTITY: InputScale = InputScale(1.0);

    /// A scale, if it is one a desktop could have (0.2 to 5).
    pub fn new(input_per_pixel: f64) -> Option<InputScale> {
        (0.2..=5.0)
            .contains(&input_per_pixel)
            .then_some(InputScale(input_per_pixel))
    }

    /// Input units per captured pixel.
    pub fn get(self) -> f64 {
        self.0
    }

    /// Where to put the pointer for it to be over a pixel of the desktop.
    pub fn input(self, point: DesktopPx) -> InputPt {
        InputPt {
            x: (point.x * self.0).round() as i32,
            y: (point.y * self.0).round() as i32,
        }
    }

    /// The pixel of the desktop that the pointer is over when it was put there.
    pub fn desktop(self, point: InputPt) -> DesktopPx {
        DesktopPx {
            x: f64::from(point.x) / self.0,
            y: f64::from(point.y) / self.0,
        }
    }
}

impl TryFrom<f64> for InputScale {
    type Error = String;
    fn try_from(value: f64) -> Result<Self, String> {
        InputScale::new(value).ok_or_else(|| format!("input_per_pixel {value} is not between 0.2 and 5"))
    }
}

impl From<InputScale> for f64 {
    fn from(scale: InputScale) -> f64 {
        scale.0
    }
}

/// A rectangle of whole pixels on the desktop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DesktopRect {
    /// Left edge, in captured pixels.
    pub x: i32,
    /// Upper edge, in captured pixels.
    pub y: i32,
    /// Width in captured pixels.
    pub width: u32,
    /// Height in captured pixels.
    pub height: u32,
}

impl DesktopRect {
    /// Its middle.
    pub fn middle(&self) -> DesktopPx {
        DesktopPx {
            x: f64::from(self.x) + f64::from(self.width) / 2.0,
            y: f64::from(self.y) + f64::from(self.height) / 2.0,
        }
    }

    /// Whether the point lies inside.
    pub fn contains(&self, point: DesktopPx) -> bool {
        let (x, y) = (f64::from(self.x), f64::from(self.y));
        point.x >= x && point.y >= y && point.x < x + f64::from(self.width) && point.y < y + f64::from(self.height)
    }

    /// The common part of two rectangles, if there is one.
    pub fn intersect(&self, other: &DesktopRect) -> Option<DesktopRect> {
        let right = |r: &DesktopRect| i64::from(r.x) + i64::from(r.width);
        let bottom = |r: &DesktopRect| i64::from(r.y) + i64::from(r.height);
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let width = u32::try_from(right(self).min(right(other)) - i64::from(x)).ok()?;
        let height = u32::try_from(bottom(self).min(bottom(other)) - i64::from(y)).ok()?;
        (width > 0 && height > 0).then_some(DesktopRect { x, y, width, height })
    }

    /// The smallest rectangle around both.
    pub fn around(&self, other: &DesktopRect) -> DesktopRect {
        let end = |from: i32, length: u32| i64::from(from) + i64::from(length);
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let right = end(self.x, self.width).max(end(other.x, other.width));
        let bottom = end(self.y, self.height).max(end(other.y, other.height));
        // Both ends lie within a few times the range of the corners.
        let length = |end: i64, from: i32| u32::try_from(end - i64::from(from)).unwrap_or(u32::MAX);
        DesktopRect {
            x,
            y,
            width: length(right, x),
            height: length(bottom, y),
        }
    }
}

/// Where a board lies in a frame, in captured pixels, possibly fractional.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawRect", into = "RawRect")]
pub struct BoardRect {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct RawRect {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// Why four numbers are no board rectangle.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum BoardRectError {
    /// A number is infinite or not a number.
    #[error("a board rectangle needs finite numbers")]
    NotFinite,
    /// A side is shorter than [`BoardRect::MIN_SIDE`].
    #[error("a board side of {0} px is too short to read (at least {min} px)", min = BoardRect::MIN_SIDE)]
    TooSmall(f64),
    /// A number is larger than [`BoardRect::FARTHEST`].
    #[error("a board at {0},{1} lies on no screen")]
    NoScreen(f64, f64),
    /// Width and height differ by more than [`BoardRect::OBLONG`].
    #[error("a board of {0} × {1} px is not square")]
    NotSquare(f64, f64),
}

impl BoardRect {
    /// The shortest side of a board that vision tries to read, in pixels.
    const MIN_SIDE: f64 = 120.0;

    /// By how much of the shorter side width and height may differ: some pages stretch their boards.
    const OBLONG: f64 = 0.12;

    /// No screen reaches farther, in pixels: what counts in whole pixels cannot overflow.
    pub const FARTHEST: f64 = 1e6;

    /// A board rectangle from its left and upper edge, width and height in frame pixels.
    pub fn new(x: f64, y: f64, width: f64, height: f64) -> Result<BoardRect, BoardRectError> {
        if ![x, y, width, height].iter().all(|v| v.is_finite()) {
            return Err(BoardRectError::NotFinite);
        }
        if [x, y, width, height].iter().any(|v| v.abs() > Self::FARTHEST) {
            return Err(BoardRectError::NoScreen(x, y));
        }
        let shorter = width.min(height);
        if shorter < Self::MIN_SIDE {
            return Err(BoardRectError::TooSmall(shorter));
        }
        if (width - height).abs() > shorter * Self::OBLONG {
            return Err(BoardRectError::NotSquare(width, height));
        }
        Ok(BoardRect { x, y, width, height })
    }

    /// Left edge in frame pixels.
    pub fn x(&self) -> f64 {
        self.x
    }
    /// Upper edge in frame pixels.
    pub fn y(&self) -> f64 {
        self.y
    }
    /// Width in frame pixels.
    pub fn width(&self) -> f64 {
        self.width
    }
    /// Height in frame pixels.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// Whether the point lies inside; the right and the lower edge do not.
    pub fn contains(&self, x: f64, y: f64) -> bool {
        (self.x..self.x + self.width).contains(&x) && (self.y..self.y + self.height).contains(&y)
    }

    /// The same board seen from a frame whose origin lies elsewhere.
    pub fn translated(&self, dx: f64, dy: f64) -> BoardRect {
        BoardRect {
            x: self.x + dx,
            y: self.y + dy,
            ..*self
        }
    }

    /// The largest distance between corresponding sides, in pixels.
    pub fn distance(&self, other: &BoardRect) -> f64 {
        let right = |r: &BoardRect| r.x + r.width;
        let bottom = |r: &BoardRect| r.y + r.height;
        [
            self.x - other.x,
            self.y - other.y,
            right(self) - right(other),
            bottom(self) - bottom(other),
        ]
        .into_iter()
        .fold(0.0, |worst, d| worst.max(d.abs()))
    }
}

impl TryFrom<RawRect> for BoardRect {
    type Error = BoardRectError;
    fn try_from(r: RawRect) -> Result<Self, BoardRectError> {
        BoardRect::new(r.x, r.y, r.width, r.height)
    }
}

impl From<BoardRect> for RawRect {
    fn from(r: BoardRect) -> RawRect {
        RawRect {
            x: r.x,
            y: r.y,
            width: r.width,
            height: r.height,
        }
    }
}

/// Which way a board lies in the picture: the colour at the bottom, and whether it is a mirror image of a board, as some
/// programs draw it that exchange the ranks for Black and leave the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Orientation {
    /// White at the bottom, a1 in the lower left corner.
    White,
    /// Black at the bottom, h8 in the lower left corner.
    Black,
    /// White at the bottom, h1 in the lower left corner.
    WhiteMirrored,
    /// Black at the bottom, a8 in the lower left corner.
    BlackMirrored,
}

impl Orientation {
    /// All four.
    pub const ALL: [Orientation; 4] = [
        Orientation::White,
        Orientation::Black,
        Orientation::WhiteMirrored,
        Orientation::BlackMirrored,
    ];

    /// The colour at the bottom.
    pub fn bottom(self) -> Color {
        match self {
            Orientation::White | Orientation::WhiteMirrored => Color::White,
            Orientation::Black | Orientation::BlackMirrored => Color::Black,
        }
    }

    /// Whether the board is a mirror image of one.
    pub fn is_mirrored(self) -> bool {
        matches!(self, Orientation::WhiteMirrored | Orientation::BlackMirrored)
    }

    /// The board turned round.
    pub fn turned(self) -> Orientation {
        match self {
            Orientation::White => Orientation::Black,
            Orientation::Black => Orientation::White,
            Orientation::WhiteMirrored => Orientation::BlackMirrored,
            Orientation::BlackMirrored => Orientation::WhiteMirrored,
        }
    }

    /// The board's files exchanged: the same colour is at the bottom.
    pub fn mirrored(self) -> Orientation {
        match self {
            Orientation::White => Orientation::WhiteMirrored,
            Orientation::Black => Orientation::BlackMirrored,
            Orientation::WhiteMirrored => Orientation::White,
            Orientation::BlackMirrored => Orientation::Black,
        }
    }

    /// Column from the left and row from the top, 0 to 7, of a file and a rank; or a file and a rank of a column and a
    /// row.
    fn exchange(self, (file, rank): (u8, u8)) -> (u8, u8) {
        match self {
            Orientation::White => (file, 7 - rank),
            Orientation::Black => (7 - file, rank),
            Orientation::WhiteMirrored => (7 - file, 7 - rank),
            Orientation::BlackMirrored => (file, rank),
        }
    }

    /// The orientation with that colour at the bottom, not mirrored.
    pub fn with_bottom(color: Color) -> Orientation {
        match color {
            Color::White => Orientation::White,
            Color::Black => Orientation::Black,
        }
    }

    /// The name used in files: `white`, `black`, `white-mirrored` or `black-mirrored`.
    pub fn name(self) -> &'static str {
        match self {
            Orientation::White => "white",
            Orientation::Black => "black",
            Orientation::WhiteMirrored => "white-mirrored",
            Orientation::BlackMirrored => "black-mirrored",
        }
    }
}

impl fmt::Display for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let color = if self.bottom() == Color::White {
            "white"
        } else {
            "black"
        };
        let mirrored = if self.is_mirrored() { ", in a mirror image" } else { "" };
        write!(f, "{color} at the bottom{mirrored}")
    }
}

/// A rectangle in a frame, in fractional pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameRect {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// A point on the board as it is drawn, or beside it, in 64ths of a square from the board's upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardPoint {
    /// To the right.
    pub x: i32,
    /// Down.
    pub y: i32,
}

/// Units of a [`BoardPoint`] in the side of a square.
const UNITS: f64 = 64.0;

/// Square ↔ pixels of the frame: a board rectangle and which way it is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardMap {
    /// Where the board lies in the frame.
    pub rect: BoardRect,
    /// Which way it is turned.
    pub orientation: Orientation,
}

impl BoardMap {
    /// Column from the left and row from the top, 0 to 7, at which the square is drawn.
    pub fn cell(&self, square: Square) -> (u8, u8) {
        self.orientation
            .exchange((u32::from(square.file()) as u8, u32::from(square.rank()) as u8))
    }

    /// The pixels that a square covers.
    pub fn square_rect(&self, square: Square) -> FrameRect {
        let (column, row) = self.cell(square);
        let (width, height) = (self.rect.width / 8.0, self.rect.height / 8.0);
        FrameRect {
            x: self.rect.x + f64::from(column) * width,
            y: self.rect.y + f64::from(row) * height,
            width,
            height,
        }
    }

    /// The middle of a square.
    pub fn center(&self, square: Square) -> FramePx {
        let r = self.square_rect(square);
        FramePx {
            x: r.x + r.width / 2.0,
            y: r.y + r.height / 2.0,
        }
    }

    /// The middle of a square as a point on the board.
    pub fn middle(&self, square: Square) -> BoardPoint {
        self.board_point(self.center(square))
    }

    /// A point of the frame as one on the board, to the nearest 64th of a square.
    pub fn board_point(&self, point: FramePx) -> BoardPoint {
        let units = |at: f64, from: f64, length: f64| ((at - from) / length * 8.0 * UNITS).round() as i32;
        BoardPoint {
            x: units(point.x, self.rect.x, self.rect.width),
            y: units(point.y, self.rect.y, self.rect.height),
        }
    }

    /// Where a point on the board is in the frame.
    pub fn frame_point(&self, point: BoardPoint) -> FramePx {
        let pixels = |at: i32, from: f64, length: f64| from + f64::from(at) * length / (8.0 * UNITS);
        FramePx {
            x: pixels(point.x, self.rect.x, self.rect.width),
            y: pixels(point.y, self.rect.y, self.rect.height),
        }
    }

    /// The square drawn at a point, if the point is on the board.
    pub fn square_at(&self, point: FramePx) -> Option<Square> {
        let column = ((point.x - self.rect.x) / self.rect.width * 8.0).floor();
        let row = ((point.y - self.rect.y) / self.rect.height * 8.0).floor();
        if !(0.0..8.0).contains(&column) || !(0.0..8.0).contains(&row) {
            return None;
        }
        let (file, rank) = self.orientation.exchange((column as u8, row as u8));
        Some(Square::from_coords(File::new(file.into()), Rank::new(rank.into())))
    }
}

/// One value for each of the 64 squares.
#[derive(Clone, Debug, PartialEq)]
pub struct BySquare<T>([T; 64]);

impl<T> BySquare<T> {
    /// Computes the value of every square.
    pub fn from_fn(mut f: impl FnMut(Square) -> T) -> BySquare<T> {
        BySquare(std::array::from_fn(|i| f(Square::new(i as u32))))
    }

    /// Squares from a1 to h8 with their values.
    pub fn iter(&self) -> impl Iterator<Item = (Square, &T)> {
        Square::ALL.into_iter().zip(self.0.iter())
    }
}

/// As a list of 64 values, a1, b1 and so on to h8.
impl<T: Serialize> Serialize for BySquare<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for BySquare<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<BySquare<T>, D::Error> {
        let values = Vec::<T>::deserialize(deserializer)?;
        let wrong = |values: Vec<T>| serde::de::Error::invalid_length(values.len(), &"64 values, one for each square");
        values.try_into().map(BySquare).map_err(wrong)
    }
}

impl<T> Index<Square> for BySquare<T> {
    type Output = T;
    fn index(&self, square: Square) -> &T {
        &self.0[usize::from(square)]
    }
}

impl<T> IndexMut<Square> for BySquare<T> {
    fn index_mut(&mut self, square: Square) -> &mut T {
        &mut self.0[usize::from(square)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(orientation: Orientation) -> BoardMap {
        BoardMap {
            rect: BoardRect::new(10.5, 20.0, 400.0, 400.0).unwrap(),
            orientation,
        }
    }

    #[test]
    fn a1_lies_lower_left_for_white_and_upper_right_for_black_and_in_a_mirror_image_on_the_other_side() {
        for (orientation, x, y) in [
            (Orientation::White, 35.5, 395.0),
            (Orientation::Black, 385.5, 45.0),
            (Orientation::WhiteMirrored, 385.5, 395.0),
            (Orientation::BlackMirrored, 35.5, 45.0),
        ] {
            assert_eq!(map(orientation).center(Square::A1), FramePx { x, y }, "{orientation:?}");
        }
    }

    #[test]
    fn every_centre_maps_back_to_its_square() {
        for orientation in Orientation::ALL {
            for square in Square::ALL {
                let m = map(orientation);
                assert_eq!(m.square_at(m.center(square)), Some(square));
            }
        }
    }

    #[test]
    fn a_point_beside_the_board_is_on_no_square() {
        assert_eq!(map(Orientation::White).square_at(FramePx { x: 10.0, y: 30.0 }), None);
        assert_eq!(map(Orientation::White).square_at(FramePx { x: 410.6, y: 30.0 }), None);
    }

    #[test]
    fn impossible_rectangles_are_refused() {
        assert_eq!(
            BoardRect::new(f64::NAN, 0.0, 400.0, 400.0),
            Err(BoardRectError::NotFinite)
        );
        assert_eq!(
            BoardRect::new(0.0, 0.0, 64.0, 64.0),
            Err(BoardRectError::TooSmall(64.0))
        );
        assert_eq!(
            BoardRect::new(1e40, 0.0, 400.0, 400.0),
            Err(BoardRectError::NoScreen(1e40, 0.0))
        );
        assert!(matches!(
            BoardRect::new(0.0, 0.0, 400.0, 500.0),
            Err(BoardRectError::NotSquare(..))
        ));
    }

    #[test]
    fn rectangles_intersect_in_their_common_part() {
        let a = DesktopRect {
            x: 0,
            y: 0,
            width: 10,
            height: 10,
        };
        let b = DesktopRect {
            x: 5,
            y: -5,
            width: 10,
            height: 10,
        };
        assert_eq!(
            a.intersect(&b),
            Some(DesktopRect {
                x: 5,
                y: 0,
                width: 5,
                height: 5
            })
        );
        assert_eq!(a.intersect(&DesktopRect { x: 10, ..a }), None);
    }
}
