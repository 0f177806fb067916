//! The evaluation made by hand: what a position is worth without looking ahead.
//!
//! The position's features ([`features`]) are counted for both sides; each has a weight ([`weights`]) for the
//! middlegame and one for the endgame, and the two sums are mixed by the material left. The weights are not guessed:
//! `torres tune` fits them to results of our own games, for which the same code lists the features instead
//! ([`tuning`]).
//!
//! | file | what it looks at |
//! |---|---|
//! | [`pawns`], [`passed`] | pawn structure, remembered in a table; passed pawns among pieces |
//! | [`pieces`] | mobility, outposts, files, the seventh rank, the bishop pair, trapped pieces, development, tropism |
//! | [`king`] | the pawns before a king, and the danger it is in |
//! | [`threats`] | what stands attacked; control and room |
//! | [`endgame`] | draws that are known, advantages that do not win, mating a bare king |

mod attack_map;
mod endgame;
mod features;
mod king;
mod passed;
mod pawns;
mod pieces;
mod sink;
mod tapered;
mod threats;
pub mod tuning;
mod weights;

pub(super) use tapered::Tapered;

use super::value::{EVAL_LIMIT, Value};
use super::{Color, Piece, Position, Role, Square};
use attack_map::AttackMap;
use endgame::{FULL_SCALE, drawish_scale, mate_bare_king, phase, scale};
use features::{MATERIAL, SQUARES, TEMPO};
use pawns::{PawnTable, Structure};
use sink::{Sink, Sum};
use weights::WEIGHTS;

/// Values positions by features and weights, and remembers pawn structures. Each searching thread has its own.
#[derive(Default)]
pub struct HandMade {
    pawns: PawnTable,
}

impl HandMade {
    /// The position's value in centipawns, from the side to move's view; never within the range of mates.
    pub fn value(&mut self, position: &Position) -> Value {
        let mut sum = Sum::default();
        let (of_pawns, structure) = self.pawns.get(position);
        sum.add_sum(of_pawns);
        count_features(position, structure, &mut sum);
        let white = assess(position, sum.total(), structure);
        let ours = match position.turn() {
            Color::White => white,
            Color::Black => -white,
        };
        ours.clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }
}

/// The value of a position by an evaluation that remembers nothing.
#[cfg(test)]
fn evaluate(position: &Position) -> Value {
    HandMade::default().value(position)
}

/// All features beside those that the pawn table remembers.
fn count_features<S: Sink>(position: &Position, structure: Structure, sink: &mut S) {
    let mut map = AttackMap::new(position);
    standing_pieces(position, sink);
    sink.add(position.turn(), TEMPO.only(), 1);
    for us in Color::ALL {
        pieces::features(&mut map, us, sink);
    }
    for us in Color::ALL {
        king::assault(&map, us, sink);
        threats::features(&map, us, sink);
        threats::control(&map, us, sink);
        if structure.passed.any() {
            passed::features(&map, us, structure.passed, sink);
        }
    }
}

/// A value that knows of no endings as what is known of them makes it: draws, advantages that do not win, a bare king
/// to be mated.
///
/// Both are from the side to move's view.
pub(super) fn with_known_endings(position: &Position, value: Value) -> Value {
    let turn = position.turn();
    if let Some(won) = mate_bare_king(position) {
        return if turn == Color::White { won } else { -won };
    }
    let strong = if value > 0 { turn } else { !turn };
    match drawish_scale(position.board(), strong) {
        None => value,
        Some(scale) => value * scale / FULL_SCALE,
    }
}

/// From the features' sum to centipawns, White's view.
fn assess(position: &Position, sum: Tapered, structure: Structure) -> Value {
    if let Some(won) = mate_bare_king(position) {
        return won;
    }
    let board = position.board();
    let strong = if sum.end > 0 { Color::White } else { Color::Black };
    let scaled = Tapered {
        middle: sum.middle,
        end: sum.end * scale(board, strong, structure.passed) / FULL_SCALE,
    };
    scaled.at(phase(board))
}

/// Material and piece-square values; the board keeps their sum from move to move.
fn standing_pieces<S: Sink>(position: &Position, sink: &mut S) {
    if !S::TRACES {
        sink.add_sum(position.board().standing());
        return;
    }
    for color in Color::ALL {
        for role in Role::ALL {
            for square in position.board().pieces(color, role) {
                let (material, on_square) = standing_features(role, square.seen_by(color));
                sink.add(color, on_square, 1);
                material.into_iter().for_each(|feature| sink.add(color, feature, 1));
            }
        }
    }
}

/// A piece's worth on its square, material included, from White's view.
#[inline(always)]
pub(super) fn standing(piece: Piece, square: Square) -> Tapered {
    STANDING[piece.color as usize][piece.role as usize][square.index()]
}

/// The features of a piece on a square, as its own side sees the board; a king has no material.
const fn standing_features(role: Role, square: Square) -> (Option<usize>, usize) {
    let material = match role {
        Role::King => None,
        _ => Some(MATERIAL.at(role as usize)),
    };
    (material, SQUARES.at(role as usize * 64 + square.index()))
}

static STANDING: [[[Tapered; 64]; 6]; 2] = {
    let mut table = [[[Tapered::ZERO; 64]; 6]; 2];
    let mut number = 0;
    while number < 6 * 64 {
        let (role, square) = (number / 64, Square::from_index(number % 64));
        let (material, on_square) = standing_features(Role::ALL[role], square);
        let mut value = WEIGHTS[on_square];
        if let Some(material) = material {
            value.middle += WEIGHTS[material].middle;
            value.end += WEIGHTS[material].end;
        }
        table[0][role][square.index()] = value;
        table[1][role][square.seen_by(Color::Black).index()] = Tapered {
            middle: -value.middle,
            end: -value.end,
        };
        number += 1;
    }
    table
};

#[cfg(test)]
mod tests;
