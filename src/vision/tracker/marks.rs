//! Marked squares: the tint or frame with which most sites show the last move.
//!
//! The tint lies under the pieces and appears together with the move, while pieces may still slide. A piece seen exactly over a
//! square that it only passes stands on an unmarked square, and the real target is marked: that is how the two are told
//! apart from a single frame.

use super::super::look::SquareScores;
use crate::geometry::BySquare;
use shakmaty::{Bitboard, Chess, Move, Position, Role, Square, attacks};

/// A square is marked when its colour lies this far from its plain one, in levels, on a board without texture.
const MARKED: i16 = 11;

/// Two marks are the same when they shift the colour alike, within this many levels.
const ALIKE: i16 = 14;

/// What a square's margin and outermost ring look like.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ground {
    margin: [i16; 3],
    ring: [i16; 3],
}

impl Ground {
    fn of(scores: &SquareScores) -> Ground {
        Ground {
            margin: scores.margin,
            ring: scores.ring,
        }
    }

    fn shift(&self, from: &Ground) -> [i16; 6] {
        std::array::from_fn(|k| match k {
            0..3 => self.margin[k] - from.margin[k],
            _ => self.ring[k - 3] - from.ring[k - 3],
        })
    }
}

/// Whether the marks agree with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Both of its squares are marked, and no other square newly is in the same way.
    Agrees,
    /// One of its squares is marked, and no other square newly is.
    Partial,
    /// No square is newly marked, or this board does not mark moves.
    Silent,
    /// Other squares are newly marked, as those of another move would be.
    Disagrees,
}

/// What is known of this board's marks.
#[derive(Clone, Debug)]
pub struct Marks {
    plain: BySquare<Ground>,
    threshold: i16,
    /// Marked squares when the last move was believed.
    before: Bitboard,
    /// Moves believed so far whose squares were marked, and were not.
    marked_moves: u32,
    bare_moves: u32,
}

impl Marks {
    /// From the first understood frame. Squares that look tinted there are taken to be like the others of their colour.
    pub fn new(scores: &BySquare<SquareScores>, plain: [[i16; 3]; 2], noise: f32) -> Marks {
        let threshold = MARKED + (2.0 * noise) as i16;
        let plain = BySquare::from_fn(|s| {
            let color = plain[usize::from(s.is_dark())];
            let usual = Ground {
                margin: color,
                ring: color,
            };
            let here = Ground::of(&scores[s]);
            let apart = here.shift(&usual).into_iter().map(i16::abs).max().unwrap_or(0);
            if apart > 2 * threshold { usual } else { here }
        });
        let mut marks = Marks {
            plain,
            threshold,
            before: Bitboard::EMPTY,
            marked_moves: 0,
            bare_moves: 0,
        };
        marks.before = marks.marked(scores);
        marks
    }

    /// Squares that are marked now, by anything.
    fn marked(&self, scores: &BySquare<SquareScores>) -> Bitboard {
        let far = |s: &Square| self.shift(scores, *s).into_iter().any(|d| d.abs() > self.threshold);
        Square::ALL.into_iter().filter(far).collect()
    }

    fn shift(&self, scores: &BySquare<SquareScores>, square: Square) -> [i16; 6] {
        Ground::of(&scores[square]).shift(&self.plain[square])
    }

    /// What the marks say about a move that is believed to be the last one.
    pub fn evidence(&self, scores: &BySquare<SquareScores>, last: &Move) -> Evidence {
        let marked = self.marked(scores);
        let (origin, targets) = squares(last);
        let both = marked.contains(origin) && !(targets & marked).is_empty();
        let own = targets | Bitboard::from(origin);
        let fresh = marked & !self.before & !own;
        let like_a_move = |s: Square| {
            let shift = self.shift(scores, s);
            (own & marked)
                .into_iter()
                .filter(|o| o.is_dark() == s.is_dark())
                .any(|o| {
                    let other = self.shift(scores, o);
                    shift.iter().zip(other).all(|(a, b)| (a - b).abs() <= ALIKE)
                })
        };
        let unused = self.marked_moves == 0 && self.bare_moves >= 2;
        if both && !fresh.into_iter().any(like_a_move) {
            Evidence::Agrees
        } else if !fresh.is_empty() && !unused {
            Evidence::Disagrees
        } else if (marked & own).is_empty() || unused {
            Evidence::Silent
        } else {
            Evidence::Partial
        }
    }

    /// A move was believed while the board looked like this.
    pub fn believe(&mut self, scores: &BySquare<SquareScores>, last: &Move) {
        match self.evidence(scores, last) {
            Evidence::Agrees => self.marked_moves += 1,
            _ => self.bare_moves += 1,
        }
        self.before = self.marked(scores);
    }

    /// Whether this board is known to mark moves.
    pub fn are_used(&self) -> bool {
        self.marked_moves > self.bare_moves
    }
}

/// Where a move starts, and the squares one of which is marked as its end: for castling sites differ.
fn squares(m: &Move) -> (Square, Bitboard) {
    match m {
        Move::Castle { king, rook } => {
            let side = m.castling_side();
            let mut ends = Bitboard::from(*rook);
            if let Some(side) = side {
                ends.add(Square::from_coords(side.king_to_file(), king.rank()));
            }
            (*king, ends)
        }
        _ => (m.from().unwrap_or(m.to()), Bitboard::from(m.to())),
    }
}

/// Whether a piece seen where the move ends might only be passing: a slider that could go on, a pawn on its way to two squares
/// ahead, a rook on its way to castle.
pub fn may_be_passing(before: &Chess, m: &Move) -> bool {
    let Move::Normal { role, from, to, .. } = *m else {
        return false;
    };
    let others = before.legal_moves();
    let mut elsewhere = others.iter().filter(|o| o.from() == Some(from) && o.to() != to);
    match role {
        Role::Pawn | Role::Bishop | Role::Queen => elsewhere.any(|o| attacks::between(from, o.to()).contains(to)),
        Role::Rook => {
            let castles = others
                .iter()
                .any(|o| matches!(o, Move::Castle { rook, .. } if *rook == from));
            castles || elsewhere.any(|o| attacks::between(from, o.to()).contains(to))
        }
        Role::King | Role::Knight => false,
    }
}
