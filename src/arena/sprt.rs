//! A sequential test: after each pair of games, whether they already tell which of two strengths is the likelier one.
//!
//! A. Wald's sequential probability ratio test (1945), generalised to games whose results scatter in an unknown way:
//! the results of pairs of games (one opening, both colours) have five values, 0 to 2 points. Under each hypothesis
//! their shares are the likeliest ones with the mean that the hypothesis says. Source: M. Van den Bergh, *A practical
//! introduction to the GSPRT* (2021), <https://www.cantate.be/Fishtest/GSPRT_approximation.pdf>.

use super::score::Tally;
use std::fmt;
use std::str::FromStr;

/// Chance of a wrong answer, for each hypothesis.
const ERROR: f64 = 0.05;
/// A result that no pair has had yet counts as much, so that none is impossible.
const UNSEEN: f64 = 1e-3;
/// Steps of bisection: more than a double has bits.
const STEPS: usize = 64;

/// Two strengths in Elo: the test says which of them the games speak for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The one of a change that brings too little.
    pub low: f64,
    /// The one of a change that is worth it; higher.
    pub high: f64,
}

/// How a test stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The logarithm of how many times likelier the higher strength makes the games than the lower.
    pub ratio: f64,
    /// What it says.
    pub answer: Option<Answer>,
    test: Sprt,
}

/// What a test says in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The lower strength.
    Low,
    /// The higher strength.
    High,
}

impl Sprt {
    /// The ratio at which the test ends, either way: ln((1 − error) / error).
    pub fn bound() -> f64 {
        ((1.0 - ERROR) / ERROR).ln()
    }

    /// How the test stands after these games; single games of a pair count when the other one has been played.
    pub fn standing(self, tally: &Tally) -> Standing {
        let mut counts = [UNSEEN; 5];
        for points in &tally.pairs {
            counts[(points * 2.0).round().clamp(0.0, 4.0) as usize] += 1.0;
        }
        let ratio = if tally.pairs.is_empty() {
            0.0
        } else {
            self.ratio(counts)
        };
        let answer = match ratio {
            _ if ratio >= Sprt::bound() => Some(Answer::High),
            _ if ratio <= -Sprt::bound() => Some(Answer::Low),
            _ => None,
        };
        Standing {
            ratio,
            answer,
            test: self,
        }
    }

    /// Σ count · ln(share under the higher strength / share under the lower).
    fn ratio(self, counts: [f64; 5]) -> f64 {
        let [low, high] = [self.low, self.high].map(|elo| likeliest(counts, score_of_elo(elo)));
        (0..5).map(|i| counts[i] * (high[i] / low[i]).ln()).sum()
    }
}

/// The share of the points that is expected at a difference in Elo.
fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The shares of the five results that make these counts likeliest among all with this mean (a share of the points).
///
/// By Lagrange's multipliers they are p / (1 + θ (a − mean)), with the counts' own shares p, values a, and the θ for
/// which the mean comes out: Σ p (a − mean) / (1 + θ (a − mean)) = 0, whose left side falls as θ grows.
fn likeliest(counts: [f64; 5], mean: f64) -> [f64; 5] {
    let all: f64 = counts.iter().sum();
    let off = [0.0, 0.25, 0.5, 0.75, 1.0].map(|value| value - mean);
    let share = |i: usize, theta: f64| counts[i] / all / (1.0 + theta * off[i]);
    // Between these no share is negative.
    let (mut least, mut most) = (-1.0 / off[4], -1.0 / off[0]);
    for _ in 0..STEPS {
        let theta = f64::midpoint(least, most);
        let sum: f64 = (0..5).map(|i| off[i] * share(i, theta)).sum();
        if sum > 0.0 {
            least = theta;
        } else {
            most = theta;
        }
    }
    let theta = f64::midpoint(least, most);
    std::array::from_fn(|i| share(i, theta))
}

/// `0,5`: two strengths in Elo, the lower one first.
impl FromStr for Sprt {
    type Err = String;
    fn from_str(text: &str) -> Result<Sprt, String> {
        let wrong = || format!("'{text}' is not LOW,HIGH: two differences in Elo, such as 0,5");
        let (low, high) = text.split_once(',').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse().ok().filter(|elo: &f64| elo.abs() <= 1000.0);
        let (low, high) = number(low).zip(number(high)).ok_or_else(wrong)?;
        if low < high {
            Ok(Sprt { low, high })
        } else {
            Err(wrong())
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bound, Sprt { low, high }) = (Sprt::bound(), self.test);
        write!(
            f,
            "log-likelihood ratio {:+.2} of ±{bound:.2} for {high} against {low} Elo",
            self.ratio
        )?;
        match self.answer {
            None => Ok(()),
            Some(Answer::High) => write!(f, ": {high} or more"),
            Some(Answer::Low) => write!(f, ": {low} or less"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(test: Sprt, pairs: [usize; 5]) -> Standing {
        let points = [0.0, 0.5, 1.0, 1.5, 2.0];
        let pairs = points
            .iter()
            .zip(pairs)
            .flat_map(|(&points, times)| std::iter::repeat_n(points, times));
        test.standing(&Tally {
            pairs: pairs.collect(),
            ..Tally::default()
        })
    }

    const TEST: Sprt = Sprt { low: 0.0, high: 5.0 };

    #[test]
    fn the_ratio_is_near_the_normal_approximation() {
        // For small differences the ratio is N (s1 − s0) (2 m − s0 − s1) / (2 v), with m and v the mean and variance of
        // a pair's share of the points (the source's equation for the approximation).
        let counts = [120, 480, 900, 560, 150];
        let all: usize = counts.iter().sum();
        let weighted = |value: &dyn Fn(f64) -> f64| -> f64 {
            let values = (0..5).map(|i| value(i as f64 / 4.0) * counts[i] as f64);
            values.sum::<f64>() / all as f64
        };
        let mean = weighted(&|share| share);
        let variance = weighted(&|share| (share - mean).powi(2));
        let (low, high) = (score_of_elo(0.0), score_of_elo(5.0));
        let expected = all as f64 * (high - low) * (2.0 * mean - low - high) / (2.0 * variance);
        let found = after(TEST, counts).ratio;
        assert!(
            (found - expected).abs() < 0.02 * expected.abs(),
            "{found} and {expected}"
        );
    }

    #[test]
    fn shares_have_the_mean_that_is_asked_for() {
        for mean in [0.3, 0.5, 0.507, 0.9] {
            let shares = likeliest([3.0, 20.0, 41.0, 22.0, 5.0], mean);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
            let found: f64 = (0..5).map(|i| shares[i] * i as f64 / 4.0).sum();
            assert!((found - mean).abs() < 1e-9, "{found}, not {mean}");
        }
    }

    #[test]
    fn it_ends_when_the_games_tell_and_not_before() {
        assert_eq!(after(TEST, [0; 5]).answer, None);
        assert_eq!(after(TEST, [1, 2, 3, 2, 1]).answer, None);
        assert_eq!(after(TEST, [50, 300, 600, 700, 250]).answer, Some(Answer::High));
        assert_eq!(after(TEST, [250, 700, 600, 300, 50]).answer, Some(Answer::Low));
        // The same games from the other side, and the test turned round.
        let turned = Sprt { low: -5.0, high: 0.0 };
        let (here, there) = (after(TEST, [9, 30, 60, 41, 12]), after(turned, [12, 41, 60, 30, 9]));
        assert!((here.ratio + there.ratio).abs() < 1e-6, "{here:?} {there:?}");
    }

    /// At the true strength of either hypothesis, the test errs in about as many matches as it says.
    #[test]
    fn it_errs_as_often_as_it_says() {
        let test = Sprt { low: 0.0, high: 40.0 };
        let mut state = 11_u64;
        let mut chance = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        for (elo, wrong) in [(0.0, Answer::High), (40.0, Answer::Low)] {
            let (win, draw) = (score_of_elo(elo) - 0.2, 0.4);
            let errors = (0..200).filter(|_| {
                let mut tally = Tally::default();
                loop {
                    let mut game = || match chance() {
                        x if x < win => 1.0,
                        x if x < win + draw => 0.5,
                        _ => 0.0,
                    };
                    let points = game() + game();
                    tally.pairs.push(points);
                    if let Some(answer) = test.standing(&tally).answer {
                        return answer == wrong;
                    }
                }
            });
            let errors = errors.count();
            assert!(errors <= 20, "{errors} of 200 matches at {elo} Elo ended wrongly");
        }
    }

    #[test]
    fn strengths_are_read_and_what_makes_no_test_is_refused() {
        assert_eq!("0,5".parse(), Ok(TEST));
        assert_eq!("-3.5, 0".parse(), Ok(Sprt { low: -3.5, high: 0.0 }));
        for wrong in ["5,0", "0", "0,0", "a,b", "0,5,9", "0,inf", ""] {
            assert!(wrong.parse::<Sprt>().is_err(), "{wrong}");
        }
    }
}
