//! The promotion dialog: whether it is open, and where it offers which piece.
//!
//! chessground, chess.com and their like show a column of four pieces over the promotion's file, in orders of their
//! own. Others show them beside the file, in a row, in a ring, or in a window in the middle. So the pieces are looked
//! for: first in the column, then wherever the board changed.

mod change;
mod column;
mod elsewhere;
mod order;
#[cfg(test)]
mod tests;

pub use column::{is_open_over, may_cover, offer, offer_over};
pub use elsewhere::{offer_beside, offer_elsewhere, through_veil};

use shakmaty::{Rank, Role, Square};
use torres_geometry::{BoardMap, BoardPoint};

/// The pieces that a pawn becomes.
const ROLES: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

/// A place that is found again may lie aside by this much, in 64ths of a square.
const WAVER: i32 = 8;

/// Where an open dialog offers a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offered {
    /// The middle of the piece.
    pub at: BoardPoint,
    /// The square beneath it, if it lies on the board.
    pub over: Option<Square>,
}

impl Offered {
    /// Whether both are one place, as far as it can be measured: a picture that changes beside it moves what is found by
    /// a pixel or two.
    pub(crate) fn is_at(&self, other: &Offered) -> bool {
        let apart = (self.at.x - other.at.x).abs().max((self.at.y - other.at.y).abs());
        apart <= WAVER
    }
}

/// Where an open dialog offers which piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// In the order of [`ROLES`]; `None` for a piece whose place is not sure.
    places: [Option<Offered>; 4],
}

impl Offer {
    /// Where a piece is offered; `None` for a role that no pawn becomes.
    pub fn place(self, role: Role) -> Option<Offered> {
        let nth = ROLES.iter().position(|offered| *offered == role)?;
        self.places[nth]
    }

    /// The same, so many 64ths of a square to the right.
    #[cfg(test)]
    pub(crate) fn moved(self, by: i32) -> Offer {
        let moved = |offered: Offered| Offered {
            at: BoardPoint {
                x: offered.at.x + by,
                ..offered.at
            },
            ..offered
        };
        Offer {
            places: self.places.map(|place| place.map(moved)),
        }
    }

    /// One piece, and no other.
    pub(crate) fn of_one(role: Role, offered: Offered) -> Offer {
        Offer {
            places: ROLES.map(|of| (of == role).then_some(offered)),
        }
    }

    /// The offer of a column of squares from the promotion square towards the middle of the board, in chessground's
    /// order.
    pub fn chessground(promotion: Square, map: &BoardMap) -> Offer {
        Offer::column(promotion, ROLES, map)
    }

    fn column(promotion: Square, order: [Role; 4], map: &BoardMap) -> Offer {
        let place = |role: Role| {
            let steps = order.iter().position(|offered| *offered == role).unwrap_or(0);
            let square = square_at(promotion, steps).unwrap_or(promotion);
            Offered {
                at: map.middle(square),
                over: Some(square),
            }
        };
        Offer {
            places: ROLES.map(place).map(Some),
        }
    }
}

/// The square `steps` from the promotion square.
fn square_at(promotion: Square, steps: usize) -> Option<Square> {
    let inwards = if promotion.rank() == Rank::Eighth { -8 } else { 8 };
    promotion.offset(inwards * steps as i32)
}
