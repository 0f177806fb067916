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

/// At most this many squares are tinted when a game is joined: two of a move, a check, two of a premove.
const MOST_TINTED: usize = 5;

/// Two marks are the same when they shift the colour alike, within this many levels, on a board without texture.
const ALIKE: i16 = 14;

/// What a square's margin and outermost ring look like.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ground {
    margin: [i16; 3],
    ring: [i16; 3],
}

/// By how much a mark changes margin and ring.
type Shift = [i16; 6];

impl Ground {
    fn of(scores: &SquareScores) -> Ground {
        Ground {
            margin: scores.margin,
            ring: scores.ring,
        }
    }

    fn levels(&self) -> Shift {
        let [a, b, c] = self.margin;
        let [d, e, f] = self.ring;
        [a, b, c, d, e, f]
    }

    fn shift(&self, from: &Ground) -> Shift {
        let (here, there) = (self.levels(), from.levels());
        std::array::from_fn(|k| here[k] - there[k])
    }
}

fn alike(a: Shift, b: Shift, tolerance: i16) -> bool {
    a.iter().zip(b).all(|(x, y)| (x - y).abs() <= tolerance)
}

/// Whether one colour of one opacity, laid over two grounds, may shift them like this: `shift = opacity · (colour - ground)`.
fn one_overlay(a: Shift, on: &Ground, b: Shift, under: &Ground, tolerance: i16) -> bool {
    let (ga, gb) = (on.levels(), under.levels());
    (0..=20).any(|k| {
        let apart = |i: usize| f32::from(a[i] - b[i]) - k as f32 / 20.0 * f32::from(gb[i] - ga[i]);
        // A frame shifts the ring alone: margin and ring may have opacities of their own.
        (0..3).all(|i| apart(i).abs() <= f32::from(tolerance)) || (3..6).all(|i| apart(i).abs() <= f32::from(tolerance))
    })
}

/// Whether the marks agree with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Both of its squares are marked, and no other square newly is in the same way.
    Agrees,
    /// Its origin is marked as moves are, and no other square is: pages sometimes leave the other mark out.
    OriginOnly,
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
    /// Marks are alike within this many levels, by the texture's noise.
    tolerance: i16,
    /// Marked squares when the last move was believed.
    before: Bitboard,
    /// How a move's squares are shifted, light and dark, once seen.
    usual: [Option<Shift>; 2],
    /// Whether that was learned from an empty square.
    learned_bare: [bool; 2],
    /// Moves believed so far whose squares were marked, and were not.
    marked_moves: u32,
    bare_moves: u32,
}

impl Marks {
    /// From the first understood frame. Squares that look tinted there are taken to be like the others of their colour.
    pub fn new(scores: &BySquare<SquareScores>, plain: [[i16; 3]; 2], noise: f32) -> Marks {
        let threshold = MARKED + (2.0 * noise) as i16;
        let usual = |s: Square| {
            let color = plain[usize::from(s.is_dark())];
            Ground {
                margin: color,
                ring: color,
            }
        };
        let unusual = |s: &Square| {
            let apart = Ground::of(&scores[*s]).shift(&usual(*s));
            apart.into_iter().any(|d| d.abs() > 2 * threshold)
        };
        // A few odd squares are tinted; many are the light and shade of a texture.
        let odd: Bitboard = Square::ALL.into_iter().filter(unusual).collect();
        let tinted = if odd.count() <= MOST_TINTED {
            odd
        } else {
            Bitboard::EMPTY
        };
        let plain = BySquare::from_fn(|s| {
            if tinted.contains(s) {
                usual(s)
            } else {
                Ground::of(&scores[s])
            }
        });
        let mut marks = Marks {
            plain,
            threshold,
            tolerance: ALIKE + (2.0 * noise) as i16,
            before: Bitboard::EMPTY,
            usual: [None; 2],
            learned_bare: [false; 2],
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

    fn shift(&self, scores: &BySquare<SquareScores>, square: Square) -> Shift {
        Ground::of(&scores[square]).shift(&self.plain[square])
    }

    /// What the marks say about a move that is believed to be the last one. Squares whose content changed, `touched`, are not taken
    /// for marked by another move.
    pub fn evidence(&self, scores: &BySquare<SquareScores>, last: &Move, touched: Bitboard) -> Evidence {
        let marked = self.marked(scores);
        let (origin, targets) = squares(last);
        let own = targets | Bitboard::from(origin);
        let target = (targets & marked).into_iter().next();
        let fresh: Bitboard = (marked & !self.before & !own & !touched)
            .into_iter()
            .filter(|s| self.is_move_mark(scores, *s))
            .collect();
        let own_marked = marked & own;
        if self.marked_moves == 0 && self.bare_moves >= 2 {
            // This board does not mark moves: whatever is coloured has another reason.
            return match target {
                Some(target) if marked.contains(origin) && fresh.is_empty() && self.is_pair(scores, origin, target) => {
                    Evidence::Agrees
                }
                _ => Evidence::Silent,
            };
        }
        match target {
            _ if own_marked.is_empty() && fresh.count() <= 1 => Evidence::Silent,
            _ if !fresh.is_empty() && self.known() => Evidence::Disagrees,
            Some(target) if marked.contains(origin) && self.is_pair(scores, origin, target) => {
                let like = |s: Square| {
                    own_marked.into_iter().any(|o| {
                        o.is_dark() == s.is_dark()
                            && alike(self.shift(scores, s), self.shift(scores, o), self.tolerance)
                    })
                };
                if fresh.into_iter().any(like) {
                    Evidence::Disagrees
                } else {
                    Evidence::Agrees
                }
            }
            _ if !fresh.is_empty() => Evidence::Disagrees,
            None if self.known() && self.is_move_mark(scores, origin) && self.is_alone(scores, marked & !touched) => {
                Evidence::OriginOnly
            }
            _ => Evidence::Partial,
        }
    }

    /// Whether both squares of a move are marked as moves are known to be, its end in one of the ways that sites have. Stricter than
    /// [`Marks::evidence`], and without a look at other squares.
    pub fn mark(&self, scores: &BySquare<SquareScores>, played: &Move) -> bool {
        let (origin, ends) = squares(played);
        let is_known = |s: &Square| {
            let known = self.usual[usize::from(s.is_dark())];
            let shift = self.shift(scores, *s);
            known.is_some_and(|usual| alike(shift, usual, self.tolerance))
        };
        is_known(&origin) && ends.into_iter().any(|s| is_known(&s))
    }

    /// Whether none of the squares is marked as moves are, be it since the last move.
    fn is_alone(&self, scores: &BySquare<SquareScores>, others: Bitboard) -> bool {
        others.into_iter().all(|s| !self.is_move_mark(scores, s))
    }

    /// Whether both square colours' marks are known.
    fn known(&self) -> bool {
        self.usual.iter().all(Option::is_some)
    }

    /// Whether an origin `a` and a target `b`, both marked, are marked as the two of a move: the target in the way that is known, or
    /// else both in one way. The origin may carry something else on top.
    fn is_pair(&self, scores: &BySquare<SquareScores>, a: Square, b: Square) -> bool {
        let known = |s: Square| self.usual[usize::from(s.is_dark())].is_some();
        if known(a) && known(b) {
            // The target decides: a piece that slides over a square disturbs its margin, which then looks marked somehow.
            return self.is_move_mark(scores, b);
        }
        let (of_a, of_b) = (self.shift(scores, a), self.shift(scores, b));
        match a.is_dark() == b.is_dark() {
            true => alike(of_a, of_b, self.tolerance),
            false => one_overlay(of_a, &self.plain[a], of_b, &self.plain[b], self.tolerance),
        }
    }

    /// A move was believed while the board looked like this.
    pub fn believe(&mut self, scores: &BySquare<SquareScores>, last: &Move, touched: Bitboard) {
        if self.evidence(scores, last, touched) == Evidence::Agrees {
            self.marked_moves += 1;
            let marked = self.marked(scores);
            let (origin, targets) = squares(last);
            for square in targets & marked {
                let shift = self.shift(scores, square);
                self.usual[usize::from(square.is_dark())].get_or_insert(shift);
            }
            // The mover may still slide over its target's margin: what the empty origin shows goes before it.
            let kind = usize::from(origin.is_dark());
            if marked.contains(origin) && !self.learned_bare[kind] {
                self.usual[kind] = Some(self.shift(scores, origin));
                self.learned_bare[kind] = true;
            }
        } else {
            self.bare_moves += 1;
        }
        self.before = self.marked(scores);
    }

    /// Whether this board is known to mark moves.
    pub fn are_used(&self) -> bool {
        self.marked_moves > self.bare_moves
    }

    /// Whether a square is marked as this board marks moves, as far as that is known.
    fn is_move_mark(&self, scores: &BySquare<SquareScores>, square: Square) -> bool {
        let shift = self.shift(scores, square);
        self.usual[usize::from(square.is_dark())].is_none_or(|u| alike(shift, u, self.tolerance))
    }
}

/// Where a move starts, and the squares one of which is marked as its end: for castling sites differ.
pub fn squares(m: &Move) -> (Square, Bitboard) {
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
