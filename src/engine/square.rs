//! Squares of the board.

use super::Color;
use std::fmt;
use std::str::FromStr;

/// A square: a1 is 0, b1 is 1, h8 is 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// White's king's rook's home.
    pub const H1: Square = Square(7);
    /// White's queen's rook's home.
    pub const A1: Square = Square(0);
    /// White's king's home.
    pub const E1: Square = Square(4);
    /// Black's king's rook's home.
    pub const H8: Square = Square(63);
    /// Black's queen's rook's home.
    pub const A8: Square = Square(56);
    /// Black's king's home.
    pub const E8: Square = Square(60);

    /// The square with this number; numbers beyond 63 count round again.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Square {
        Square((index & 63) as u8)
    }

    /// The square on a file (0 is a) and a rank (0 is the first); beyond 7 they count round again.
    #[inline(always)]
    pub const fn at(file: u8, rank: u8) -> Square {
        Square((rank & 7) << 3 | file & 7)
    }

    /// Its number, below 64.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // The mask tells the compiler what the private field promises, and saves every table's bounds check.
        (self.0 & 63) as usize
    }

    /// 0 for the a-file to 7 for the h-file.
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the first rank to 7 for the eighth.
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The rank as that side counts: 0 is its own back rank.
    #[inline(always)]
    pub const fn relative_rank(self, color: Color) -> u8 {
        self.seen_by(color).rank()
    }

    /// The square as that side sees it: itself for White, mirrored top to bottom for Black.
    #[inline(always)]
    pub const fn seen_by(self, color: Color) -> Square {
        match color {
            Color::White => self,
            Color::Black => Square(self.0 ^ 56),
        }
    }

    /// The neighbour on the same file in the direction in which that side's pawns move; wraps off the board's ends.
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Square {
        match color {
            Color::White => Square(self.0.wrapping_add(8) & 63),
            Color::Black => Square(self.0.wrapping_sub(8) & 63),
        }
    }

    /// The neighbour towards the h-file; wraps off the board's edge.
    #[inline(always)]
    pub const fn east(self) -> Square {
        Square((self.0 + 1) & 63)
    }

    /// The neighbour towards the a-file; wraps off the board's edge.
    #[inline(always)]
    pub const fn west(self) -> Square {
        Square(self.0.wrapping_sub(1) & 63)
    }

    /// All 64, a1, b1, … h8.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square::from_index)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}",
            char::from(b'a' + self.file()),
            char::from(b'1' + self.rank())
        )
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that names no square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotASquare;

impl FromStr for Square {
    type Err = NotASquare;
    fn from_str(text: &str) -> Result<Square, NotASquare> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square::at(file - b'a', rank - b'1')),
            _ => Err(NotASquare),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for (text, index) in [("a1", 0), ("h1", 7), ("e4", 28), ("h8", 63)] {
            let square: Square = text.parse().unwrap();
            assert_eq!(square.index(), index);
            assert_eq!(square.to_string(), text);
        }
        for wrong in ["", "e", "e9", "i1", "e44", "E4", "é4"] {
            assert_eq!(wrong.parse::<Square>(), Err(NotASquare), "{wrong}");
        }
    }

    #[test]
    fn black_sees_the_board_from_the_other_end() {
        let e2 = Square::at(4, 1);
        assert_eq!(e2.seen_by(Color::Black), Square::at(4, 6));
        assert_eq!(e2.relative_rank(Color::Black), 6);
        assert_eq!(e2.forward(Color::White), Square::at(4, 2));
        assert_eq!(e2.forward(Color::Black), Square::E1);
    }
}
