//! Which squares a piece attacks, and the lines of the board.
//!
//! All tables are computed by the compiler. Those of the pieces that slide are in [`sliders`](super::sliders).

use super::sliders::{BISHOP_DIRECTIONS, ROOK_DIRECTIONS, walk};
pub(super) use super::sliders::{bishop, rook};
use super::{Bitboard, Color, Role, Square};

/// Squares a king attacks.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// Squares a knight attacks.
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// Squares a pawn of that side attacks.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color as usize][square.index()]
}

/// Squares that any of these pawns of one side attacks.
#[inline(always)]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.forward(color);
    ahead.east() | ahead.west()
}

/// Squares a queen attacks when `occupied` squares block it; the first blocker is attacked too.
#[inline(always)]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// Squares that a piece other than a pawn attacks; a pawn's depend on its colour and are none here.
#[inline(always)]
pub fn piece(role: Role, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

/// Squares strictly between two on a common rank, file or diagonal; else none.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two squares, from edge to edge; none when they share none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// Squares a rook would attack on an empty board.
#[inline(always)]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

/// Squares a bishop would attack on an empty board.
#[inline(always)]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

/// The diagonal through a square that rises towards the h-file, from edge to edge.
#[inline(always)]
pub fn rising_diagonal(square: Square) -> Bitboard {
    RISING_DIAGONAL[square.index()]
}

/// The diagonal through a square that falls towards the h-file, from edge to edge.
#[inline(always)]
pub fn falling_diagonal(square: Square) -> Bitboard {
    FALLING_DIAGONAL[square.index()]
}

const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
const PAWN_STEPS: [[(i8, i8); 2]; 2] = [[(-1, 1), (1, 1)], [(-1, -1), (1, -1)]];

static KING: [Bitboard; 64] = steps(&KING_STEPS);
static KNIGHT: [Bitboard; 64] = steps(&KNIGHT_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [steps(&PAWN_STEPS[0]), steps(&PAWN_STEPS[1])];
static BETWEEN: [[Bitboard; 64]; 64] = pairs(false);
static LINE: [[Bitboard; 64]; 64] = pairs(true);

static RISING_DIAGONAL: [Bitboard; 64] = rays(&[(1, 1), (-1, -1)], true);
static FALLING_DIAGONAL: [Bitboard; 64] = rays(&[(1, -1), (-1, 1)], true);
static ROOK_RAYS: [Bitboard; 64] = rays(&ROOK_DIRECTIONS, false);
static BISHOP_RAYS: [Bitboard; 64] = rays(&BISHOP_DIRECTIONS, false);

/// What lies in some directions from each square, up to the edge; with the square itself or without.
const fn rays(directions: &[(i8, i8)], with_origin: bool) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut direction = 0;
        while direction < directions.len() {
            table[index].0 |= walk(Square::from_index(index), directions[direction], 0);
            direction += 1;
        }
        if with_origin {
            table[index].0 |= 1 << index;
        }
        index += 1;
    }
    table
}

const fn steps(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::from_index(index);
        let mut step = 0;
        while step < steps.len() {
            let (file, rank) = (square.file() as i8 + steps[step].0, square.rank() as i8 + steps[step].1);
            if file & 7 == file && rank & 7 == rank {
                table[index].0 |= 1 << (rank * 8 + file);
            }
            step += 1;
        }
        index += 1;
    }
    table
}

/// For each pair of squares on a common line: the whole line, or what lies between them.
const fn pairs(whole_line: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let from = Square::from_index(a);
        let mut direction = 0;
        while direction < 8 {
            let step = KING_STEPS[direction];
            let ahead = walk(from, step, 0);
            let mut rest = ahead;
            while rest != 0 {
                let b = rest.trailing_zeros() as usize;
                table[a][b] = Bitboard(if whole_line {
                    ahead | walk(from, (-step.0, -step.1), 0) | 1 << a
                } else {
                    walk(from, step, 1 << b) & !(1 << b)
                });
                rest &= rest - 1;
            }
            direction += 1;
        }
        a += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    fn squares(text: &str) -> Bitboard {
        text.split_whitespace()
            .fold(Bitboard::EMPTY, |set, name| set | Bitboard::of(name.parse().unwrap()))
    }

    #[test]
    fn steppers_stay_on_the_board() {
        assert_eq!(king(Square::A1), squares("a2 b1 b2"));
        assert_eq!(knight("b1".parse().unwrap()), squares("a3 c3 d2"));
        assert_eq!(pawn(Color::White, "a2".parse().unwrap()), squares("b3"));
        assert_eq!(pawn(Color::Black, "h5".parse().unwrap()), squares("g4"));
        assert_eq!(pawns(Color::White, squares("a2 h4")), squares("b3 g5"));
    }

    #[test]
    fn between_and_line_follow_ranks_files_and_diagonals() {
        let (b2, e5, b6, c4) = (
            "b2".parse().unwrap(),
            "e5".parse().unwrap(),
            "b6".parse().unwrap(),
            "c4".parse().unwrap(),
        );
        assert_eq!(between(b2, e5), squares("c3 d4"));
        assert_eq!(between(e5, b2), squares("c3 d4"));
        assert_eq!(line(b2, e5), squares("a1 b2 c3 d4 e5 f6 g7 h8"));
        assert_eq!(between(b2, b6), squares("b3 b4 b5"));
        assert_eq!(between(b2, c4), Bitboard::EMPTY);
        assert_eq!(line(b2, c4), Bitboard::EMPTY);
        assert_eq!(rising_diagonal(e5), squares("a1 b2 c3 d4 e5 f6 g7 h8"));
        assert_eq!(falling_diagonal(b2), squares("a3 b2 c1"));
        assert_eq!(rook_rays(Square::A1).count(), 14);
        assert_eq!(bishop_rays(b2), squares("a1 c3 d4 e5 f6 g7 h8 a3 c1"));
    }
}
