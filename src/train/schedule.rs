//! How wide the steps are.

/// Batches over which the steps widen at the start, at most, and the share of all batches that this may be.
const WARM_UP: (u64, f64) = (200, 0.05);

/// The width of the step from a batch (0, 1, …) of so many: it grows evenly for a short while, to `rate`, then falls
/// along a half cosine to 0 (I. Loshchilov and F. Hutter, "SGDR", 2017, without restarts).
pub(crate) fn rate(batch: u64, batches: u64, rate: f32) -> f32 {
    let warm_up = WARM_UP.0.min((batches as f64 * WARM_UP.1) as u64);
    if batch < warm_up {
        return rate * (batch + 1) as f32 / warm_up as f32;
    }
    let done = (batch - warm_up) as f64 / (batches - warm_up).max(1) as f64;
    (f64::from(rate) * 0.5 * (1.0 + (std::f64::consts::PI * done).cos())) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_widen_then_narrow_to_nothing() {
        let all: Vec<f32> = (0..10_000).map(|batch| rate(batch, 10_000, 0.001)).collect();
        assert!((all[0] - 0.001 / 200.0).abs() < 1e-9, "{}", all[0]);
        assert!(all[..200].is_sorted() && (all[200] - 0.001).abs() < 1e-9);
        assert!(all[200..].is_sorted_by(|one, other| one >= other));
        assert!((all[5100] - 0.0005).abs() < 1e-6 && all[9999] < 1e-9, "{}", all[5100]);
        // A run of one batch learns from it.
        assert_eq!(rate(0, 1, 0.001), 0.001);
    }
}
