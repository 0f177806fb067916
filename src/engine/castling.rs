//! Castling: whose right on which wing, and the squares it needs.

use super::{Bitboard, Color, Square, attacks};

/// A direction to castle in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wing {
    /// Short, towards the h-file.
    King,
    /// Long, towards the a-file.
    Queen,
}

/// One way of castling and its squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Castle {
    pub(super) king_from: Square,
    pub(super) king_to: Square,
    pub(super) rook_from: Square,
    pub(super) rook_to: Square,
}

impl Castle {
    #[inline]
    pub(super) const fn of(color: Color, wing: Wing) -> Castle {
        let (king_to, rook_from, rook_to) = match wing {
            Wing::King => (6, 7, 5),
            Wing::Queen => (2, 0, 3),
        };
        Castle {
            king_from: Square::at(4, 0).seen_by(color),
            king_to: Square::at(king_to, 0).seen_by(color),
            rook_from: Square::at(rook_from, 0).seen_by(color),
            rook_to: Square::at(rook_to, 0).seen_by(color),
        }
    }

    /// Squares that must be empty.
    #[inline]
    pub(super) fn empty_squares(&self) -> Bitboard {
        attacks::between(self.king_from, self.rook_from)
    }

    /// Squares that must not be attacked, besides the king's own.
    #[inline]
    pub(super) fn safe_squares(&self) -> Bitboard {
        attacks::between(self.king_from, self.king_to) | Bitboard::of(self.king_to)
    }
}

/// Which castlings are still allowed, as far as king and rooks have not moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// None.
    pub const NONE: CastlingRights = CastlingRights(0);

    /// All four with the letters of FEN, in FEN's order.
    pub const LETTERS: [(char, Color, Wing); 4] = [
        ('K', Color::White, Wing::King),
        ('Q', Color::White, Wing::Queen),
        ('k', Color::Black, Wing::King),
        ('q', Color::Black, Wing::Queen),
    ];

    /// Whether a side may still castle on a wing.
    #[inline(always)]
    pub const fn has(self, color: Color, wing: Wing) -> bool {
        self.0 & CastlingRights::bit(color, wing) != 0
    }

    /// These rights and one more.
    pub(super) const fn with(self, color: Color, wing: Wing) -> CastlingRights {
        CastlingRights(self.0 | CastlingRights::bit(color, wing))
    }

    /// What is left after a move from or to a square: a king's or rook's home takes its rights along.
    #[inline(always)]
    pub(super) fn after_touching(self, square: Square) -> CastlingRights {
        CastlingRights(self.0 & LEFT_AFTER_TOUCHING[square.index()])
    }

    /// As a number below 16.
    #[inline(always)]
    pub(super) const fn bits(self) -> usize {
        (self.0 & 15) as usize
    }

    const fn bit(color: Color, wing: Wing) -> u8 {
        1 << (color as u8 * 2 + wing as u8)
    }
}

static LEFT_AFTER_TOUCHING: [u8; 64] = {
    let mut left = [15; 64];
    left[Square::A1.index()] = !CastlingRights::bit(Color::White, Wing::Queen);
    left[Square::H1.index()] = !CastlingRights::bit(Color::White, Wing::King);
    left[Square::E1.index()] =
        !(CastlingRights::bit(Color::White, Wing::Queen) | CastlingRights::bit(Color::White, Wing::King));
    left[Square::A8.index()] = !CastlingRights::bit(Color::Black, Wing::Queen);
    left[Square::H8.index()] = !CastlingRights::bit(Color::Black, Wing::King);
    left[Square::E8.index()] =
        !(CastlingRights::bit(Color::Black, Wing::Queen) | CastlingRights::bit(Color::Black, Wing::King));
    left
};
