//! Static evaluation: what a position is worth without looking ahead.
//!
//! Tapered: each term has a value for the middlegame and one for the endgame, mixed by the material left. Material and
//! piece-square tables come first, then mobility, pawn structure, rooks on open files and the safety of kings.
//! Every number is in [`weights`].

mod weights;

use super::value::{EVAL_LIMIT, Value};
use super::{Bitboard, Color, Piece, Position, Role, Square, attacks};
use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};
use weights::*;

/// A value for the middlegame and one for the endgame, in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tapered {
    pub(super) middle: Value,
    pub(super) end: Value,
}

impl Add for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn add(self, other: Tapered) -> Tapered {
        Tapered {
            middle: self.middle + other.middle,
            end: self.end + other.end,
        }
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered {
            middle: self.middle - other.middle,
            end: self.end - other.end,
        }
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline(always)]
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn mul(self, factor: i32) -> Tapered {
        Tapered {
            middle: self.middle * factor,
            end: self.end * factor,
        }
    }
}

/// The position's value in centipawns, from the side to move's view; never within the range of mates.
pub(super) fn evaluate(position: &Position) -> Value {
    let us = position.turn();
    let (ours, theirs) = (Side::new(position, us), Side::new(position, !us));
    let standing = match us {
        Color::White => position.board().standing(),
        Color::Black => Tapered::default() - position.board().standing(),
    };
    let tapered = standing + ours.terms() - theirs.terms();
    let end = tapered.end * endgame_scale(position, tapered.end) / FULL_SCALE;
    let phase = phase(position);
    let mixed = (tapered.middle * phase + end * (FULL_PHASE - phase)) / FULL_PHASE;
    (mixed + TEMPO).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

/// What a piece on a square adds to [`Board::standing`](super::Board::standing): material and piece-square value, White's
/// counted for it and Black's against it.
#[inline(always)]
pub(super) fn standing(piece: Piece, square: Square) -> Tapered {
    STANDING[piece.color as usize][piece.role as usize][square.index()]
}

static STANDING: [[[Tapered; 64]; 6]; 2] = {
    let mut table = [[[Tapered { middle: 0, end: 0 }; 64]; 6]; 2];
    let mut number = 0;
    while number < 6 * 64 {
        let (role, square) = (Role::ALL[number / 64], Square::from_index(number % 64));
        let value = piece_on_square(role, square);
        table[0][role as usize][square.index()] = value;
        table[1][role as usize][square.seen_by(Color::Black).index()] = Tapered {
            middle: -value.middle,
            end: -value.end,
        };
        number += 1;
    }
    table
};

/// How much of the middlegame is left, from [`FULL_PHASE`] to 0.
fn phase(position: &Position) -> i32 {
    let count = |role| position.board().role(role).count() as i32;
    let phase = count(Role::Knight) + count(Role::Bishop) + 2 * count(Role::Rook) + 4 * count(Role::Queen);
    phase.min(FULL_PHASE)
}

/// How much of an endgame advantage can be made to count, in parts of [`FULL_SCALE`].
fn endgame_scale(position: &Position, advantage: Value) -> i32 {
    let us = position.turn();
    let strong = if advantage > 0 { us } else { !us };
    let board = position.board();
    if board.pieces(strong, Role::Pawn).is_empty() {
        let officers = |color| {
            let value = |role, each| board.pieces(color, role).count() as i32 * each;
            value(Role::Knight, 3) + value(Role::Bishop, 3) + value(Role::Rook, 5) + value(Role::Queen, 9)
        };
        // Without pawns, less than a rook more wins nothing.
        if officers(strong) - officers(!strong) < 4 {
            return PAWNLESS_SCALE;
        }
    }
    if only_opposite_bishops(position) {
        OPPOSITE_BISHOPS_SCALE
    } else {
        FULL_SCALE
    }
}

fn only_opposite_bishops(position: &Position) -> bool {
    let board = position.board();
    let bishops = board.role(Role::Bishop);
    let officers = board.occupied() & !(board.role(Role::Pawn) | board.role(Role::King));
    officers == bishops
        && Color::ALL
            .iter()
            .all(|&color| board.pieces(color, Role::Bishop).count() == 1)
        && (bishops & Bitboard::DARK).count() == 1
}

/// One side's view while it is evaluated.
struct Side<'a> {
    position: &'a Position,
    us: Color,
    our_pawns: Bitboard,
    their_pawns: Bitboard,
    /// Where our officers may usefully go: not onto our own pieces, not to be taken by pawns.
    useful: Bitboard,
    /// The squares around their king.
    their_king_zone: Bitboard,
}

impl<'a> Side<'a> {
    fn new(position: &'a Position, us: Color) -> Side<'a> {
        let board = position.board();
        let (our_pawns, their_pawns) = (board.pieces(us, Role::Pawn), board.pieces(!us, Role::Pawn));
        let their_king = position.king(!us);
        Side {
            position,
            us,
            our_pawns,
            their_pawns,
            useful: !(board.color(us) | attacks::pawns(!us, their_pawns)),
            their_king_zone: attacks::king(their_king) | Bitboard::of(their_king),
        }
    }

    fn terms(&self) -> Tapered {
        let mut sum = self.pawn_structure() + self.king_shield();
        let mut attack = Attack::default();
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for square in self.position.board().pieces(self.us, role) {
                let reached = attacks::piece(role, square, self.position.board().occupied()) & self.useful;
                sum += mobility(role, reached.count() as i32);
                attack.add(role, (reached & self.their_king_zone).count() as i32);
                if role == Role::Rook {
                    sum += self.rook_file(square);
                }
            }
        }
        if self.position.board().pieces(self.us, Role::Bishop).many() {
            sum += BISHOP_PAIR;
        }
        sum + attack.value()
    }

    fn pawn_structure(&self) -> Tapered {
        let mut sum = Tapered::default();
        for square in self.our_pawns {
            let file = Bitboard::file(square.file());
            let neighbours = file.east() | file.west();
            let ahead = Bitboard::of(square).forward(self.us).fill_forward(self.us);
            if self.our_pawns.intersects(ahead) {
                sum += DOUBLED_PAWN;
            }
            if !self.our_pawns.intersects(neighbours) {
                sum += ISOLATED_PAWN;
            }
            let path = ahead | ahead.east() | ahead.west();
            if !self.their_pawns.intersects(path) && !self.our_pawns.intersects(ahead) {
                sum += self.passed_pawn(square);
            }
        }
        sum
    }

    fn passed_pawn(&self, square: Square) -> Tapered {
        let rank = usize::from(square.relative_rank(self.us));
        let mut value = PASSED_PAWN[rank];
        let stop = square.forward(self.us);
        // The kings race to the square in front of it.
        let race = distance(self.position.king(!self.us), stop) - distance(self.position.king(self.us), stop);
        value.end += race * PASSED_PAWN_KING_RACE[rank];
        if self.position.board().occupied().contains(stop) {
            value - PASSED_PAWN_BLOCKED
        } else {
            value
        }
    }

    fn rook_file(&self, square: Square) -> Tapered {
        let file = Bitboard::file(square.file());
        match (self.our_pawns.intersects(file), self.their_pawns.intersects(file)) {
            (false, false) => ROOK_ON_OPEN_FILE,
            (false, true) => ROOK_ON_HALF_OPEN_FILE,
            _ => Tapered::default(),
        }
    }

    /// Pawns in front of our king, and files without any.
    fn king_shield(&self) -> Tapered {
        let king = Bitboard::of(self.position.king(self.us));
        let front = king.forward(self.us) | king.forward(self.us).forward(self.us);
        let shield = front | front.east() | front.west();
        let mut sum = KING_SHIELD_PAWN * (self.our_pawns & shield).count() as i32;
        let three_files = king | king.east() | king.west();
        for square in three_files {
            if !self.our_pawns.intersects(Bitboard::file(square.file())) {
                sum += KING_OPEN_FILE;
            }
        }
        sum
    }
}

fn distance(a: Square, b: Square) -> i32 {
    i32::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}

/// Pieces that look at the squares around a king.
#[derive(Default)]
struct Attack {
    pieces: i32,
    weight: i32,
}

impl Attack {
    fn add(&mut self, role: Role, squares: i32) {
        if squares > 0 {
            self.pieces += 1;
            self.weight += squares * king_attack_weight(role);
        }
    }

    /// One piece alone is no attack; more are worth more than their sum.
    fn value(&self) -> Tapered {
        if self.pieces < 2 {
            return Tapered::default();
        }
        let force = self.weight * self.pieces.min(KING_ATTACK_MOST_PIECES) / KING_ATTACK_DIVISOR;
        Tapered {
            middle: force.min(KING_ATTACK_MOST),
            end: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(fen: &str) -> Value {
        evaluate(&Position::from_fen(fen).unwrap())
    }

    /// The same position with colours and ranks exchanged.
    fn mirrored(fen: &str) -> String {
        let fields: Vec<&str> = fen.split(' ').collect();
        let ranks: Vec<&str> = fields[0].split('/').rev().collect();
        let swap = |c: char| {
            if c.is_ascii_lowercase() {
                c.to_ascii_uppercase()
            } else {
                c.to_ascii_lowercase()
            }
        };
        let placement: String = ranks.join("/").chars().map(swap).collect();
        let turn = if fields[1] == "w" { "b" } else { "w" };
        format!("{placement} {turn} - - 0 1")
    }

    const POSITIONS: [&str; 4] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/5k2/3b4/1p2p3/1P2P3/3B4/5K2/8 w - - 0 1",
    ];

    #[test]
    fn colours_do_not_matter() {
        for fen in POSITIONS {
            assert_eq!(value(fen), value(&mirrored(fen)), "{fen}");
        }
    }

    #[test]
    fn a_position_is_worth_as_much_to_the_one_as_it_costs_the_other() {
        for fen in POSITIONS {
            let other = if fen.contains(" w ") {
                fen.replace(" w ", " b ")
            } else {
                fen.replace(" b ", " w ")
            };
            assert_eq!(value(fen) - TEMPO, -(value(&other) - TEMPO), "{fen}");
        }
    }

    #[test]
    fn more_is_better() {
        let better = |better: &str, worse: &str| assert!(value(better) > value(worse), "{better} / {worse}");
        // A queen, a pawn that is nearer to its goal, a rook on an open file.
        better("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "4k3/8/8/8/8/8/8/3RK3 w - - 0 1");
        better("4k3/8/1P6/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/1P6/8/8/4K3 w - - 0 1");
        better(
            "4k3/p1p2ppp/8/8/8/8/P1P2PPP/1R2K3 w - - 0 1",
            "4k3/p1p2ppp/8/8/8/8/P1P2PPP/2R1K3 w - - 0 1",
        );
    }

    #[test]
    fn what_cannot_be_won_is_worth_little() {
        // A knight more, no pawns: the scale, not the piece, decides.
        assert!(value("4k3/8/8/8/8/5r2/8/3RKN2 w - - 0 1") < 120);
        // A pawn more with bishops of opposite colours is worth less than with bishops of one colour.
        let opposite = value("5k2/8/3b4/1p6/1P2P3/3B4/5K2/8 w - - 0 1");
        let same = value("5k2/8/4b3/1p6/1P2P3/3B4/5K2/8 w - - 0 1");
        assert!(opposite < same, "{opposite} < {same}");
    }
}
