//! Passed pawns among pieces: what stops them, what helps them, who is nearer.

use super::attack_map::{AttackMap, distance};
use super::features::*;
use super::sink::Sink;
use crate::{Bitboard, Color, Role, Square, attacks};

/// Features of one side's passed pawns.
pub(super) fn features<S: Sink>(map: &AttackMap, us: Color, passed: Bitboard, sink: &mut S) {
    let board = map.board;
    for square in passed & map.pawns[us] {
        let rank = usize::from(square.relative_rank(us));
        let stop = square.forward(us);
        let path = Bitboard::of(stop) | Bitboard::of(stop).fill_forward(us);
        if map.occupied.contains(stop) {
            sink.add(us, PASSED_BLOCKED.at(rank), 1);
        } else if !map.attacked[!us].contains(stop) {
            sink.add(us, PASSED_SAFE_STEP.at(rank), 1);
            if !path.intersects(map.occupied | map.attacked[!us]) {
                sink.add(us, PASSED_FREE_PATH.at(rank), 1);
            }
        }
        sink.add(us, PASSED_OWN_KING.at(rank), distance(map.kings[us], stop));
        sink.add(us, PASSED_THEIR_KING.at(rank), distance(map.kings[!us], stop));
        let behind = attacks::rook(square, map.occupied) & Bitboard::of(square).fill_forward(!us);
        if behind.intersects(board.pieces(us, Role::Rook)) {
            sink.add(us, ROOK_BEHIND_PASSED.only(), 1);
        } else if behind.intersects(board.pieces(!us, Role::Rook)) {
            sink.add(!us, ROOK_BEHIND_THEIRS.only(), 1);
        }
        if is_unstoppable(map, us, square) {
            sink.add(us, PASSED_UNSTOPPABLE.only(), 1);
        }
    }
}

/// The rule of the square: the other side has only its king and pawns, and its king is too late.
fn is_unstoppable(map: &AttackMap, us: Color, square: Square) -> bool {
    let theirs = map.board.color(!us);
    let path = Bitboard::of(square.forward(us)).fill_forward(us);
    if theirs != map.pawns[!us] | Bitboard::of(map.kings[!us]) || path.intersects(map.occupied) {
        return false;
    }
    let goal = Square::at(square.file(), 7).seen_by(us);
    // From its home a pawn's first step may be two.
    let steps = i32::from((7 - square.relative_rank(us)).min(5));
    let late = i32::from(map.position.turn() == us);
    distance(map.kings[!us], goal) > steps + 1 - late
}
