//! The pieces on the board, held three ways at once: by role, by colour and by square.

use super::eval::{self, Tapered};
use super::{Bitboard, ByColor, Color, Piece, Role, Square, attacks, zobrist};

/// Which piece stands where, and what can be summed up over the pieces: Zobrist keys, material with piece-square
/// values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    roles: [Bitboard; 6],
    colors: ByColor<Bitboard>,
    squares: [Option<Role>; 64],
    /// Keys of the pawns, of White's other pieces and of Black's; together that of the placement.
    keys: [u64; 3],
    /// Material and piece-square values, White's minus Black's.
    standing: Tapered,
}

impl Board {
    /// Without any piece.
    pub const EMPTY: Board = Board {
        roles: [Bitboard::EMPTY; 6],
        colors: ByColor {
            white: Bitboard::EMPTY,
            black: Bitboard::EMPTY,
        },
        squares: [None; 64],
        keys: [0; 3],
        standing: Tapered { middle: 0, end: 0 },
    };

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.squares[square.index()].is_none(), "{square} is taken");
        self.squares[square.index()] = Some(piece.role);
        self.flip(piece, square);
        self.standing += eval::standing(piece, square);
    }

    /// Takes the piece that stands there off a square.
    #[inline(always)]
    pub(super) fn take(&mut self, piece: Piece, square: Square) {
        debug_assert_eq!(self.piece_at(square), Some(piece), "on {square}");
        self.squares[square.index()] = None;
        self.flip(piece, square);
        self.standing -= eval::standing(piece, square);
    }

    #[inline(always)]
    fn flip(&mut self, piece: Piece, square: Square) {
        self.roles[piece.role as usize] ^= Bitboard::of(square);
        self.colors[piece.color] ^= Bitboard::of(square);
        self.keys[Board::part(piece)] ^= zobrist::piece(piece.color, piece.role, square);
    }

    /// Which of the three keys a piece is part of.
    #[inline(always)]
    fn part(piece: Piece) -> usize {
        match piece.role {
            Role::Pawn => 0,
            _ => 1 + piece.color as usize,
        }
    }

    /// What stands on a square, whoever's it is.
    #[inline(always)]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.squares[square.index()]
    }

    /// What stands on a square.
    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = if self.colors.white.contains(square) {
            Color::White
        } else {
            Color::Black
        };
        self.role_at(square).map(|role| Piece { color, role })
    }

    /// Both sides' pieces of a role.
    #[inline(always)]
    pub fn role(&self, role: Role) -> Bitboard {
        self.roles[role as usize]
    }

    /// A side's pieces.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    /// A side's pieces of a role.
    #[inline(always)]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.colors[color] & self.roles[role as usize]
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors.white | self.colors.black
    }

    /// Both sides' bishops and queens.
    #[inline(always)]
    pub(super) fn diagonal_sliders(&self) -> Bitboard {
        self.role(Role::Bishop) | self.role(Role::Queen)
    }

    /// Both sides' rooks and queens.
    #[inline(always)]
    pub(super) fn straight_sliders(&self) -> Bitboard {
        self.role(Role::Rook) | self.role(Role::Queen)
    }

    /// Both sides' pieces that attack a square when `occupied` squares block.
    #[inline]
    pub(super) fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::pawn(Color::Black, square) & self.pieces(Color::White, Role::Pawn)
            | attacks::pawn(Color::White, square) & self.pieces(Color::Black, Role::Pawn)
            | attacks::knight(square) & self.role(Role::Knight)
            | attacks::king(square) & self.role(Role::King)
            | attacks::bishop(square, occupied) & self.diagonal_sliders()
            | attacks::rook(square, occupied) & self.straight_sliders()
    }

    /// Whether a side attacks a square when `occupied` squares block.
    #[inline]
    pub(super) fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let theirs = self.color(by);
        theirs.intersects(attacks::pawn(!by, square) & self.role(Role::Pawn))
            || theirs.intersects(attacks::knight(square) & self.role(Role::Knight))
            || theirs.intersects(attacks::king(square) & self.role(Role::King))
            || theirs.intersects(attacks::bishop(square, occupied) & self.diagonal_sliders())
            || theirs.intersects(attacks::rook(square, occupied) & self.straight_sliders())
    }

    /// The Zobrist key of the placement.
    #[inline(always)]
    pub(super) fn key(&self) -> u64 {
        self.keys[0] ^ self.keys[1] ^ self.keys[2]
    }

    /// The Zobrist key of where both sides' pawns stand.
    #[inline(always)]
    pub(super) fn pawn_key(&self) -> u64 {
        self.keys[0]
    }

    /// The Zobrist key of where a side's pieces other than pawns stand.
    #[inline(always)]
    pub(super) fn officer_key(&self, color: Color) -> u64 {
        self.keys[1 + color as usize]
    }

    /// Material and piece-square values, White's minus Black's.
    #[inline(always)]
    pub(super) fn standing(&self) -> Tapered {
        self.standing
    }

    /// Whether roles, colours, squares and sums say the same; panics with what does not. It is asked after every move
    /// of every test.
    #[cfg(debug_assertions)]
    pub(super) fn check_validity(&self) {
        let (white, black) = (self.colors.white, self.colors.black);
        assert!((white & black).is_empty(), "a square is of both colours");
        let (mut seen, mut keys, mut standing) = (Bitboard::EMPTY, [0; 3], Board::EMPTY.standing);
        for color in Color::ALL {
            for role in Role::ALL {
                for square in self.pieces(color, role) {
                    assert_eq!(self.role_at(square), Some(role), "on {square}");
                    keys[Board::part(Piece { color, role })] ^= zobrist::piece(color, role, square);
                    standing += eval::standing(Piece { color, role }, square);
                }
                seen |= self.role(role);
            }
        }
        assert_eq!(seen, white | black, "a square has a role or a colour alone");
        let taken = |taken: u32, role: &Option<Role>| taken.wrapping_add(u32::from(role.is_some()));
        assert_eq!(
            self.squares.iter().fold(0, taken),
            seen.count(),
            "a role where no piece stands"
        );
        assert_eq!(
            (self.keys, self.standing),
            (keys, standing),
            "the sums do not fit the pieces"
        );
    }
}
