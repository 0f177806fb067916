//! Which squares a piece attacks: tables for those that step, magic bitboards for those that slide.
//!
//! All tables are computed by the compiler.

use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
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

/// Squares a bishop attacks when `occupied` squares block it; the first blocker is attacked too.
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    SLIDING[BISHOP[square.index()].row(occupied)]
}

/// Squares a rook attacks when `occupied` squares block it; the first blocker is attacked too.
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    SLIDING[ROOK[square.index()].row(occupied)]
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

const ROOK_DIRECTIONS: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const BISHOP_DIRECTIONS: [(i8, i8); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
const PAWN_STEPS: [[(i8, i8); 2]; 2] = [[(-1, 1), (1, 1)], [(-1, -1), (1, -1)]];

static KING: [Bitboard; 64] = steps(&KING_STEPS);
static KNIGHT: [Bitboard; 64] = steps(&KNIGHT_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [steps(&PAWN_STEPS[0]), steps(&PAWN_STEPS[1])];
static BETWEEN: [[Bitboard; 64]; 64] = pairs(false);
static LINE: [[Bitboard; 64]; 64] = pairs(true);

/// Rows that all squares' arrangements of blockers need together: 102,400 for rooks and 5,248 for bishops.
const ROWS: usize = 102_400 + 5_248;
static ROOK: [Magic; 64] = magics(&ROOK_MAGICS, &ROOK_DIRECTIONS, 0);
static BISHOP: [Magic; 64] = magics(&BISHOP_MAGICS, &BISHOP_DIRECTIONS, 102_400);
// A hundred thousand rows are more than the compiler expects to compute; it takes about a second.
#[allow(long_running_const_eval)]
static SLIDING: [Bitboard; ROWS] = sliding_attacks();

/// Where a slider's attacks from one square are found.
#[derive(Clone, Copy)]
struct Magic {
    /// Squares on which a blocker matters.
    mask: u64,
    multiplier: u64,
    shift: u32,
    first_row: usize,
}

impl Magic {
    #[inline(always)]
    const fn row(&self, occupied: Bitboard) -> usize {
        self.first_row + ((occupied.0 & self.mask).wrapping_mul(self.multiplier) >> self.shift) as usize
    }
}

const fn magics(multipliers: &[u64; 64], directions: &[(i8, i8); 4], first_row: usize) -> [Magic; 64] {
    let mut table = [Magic {
        mask: 0,
        multiplier: 0,
        shift: 0,
        first_row: 0,
    }; 64];
    let mut first_row = first_row;
    let mut index = 0;
    while index < 64 {
        let mask = blocker_mask(Square::from_index(index), directions);
        let bits = mask.count_ones();
        table[index] = Magic {
            mask,
            multiplier: multipliers[index],
            shift: 64 - bits,
            first_row,
        };
        first_row += 1 << bits;
        index += 1;
    }
    table
}

const fn sliding_attacks() -> [Bitboard; ROWS] {
    let mut table = [Bitboard::EMPTY; ROWS];
    let mut index = 0;
    while index < 64 {
        fill_rows(&mut table, &ROOK[index], Square::from_index(index), &ROOK_DIRECTIONS);
        fill_rows(
            &mut table,
            &BISHOP[index],
            Square::from_index(index),
            &BISHOP_DIRECTIONS,
        );
        index += 1;
    }
    table
}

/// Enumerates the subsets of a blocker mask with the carry-rippler trick.
const fn fill_rows(table: &mut [Bitboard; ROWS], magic: &Magic, square: Square, directions: &[(i8, i8); 4]) {
    let mut blockers = 0u64;
    loop {
        let attacks = slide(square, directions, blockers);
        let row = magic.row(Bitboard(blockers));
        assert!(
            table[row].is_empty() || table[row].0 == attacks,
            "two different attacks share a row: a wrong magic"
        );
        table[row] = Bitboard(attacks);
        blockers = blockers.wrapping_sub(magic.mask) & magic.mask;
        if blockers == 0 {
            return;
        }
    }
}

/// Walks square by square, up to and including the first blocker in each direction.
const fn slide(square: Square, directions: &[(i8, i8); 4], blockers: u64) -> u64 {
    let mut attacks = 0;
    let mut direction = 0;
    while direction < 4 {
        attacks |= walk(square, directions[direction], blockers);
        direction += 1;
    }
    attacks
}

const fn walk(square: Square, step: (i8, i8), blockers: u64) -> u64 {
    let mut reached = 0;
    let (mut file, mut rank) = (square.file() as i8 + step.0, square.rank() as i8 + step.1);
    while file & 7 == file && rank & 7 == rank {
        let bit = 1 << (rank * 8 + file);
        reached |= bit;
        if blockers & bit != 0 {
            break;
        }
        file += step.0;
        rank += step.1;
    }
    reached
}

/// A blocker on a ray's last square changes nothing, so it is not in the mask.
const fn blocker_mask(square: Square, directions: &[(i8, i8); 4]) -> u64 {
    let mut mask = 0;
    let mut direction = 0;
    while direction < 4 {
        let (file, rank) = directions[direction];
        let ray = walk(square, directions[direction], 0);
        // The ray's squares that are still on it after one more step.
        let mut rest = ray;
        while rest != 0 {
            let index = rest.trailing_zeros() as usize;
            let on = Square::from_index(index);
            let (next_file, next_rank) = (on.file() as i8 + file, on.rank() as i8 + rank);
            if next_file & 7 == next_file && next_rank & 7 == next_rank {
                mask |= 1 << index;
            }
            rest &= rest - 1;
        }
        direction += 1;
    }
    mask
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
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sliders_stop_at_the_first_blocker(index in 0usize..64, occupied: u64) {
            let square = Square::from_index(index);
            let magic = (rook(square, Bitboard(occupied)), bishop(square, Bitboard(occupied)));
            prop_assert_eq!(magic.0, Bitboard(slide(square, &ROOK_DIRECTIONS, occupied)));
            prop_assert_eq!(magic.1, Bitboard(slide(square, &BISHOP_DIRECTIONS, occupied)));
        }
    }

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
    }
}
