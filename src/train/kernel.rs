//! The arithmetic: outputs, gradients and steps, over rows of 32 numbers.
//!
//! Each function is compiled several times, for processors with AVX-512, with AVX2, and for any. Which one runs is
//! chosen once. They come to the same bits: products and sums are not fused, and the order of every sum is fixed.

use super::example::{Example, Target, sigmoid};
use super::parameters::{LANES, LARGEST, Parameters, Row};
use torres_data::Record;
use torres_engine::nnue::INPUTS;

/// What a network's answers are worth, as sums of squared errors over positions. All are of expected points, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    /// Against the target, which mixes both.
    pub target: f64,
    /// Against the search's score.
    pub score: f64,
    /// Against the game's result.
    pub result: f64,
}

/// A record, by its place among those given, that no network can learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stray(pub usize);

/// The accumulators of both sides, a slice after the other.
type Hidden = [[Row; 2]];

/// Adds the gradient of the squared errors of some positions to `gradient`; the errors themselves.
#[inline(always)]
fn learn(network: &Parameters, records: &[Record], target: Target, gradient: &mut Parameters) -> Result<Errors, Stray> {
    let mut errors = Errors::default();
    let mut hidden = vec![[Row::ZERO; 2]; network.slices()];
    for (index, record) in records.iter().enumerate() {
        let example = Example::of(record).ok_or(Stray(index))?;
        let points = sigmoid(forward(network, &example, &mut hidden));
        let error = errors.add(&example, target, points);
        // The derivative of (sigmoid(output) − target)².
        let slope = 2.0 * error * points * (1.0 - points);
        backward(network, &example, &mut hidden, slope, gradient);
    }
    Ok(errors)
}

/// The errors of some positions.
#[inline(always)]
fn judge(network: &Parameters, records: &[Record], target: Target) -> Result<Errors, Stray> {
    let mut errors = Errors::default();
    let mut hidden = vec![[Row::ZERO; 2]; network.slices()];
    for (index, record) in records.iter().enumerate() {
        let example = Example::of(record).ok_or(Stray(index))?;
        let points = sigmoid(forward(network, &example, &mut hidden));
        errors.add(&example, target, points);
    }
    Ok(errors)
}

impl Errors {
    /// Counts one answer; its error against the target.
    #[inline(always)]
    fn add(&mut self, example: &Example, target: Target, points: f32) -> f32 {
        let (score, result) = (example.score_points(target.scale), example.result_points());
        let error = points - ((1.0 - target.result_share) * score + target.result_share * result);
        let squared = |error: f32| f64::from(error) * f64::from(error);
        self.target += squared(error);
        self.score += squared(points - score);
        self.result += squared(points - result);
        error
    }
}

impl std::ops::AddAssign for Errors {
    fn add_assign(&mut self, other: Errors) {
        self.target += other.target;
        self.score += other.score;
        self.result += other.result;
    }
}

/// The output, and the accumulators on the way to it:
/// b + Σ w · clamp(a, 0, 1)², a = bias + Σ of the rows of the inputs that are present.
#[inline(always)]
fn forward(network: &Parameters, example: &Example, hidden: &mut Hidden) -> f32 {
    let (own, other) = example.inputs();
    let bucket = example.bucket();
    let mut sums = [0.0; LANES];
    for (slice, pair) in hidden.iter_mut().enumerate() {
        let bias = network.rows[network.bias(slice)];
        let first = network.inputs(slice);
        let weights = &network.rows[first..first + INPUTS];
        let (mut a, mut b) = (bias.0, bias.0);
        for (&own, &other) in own.iter().zip(other) {
            let (own, other) = (&weights[usize::from(own)].0, &weights[usize::from(other)].0);
            for lane in 0..LANES {
                a[lane] += own[lane];
                b[lane] += other[lane];
            }
        }
        *pair = [Row(a), Row(b)];
        let of_own = &network.rows[network.output(bucket, 0, slice)].0;
        let of_other = &network.rows[network.output(bucket, 1, slice)].0;
        for lane in 0..LANES {
            let (a, b) = (a[lane].clamp(0.0, 1.0), b[lane].clamp(0.0, 1.0));
            sums[lane] += of_own[lane] * (a * a) + of_other[lane] * (b * b);
        }
    }
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
        width /= 2;
    }
    sums[0] + network.rows[network.output_bias()].0[bucket]
}

/// Adds the gradient of one position, whose accumulators these are; `slope` is the error's derivative by the output.
#[inline(always)]
fn backward(network: &Parameters, example: &Example, hidden: &mut Hidden, slope: f32, gradient: &mut Parameters) {
    let (own, other) = example.inputs();
    let bucket = example.bucket();
    gradient.rows[network.output_bias()].0[bucket] += slope;
    for (slice, pair) in hidden.iter_mut().enumerate() {
        let mut slopes = [[0.0; LANES]; 2];
        for side in 0..2 {
            let row = network.output(bucket, side, slice);
            let (weights, gradient) = (&network.rows[row].0, &mut gradient.rows[row].0);
            let (sums, slopes) = (&pair[side].0, &mut slopes[side]);
            for lane in 0..LANES {
                let unit = sums[lane].clamp(0.0, 1.0);
                gradient[lane] += slope * (unit * unit);
                // A unit that is full stays full when its sum changes a little.
                let open = if sums[lane] < 1.0 { 2.0 * unit } else { 0.0 };
                slopes[lane] = slope * weights[lane] * open;
            }
        }
        let bias = &mut gradient.rows[network.bias(slice)].0;
        for lane in 0..LANES {
            bias[lane] += slopes[0][lane] + slopes[1][lane];
        }
        let first = network.inputs(slice);
        let rows = &mut gradient.rows[first..first + INPUTS];
        let [of_own, of_other] = slopes;
        for (&own, &other) in own.iter().zip(other) {
            add(&mut rows[usize::from(own)], &of_own);
            add(&mut rows[usize::from(other)], &of_other);
        }
    }
}

#[inline(always)]
fn add(row: &mut Row, more: &[f32; LANES]) {
    let mut sums = row.0;
    for lane in 0..LANES {
        sums[lane] += more[lane];
    }
    row.0 = sums;
}

/// Parameters and what AdamW remembers of each, as far as one thread has them.
pub(crate) struct Part<'a> {
    /// The parameters.
    pub parameters: &'a mut [Row],
    /// The running mean of the gradient.
    pub mean: &'a mut [Row],
    /// The running mean of its square.
    pub square: &'a mut [Row],
    /// The sums of the batch's parts; they are 0 afterwards.
    pub gradients: Vec<&'a mut [Row]>,
}

/// One step of AdamW (I. Loshchilov and F. Hutter, "Decoupled Weight Decay Regularization", 2019).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    /// How far a parameter goes at most, about.
    pub rate: f32,
    /// One over the number of positions in the batch.
    pub share: f32,
    /// 1 − β₁ᵗ and 1 − β₂ᵗ after t steps: what the running means lack, since they began with 0.
    pub known: (f32, f32),
}

impl Step {
    /// How much of the running means stays at each step.
    pub(crate) const BETA: (f32, f32) = (0.9, 0.999);
    /// The share of itself, times the rate, that a parameter loses at each step.
    pub(crate) const DECAY: f32 = 0.01;
    /// Keeps a parameter that was hardly ever asked from a leap.
    const EPSILON: f32 = 1e-8;

    #[inline(always)]
    fn take(self, part: Part) {
        let Part {
            parameters,
            mean,
            square,
            mut gradients,
        } = part;
        let count = parameters.len();
        let (mean, square) = (&mut mean[..count], &mut square[..count]);
        for index in 0..count {
            let mut sum = [0.0; LANES];
            for gradient in &mut gradients {
                let row = &mut gradient[index].0;
                for lane in 0..LANES {
                    sum[lane] += row[lane];
                    row[lane] = 0.0;
                }
            }
            let (weights, mean, square) = (&mut parameters[index].0, &mut mean[index].0, &mut square[index].0);
            for lane in 0..LANES {
                let slope = sum[lane] * self.share;
                mean[lane] = Step::BETA.0 * mean[lane] + (1.0 - Step::BETA.0) * slope;
                square[lane] = Step::BETA.1 * square[lane] + (1.0 - Step::BETA.1) * (slope * slope);
                let direction = (mean[lane] / self.known.0) / ((square[lane] / self.known.1).sqrt() + Step::EPSILON);
                let weight = weights[lane] - self.rate * (direction + Step::DECAY * weights[lane]);
                weights[lane] = weight.clamp(-LARGEST, LARGEST);
            }
        }
    }
}

/// The instructions that the arithmetic is compiled for. There is one only for a processor that has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kernel(Instructions);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instructions {
    /// Those that every processor of its kind has.
    Plain,
    /// x86-64 with AVX2: 8 numbers at once.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// x86-64 with AVX-512: 16 numbers at once.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Kernel {
    /// All that this processor can run, the fastest last.
    pub(crate) fn all() -> Vec<Kernel> {
        let mut all = vec![Kernel(Instructions::Plain)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                all.push(Kernel(Instructions::Avx2));
            }
            if is_x86_feature_detected!("avx512f") {
                all.push(Kernel(Instructions::Avx512));
            }
        }
        all
    }

    /// The fastest that this processor can run.
    pub(crate) fn best() -> Kernel {
        Kernel::all().pop().unwrap_or(Kernel(Instructions::Plain))
    }
}

/// A function for each of the kernels, which all do the same.
macro_rules! compiled {
    ($(#[$about:meta])* $name:ident($($argument:ident: $type:ty),*) -> $result:ty = $body:expr) => {
        $(#[$about])*
        pub(crate) fn $name(self, $($argument: $type),*) -> $result {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn avx2($($argument: $type),*) -> $result {
                $body
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f")]
            fn avx512($($argument: $type),*) -> $result {
                $body
            }
            match self.0 {
                Instructions::Plain => $body,
                // SAFETY: only `all` makes these two, where the processor has their instructions.
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx2 => unsafe { avx2($($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx512 => unsafe { avx512($($argument),*) },
            }
        }
    };
}

impl Kernel {
    compiled! {
        /// Adds the gradient of the squared errors of some positions to `gradient`, and returns the errors.
        ///
        /// # Errors
        /// A record is no position with a result; the gradient is then worth nothing.
        learn(network: &Parameters, records: &[Record], target: Target, gradient: &mut Parameters) -> Result<Errors, Stray>
            = learn(network, records, target, gradient)
    }
    compiled! {
        /// The errors of some positions.
        ///
        /// # Errors
        /// A record is no position with a result.
        judge(network: &Parameters, records: &[Record], target: Target) -> Result<Errors, Stray>
            = judge(network, records, target)
    }
    compiled! {
        /// Takes a step.
        step(step: Step, part: Part) -> () = step.take(part)
    }
}
