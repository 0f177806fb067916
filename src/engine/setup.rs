//! The one door into [`Position`]: anything that can be set up on a board goes in, a position from which a game can
//! go on comes out, or every reason why not.

use super::castling::{Castle, Wing};
use super::{Bitboard, Board, CastlingRights, Color, Position, Role, Square};

/// A set-up board, legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Setup {
    pub(super) board: Board,
    pub(super) turn: Color,
    pub(super) castling: CastlingRights,
    /// The square a pawn has just passed over, whether or not it can be taken there.
    pub(super) en_passant: Option<Square>,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove_number: u16,
}

/// Why no game can go on from a set-up board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// Not exactly one king.
    #[error("{color} has {count} kings instead of one")]
    Kings {
        /// Whose.
        color: Color,
        /// How many.
        count: u32,
    },
    /// More than 16 pieces.
    #[error("{color} has {count} pieces, and 16 are the most")]
    TooManyPieces {
        /// Whose.
        color: Color,
        /// How many.
        count: u32,
    },
    /// More officers than promotions of the missing pawns could have made.
    #[error("{color} has more promoted pieces than pawns have left the board")]
    TooManyPromoted {
        /// Whose.
        color: Color,
    },
    /// A pawn on the first or eighth rank.
    #[error("a pawn stands on {0}, where none can stand")]
    PawnOnBackRank(Square),
    /// A right to castle without king or rook at home.
    #[error("{color} may castle on the {wing:?}'s wing, but king or rook is not at home")]
    CastlingFromAbroad {
        /// Whose right.
        color: Color,
        /// On which wing.
        wing: Wing,
    },
    /// No pawn can just have passed the en passant square.
    #[error("no pawn can just have passed {0}, the en passant square")]
    EnPassant(Square),
    /// The side that is not to move is in check.
    #[error("{0} is in check although it is not its turn")]
    WrongSideInCheck(Color),
    /// Three or more pieces give check.
    #[error("{0} pieces give check at once, and two are the most")]
    TooManyCheckers(u32),
}

impl Setup {
    /// The checked position; en passant is forgotten where there is no legal capture.
    pub(super) fn into_position(self) -> Result<Position, Vec<Illegal>> {
        let reasons = self.reasons();
        if reasons.is_empty() {
            Ok(Position::from_checked(self))
        } else {
            Err(reasons)
        }
    }

    /// Why no game can go on from here; empty if one can.
    pub(super) fn reasons(&self) -> Vec<Illegal> {
        let mut reasons = Vec::new();
        for color in Color::ALL {
            self.check_material(color, &mut reasons);
        }
        reasons.extend((self.board.role(Role::Pawn) & Bitboard::BACK_RANKS).map(Illegal::PawnOnBackRank));
        for (_, color, wing) in CastlingRights::LETTERS {
            if self.castling.has(color, wing) && !self.at_home(color, wing) {
                reasons.push(Illegal::CastlingFromAbroad { color, wing });
            }
        }
        reasons.extend(
            self.en_passant
                .filter(|square| !self.was_just_passed(*square))
                .map(Illegal::EnPassant),
        );
        self.check_checks(&mut reasons);
        reasons
    }

    fn check_material(&self, color: Color, reasons: &mut Vec<Illegal>) {
        let count = |role| self.board.pieces(color, role).count();
        if count(Role::King) != 1 {
            reasons.push(Illegal::Kings {
                color,
                count: count(Role::King),
            });
        }
        let pieces = self.board.color(color).count();
        if pieces > 16 {
            reasons.push(Illegal::TooManyPieces { color, count: pieces });
        }
        let at_start = [(Role::Knight, 2), (Role::Bishop, 2), (Role::Rook, 2), (Role::Queen, 1)];
        let promoted: u32 = at_start
            .iter()
            .map(|&(role, some)| count(role).saturating_sub(some))
            .sum();
        if promoted + count(Role::Pawn) > 8 {
            reasons.push(Illegal::TooManyPromoted { color });
        }
    }

    fn at_home(&self, color: Color, wing: Wing) -> bool {
        let castle = Castle::of(color, wing);
        self.board.pieces(color, Role::King).contains(castle.king_from)
            && self.board.pieces(color, Role::Rook).contains(castle.rook_from)
    }

    fn was_just_passed(&self, square: Square) -> bool {
        let mover = !self.turn;
        let (from, to) = (square.forward(self.turn), square.forward(mover));
        square.relative_rank(mover) == 2
            && !self.board.occupied().contains(square)
            && !self.board.occupied().contains(from)
            && self.board.pieces(mover, Role::Pawn).contains(to)
    }

    /// Only meaningful with one king each.
    fn check_checks(&self, reasons: &mut Vec<Illegal>) {
        let king = |color| self.board.pieces(color, Role::King).first();
        let occupied = self.board.occupied();
        if king(!self.turn).is_some_and(|king| self.board.is_attacked(king, self.turn, occupied)) {
            reasons.push(Illegal::WrongSideInCheck(!self.turn));
        }
        if let Some(king) = king(self.turn) {
            let checkers = self.board.attackers(king, occupied) & self.board.color(!self.turn);
            if checkers.count() > 2 {
                reasons.push(Illegal::TooManyCheckers(checkers.count()));
            }
        }
    }
}
