//! Texel's tuning: weights under which the evaluation foretells results best.
//!
//! After Peter Österlund's method for his engine Texel (<https://www.chessprogramming.org/Texel%27s_Tuning_Method>):
//! the evaluation becomes an expected result by a logistic curve, and the mean squared error against what the games
//! came to is made as small as it gets. The evaluation is linear in its weights, so the gradient is at hand; steps are
//! Adam's (D. P. Kingma and J. Ba, 2015). A part of the games is kept aside to see whether what is learned holds for
//! others.

use torres_data::Block;
use torres_data::random::SplitMix;
use torres_engine::tuning::Trace;

/// How the weights are fitted.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Adam's step, in centipawns.
    pub step: f32,
    /// How much the search's score counts beside the game's result, 0 to 1.
    pub score_share: f32,
    /// Pulls weights to where they began: the loss of one centipawn off, squared, in shares of the mean error. Keeps
    /// rare features from believing a handful of games.
    pub pull: f32,
}

/// Positions in one step of Adam.
const BATCH: usize = 16_384;

/// A position to learn from.
#[derive(Clone, Debug)]
struct Example {
    trace: Trace,
    /// White's points: 0, 0.5 or 1.
    result: f32,
    /// The search's score in centipawns, White's view.
    score: f32,
}

/// Positions with their features: those to learn from, and those kept aside.
#[derive(Debug, Default)]
pub struct Examples {
    learned: Vec<Example>,
    held_out: Vec<Example>,
}

/// Such a share of the games is kept aside.
const HELD_OUT: f64 = 0.1;

/// Positions beyond this score, in centipawns, are decided and teach nothing.
const TEACHES: u16 = 1000;

impl Examples {
    /// Adds a game's positions, but for those whose score is beyond [`TEACHES`] and those that are none; whole games
    /// are kept aside, since positions of one game are much alike.
    pub fn add(&mut self, game: &Block) {
        let side = if game.game().is_set_apart(HELD_OUT) {
            &mut self.held_out
        } else {
            &mut self.learned
        };
        for record in &game.records {
            let position = record.position().ok();
            let Some((trace, outcome)) = position.and_then(|at| Trace::of(&at)).zip(record.outcome()) else {
                continue;
            };
            if record.score().unsigned_abs() <= TEACHES {
                side.push(Example {
                    trace,
                    result: outcome.white_points(),
                    score: f32::from(record.score()),
                });
            }
        }
    }

    /// Positions to learn from and positions kept aside.
    pub fn len(&self) -> (usize, usize) {
        (self.learned.len(), self.held_out.len())
    }

    /// Whether there is nothing to learn from.
    pub fn is_empty(&self) -> bool {
        self.learned.is_empty()
    }
}

/// Mean squared errors against the games' results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// On the positions learned from.
    pub learned: f32,
    /// On the games kept aside.
    pub held_out: f32,
}

/// Fits weights.
pub struct Tuner {
    examples: Examples,
    weights: Vec<[f32; 2]>,
    start: Vec<[f32; 2]>,
    /// Steepness of the logistic curve, for centipawns.
    steepness: f32,
    settings: Settings,
    adam: Adam,
    random: SplitMix,
}

impl Tuner {
    /// Begins with these weights; the logistic curve is fitted to them and stays.
    pub fn new(examples: Examples, weights: Vec<[f32; 2]>, settings: Settings) -> Tuner {
        let mut tuner = Tuner {
            adam: Adam::new(weights.len()),
            start: weights.clone(),
            weights,
            examples,
            steepness: 0.0,
            settings,
            random: SplitMix(1),
        };
        tuner.steepness = tuner.best_steepness();
        tuner
    }

    /// The weights so far: for the middlegame and for the endgame.
    pub fn weights(&self) -> &[[f32; 2]] {
        &self.weights
    }

    /// Steepness of the logistic curve: with a score of *s* centipawns, `1 / (1 + exp(-steepness · s))` is expected.
    pub fn steepness(&self) -> f32 {
        self.steepness
    }

    /// How well the weights so far foretell results.
    pub fn loss(&self) -> Loss {
        let of = |examples: &[Example]| {
            let errors = examples.iter().map(|example| {
                let expected = logistic(self.steepness * example.trace.value(&self.weights));
                f64::from((expected - example.result).powi(2))
            });
            (errors.sum::<f64>() / examples.len().max(1) as f64) as f32
        };
        Loss {
            learned: of(&self.examples.learned),
            held_out: of(&self.examples.held_out),
        }
    }

    /// The curve under which the weights foretell results best, by golden-section search.
    fn best_steepness(&mut self) -> f32 {
        let mut error = |steepness: f32| {
            self.steepness = steepness;
            self.loss().learned
        };
        let (mut low, mut high) = (0.0005, 0.02);
        let golden = 0.618_034;
        for _ in 0..20 {
            let (left, right) = (high - golden * (high - low), low + golden * (high - low));
            if error(left) < error(right) {
                high = right;
            } else {
                low = left;
            }
        }
        f32::midpoint(low, high)
    }

    /// One pass over all positions, in an order by chance, with this share of the settings' step.
    pub fn epoch(&mut self, step_share: f32) {
        let mut examples = std::mem::take(&mut self.examples.learned);
        for last in (1..examples.len()).rev() {
            examples.swap(last, (self.random.next() % (last as u64 + 1)) as usize);
        }
        for batch in examples.chunks(BATCH) {
            let gradient = self.gradient(batch);
            self.adam
                .step(&mut self.weights, &gradient, self.settings.step * step_share);
        }
        self.examples.learned = examples;
    }

    fn gradient(&self, batch: &[Example]) -> Vec<[f32; 2]> {
        let mut gradient = vec![[0.0; 2]; self.weights.len()];
        for Example { trace, result, score } in batch {
            let expected = logistic(self.steepness * trace.value(&self.weights));
            let share = self.settings.score_share;
            let target = result * (1.0 - share) + logistic(self.steepness * score) * share;
            let slope = 2.0 * (expected - target) * expected * (1.0 - expected) * self.steepness / batch.len() as f32;
            for &(feature, count) in &trace.counts {
                let of_feature = &mut gradient[usize::from(feature)];
                of_feature[0] += slope * f32::from(count) * trace.middle;
                of_feature[1] += slope * f32::from(count) * trace.end;
            }
        }
        for ((of_feature, now), start) in gradient.iter_mut().zip(&self.weights).zip(&self.start) {
            for half in 0..2 {
                of_feature[half] += 2.0 * self.settings.pull * (now[half] - start[half]);
            }
        }
        gradient
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Adam's moments.
#[derive(Debug)]
struct Adam {
    first: Vec<[f32; 2]>,
    second: Vec<[f32; 2]>,
    steps: i32,
}

impl Adam {
    const BETA1: f32 = 0.9;
    const BETA2: f32 = 0.999;
    const EPSILON: f32 = 1e-10;

    fn new(weights: usize) -> Adam {
        Adam {
            first: vec![[0.0; 2]; weights],
            second: vec![[0.0; 2]; weights],
            steps: 0,
        }
    }

    fn step(&mut self, weights: &mut [[f32; 2]], gradient: &[[f32; 2]], step: f32) {
        self.steps += 1;
        let (unbias1, unbias2) = (1.0 - Self::BETA1.powi(self.steps), 1.0 - Self::BETA2.powi(self.steps));
        for (index, weight) in weights.iter_mut().enumerate() {
            for half in 0..2 {
                let slope = gradient[index][half];
                let (first, second) = (&mut self.first[index][half], &mut self.second[index][half]);
                *first = Self::BETA1 * *first + (1.0 - Self::BETA1) * slope;
                *second = Self::BETA2 * *second + (1.0 - Self::BETA2) * slope * slope;
                weight[half] -= step * (*first / unbias1) / ((*second / unbias2).sqrt() + Self::EPSILON);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games between sides whose features 0 and 1 are worth 100 and -50 centipawns, with results by chance as the
    /// logistic curve says; feature 2 never occurs.
    fn examples(number: usize) -> Examples {
        let mut random = SplitMix(5);
        let mut examples = Examples::default();
        for index in 0..number {
            let counts: Vec<(u16, i16)> = (0..2)
                .map(|feature| (feature, (random.next() % 9) as i16 - 4))
                .collect();
            let middle = (random.next() % 25) as f32 / 24.0;
            let trace = Trace {
                counts,
                middle,
                end: 1.0 - middle,
            };
            let truth = trace.value(&[[100.0, 100.0], [-50.0, -50.0], [0.0, 0.0]]);
            let wins = (random.next() % 1000) as f32 / 1000.0 < logistic(0.004 * truth);
            let example = Example {
                trace,
                result: f32::from(u8::from(wins)),
                score: truth,
            };
            if index % 10 == 9 {
                examples.held_out.push(example);
            } else {
                examples.learned.push(example);
            }
        }
        examples
    }

    const SETTINGS: Settings = Settings {
        step: 1.0,
        score_share: 0.0,
        pull: 0.0,
    };

    #[test]
    fn weights_are_found_from_results_alone() {
        let start = vec![[30.0, 30.0], [30.0, 30.0], [7.0, 7.0]];
        let mut tuner = Tuner::new(examples(60_000), start, SETTINGS);
        tuner.steepness = 0.004;
        let before = tuner.loss();
        (0..80).for_each(|_| tuner.epoch(1.0));
        let after = tuner.loss();
        assert!(
            after.held_out < before.held_out && after.learned < before.learned,
            "{before:?} {after:?}"
        );
        for (found, sought) in tuner.weights().iter().zip([100.0, -50.0, 7.0]) {
            assert!(
                found.iter().all(|half| (half - sought).abs() < 8.0),
                "{found:?} is not {sought}"
            );
        }
    }

    #[test]
    fn the_curve_is_fitted_to_the_scores() {
        let truth = vec![[100.0, 100.0], [-50.0, -50.0], [0.0, 0.0]];
        let steepness = Tuner::new(examples(60_000), truth, SETTINGS).steepness();
        assert!((steepness - 0.004).abs() < 0.0004, "{steepness}");
    }

    #[test]
    fn a_pull_keeps_weights_where_they_were() {
        let start = vec![[30.0, 30.0]; 3];
        let moved = |pull: f32| {
            let mut tuner = Tuner::new(examples(20_000), start.clone(), Settings { pull, ..SETTINGS });
            tuner.steepness = 0.004;
            (0..20).for_each(|_| tuner.epoch(1.0));
            tuner
                .weights()
                .iter()
                .flatten()
                .map(|weight| (weight - 30.0).abs())
                .sum::<f32>()
        };
        assert!(moved(1e-3) < moved(0.0) / 4.0, "{} {}", moved(1e-3), moved(0.0));
    }
}
