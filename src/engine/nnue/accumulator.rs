//! The hidden layer before its activation, carried along from position to position.
//!
//! A unit's sum is that of the rows of all inputs that are 1. From one position to the next few inputs change, so a few
//! rows are added and subtracted. Each accumulator knows the board that it is the sum for. So whatever was searched
//! since, the difference of two boards says what to change, and nothing is told of moves played or taken back. The sum
//! is taken from the nearest board: that of the ply before, that which was last at this ply, or that which a cache
//! remembers for each side and wing of its king ("Finny table",
//! <https://www.chessprogramming.org/NNUE#Accumulator_Refresh_Table>).

use super::inputs::ByPerspective;
use super::kernels::{Chunk, InputDelta, update};
use super::{Network, Perspective};
use crate::value::{MAX_PLY, Value};
use crate::{Bitboard, Board, ByColor, Color, Position};
use std::sync::Arc;

/// The hidden layers of the line that a thread searches.
pub struct Accumulators {
    network: Arc<Network>,
    /// For each ply.
    line: Vec<ByColor<Accumulator>>,
    cache: ByPerspective<Accumulator>,
}

/// One side's hidden layer, and what it is the sum for.
#[derive(Clone)]
struct Accumulator {
    board: Board,
    is_mirrored: bool,
    units: Box<[Chunk]>,
}

/// Whose sums those of a position are made from.
enum Base {
    /// What was last at the same ply.
    Here,
    /// The ply before.
    Before,
    Cache,
}

impl Accumulators {
    /// Those of a network, for no board yet.
    pub fn new(network: Arc<Network>) -> Accumulators {
        let empty = |is_mirrored| Accumulator {
            board: Board::EMPTY,
            is_mirrored,
            units: network.input_bias.clone(),
        };
        let cache = || [false, true].map(empty);
        let line = || empty(false);
        Accumulators {
            line: std::iter::repeat_with(|| ByColor {
                white: line(),
                black: line(),
            })
            .take(MAX_PLY)
            .collect(),
            cache: ByColor {
                white: cache(),
                black: cache(),
            },
            network,
        }
    }

    /// What the network says of a position so many plies from the root, in centipawns from the side to move's view.
    ///
    /// The ply may be any below [`MAX_PLY`]: it only says where a near board may be found.
    #[inline]
    pub fn value(&mut self, position: &Position, ply: usize) -> Value {
        for side in Color::ALL {
            self.sum_up(position, ply, side);
        }
        let here = &self.line[ply];
        let turn = position.turn();
        let men = position.board().occupied().count() as usize;
        self.network.output(&here[turn].units, &here[!turn].units, men)
    }

    /// Makes the accumulator of a ply and side that of a position.
    #[inline]
    fn sum_up(&mut self, position: &Position, ply: usize, side: Color) {
        let perspective = Perspective::new(side, position.king(side));
        let board = position.board();
        let (before, here) = self.line.split_at_mut(ply);
        let before = before.last().map(|before| &before[side]);
        let target = &mut here[0][side];
        let cached = &mut self.cache[side][usize::from(perspective.is_mirrored())];

        let apart = |from: &Accumulator| {
            Some(differing(&from.board, board)).filter(|_| from.is_mirrored == perspective.is_mirrored())
        };
        let rows = &self.network.inputs;
        let (from_before, from_here) = (before.and_then(apart), apart(target));
        if from_here.is_some_and(Bitboard::is_empty) {
            return;
        }
        // Nearly always the ply before is one move away, and no board is nearer.
        let is_next = from_before.is_some_and(|squares| squares.into_iter().nth(MOVE_SQUARES).is_none());
        let base = if is_next {
            Base::Before
        } else {
            nearest(from_before, from_here, differing(&cached.board, board))
        };
        match (base, before) {
            (Base::Before, Some(before)) => {
                let delta = delta(&before.board, board, perspective);
                update(&mut target.units, Some(&before.units), rows, &delta);
            }
            (Base::Here, _) => {
                let delta = delta(&target.board, board, perspective);
                update(&mut target.units, None, rows, &delta);
            }
            (Base::Before, None) | (Base::Cache, _) => {
                let delta = delta(&cached.board, board, perspective);
                update(&mut cached.units, None, rows, &delta);
                cached.board = *board;
                target.units.copy_from_slice(&cached.units);
            }
        }
        target.board = *board;
        target.is_mirrored = perspective.is_mirrored();
    }
}

/// Which of them differs on the fewest squares.
fn nearest(before: Option<Bitboard>, here: Option<Bitboard>, cached: Bitboard) -> Base {
    let count = |squares: Option<Bitboard>| squares.map_or(u32::MAX, Bitboard::count);
    let (before, here, cached) = (count(before), count(here), cached.count());
    match before <= here && before <= cached {
        true => Base::Before,
        false if here <= cached => Base::Here,
        false => Base::Cache,
    }
}

/// The most squares that a move changes, castling aside.
const MOVE_SQUARES: usize = 3;

/// Squares on which two boards differ.
#[inline(always)]
fn differing(one: &Board, other: &Board) -> Bitboard {
    use crate::Role;
    let color = one.color(Color::White) ^ other.color(Color::White);
    Role::ALL
        .iter()
        .fold(color, |all, &role| all | (one.role(role) ^ other.role(role)))
}

/// Inputs that a side's view of a board gains and loses on the way to another.
#[inline(always)]
fn delta(from: &Board, to: &Board, perspective: Perspective) -> InputDelta {
    let mut delta = InputDelta::NONE;
    for square in differing(from, to) {
        if let Some(piece) = from.piece_at(square) {
            delta.remove(perspective.input(piece, square));
        }
        if let Some(piece) = to.piece_at(square) {
            delta.add(perspective.input(piece, square));
        }
    }
    delta
}
