//! The network in whole numbers, as the engine has it.

use super::parameters::{LANES, Parameters, Row};
use torres_engine::nnue::{BUCKETS, INPUT_ONE, INPUTS, OUTPUT_ONE, SCALE, Weights};

/// The nearest whole numbers, for the engine's [`SCALE`]; `scale` is that which the network was taught with, at most as
/// much.
///
/// Each number is wrong by half a unit at most, so a hidden unit's sum of 32 weights and a bias is wrong by 33 / 510 at
/// most, and in truth by much less: the parts' errors have no direction.
pub(crate) fn quantised(parameters: &Parameters, scale: f32) -> Weights {
    let input_one = INPUT_ONE as f32;
    let output_one = OUTPUT_ONE as f32 * scale / SCALE as f32;
    let rows = |row_of: &dyn Fn(usize) -> usize, one: f32| -> Vec<i16> {
        let whole = |row: &Row| row.0.map(|weight| (weight * one).round() as i16);
        let slices = 0..parameters.slices();
        slices
            .flat_map(|slice| whole(&parameters.rows[row_of(slice)]))
            .collect()
    };
    let mut inputs = Vec::with_capacity(INPUTS * parameters.hidden());
    for input in 0..INPUTS {
        inputs.extend(rows(&|slice| parameters.inputs(slice) + input, input_one));
    }
    let mut outputs = Vec::with_capacity(BUCKETS * 2 * parameters.slices() * LANES);
    for (bucket, side) in (0..BUCKETS).flat_map(|bucket| [(bucket, 0), (bucket, 1)]) {
        outputs.extend(rows(&|slice| parameters.output(bucket, side, slice), output_one));
    }
    let biases = &parameters.rows[parameters.output_bias()].0;
    Weights {
        inputs,
        input_bias: rows(&|slice| parameters.bias(slice), input_one),
        outputs,
        output_bias: std::array::from_fn(|bucket| (biases[bucket] * (input_one * output_one)).round() as i32),
    }
}

/// The parameters whose nearest whole numbers these are: what a network has learned, to learn on from.
pub(crate) fn parameters(weights: &Weights, scale: f32) -> Parameters {
    let hidden = weights.input_bias.len();
    let input_one = INPUT_ONE as f32;
    let output_one = OUTPUT_ONE as f32 * scale / SCALE as f32;
    let mut parameters = Parameters::zero(hidden);
    let rows = |numbers: &[i16], one: f32| -> Vec<Row> {
        let rows = numbers.as_chunks::<LANES>().0;
        rows.iter()
            .map(|row| Row(row.map(|number| f32::from(number) / one)))
            .collect()
    };
    let slices = parameters.slices();
    for (input, of_input) in rows(&weights.inputs, input_one).chunks(slices).enumerate() {
        for (slice, row) in of_input.iter().enumerate() {
            let at = parameters.inputs(slice) + input;
            parameters.rows[at] = *row;
        }
    }
    let biases = parameters.bias(0)..parameters.output(0, 0, 0);
    parameters.rows[biases].copy_from_slice(&rows(&weights.input_bias, input_one));
    // Rows of outputs stand in the same order in both.
    let outputs = parameters.output(0, 0, 0)..parameters.output_bias();
    parameters.rows[outputs].copy_from_slice(&rows(&weights.outputs, output_one));
    let at = parameters.output_bias();
    for (bias, number) in parameters.rows[at].0.iter_mut().zip(weights.output_bias) {
        *bias = number as f32 / (input_one * output_one);
    }
    parameters
}
