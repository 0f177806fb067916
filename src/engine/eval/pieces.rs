//! Knights, bishops, rooks and queens: where they can go and how they stand.

use super::attack_map::{AttackMap, distance};
use super::features::*;
use super::king::ATTACKER_UNITS;
use super::sink::Sink;
use crate::{Bitboard, Color, Role, Square, attacks};

/// Ranks four to six, where a piece is near the other side's camp.
const OUTPOST_RANKS: Bitboard = Bitboard(0x0000_ffff_ff00_0000);
/// d4, e4, d5, e5.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Officers in the order of the features that have one for each.
const OFFICERS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Features of one side's officers; notes what they attack.
pub(super) fn features<S: Sink>(map: &mut AttackMap, us: Color, sink: &mut S) {
    let board = map.board;
    let (our_pawns, their_pawns) = (map.pawns[us], map.pawns[!us]);
    // Not onto the king, pawns that cannot move or have not moved, nor where a pawn takes.
    let stuck = our_pawns & (map.occupied.forward(!us) | Bitboard::relative_rank(1, us));
    let useful = !(stuck | Bitboard::of(map.kings[us]) | map.by(!us, Role::Pawn));
    // Squares that no pawn of theirs can ever attack.
    let their_span = attacks::pawns(!us, their_pawns | their_pawns.fill_forward(!us));
    let outposts = outpost_ranks(us) & map.by(us, Role::Pawn) & !their_span;
    let pawns = our_pawns.count() as i32;

    for (index, role) in OFFICERS.into_iter().enumerate() {
        for square in board.pieces(us, role) {
            let reach = reach(map, us, role, square);
            map.note(us, role, reach);
            let hits = reach & map.king_zone[!us];
            if hits.any() {
                let assault = &mut map.assault[us];
                assault.attackers += 1;
                assault.units += ATTACKER_UNITS[index];
                assault.hits += hits.count() as i32;
            }
            let moves = (reach & useful).count() as usize;
            sink.add(us, mobility(role).at(moves), 1);
            sink.add(us, TROPISM.at(index), 7 - distance(square, map.kings[!us]));
            match role {
                Role::Knight => knight(map, us, square, reach, outposts, sink),
                Role::Bishop => bishop(map, us, square, outposts, sink),
                Role::Rook => rook(map, us, square, moves, sink),
                _ => {}
            }
        }
    }
    if board.pieces(us, Role::Bishop).many() {
        sink.add(us, BISHOP_PAIR.only(), 1);
    }
    sink.add(
        us,
        KNIGHT_PER_PAWN.only(),
        board.pieces(us, Role::Knight).count() as i32 * (pawns - 5),
    );
    sink.add(
        us,
        ROOK_PER_PAWN.only(),
        board.pieces(us, Role::Rook).count() as i32 * (pawns - 5),
    );
    development(map, us, sink);
}

#[inline(always)]
fn outpost_ranks(us: Color) -> Bitboard {
    match us {
        Color::White => OUTPOST_RANKS,
        Color::Black => Bitboard(OUTPOST_RANKS.0.swap_bytes()),
    }
}

/// What a piece attacks; sliders look through own pieces that move alike.
#[inline(always)]
fn reach(map: &AttackMap, us: Color, role: Role, square: Square) -> Bitboard {
    let queens = map.board.pieces(us, Role::Queen);
    let through = match role {
        Role::Bishop => queens,
        Role::Rook => queens | map.board.pieces(us, Role::Rook),
        _ => Bitboard::EMPTY,
    };
    attacks::piece(role, square, map.occupied & !through)
}

#[inline(always)]
fn mobility(role: Role) -> &'static Group {
    match role {
        Role::Knight => &KNIGHT_MOBILITY,
        Role::Bishop => &BISHOP_MOBILITY,
        Role::Rook => &ROOK_MOBILITY,
        _ => &QUEEN_MOBILITY,
    }
}

fn knight<S: Sink>(map: &AttackMap, us: Color, square: Square, reach: Bitboard, outposts: Bitboard, sink: &mut S) {
    if outposts.contains(square) {
        sink.add(us, OUTPOST.at(0), 1);
    } else if reach.intersects(outposts & !map.board.color(us)) {
        sink.add(us, OUTPOST_NEAR.only(), 1);
    }
    behind_pawn(map, us, square, sink);
}

fn bishop<S: Sink>(map: &AttackMap, us: Color, square: Square, outposts: Bitboard, sink: &mut S) {
    if outposts.contains(square) {
        sink.add(us, OUTPOST.at(1), 1);
    }
    behind_pawn(map, us, square, sink);
    let colour = if Bitboard::DARK.contains(square) {
        Bitboard::DARK
    } else {
        !Bitboard::DARK
    };
    sink.add(us, BISHOP_PAWNS.only(), (map.pawns[us] & colour).count() as i32);
    let pawns = map.pawns[us] | map.pawns[!us];
    if (attacks::bishop(square, pawns) & CENTRE).many() {
        sink.add(us, BISHOP_LONG_DIAGONAL.only(), 1);
    }
}

fn behind_pawn<S: Sink>(map: &AttackMap, us: Color, square: Square, sink: &mut S) {
    if (map.pawns[us] | map.pawns[!us]).intersects(Bitboard::of(square).forward(us)) {
        sink.add(us, MINOR_BEHIND_PAWN.only(), 1);
    }
}

/// A rook with no more squares than this may be trapped.
const FEW_MOVES: usize = 3;

fn rook<S: Sink>(map: &AttackMap, us: Color, square: Square, moves: usize, sink: &mut S) {
    let file = Bitboard::file(square.file());
    let (our_pawns, their_pawns) = (map.pawns[us], map.pawns[!us]);
    if !our_pawns.intersects(file) {
        sink.add(us, ROOK_FILE.at(usize::from(their_pawns.intersects(file))), 1);
    } else if moves <= FEW_MOVES {
        let king = map.kings[us];
        let same_wing = (king.file() < 4) == (square.file() < king.file());
        if king.relative_rank(us) == 0 && square.relative_rank(us) == 0 && same_wing {
            sink.add(us, ROOK_TRAPPED.only(), 1);
        }
    }
    let seventh = Bitboard::relative_rank(6, us);
    if seventh.contains(square) && (map.kings[!us].relative_rank(us) == 7 || their_pawns.intersects(seventh)) {
        sink.add(us, ROOK_SEVENTH.only(), 1);
    }
}

/// Where knights and bishops begin, as White sees the board: b1, c1, f1, g1.
const MINOR_HOMES: [(u8, Role); 4] = [
    (1, Role::Knight),
    (2, Role::Bishop),
    (5, Role::Bishop),
    (6, Role::Knight),
];

fn development<S: Sink>(map: &AttackMap, us: Color, sink: &mut S) {
    let at_home = |(file, role): &(u8, Role)| map.board.pieces(us, *role).contains(Square::at(*file, 0).seen_by(us));
    let undeveloped = MINOR_HOMES.iter().filter(|home| at_home(home)).count() as i32;
    sink.add(us, UNDEVELOPED.only(), undeveloped);
    let queens = map.board.pieces(us, Role::Queen);
    if queens.any() && !queens.contains(Square::at(3, 0).seen_by(us)) {
        sink.add(us, QUEEN_EARLY.only(), undeveloped);
    }
}
