//! The network: what a position is worth, as Torres' own games taught it (NNUE,
//! <https://www.chessprogramming.org/NNUE>).
//!
//! Each side looks at the board from its own place ([`Perspective`]): 768 inputs, of which as many are 1 as there are
//! men. They lead to one hidden layer, the same weights for both sides. Its units are clipped to 0..1 and squared. Both
//! sides' units, those of the side to move first, lead to one output. Which weights lead to it depends on the number of
//! men ([`bucket`]).
//!
//! | file | what it holds |
//! |---|---|
//! | [`inputs`] | which inputs a board has, for each side |
//! | [`file`] | the network as a file: read, checked, written |
//! | [`accumulator`] | the hidden layer before its activation, carried along from position to position |
//! | [`kernels`] | sums over the layers, compiled for each of the processor's instruction sets |
//!
//! How a network is made is told in `docs/engine/network.md`. Nothing here trains.

mod accumulator;
mod file;
mod inputs;
mod kernels;

pub use accumulator::Accumulators;
pub use file::{MOST_HIDDEN, NetworkError, Weights, is_hidden};
pub use inputs::{INPUTS, Perspective};
pub use kernels::instruction_set;

use super::Position;
use super::value::Value;
use kernels::{Chunk, InputDelta, LANES};

/// Sets of output weights; the number of men decides which one counts.
pub const BUCKETS: usize = 8;
/// 1.0 of an input's weight, and of a hidden unit.
pub const INPUT_ONE: i32 = 255;
/// 1.0 of an output weight.
pub const OUTPUT_ONE: i32 = 64;
/// What an output of 1.0 is worth, in centipawns.
pub const SCALE: i32 = 400;

/// Which set of output weights counts with so many men on the board (2 to 32), kings included.
#[inline]
pub const fn bucket(men: usize) -> usize {
    men.saturating_sub(2) / 4
}

/// A network, with the weights where the kernels want them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// A row of hidden units for each input.
    inputs: Box<[Chunk]>,
    input_bias: Box<[Chunk]>,
    /// A row for each bucket: the units of the side to move, then those of the other side.
    outputs: Box<[Chunk]>,
    output_bias: [i32; BUCKETS],
    made: String,
}

impl Network {
    /// Hidden units of each side.
    pub fn hidden(&self) -> usize {
        self.input_bias.len() * LANES
    }

    /// How it was made, as its file says.
    pub fn made(&self) -> &str {
        &self.made
    }

    /// What it says of a position, summed up from nothing, in centipawns from the side to move's view. A search asks
    /// [`Accumulators`], which answer the same sooner.
    pub fn value(&self, position: &Position) -> Value {
        let units = |side| {
            let mut delta = InputDelta::NONE;
            let perspective = Perspective::new(side, position.king(side));
            perspective.inputs(position.board()).for_each(|input| delta.add(input));
            let mut units = [Chunk([0; LANES]); MOST_HIDDEN / LANES];
            kernels::update(
                &mut units[..self.chunks()],
                Some(&self.input_bias),
                &self.inputs,
                &delta,
            );
            units
        };
        let (turn, chunks) = (position.turn(), self.chunks());
        let men = position.board().occupied().count() as usize;
        self.output(&units(turn)[..chunks], &units(!turn)[..chunks], men)
    }

    /// Chunks of a side's hidden layer.
    fn chunks(&self) -> usize {
        self.input_bias.len()
    }

    /// The output in centipawns from the view of the side whose units are `ours`.
    #[inline]
    fn output(&self, ours: &[Chunk], theirs: &[Chunk], men: usize) -> Value {
        let bucket = bucket(men);
        let row = &self.outputs[bucket * 2 * self.chunks()..][..2 * self.chunks()];
        let sum = kernels::activated_sum(ours, theirs, row);
        let output = sum / INPUT_ONE + self.output_bias[bucket];
        // As wide as an output can be, it does not fit 32 bits here.
        let scaled = i64::from(output) * i64::from(SCALE) / i64::from(INPUT_ONE * OUTPUT_ONE);
        scaled as Value
    }
}

#[cfg(test)]
mod tests;
