//! Thesis 000's "control": every man is worth the more, the more squares it controls and the dearer the men on
//! them, its own as well as the enemy's. The king pays for squares beside it while the board is full, and is paid for
//! them late. The complex form also counts how near the squares are to the centre and to the enemy king.

use super::{difference, sign, to_centre};
use crate::value::{CENTIPAWN, Value, worth};
use torres_engine::{Bitboard, Board, Piece, Position, Role, Square};

/// Which of the two forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// Controlled squares and the men on them.
    Minimal,
    /// Their nearness to the centre and to the enemy king too.
    Complex,
}

/// What the side to move has more, in centipawns.
pub(super) const TO_MOVE: Value = 20;

/// Weights in thousandths of a centipawn; those of a dearer man are for each centipawn that it is dearer.
struct Weights {
    /// A man on a square that a pawn controls, and what an own pawn there adds (a chain).
    at_pawn: Value,
    chain: Value,
    own_dearer: Value,
    enemy_dearer: Value,
    /// How many times as much a man beside the king counts as an empty square, which counts once.
    beside_king: Value,
    /// Men on the board with which squares beside the king count nothing.
    turning_point: Value,
}

impl Control {
    const fn weights(self) -> Weights {
        match self {
            Control::Minimal => Weights {
                at_pawn: 10 * CENTIPAWN,
                chain: 15 * CENTIPAWN,
                own_dearer: 15 * CENTIPAWN / 100,
                enemy_dearer: 15 * CENTIPAWN / 100,
                beside_king: 10,
                turning_point: 10,
            },
            Control::Complex => Weights {
                at_pawn: 2 * CENTIPAWN,
                chain: 5 * CENTIPAWN,
                own_dearer: 3 * CENTIPAWN / 100,
                enemy_dearer: 10 * CENTIPAWN / 100,
                beside_king: 2,
                turning_point: 6,
            },
        }
    }
}

/// From White's view.
pub(super) fn value(position: &Position, control: Control) -> Value {
    let scene = Scene {
        position,
        control,
        weights: control.weights(),
        men: position.board().occupied().count() as Value,
    };
    let men = difference(position, |piece, square| {
        worth(piece.role) * CENTIPAWN + scene.adjustment(piece, square)
    });
    men + sign(position.turn()) * TO_MOVE * CENTIPAWN
}

struct Scene<'a> {
    position: &'a Position,
    control: Control,
    weights: Weights,
    men: Value,
}

impl Scene<'_> {
    fn adjustment(&self, piece: Piece, square: Square) -> Value {
        let board = self.position.board();
        let controlled = piece.attacks(square, board.occupied());
        let enemy_king = self.position.king(!piece.color);
        let mut sum = match piece.role {
            Role::King => self.beside_king(controlled),
            _ => controlled.map(|square| self.square(board, piece, square)).sum(),
        };
        if self.control == Control::Complex {
            let for_centre = match piece.role {
                Role::King => self.king_factor(),
                role => 200 * CENTIPAWN / worth(role),
            };
            for square in controlled {
                let near = (2 - to_centre(square)).max(0);
                sum += 2 * near * near * for_centre;
                sum += 2 * (2 - manhattan(square, enemy_king)).max(0) * CENTIPAWN;
            }
        }
        sum
    }

    /// What controlling a square adds to a piece that is no king.
    fn square(&self, board: &Board, piece: Piece, square: Square) -> Value {
        let weights = &self.weights;
        let mut sum = CENTIPAWN;
        let is_pawn = piece.role == Role::Pawn;
        let Some(there) = board.piece_at(square) else {
            // A pawn that can be taken in passing is as good as there.
            let in_passing =
                is_pawn && piece.color == self.position.turn() && self.position.en_passant() == Some(square);
            return sum + if in_passing { weights.at_pawn } else { 0 };
        };
        let is_own = there.color == piece.color;
        if is_pawn {
            sum += weights.at_pawn;
            if is_own && there.role == Role::Pawn {
                sum += weights.chain;
            }
        }
        let dearer = worth(there.role) - worth(piece.role);
        if dearer > 0 {
            let weight = if is_own {
                weights.own_dearer
            } else {
                weights.enemy_dearer
            };
            sum += weight * dearer;
        } else if dearer == 0 && !is_pawn {
            sum += 5 * CENTIPAWN;
        }
        sum
    }

    /// Below zero while there are many men, above it late.
    fn king_factor(&self) -> Value {
        (self.weights.turning_point - self.men) * CENTIPAWN / 5
    }

    fn beside_king(&self, controlled: Bitboard) -> Value {
        let occupied = (controlled & self.position.board().occupied()).count() as Value;
        self.king_factor() * (controlled.count() as Value + self.weights.beside_king * occupied)
    }
}

/// Steps along files and ranks.
fn manhattan(a: Square, b: Square) -> Value {
    Value::from(a.file().abs_diff(b.file()) + a.rank().abs_diff(b.rank()))
}
