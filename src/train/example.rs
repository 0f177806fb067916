//! A record as the network learns from it.

use torres_data::Record;
use torres_engine::nnue::{Perspective, bucket};
use torres_engine::{Color, Piece, Role, Square};

/// Men on a board, at most.
const MOST_MEN: usize = 32;

/// What a network is taught to say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Centipawns of score at which 1 / (1 + 1/e) = 73 % of the points are expected: what an output of 1.0 means.
    pub scale: f32,
    /// How much the game's result counts beside the search's score, 0 to 1.
    pub result_share: f32,
}

/// A position as both sides see it, what the search said, and how the game ended, for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    own: [u16; MOST_MEN],
    other: [u16; MOST_MEN],
    men: usize,
    /// Centipawns.
    score: f32,
    points: f32,
}

impl Example {
    /// What a record holds; `None` where it has not one king of each side, a piece that is none, more than 32 pieces or
    /// no result.
    pub fn of(record: &Record) -> Option<Example> {
        let packed = record.packed();
        let turn = packed.turn();
        let mut men = [(Square::A1, NOBODY); MOST_MEN];
        let (mut count, mut kings) = (0, [None; 2]);
        for (square, piece) in packed.pieces() {
            if piece.role == Role::King && kings[usize::from(piece.color == turn)].replace(square).is_some() {
                return None;
            }
            men[count] = (square, piece);
            count += 1;
        }
        let (true, [Some(other_king), Some(own_king)]) = (packed.occupied().count() as usize == count, kings) else {
            return None;
        };
        let (own, other) = (Perspective::new(turn, own_king), Perspective::new(!turn, other_king));
        let (score, points) = (f32::from(record.score()), record.outcome()?.white_points());
        let (score, points) = match turn {
            Color::White => (score, points),
            Color::Black => (-score, 1.0 - points),
        };
        let mut example = Example {
            own: [0; MOST_MEN],
            other: [0; MOST_MEN],
            men: count,
            score,
            points,
        };
        for (index, &(square, piece)) in men[..count].iter().enumerate() {
            example.own[index] = own.input(piece, square) as u16;
            example.other[index] = other.input(piece, square) as u16;
        }
        Some(example)
    }

    /// The inputs that are 1, as the side to move sees them and as the other does; as many of each.
    #[inline(always)]
    pub fn inputs(&self) -> (&[u16], &[u16]) {
        (&self.own[..self.men], &self.other[..self.men])
    }

    /// Which set of output weights counts.
    #[inline(always)]
    pub fn bucket(&self) -> usize {
        bucket(self.men)
    }

    /// The search's score as points that are expected: 1 / (1 + exp(−score / scale)).
    #[inline(always)]
    pub(crate) fn score_points(&self, scale: f32) -> f32 {
        sigmoid(self.score / scale)
    }

    /// How the game ended: 0, 0.5 or 1.
    #[inline(always)]
    pub(crate) fn result_points(&self) -> f32 {
        self.points
    }
}

/// In a place that no man has yet.
const NOBODY: Piece = Piece {
    color: Color::White,
    role: Role::Pawn,
};

/// 1 / (1 + exp(−x)).
#[inline(always)]
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
