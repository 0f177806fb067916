//! Sums over the network's layers, compiled for each of the processor's instruction sets.
//!
//! Each sum is written once, in plain integers. The compiler makes vector instructions of it, as wide as the set that a
//! copy is compiled for has them; which copy runs is decided when the program starts. Integers are exact and no sum can
//! overflow ([`NetworkError::Overflow`](super::NetworkError::Overflow)), so all copies give the same to the last bit.

use super::INPUT_ONE;
use std::sync::OnceLock;

/// Numbers in a chunk: two registers of the widest instruction set.
pub(super) const LANES: usize = 64;

/// What a kernel takes at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Chunk(pub(super) [i16; LANES]);

impl Chunk {
    /// Numbers in chunks; what does not fill one is left out.
    pub(super) fn all(numbers: &[i16]) -> Box<[Chunk]> {
        numbers.as_chunks().0.iter().map(|&chunk| Chunk(chunk)).collect()
    }
}

/// Inputs that come and go between two boards.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputDelta {
    added: [u16; InputDelta::MOST],
    removed: [u16; InputDelta::MOST],
    added_count: usize,
    removed_count: usize,
}

impl InputDelta {
    /// As many as there are men.
    const MOST: usize = 32;

    pub(super) const NONE: InputDelta = InputDelta {
        added: [0; InputDelta::MOST],
        removed: [0; InputDelta::MOST],
        added_count: 0,
        removed_count: 0,
    };

    #[inline(always)]
    pub(super) fn add(&mut self, input: usize) {
        self.added[self.added_count] = input as u16;
        self.added_count += 1;
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, input: usize) {
        self.removed[self.removed_count] = input as u16;
        self.removed_count += 1;
    }
}

/// Makes `target` the sums of `base` (its own where there is none) with the rows of some inputs added and of others
/// removed.
#[inline]
pub(super) fn update(target: &mut [Chunk], base: Option<&[Chunk]>, rows: &[Chunk], delta: &InputDelta) {
    // SAFETY: `kernels` only names copies for instruction sets that this processor has.
    unsafe { (kernels().update)(target, base, rows, delta) }
}

/// The sum of both sides' squared clipped units, each times its weight.
#[inline]
pub(super) fn activated_sum(ours: &[Chunk], theirs: &[Chunk], weights: &[Chunk]) -> i32 {
    // SAFETY: as above.
    unsafe { (kernels().activated_sum)(ours, theirs, weights) }
}

/// The processor's instructions that the kernels in use are compiled for.
pub fn instruction_set() -> &'static str {
    kernels().name
}

type Update = unsafe fn(&mut [Chunk], Option<&[Chunk]>, &[Chunk], &InputDelta);
type ActivatedSum = unsafe fn(&[Chunk], &[Chunk], &[Chunk]) -> i32;

/// The two sums, compiled for one instruction set; to be called only where the processor has it.
#[derive(Clone, Copy)]
pub(super) struct Kernels {
    pub(super) name: &'static str,
    pub(super) update: Update,
    pub(super) activated_sum: ActivatedSum,
}

#[inline(always)]
fn kernels() -> &'static Kernels {
    static BEST: OnceLock<Kernels> = OnceLock::new();
    BEST.get_or_init(|| available()[0])
}

/// Copies of both sums for the instruction set named.
macro_rules! compiled_for {
    ($features:literal) => {{
        #[target_feature(enable = $features)]
        fn update(target: &mut [Chunk], base: Option<&[Chunk]>, rows: &[Chunk], delta: &InputDelta) {
            update_here(target, base, rows, delta);
        }
        #[target_feature(enable = $features)]
        fn activated_sum(ours: &[Chunk], theirs: &[Chunk], weights: &[Chunk]) -> i32 {
            activated_sum_here(ours, theirs, weights)
        }
        Kernels {
            name: $features,
            update,
            activated_sum,
        }
    }};
}

/// All that this processor can run, the fastest first.
pub(super) fn available() -> Vec<Kernels> {
    let mut all = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vnni") {
            all.push(compiled_for!("avx512bw,avx512vnni"));
        }
        if is_x86_feature_detected!("avx512bw") {
            all.push(compiled_for!("avx512bw"));
        }
        if is_x86_feature_detected!("avx2") {
            all.push(compiled_for!("avx2"));
        }
        if is_x86_feature_detected!("sse4.1") {
            all.push(compiled_for!("sse4.1"));
        }
    }
    #[cfg(target_arch = "aarch64")]
    if std::arch::is_aarch64_feature_detected!("neon") {
        all.push(compiled_for!("neon"));
    }
    all.push(Kernels {
        name: "any processor",
        update: update_here,
        activated_sum: activated_sum_here,
    });
    all
}

#[inline(always)]
fn update_here(target: &mut [Chunk], base: Option<&[Chunk]>, rows: &[Chunk], delta: &InputDelta) {
    // Nearly all moves are one of these two: with the counts known, each chunk is read and written once without a loop.
    match (&delta.added[..delta.added_count], &delta.removed[..delta.removed_count]) {
        (&[added], &[removed]) => add_up(target, base, rows, [added], [removed]),
        (&[added], &[removed, taken]) => add_up(target, base, rows, [added], [removed, taken]),
        (added, removed) => {
            if let Some(base) = base {
                target.copy_from_slice(base);
            }
            for &input in added {
                add_up(target, None, rows, [input], []);
            }
            for &input in removed {
                add_up(target, None, rows, [], [input]);
            }
        }
    }
}

#[inline(always)]
fn add_up<const ADDED: usize, const REMOVED: usize>(
    target: &mut [Chunk],
    base: Option<&[Chunk]>,
    rows: &[Chunk],
    added: [u16; ADDED],
    removed: [u16; REMOVED],
) {
    let chunks = target.len();
    let row = |input: u16| &rows[usize::from(input) * chunks..][..chunks];
    let (added, removed) = (added.map(row), removed.map(row));
    for (number, target) in target.iter_mut().enumerate() {
        let mut sum = base.map_or(*target, |base| base[number]).0;
        for row in added {
            for (sum, weight) in sum.iter_mut().zip(&row[number].0) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        for row in removed {
            for (sum, weight) in sum.iter_mut().zip(&row[number].0) {
                *sum = sum.wrapping_sub(*weight);
            }
        }
        target.0 = sum;
    }
}

#[inline(always)]
fn activated_sum_here(ours: &[Chunk], theirs: &[Chunk], weights: &[Chunk]) -> i32 {
    let mut total = 0_i32;
    for (units, weights) in ours.iter().chain(theirs).zip(weights) {
        let mut sum = 0_i32;
        for (unit, weight) in units.0.iter().zip(&weights.0) {
            let unit = (*unit).clamp(0, INPUT_ONE as i16);
            // Fits 16 bits, since output weights are at most 128.
            let weighted = unit.wrapping_mul(*weight);
            sum = sum.wrapping_add(i32::from(weighted) * i32::from(unit));
        }
        total = total.wrapping_add(sum);
    }
    total
}
