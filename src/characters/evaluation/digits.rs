//! Thesis 003's material and placement: a digit for each square, a tenth of a pawn each.

use super::difference;
use crate::value::{PAWN, Value};
use torres_engine::{Color, Piece, Position, Role, Square};

/// A pawn's digits, rank 8 first; Black reads them turned by 180°.
const PAWNS: [&[u8; 8]; 8] = [
    b"88888888",
    b"88888888",
    b"56677665",
    b"23355332",
    b"12344321",
    b"11233211",
    b"11100111",
    b"00000000",
];
const KNIGHTS: [&[u8; 8]; 8] = [
    b"11111111",
    b"12222221",
    b"12333321",
    b"12344321",
    b"12344321",
    b"12333321",
    b"12222221",
    b"11111111",
];
const BISHOPS: [&[u8; 8]; 8] = [
    b"43211234",
    b"34322343",
    b"23433432",
    b"12344321",
    b"12344321",
    b"23433432",
    b"34322343",
    b"43211234",
];
const ROOKS: [&[u8; 8]; 8] = [
    b"43444434",
    b"44444444",
    b"11233211",
    b"12344321",
    b"12344321",
    b"11233211",
    b"44444444",
    b"43444434",
];
const QUEENS: [&[u8; 8]; 8] = [
    b"11131111",
    b"12333111",
    b"14333421",
    b"12333221",
    b"12333221",
    b"12333421",
    b"11233111",
    b"11131111",
];
const KINGS: [&[u8; 8]; 8] = [
    b"00000000",
    b"00000000",
    b"00000000",
    b"00000000",
    b"00000000",
    b"00000000",
    b"22100122",
    b"44311344",
];

/// From White's view.
pub(super) fn value(position: &Position) -> Value {
    difference(position, |piece, square| {
        worth(piece.role) * PAWN + digit(piece, square) * PAWN / 10
    })
}

/// In pawns.
pub(crate) fn worth(role: Role) -> Value {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

fn digit(piece: Piece, square: Square) -> Value {
    let table = match piece.role {
        Role::Pawn => PAWNS,
        Role::Knight => KNIGHTS,
        Role::Bishop => BISHOPS,
        Role::Rook => ROOKS,
        Role::Queen => QUEENS,
        Role::King => KINGS,
    };
    let (row, file) = (usize::from(7 - square.rank()), usize::from(square.file()));
    let digit = match piece.color {
        Color::White => table[row][file],
        Color::Black => table[7 - row][7 - file],
    };
    Value::from(digit - b'0')
}
