//! What lies evenly over or behind a panel: one colour for all of it.

/// How much more or less of a channel's contrast may be left: so much that one letter is told from another.
const THROUGH: std::ops::RangeInclusive<f64> = 0.3..=3.0;

/// A channel in which a panel spreads by less, in levels of 255 (root of the mean square), tells nothing of the shade.
const SPREAD: f64 = 4.0;

/// An even change of a panel: a page lays a colour over it, or the ground behind its letters takes another colour. Of
/// each channel a level *v* becomes *t* · *v* + (1 − *t*) · *V*. Over the panel, *t* is what shows through the colour *V*.
/// Behind letters of the colour *V* the ground *G* has become *V* + *t* · (*G* − *V*), and the mixed pixels at the
/// letters' edges with it; a *t* over 1 tells that the letters stand out more than before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shade {
    /// *t* of red, green and blue.
    through: [f64; 3],
    /// (1 − *t*) · *V*, in levels of 255.
    adds: [f64; 3],
}

impl Shade {
    /// Nothing has changed.
    pub(super) const NONE: Shade = Shade {
        through: [1.0; 3],
        adds: [0.0; 3],
    };

    /// The shade that comes nearest to making one colour of each pair the other (least squares in each channel; a channel
    /// that hardly differs takes the slope of all), if one can.
    pub(super) fn between(pairs: impl Iterator<Item = ([u8; 3], [u8; 3])> + Clone) -> Option<Shade> {
        let sums = [0, 1, 2].map(|c| Sums::of(pairs.clone().map(|(then, now)| (then[c], now[c]))));
        let all = sums.iter().map(|channel| channel.together).sum::<f64>()
            / sums.iter().map(|channel| channel.alone).sum::<f64>();
        let through = sums.map(|channel| {
            if channel.alone < SPREAD.powi(2) {
                all
            } else {
                channel.together / channel.alone
            }
        });
        let adds = [0, 1, 2].map(|c| sums[c].now - through[c] * sums[c].then);
        // A level of rounding apart, `V` is a colour.
        let is_color = |(through, add): (&f64, &f64)| {
            let white = 255.0 * (1.0 - through);
            (white.min(0.0) - 1.0..=white.max(0.0) + 1.0).contains(add)
        };
        let is_one = through.iter().all(|through| THROUGH.contains(through)) && through.iter().zip(&adds).all(is_color);
        is_one.then_some(Shade { through, adds })
    }

    /// By how many levels of 255 a pixel differs from what the shade makes of it, in the channel that differs most. Where
    /// the shade takes contrast away the levels count for as many as they were before: what tells letters apart shrinks
    /// with the contrast.
    pub(super) fn apart(&self, then: [u8; 3], now: [u8; 3]) -> f64 {
        let of = |c: usize| {
            let expected = self.through[c] * f64::from(then[c]) + self.adds[c];
            (expected - f64::from(now[c])).abs() / self.through[c].min(1.0)
        };
        (0..3).map(of).fold(0.0, f64::max)
    }
}

/// How the levels of one channel then and now go together.
#[derive(Clone, Copy)]
struct Sums {
    /// Their means.
    then: f64,
    now: f64,
    /// The mean products of their distances from the means: of both, and of the former with itself.
    together: f64,
    alone: f64,
}

impl Sums {
    fn of(pairs: impl Iterator<Item = (u8, u8)> + Clone) -> Sums {
        let pairs = pairs.map(|(then, now)| (f64::from(then), f64::from(now)));
        let mean = |of: &dyn Fn((f64, f64)) -> f64| {
            let (sum, count) = pairs
                .clone()
                .fold((0.0, 0.0), |(sum, count), pair| (sum + of(pair), count + 1.0));
            sum / count
        };
        let (then, now) = (mean(&|pair| pair.0), mean(&|pair| pair.1));
        Sums {
            together: mean(&|pair| (pair.0 - then) * (pair.1 - now)),
            alone: mean(&|pair| (pair.0 - then).powi(2)),
            then,
            now,
        }
    }
}
