//! Threats, and control of the board: what stands attacked, and which squares are whose.

use super::attack_map::AttackMap;
use super::features::*;
use super::sink::Sink;
use crate::{Bitboard, Color, Role};

/// c3 to f6.
const CENTRE: Bitboard = Bitboard(0x0000_3c3c_3c3c_0000);
/// The c- to the f-file.
const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);

/// Roles in the order of the features that have one for each.
const VICTIMS: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// What one side threatens.
pub(super) fn features<S: Sink>(map: &AttackMap, us: Color, sink: &mut S) {
    let them = !us;
    let board = map.board;
    let theirs = board.color(them) & !board.role(Role::King);
    let officers = theirs & !map.pawns[them];
    // Well defended: by a pawn, or more often than attacked.
    let strong = map.by(them, Role::Pawn) | map.attacked_twice[them] & !map.attacked_twice[us];
    let weak = theirs & !strong & map.attacked[us];
    let count = |sink: &mut S, group: &Group, victims: Bitboard, first: usize| {
        for (index, role) in VICTIMS[first..].iter().enumerate() {
            let number = (victims & board.role(*role)).count() as i32;
            if number > 0 {
                sink.add(us, group.at(index), number);
            }
        }
    };
    count(sink, &THREAT_BY_PAWN, map.by(us, Role::Pawn) & officers, 1);
    let by_minors = map.by(us, Role::Knight) | map.by(us, Role::Bishop);
    count(sink, &THREAT_BY_MINOR, by_minors & (officers | weak), 0);
    let queens = board.pieces(them, Role::Queen);
    count(sink, &THREAT_BY_ROOK, map.by(us, Role::Rook) & (weak | queens), 0);
    sink.add(
        us,
        THREAT_BY_KING.only(),
        i32::from((map.by(us, Role::King) & weak).any()),
    );
    sink.add(us, HANGING.only(), (weak & !map.attacked[them]).count() as i32);

    let empty = !map.occupied;
    let step = map.pawns[us].forward(us) & empty;
    let pushes = step | (step & Bitboard::relative_rank(2, us)).forward(us) & empty;
    let safe_pushes = pushes & !map.by(them, Role::Pawn) & (map.attacked[us] | !map.attacked[them]);
    let threatened = crate::attacks::pawns(us, safe_pushes) & officers;
    sink.add(us, THREAT_BY_PUSH.only(), threatened.count() as i32);
    sink.add(
        us,
        RESTRICTED.only(),
        (map.attacked[them] & !strong & map.attacked[us]).count() as i32,
    );
}

/// Which squares only one side controls, and its room behind its pawns.
pub(super) fn control<S: Sink>(map: &AttackMap, us: Color, sink: &mut S) {
    let ours = map.attacked[us] & !map.attacked[!us] & !map.by(!us, Role::Pawn);
    let their_half = match us {
        Color::White => Bitboard(0xffff_ffff_0000_0000),
        Color::Black => Bitboard(0x0000_0000_ffff_ffff),
    };
    sink.add(us, CONTROL.at(0), (ours & their_half).count() as i32);
    sink.add(us, CONTROL.at(1), (ours & CENTRE).count() as i32);
    let home = Bitboard::relative_rank(1, us) | Bitboard::relative_rank(2, us) | Bitboard::relative_rank(3, us);
    let room = home & CENTRE_FILES & !map.pawns[us] & !map.by(!us, Role::Pawn);
    sink.add(us, SPACE.only(), room.count() as i32);
}
