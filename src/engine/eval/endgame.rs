//! What is left of the game, what of an advantage can be made to count, draws that are known, and how to mate a bare
//! king.

use super::attack_map::distance;
use crate::value::Value;
use crate::{Bitboard, Board, Color, Position, Role, Square};

/// All officers on the board; a knight or bishop counts 1, a rook 2, a queen 4.
pub(super) const FULL_PHASE: i32 = 24;

/// An endgame advantage counts in full.
pub(super) const FULL_SCALE: i32 = 64;
/// The advantage of a side without pawns, and with pawns; more pawns make it surer.
const PAWNLESS_SCALE: i32 = 10;
const PAWN_SCALE: (i32, i32) = (42, 6);
/// Only bishops of opposite colours beside the pawns, and for each passed pawn; with other pieces too.
const OPPOSITE_BISHOPS_SCALE: (i32, i32) = (20, 6);
const OPPOSITE_BISHOPS_AND_MORE_SCALE: i32 = 50;

/// How much of the middlegame is left, from [`FULL_PHASE`] to 0.
pub(super) fn phase(board: &Board) -> i32 {
    let count = |role| board.role(role).count() as i32;
    let phase = count(Role::Knight) + count(Role::Bishop) + 2 * count(Role::Rook) + 4 * count(Role::Queen);
    phase.min(FULL_PHASE)
}

/// How much of a side's endgame advantage can be made to count, in parts of [`FULL_SCALE`].
pub(super) fn scale(board: &Board, strong: Color, passed: Bitboard) -> i32 {
    if let Some(scale) = drawish_scale(board, strong) {
        return scale;
    }
    let pawns = board.pieces(strong, Role::Pawn);
    if pawns.is_empty() {
        return FULL_SCALE;
    }
    if are_opposite_bishops(board) {
        let both = board.role(Role::Knight) | board.role(Role::Rook) | board.role(Role::Queen);
        if both.any() {
            return OPPOSITE_BISHOPS_AND_MORE_SCALE;
        }
        let (base, each) = OPPOSITE_BISHOPS_SCALE;
        return base + each * (passed & pawns).count() as i32;
    }
    let (base, each) = PAWN_SCALE;
    (base + each * pawns.count() as i32).min(FULL_SCALE)
}

/// The same where material alone says that little or nothing can be won: no pawns, or only rook pawns with the wrong
/// bishop.
pub(super) fn drawish_scale(board: &Board, strong: Color) -> Option<i32> {
    let pawns = board.pieces(strong, Role::Pawn);
    if pawns.any() {
        return is_wrong_rook_pawn(board, strong, pawns).then_some(0);
    }
    // Without pawns, less than a rook more wins nothing, nor do two knights.
    let ours = officers(board, strong);
    if ours < 5 || only_knights(board, strong) && board.pieces(!strong, Role::Pawn).is_empty() {
        return Some(0);
    }
    (ours - officers(board, !strong) < 4).then_some(PAWNLESS_SCALE)
}

/// A side's officers in pawns, as they are counted in exchanges.
fn officers(board: &Board, color: Color) -> i32 {
    let value = |role, each| board.pieces(color, role).count() as i32 * each;
    value(Role::Knight, 3) + value(Role::Bishop, 3) + value(Role::Rook, 5) + value(Role::Queen, 9)
}

/// Whether a side has nothing but two knights: they cannot force mate.
fn only_knights(board: &Board, color: Color) -> bool {
    let knights = board.pieces(color, Role::Knight);
    knights.count() <= 2 && board.color(color).count() == knights.count() + 1
}

fn are_opposite_bishops(board: &Board) -> bool {
    let bishops = board.role(Role::Bishop);
    let one_each = Color::ALL
        .iter()
        .all(|&color| (bishops & board.color(color)).count() == 1);
    one_each && (bishops & Bitboard::DARK).count() == 1
}

/// Pawns on one rook's file only, perhaps with a bishop that does not control their goal, and the other king there.
fn is_wrong_rook_pawn(board: &Board, strong: Color, pawns: Bitboard) -> bool {
    let file = if (pawns & !Bitboard::FILE_A).is_empty() {
        0
    } else if (pawns & !Bitboard::FILE_H).is_empty() {
        7
    } else {
        return false;
    };
    let goal = Square::at(file, 7).seen_by(strong);
    let bishops = board.pieces(strong, Role::Bishop);
    let king = Bitboard(board.pieces(strong, Role::King).0);
    let goal_colour = if Bitboard::DARK.contains(goal) {
        Bitboard::DARK
    } else {
        !Bitboard::DARK
    };
    board.color(strong) == pawns | bishops | king
        && !bishops.intersects(goal_colour)
        && board.pieces(!strong, Role::King).all_within_one(goal)
}

impl Bitboard {
    /// Whether every square is on or beside this one.
    fn all_within_one(mut self, square: Square) -> bool {
        self.all(|own| distance(own, square) <= 1)
    }
}

/// Beyond its pieces a win against a bare king is worth so much, so that it is gone for.
const KNOWN_WIN: Value = 800;
/// A pawn's worth of the winner's pieces.
const PIECES: Value = 100;
/// Each step of the bare king from the centre, or towards the corner where it can be mated. It outweighs all steps of
/// other men to it: with 20, 10 and nothing for knights, bishop and knight let three of 60 kings go in searches of
/// 20,000 nodes a move; now none of 299.
const DRIVE: Value = 80;
/// Each step of the other king to the bare one, and of a knight.
const APPROACH: Value = 20;
const KNIGHT_APPROACH: Value = 10;

/// The value of a position in which a bare king can be mated without the help of a pawn; `None` elsewhere. White's
/// view.
///
/// Where pieces stand best in general is no guide here: all that counts is to drive the king to where it can be mated.
pub(super) fn mate_bare_king(position: &Position) -> Option<Value> {
    let board = position.board();
    let strong = Color::ALL.into_iter().find(|&color| !board.color(!color).many())?;
    let pieces = |role| board.pieces(strong, role);
    let bishops = pieces(Role::Bishop);
    let both_colours = bishops.intersects(Bitboard::DARK) && bishops.intersects(!Bitboard::DARK);
    let bishop_and_knight = bishops.any() && pieces(Role::Knight).any();
    let heavy = (pieces(Role::Queen) | pieces(Role::Rook)).any();
    if !(heavy || both_colours || bishop_and_knight || pieces(Role::Knight).count() > 2) {
        return None;
    }
    let (king, bare) = (position.king(strong), position.king(!strong));
    let driven = if heavy || both_colours || !bishop_and_knight {
        from_centre(bare)
    } else {
        // Bishop and knight mate in a corner of the bishop's colour only.
        14 - steps_to_corner(bare, bishops.intersects(Bitboard::DARK))
    };
    let pieces = PIECES * (officers(board, strong) + pieces(Role::Pawn).count() as i32);
    let near = |square| 7 - distance(square, bare);
    let knights: i32 = board.pieces(strong, Role::Knight).map(near).sum();
    let value = KNOWN_WIN + pieces + DRIVE * driven + APPROACH * near(king) + KNIGHT_APPROACH * knights;
    Some(match strong {
        Color::White => value,
        Color::Black => -value,
    })
}

/// Steps from the nearest of the four centre squares, along files and ranks: 0 to 6.
fn from_centre(square: Square) -> i32 {
    let off = |coordinate: u8| i32::from(if coordinate < 4 { 3 - coordinate } else { coordinate - 4 });
    off(square.file()) + off(square.rank())
}

/// Steps along files and ranks to the nearest corner of a colour: 0 to 7, and 7 all along the diagonal between the
/// other two corners.
fn steps_to_corner(square: Square, dark: bool) -> i32 {
    let corners = if dark {
        [Square::A1, Square::H8]
    } else {
        [Square::H1, Square::A8]
    };
    let steps =
        |corner: Square| i32::from(square.file().abs_diff(corner.file()) + square.rank().abs_diff(corner.rank()));
    let [one, other] = corners.map(steps);
    one.min(other)
}
