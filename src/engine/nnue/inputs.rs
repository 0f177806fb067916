//! Which inputs a board has, for each side.

use crate::{Board, ByColor, Color, Piece, Square};

/// Inputs of a side: own and opposing men, six roles, 64 squares.
pub const INPUTS: usize = 2 * 6 * 64;

/// How a side sees the board: from its own first rank, and mirrored so that its own king stands on files a to d.
///
/// Mirroring halves what there is to learn: chess is almost the same on both wings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    side: Color,
    mirrored: bool,
}

impl Perspective {
    /// That of a side whose king stands on a square.
    #[inline(always)]
    pub fn new(side: Color, king: Square) -> Perspective {
        Perspective {
            side,
            mirrored: king.file() >= 4,
        }
    }

    /// The number of the input that is 1 when a piece stands on a square, below [`INPUTS`].
    ///
    /// Own men come before the opponent's, then pawn, knight, bishop, rook, queen, king, then a1, b1 to h8 as this side
    /// sees them.
    #[inline(always)]
    pub fn input(self, piece: Piece, square: Square) -> usize {
        let square = square.seen_by(self.side).index() ^ if self.mirrored { 7 } else { 0 };
        let side = usize::from(piece.color != self.side);
        (side * 6 + piece.role as usize) * 64 + square
    }

    /// The numbers of all inputs that are 1 on a board, by square.
    pub fn inputs(self, board: &Board) -> impl Iterator<Item = usize> {
        board
            .occupied()
            .filter_map(move |square| Some(self.input(board.piece_at(square)?, square)))
    }

    /// Whether left and right are exchanged.
    pub(super) fn is_mirrored(self) -> bool {
        self.mirrored
    }
}

/// Something for each side, mirrored or not.
pub(super) type ByPerspective<T> = ByColor<[T; 2]>;
