//! Zobrist keys: a position's 64-bit name, the exclusive or of one random number for each thing that is so.
//!
//! Equal positions in DESIGN's sense (placement, turn, castling rights, en passant where a legal capture exists) have
//! equal keys.

use super::{CastlingRights, Color, Role, Square};

struct Keys {
    pieces: [[[u64; 64]; 6]; 2],
    castling: [u64; 16],
    en_passant_file: [u64; 8],
    black_to_move: u64,
}

static KEYS: Keys = keys();

/// A piece stands on a square.
#[inline(always)]
pub(super) fn piece(color: Color, role: Role, square: Square) -> u64 {
    KEYS.pieces[color as usize][role as usize][square.index()]
}

/// These castling rights are left.
#[inline(always)]
pub(super) fn castling(rights: CastlingRights) -> u64 {
    KEYS.castling[rights.bits()]
}

/// There is a legal en passant capture on this square's file.
#[inline(always)]
pub(super) fn en_passant(square: Square) -> u64 {
    KEYS.en_passant_file[usize::from(square.file())]
}

/// It is Black's turn.
#[inline(always)]
pub(super) fn black_to_move() -> u64 {
    KEYS.black_to_move
}

const fn keys() -> Keys {
    let mut random = SplitMix64(0x0054_6f72_7265_7379);
    let mut keys = Keys {
        pieces: [[[0; 64]; 6]; 2],
        castling: [0; 16],
        en_passant_file: [0; 8],
        black_to_move: random.next(),
    };
    let mut number = 0;
    while number < 2 * 6 * 64 {
        keys.pieces[number / (6 * 64)][number / 64 % 6][number % 64] = random.next();
        number += 1;
    }
    let mut rights = 0;
    while rights < 16 {
        keys.castling[rights] = random.next();
        rights += 1;
    }
    let mut file = 0;
    while file < 8 {
        keys.en_passant_file[file] = random.next();
        file += 1;
    }
    keys
}

/// Sebastiano Vigna's generator (<https://prng.di.unimi.it/splitmix64.c>).
struct SplitMix64(u64);

impl SplitMix64 {
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
