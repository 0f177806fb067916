//! The network's parameters, as they are learned: 32-bit floats in rows that fit the processor.

use torres_data::random::SplitMix;
use torres_engine::nnue::{BUCKETS, INPUTS};

/// Hidden units of a row.
pub(crate) const LANES: usize = 32;
/// The largest weight, either way. 33 such weights, times 255, fit into the 16 bits that an accumulator has; an output
/// weight, times 64, fits into 8 bits.
pub(crate) const LARGEST: f32 = 1.98;

/// The parameters of 32 hidden units, or their gradients, or any 32 numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Row(pub [f32; LANES]);

impl Row {
    /// All zero.
    pub const ZERO: Row = Row([0.0; LANES]);
}

/// The network's parameters, or anything that has one number for each of them, such as a gradient.
///
/// Hidden units stand in slices of 32. The rows are, in this order:
///
/// | rows | what they hold |
/// |---|---|
/// | slices × 768 | input weights: for each slice, a row for each input |
/// | slices | biases of the hidden units |
/// | 8 × 2 × slices | output weights: for each bucket, the units of the side to move, then those of the other side |
/// | 1 | biases of the 8 buckets; what is left of the row stays 0 |
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    slices: usize,
    /// As the table says.
    pub rows: Vec<Row>,
}

impl Parameters {
    /// All zero, for a number of hidden units that [`LANES`] divides.
    pub fn zero(hidden: usize) -> Parameters {
        let slices = hidden / LANES;
        let rows = slices * INPUTS + slices + BUCKETS * 2 * slices + 1;
        Parameters {
            slices,
            rows: vec![Row::ZERO; rows],
        }
    }

    /// Where learning begins: weights by chance, biases 0. Weights are spread evenly, with the variance of K. He et
    /// al., "Delving Deep into Rectifiers", 2015: two for each input. Of the 768 inputs few are there at once.
    pub fn random(hidden: usize, seed: u64) -> Parameters {
        let mut random = SplitMix(seed);
        // Evenly spread from −a to a, the variance is a² / 3.
        let mut spread = |rows: &mut [Row], inputs: usize| {
            let most = (3.0 * 2.0 / inputs as f32).sqrt();
            for weight in rows.iter_mut().flat_map(|row| &mut row.0) {
                // The upper 24 bits are all that a float holds.
                let fraction = (random.next() >> 40) as f32 / (1u32 << 24) as f32;
                *weight = most * (2.0 * fraction - 1.0);
            }
        };
        let mut parameters = Parameters::zero(hidden);
        let biases = parameters.bias(0);
        let outputs = parameters.output(0, 0, 0)..parameters.output_bias();
        spread(&mut parameters.rows[..biases], INPUTS);
        spread(&mut parameters.rows[outputs], 2 * hidden);
        parameters
    }

    /// How many hidden units each side has.
    pub fn hidden(&self) -> usize {
        self.slices * LANES
    }

    /// How many rows these are.
    #[inline(always)]
    pub(crate) fn slices(&self) -> usize {
        self.slices
    }

    /// The row of a slice's first input; those of the others follow.
    #[inline(always)]
    pub fn inputs(&self, slice: usize) -> usize {
        slice * INPUTS
    }

    /// The row of a slice's biases.
    #[inline(always)]
    pub fn bias(&self, slice: usize) -> usize {
        self.slices * INPUTS + slice
    }

    /// The row of a slice's output weights, for the side to move (0) or the other (1).
    #[inline(always)]
    pub fn output(&self, bucket: usize, side: usize, slice: usize) -> usize {
        self.slices * (INPUTS + 1 + 2 * bucket + side) + slice
    }

    /// The row of the outputs' biases.
    #[inline(always)]
    pub fn output_bias(&self) -> usize {
        self.slices * (INPUTS + 1 + 2 * BUCKETS)
    }
}
