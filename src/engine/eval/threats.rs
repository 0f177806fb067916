//! Threats, and control of the board: what stands attacked, and which squares are whose.

use super::features::*;
use super::sink::Sink;
use super::view::View;
use crate::{Bitboard, Color, Role};

/// c3 to f6.
const CENTRE: Bitboard = Bitboard(0x0000_3c3c_3c3c_0000);
/// The c- to the f-file.
const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);

/// Roles in the order of the features that have one for each.
const VICTIMS: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// What one side threatens.
pub(super) fn features<S: Sink>(view: &View, us: Color, sink: &mut S) {
    let them = !us;
    let board = view.board;
    let theirs = board.color(them) & !board.role(Role::King);
    let officers = theirs & !view.pawns[them];
    // Well defended: by a pawn, or more often than attacked.
    let strong = view.by(them, Role::Pawn) | view.attacked_twice[them] & !view.attacked_twice[us];
    let weak = theirs & !strong & view.attacked[us];
    let count = |sink: &mut S, group: &Group, victims: Bitboard, first: usize| {
        for (index, role) in VICTIMS[first..].iter().enumerate() {
            let number = (victims & board.role(*role)).count() as i32;
            if number > 0 {
                sink.add(us, group.at(index), number);
            }
        }
    };
    count(sink, &THREAT_BY_PAWN, view.by(us, Role::Pawn) & officers, 1);
    let by_minors = view.by(us, Role::Knight) | view.by(us, Role::Bishop);
    count(sink, &THREAT_BY_MINOR, by_minors & (officers | weak), 0);
    let queens = board.pieces(them, Role::Queen);
    count(sink, &THREAT_BY_ROOK, view.by(us, Role::Rook) & (weak | queens), 0);
    sink.add(
        us,
        THREAT_BY_KING.only(),
        i32::from((view.by(us, Role::King) & weak).any()),
    );
    sink.add(us, HANGING.only(), (weak & !view.attacked[them]).count() as i32);

    let empty = !view.occupied;
    let step = view.pawns[us].forward(us) & empty;
    let pushes = step | (step & Bitboard::relative_rank(2, us)).forward(us) & empty;
    let safe_pushes = pushes & !view.by(them, Role::Pawn) & (view.attacked[us] | !view.attacked[them]);
    let threatened = crate::attacks::pawns(us, safe_pushes) & officers;
    sink.add(us, THREAT_BY_PUSH.only(), threatened.count() as i32);
    sink.add(
        us,
        RESTRICTED.only(),
        (view.attacked[them] & !strong & view.attacked[us]).count() as i32,
    );
}

/// Which squares only one side controls, and its room behind its pawns.
pub(super) fn control<S: Sink>(view: &View, us: Color, sink: &mut S) {
    let ours = view.attacked[us] & !view.attacked[!us] & !view.by(!us, Role::Pawn);
    let their_half = match us {
        Color::White => Bitboard(0xffff_ffff_0000_0000),
        Color::Black => Bitboard(0x0000_0000_ffff_ffff),
    };
    sink.add(us, CONTROL.at(0), (ours & their_half).count() as i32);
    sink.add(us, CONTROL.at(1), (ours & CENTRE).count() as i32);
    let home = Bitboard::relative_rank(1, us) | Bitboard::relative_rank(2, us) | Bitboard::relative_rank(3, us);
    let room = home & CENTRE_FILES & !view.pawns[us] & !view.by(!us, Role::Pawn);
    sink.add(us, SPACE.only(), room.count() as i32);
}
