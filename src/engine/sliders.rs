//! What rooks and bishops attack: one table of all arrangements of blockers, and two ways to find the row in it.
//!
//! Everywhere by a magic multiplication ("fancy" magic bitboards, <https://www.chessprogramming.org/Magic_Bitboards>);
//! where the compiler may count on BMI2, as with `-C target-cpu=native` on most x86 machines, by its `pext` instruction
//! (<https://www.chessprogramming.org/BMI2#PEXTBitboards>). Which one is decided when the program is built, so nothing
//! is asked while it runs; the compiler fills the table.

use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use super::{Bitboard, Square};

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

pub(super) const ROOK_DIRECTIONS: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
pub(super) const BISHOP_DIRECTIONS: [(i8, i8); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

/// Rows that all squares' arrangements of blockers need together: 102,400 for rooks and 5,248 for bishops.
const ROWS: usize = 102_400 + 5_248;
static ROOK: [Slider; 64] = sliders(&ROOK_MAGICS, &ROOK_DIRECTIONS, 0);
static BISHOP: [Slider; 64] = sliders(&BISHOP_MAGICS, &BISHOP_DIRECTIONS, 102_400);
// A hundred thousand rows are more than the compiler expects to compute; it takes about a second.
#[allow(long_running_const_eval)]
static SLIDING: [Bitboard; ROWS] = sliding_attacks(COMPILED);

/// How a row of the table is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Indexing {
    Magic,
    Pext,
}

/// What this program was built with.
const COMPILED: Indexing = if cfg!(all(target_arch = "x86_64", target_feature = "bmi2")) {
    Indexing::Pext
} else {
    Indexing::Magic
};

/// Where a slider's attacks from one square are found.
#[derive(Clone, Copy)]
struct Slider {
    /// Squares on which a blocker matters.
    mask: u64,
    multiplier: u64,
    shift: u32,
    first_row: u32,
}

impl Slider {
    #[inline(always)]
    fn row(&self, occupied: Bitboard) -> usize {
        #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
        {
            self.first_row as usize + pext(occupied.0, self.mask) as usize
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
        {
            self.magic_row(occupied.0)
        }
    }

    #[inline(always)]
    const fn magic_row(&self, occupied: u64) -> usize {
        self.first_row as usize + ((occupied & self.mask).wrapping_mul(self.multiplier) >> self.shift) as usize
    }
}

/// The bits of `value` that `mask` selects, side by side.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(always)]
fn pext(value: u64, mask: u64) -> u64 {
    // SAFETY: only compiled where the target has BMI2. Measured gain: see benches/movegen.rs with target-cpu=native.
    unsafe { std::arch::x86_64::_pext_u64(value, mask) }
}

const fn sliders(multipliers: &[u64; 64], directions: &[(i8, i8); 4], first_row: u32) -> [Slider; 64] {
    let mut table = [Slider {
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
        table[index] = Slider {
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

const fn sliding_attacks(indexing: Indexing) -> [Bitboard; ROWS] {
    let mut table = [Bitboard::EMPTY; ROWS];
    let mut index = 0;
    while index < 64 {
        let square = Square::from_index(index);
        fill_rows(&mut table, indexing, &ROOK[index], square, &ROOK_DIRECTIONS);
        fill_rows(&mut table, indexing, &BISHOP[index], square, &BISHOP_DIRECTIONS);
        index += 1;
    }
    table
}

/// Enumerates the subsets of a blocker mask with the carry-rippler trick, which goes through them in the order of what
/// `pext` makes of them.
const fn fill_rows(
    table: &mut [Bitboard; ROWS],
    indexing: Indexing,
    slider: &Slider,
    square: Square,
    directions: &[(i8, i8); 4],
) {
    let mut blockers = 0u64;
    let mut number = 0;
    loop {
        let attacks = slide(square, directions, blockers);
        let row = match indexing {
            Indexing::Magic => slider.magic_row(blockers),
            Indexing::Pext => slider.first_row as usize + number,
        };
        assert!(
            table[row].is_empty() || table[row].0 == attacks,
            "two different attacks share a row: a wrong magic"
        );
        table[row] = Bitboard(attacks);
        blockers = blockers.wrapping_sub(slider.mask) & slider.mask;
        number += 1;
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

/// The squares in one direction, up to and including the first blocker.
pub(super) const fn walk(square: Square, step: (i8, i8), blockers: u64) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Both tables, whichever the program was built with.
    #[allow(long_running_const_eval)]
    static BY_MAGIC: [Bitboard; ROWS] = sliding_attacks(Indexing::Magic);
    #[allow(long_running_const_eval)]
    static BY_PEXT: [Bitboard; ROWS] = sliding_attacks(Indexing::Pext);

    /// What the instruction does, bit by bit.
    fn portable_pext(value: u64, mut mask: u64) -> u64 {
        let (mut result, mut place) = (0, 0);
        while mask != 0 {
            result |= (value >> mask.trailing_zeros() & 1) << place;
            place += 1;
            mask &= mask - 1;
        }
        result
    }

    fn by_pext(slider: &Slider, occupied: u64) -> Bitboard {
        BY_PEXT[slider.first_row as usize + portable_pext(occupied, slider.mask) as usize]
    }

    proptest! {
        #[test]
        fn sliders_stop_at_the_first_blocker(index in 0usize..64, occupied: u64) {
            let square = Square::from_index(index);
            let walked = (
                Bitboard(slide(square, &ROOK_DIRECTIONS, occupied)),
                Bitboard(slide(square, &BISHOP_DIRECTIONS, occupied)),
            );
            let (rooks, bishops) = (&ROOK[index], &BISHOP[index]);
            prop_assert_eq!((rook(square, Bitboard(occupied)), bishop(square, Bitboard(occupied))), walked);
            prop_assert_eq!((BY_MAGIC[rooks.magic_row(occupied)], BY_MAGIC[bishops.magic_row(occupied)]), walked);
            prop_assert_eq!((by_pext(rooks, occupied), by_pext(bishops, occupied)), walked);
        }

        #[cfg(target_arch = "x86_64")]
        #[test]
        fn the_instruction_selects_the_same_bits(value: u64, mask: u64) {
            if is_x86_feature_detected!("bmi2") {
                // SAFETY: the processor has just said that it has BMI2.
                let selected = unsafe { std::arch::x86_64::_pext_u64(value, mask) };
                prop_assert_eq!(selected, portable_pext(value, mask));
            }
        }
    }
}
