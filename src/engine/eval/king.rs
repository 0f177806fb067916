//! The safety of kings: pawns before them, pawns against them, and officers that look at the squares around them.
//!
//! An attack by several is worth more than the sum of its parts. So what is seen around a king is counted in units of
//! danger, and the units' number and its square are features; after Glen Pepicelli's and Stockfish's king danger
//! (<https://www.chessprogramming.org/King_Safety>).

use super::attack_map::AttackMap;
use super::features::*;
use super::sink::Sink;
use crate::{Bitboard, Board, Color, Role, Square, attacks};

/// Units of a knight, bishop, rook, queen that attacks the king's zone.
pub(super) const ATTACKER_UNITS: [i32; 4] = [7, 6, 6, 8];
/// Of each attacked square of the zone.
const HIT_UNITS: i32 = 4;
/// Of each attacked square of the zone that only king or queen defend.
const WEAK_UNITS: i32 = 8;
/// Of a knight, bishop, rook, queen that has a safe check.
const CHECK_UNITS: [i32; 4] = [12, 8, 14, 12];
/// Without a queen there is less danger.
const NO_QUEEN_UNITS: i32 = 20;
/// More than this is mate anyway.
const MOST_UNITS: i32 = 160;

/// Features of one side's king among the pawns of both sides; they depend on nothing else.
pub(super) fn shelter<S: Sink>(board: &Board, us: Color, king: Square, sink: &mut S) {
    let (our_pawns, their_pawns) = (board.pieces(us, Role::Pawn), board.pieces(!us, Role::Pawn));
    // Of pawns, those beside the king or before it; what can be taken is no shelter.
    let before = Bitboard::rank(king.rank()).fill_forward(us);
    let (ours, theirs) = (
        our_pawns & before & !attacks::pawns(!us, their_pawns),
        their_pawns & before,
    );
    let middle = king.file().clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let column = Bitboard::file(file);
        let own = nearest_rank(ours & column, us);
        let group = if file == king.file() {
            &SHELTER_KING_FILE
        } else {
            &SHELTER_NEXT_FILE
        };
        sink.add(us, group.at(own), 1);
        let other = nearest_rank(theirs & column, us);
        let blocked = own > 0 && other == own + 1;
        sink.add(us, if blocked { STORM_BLOCKED } else { STORM }.at(other), 1);
    }
    if let Some(steps) = steps_to_nearest(king, our_pawns | their_pawns) {
        sink.add(us, KING_PAWN_DISTANCE.only(), steps);
    }
}

/// Steps of a king to the nearest of these squares.
fn steps_to_nearest(king: Square, squares: Bitboard) -> Option<i32> {
    if squares.is_empty() {
        return None;
    }
    let (mut near, mut steps) = (Bitboard::of(king), 0);
    while !near.intersects(squares) {
        near |= near.east() | near.west();
        near |= near.forward(Color::White) | near.forward(Color::Black);
        steps += 1;
    }
    Some(steps)
}

/// The rank of the rearmost of these pawns as a side counts; 0 for none, since no pawn stands there.
fn nearest_rank(pawns: Bitboard, us: Color) -> usize {
    if pawns.is_empty() {
        return 0;
    }
    match us {
        Color::White => (pawns.0.trailing_zeros() / 8) as usize,
        Color::Black => (pawns.0.leading_zeros() / 8) as usize,
    }
}

/// Features of one side's attack on the other king.
pub(super) fn assault<S: Sink>(map: &AttackMap, us: Color, sink: &mut S) {
    let them = !us;
    let (king, assault) = (map.kings[them], map.assault[us]);
    let ours = map.attacked[us];
    let weak =
        ours & !map.attacked_twice[them] & (!map.attacked[them] | map.by(them, Role::King) | map.by(them, Role::Queen));
    let safe = !map.board.color(us) & (!map.attacked[them] | weak & map.attacked_twice[us]);
    // A queen in the way would take part.
    let occupied = map.occupied & !map.board.pieces(them, Role::Queen);
    let (diagonals, lines) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
    let ways = [attacks::knight(king), diagonals, lines, diagonals | lines];
    let mut units = assault.units + HIT_UNITS * assault.hits;
    units += WEAK_UNITS * (map.king_zone[them] & weak).count() as i32;
    for (index, role) in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .into_iter()
        .enumerate()
    {
        if (map.by(us, role) & ways[index] & safe).any() {
            sink.add(us, SAFE_CHECK.at(index), 1);
            units += CHECK_UNITS[index];
        }
    }
    let no_queen = map.board.pieces(us, Role::Queen).is_empty();
    if no_queen {
        units -= NO_QUEEN_UNITS;
    }
    // One piece alone is no attack, unless it is a queen.
    if assault.attackers < 2 && no_queen {
        return;
    }
    let units = units.clamp(0, MOST_UNITS);
    sink.add(us, KING_DANGER.at(0), units / 8);
    sink.add(us, KING_DANGER.at(1), units * units / 256);
}

#[cfg(test)]
mod tests {
    use super::super::attack_map::distance;
    use super::*;

    #[test]
    fn the_nearest_pawn_is_as_far_as_the_nearest_distance() {
        let mut pattern = 0x0123_4567_89ab_cdef_u64;
        for king in Square::all() {
            pattern = pattern.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            // Few pawns, so that some are far.
            let pawns = Bitboard(pattern & pattern.rotate_left(17) & pattern.rotate_left(31) & pattern.rotate_left(47));
            let nearest = pawns.map(|pawn| distance(pawn, king)).min();
            assert_eq!(steps_to_nearest(king, pawns), nearest, "{king} {pawns:?}");
        }
    }
}
