//! The lessons that Torres brings.

use super::{Lesson, parse};

/// A file's name and its text, which is built in.
macro_rules! lesson {
    ($id:literal) => {
        (
            concat!($id, ".toml"),
            include_str!(concat!("../../assets/lessons/", $id, ".toml")),
        )
    };
}

/// The files of `assets/lessons/` that are listed here, in the order of the course: name and text.
pub const FILES: &[(&str, &str)] = &[
    lesson!("board"),
    lesson!("rook"),
    lesson!("bishop"),
    lesson!("queen"),
    lesson!("king"),
    lesson!("knight"),
    lesson!("pawn"),
    lesson!("captures"),
    lesson!("check"),
    lesson!("mate"),
    lesson!("stalemate"),
    lesson!("castling"),
    lesson!("en-passant"),
    lesson!("promotion"),
    lesson!("values"),
    lesson!("draws"),
    lesson!("opening"),
    lesson!("middlegame"),
    lesson!("endgame"),
    lesson!("forks"),
    lesson!("pins"),
    lesson!("skewers"),
    lesson!("discovered-attacks"),
    lesson!("mates-in-one"),
    lesson!("mates-in-two"),
    lesson!("king-and-pawn"),
    lesson!("rook-endings"),
    lesson!("mate-with-rooks"),
    lesson!("mate-with-queen"),
    lesson!("mate-with-rook"),
];

/// Every lesson of the shelf, in the order of the course. A test parses and solves each: none is missing.
pub fn lessons() -> Vec<Lesson> {
    FILES.iter().filter_map(|(file, text)| parse(file, text).ok()).collect()
}
