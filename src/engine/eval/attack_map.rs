//! Who attacks what, counted once for all features.

use crate::{Bitboard, Board, ByColor, Color, Position, Role, Square, attacks};

/// The board with its attacks, filled in role by role.
pub(super) struct AttackMap<'a> {
    pub position: &'a Position,
    pub board: &'a Board,
    pub occupied: Bitboard,
    pub kings: ByColor<Square>,
    pub pawns: ByColor<Bitboard>,
    /// Squares attacked by a side's pieces of a role.
    pub by_role: ByColor<[Bitboard; 6]>,
    pub attacked: ByColor<Bitboard>,
    pub attacked_twice: ByColor<Bitboard>,
    /// Squares around a side's king, three ranks deep.
    pub king_zone: ByColor<Bitboard>,
    /// What a side's officers do to the other king.
    pub assault: ByColor<Assault>,
}

/// Officers that look at the squares around a king.
#[derive(Clone, Copy, Default)]
pub(super) struct Assault {
    /// How many officers.
    pub attackers: i32,
    /// Units of danger of these officers.
    pub units: i32,
    /// Squares they attack there, each as often as it is.
    pub hits: i32,
}

impl<'a> AttackMap<'a> {
    /// With the attacks of kings and pawns.
    pub fn new(position: &'a Position) -> AttackMap<'a> {
        let board = position.board();
        let both = |of: &dyn Fn(Color) -> Bitboard| ByColor {
            white: of(Color::White),
            black: of(Color::Black),
        };
        let kings = ByColor {
            white: position.king(Color::White),
            black: position.king(Color::Black),
        };
        let mut map = AttackMap {
            position,
            board,
            occupied: board.occupied(),
            kings,
            pawns: both(&|color| board.pieces(color, Role::Pawn)),
            by_role: ByColor::default(),
            attacked: ByColor::default(),
            attacked_twice: ByColor::default(),
            king_zone: both(&|color| {
                let near = attacks::king(kings[color]) | Bitboard::of(kings[color]);
                near | near.forward(color)
            }),
            assault: ByColor::default(),
        };
        for color in Color::ALL {
            let pawns = map.pawns[color].forward(color);
            map.note(color, Role::King, attacks::king(kings[color]));
            let (west, east) = (pawns.west(), pawns.east());
            map.note(color, Role::Pawn, west | east);
            map.attacked_twice[color] |= west & east;
        }
        map
    }

    /// A piece attacks these squares.
    #[inline(always)]
    pub fn note(&mut self, color: Color, role: Role, reach: Bitboard) {
        self.attacked_twice[color] |= self.attacked[color] & reach;
        self.attacked[color] |= reach;
        self.by_role[color][role as usize] |= reach;
    }

    /// Squares attacked by a side's pieces of a role.
    #[inline(always)]
    pub fn by(&self, color: Color, role: Role) -> Bitboard {
        self.by_role[color][role as usize]
    }
}

/// Steps a king would need between two squares.
#[inline(always)]
pub(super) fn distance(a: Square, b: Square) -> i32 {
    i32::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}
