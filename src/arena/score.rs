//! What a result says about strength: points, Elo, and how far either may be off by chance.

/// Games from one side's view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Points from each complete pair of games (one opening, both colours), 0 to 2.
    pub pairs: Vec<f64>,
}

/// A value with the 95 % interval around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// What the games say.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// 95 % of the normal distribution lies within this many standard deviations.
const Z: f64 = 1.959_964;

/// With fewer pairs the games are counted one by one.
const LEAST_PAIRS: usize = 20;

impl Tally {
    /// Counts a game: 1, 0.5 or 0 points.
    pub fn add(&mut self, points: f64) {
        match points {
            1.0 => self.wins += 1,
            0.0 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// Games counted.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points won.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// The share of the points, 0 to 1, with Wilson's interval (E. B. Wilson, 1927) for as many coin tosses as would
    /// scatter like these games: draws scatter less, and so do the two games of one opening. `None` without games.
    pub fn score(&self) -> Option<Estimate> {
        let games = f64::from(self.games());
        if games == 0.0 {
            return None;
        }
        let score = self.points() / games;
        let tosses = games * self.toss_variance() / self.variance();
        let middle = score + Z * Z / (2.0 * tosses);
        let half = Z * (score * (1.0 - score) / tosses + Z * Z / (4.0 * tosses * tosses)).sqrt();
        let whole = 1.0 + Z * Z / tosses;
        Some(Estimate {
            value: score,
            low: ((middle - half) / whole).max(0.0),
            high: ((middle + half) / whole).min(1.0),
        })
    }

    /// The score as a difference in Elo; infinite where every game was won or lost.
    pub fn elo(&self) -> Option<Estimate> {
        self.score().map(|score| Estimate {
            value: elo_of_score(score.value),
            low: elo_of_score(score.low),
            high: elo_of_score(score.high),
        })
    }

    /// Score with one more game won and one lost by halves, so that no variance is nought.
    fn padded_score(&self) -> f64 {
        (self.points() + 0.5) / (f64::from(self.games()) + 1.0)
    }

    /// Variance of one toss of a coin that wins as often.
    fn toss_variance(&self) -> f64 {
        let score = self.padded_score();
        score * (1.0 - score)
    }

    /// Variance of one game.
    fn variance(&self) -> f64 {
        if self.pairs.len() >= LEAST_PAIRS {
            let padded = self
                .pairs
                .iter()
                .map(|points| (points / 2.0, 1.0))
                .chain([(1.0, 0.5), (0.0, 0.5)]);
            // The mean of two games scatters half as much as one, were they independent.
            return 2.0 * variance(padded);
        }
        let (wins, draws, losses) = (f64::from(self.wins), f64::from(self.draws), f64::from(self.losses));
        variance([(1.0, wins + 0.5), (0.5, draws), (0.0, losses + 0.5)].into_iter())
    }
}

/// The variance of values with these weights.
fn variance(values: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let weight: f64 = values.clone().map(|(_, weight)| weight).sum();
    let mean = values.clone().map(|(value, weight)| value * weight).sum::<f64>() / weight;
    values
        .map(|(value, weight)| (value - mean).powi(2) * weight)
        .sum::<f64>()
        / weight
}

/// The difference in Elo at which this share of the points is expected.
fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

impl Estimate {
    /// As a difference in Elo: `+34 ± 21`, or its finite end where the other is out of reach.
    pub fn to_elo_text(self) -> String {
        match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) => {
                let inside = if self.contains(0.0) { " (0 is inside)" } else { "" };
                format!("{:+.0} ± {:.0}{inside}", self.value, (self.high - self.low) / 2.0)
            }
            (true, false) => format!("> {:+.0}", self.low),
            (false, true) => format!("< {:+.0}", self.high),
            (false, false) => "unknown".to_owned(),
        }
    }

    /// Whether a value lies in the interval.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(wins: u32, draws: u32, losses: u32) -> Tally {
        Tally {
            wins,
            draws,
            losses,
            pairs: Vec::new(),
        }
    }

    #[test]
    fn scores_become_elo() {
        assert_eq!(format!("{:+.0}", elo_of_score(0.5)), "+0");
        // 200 more should win 76 of 100 (A. Elo's logistic form: 1 / (1 + 10^(-1/2))).
        assert!((elo_of_score(1.0 / (1.0 + 10f64.powf(-0.5))) - 200.0).abs() < 1e-9);
        assert!((elo_of_score(0.3) + elo_of_score(0.7)).abs() < 1e-9);
    }

    #[test]
    fn without_draws_the_interval_is_wilsons() {
        // 81 of 263, the example of Newcombe (1998), table I: 0.2553 to 0.3662.
        let score = tally(81, 0, 182).score().unwrap();
        assert!((score.low - 0.2553).abs() < 2e-4, "{score:?}");
        assert!((score.high - 0.3662).abs() < 2e-4, "{score:?}");
    }

    #[test]
    fn draws_and_pairs_narrow_it_and_games_do() {
        let width = |tally: Tally| tally.score().map(|score| score.high - score.low).unwrap();
        assert!(width(tally(10, 80, 10)) < width(tally(50, 0, 50)));
        assert!(width(tally(200, 0, 200)) < width(tally(50, 0, 50)));
        let mirrored = Tally {
            pairs: vec![1.0; 50],
            ..tally(50, 0, 50)
        };
        assert!(width(mirrored) < width(tally(50, 0, 50)) / 2.0);
    }

    #[test]
    fn nothing_but_wins_is_no_certainty() {
        let elo = tally(12, 0, 0).elo().unwrap();
        assert!(elo.low > 100.0 && elo.low < 400.0 && elo.value.is_infinite(), "{elo:?}");
        assert!(elo.to_elo_text().starts_with("> +"));
        assert!(tally(0, 0, 12).elo().unwrap().to_elo_text().starts_with("< -"));
        assert_eq!(tally(0, 0, 0).elo(), None);
        assert!(tally(5, 5, 5).elo().unwrap().to_elo_text().ends_with("(0 is inside)"));
    }

    /// Wilson's interval as it is defined, from the results one by one, without a formula for it: the scores from which
    /// these games are no more than [`Z`] standard deviations away, one game scattering as much as a coin's toss times
    /// what these games scatter less than it. Everything is counted twice, so that the half a game won and the half
    /// lost that are added are whole ones.
    fn by_definition(games: &[f64], scatter: f64) -> (f64, f64) {
        let count = games.len() as f64;
        let score = games.iter().sum::<f64>() / count;
        let padded = (games.iter().sum::<f64>() + 0.5) / (count + 1.0);
        let less = scatter / (padded * (1.0 - padded));
        let outside =
            |true_score: f64| (score - true_score).abs() > Z * (true_score * (1.0 - true_score) * less / count).sqrt();
        let steps = 1_000_000;
        let inside: Vec<f64> = (0..=steps)
            .map(|i| f64::from(i) / f64::from(steps))
            .filter(|p| !outside(*p))
            .collect();
        (inside[0], *inside.last().unwrap())
    }

    /// The mean squared distance from the mean.
    fn scatter(values: &[f64]) -> f64 {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count
    }

    fn is_close(found: Estimate, (low, high): (f64, f64), of: &str) {
        assert!(
            (found.low - low).abs() < 1e-5 && (found.high - high).abs() < 1e-5,
            "{of}: {found:?}, not {low} to {high}"
        );
    }

    #[test]
    fn the_interval_of_games_is_the_one_that_its_definition_gives() {
        // By hand: 2 won, 1 drawn, 1 lost, and half a game more won and lost, make 5 games of mean 0.6; they scatter by
        // (2.5 · 0.16 + 1 · 0.01 + 1.5 · 0.36) / 5 = 0.19, where a coin's tosses would by 0.6 · 0.4 = 0.24.
        assert!((tally(2, 1, 1).variance() - 0.19).abs() < 1e-12);
        assert!((tally(2, 1, 1).toss_variance() - 0.24).abs() < 1e-12);
        for (wins, draws, losses) in [(2, 1, 1), (0, 4, 0), (3, 0, 0), (24, 47, 29), (1, 98, 1), (90, 8, 2)] {
            let repeated = |points: f64, times: u32| std::iter::repeat_n(points, times as usize);
            let games: Vec<f64> = repeated(1.0, wins)
                .chain(repeated(0.5, draws))
                .chain(repeated(0.0, losses))
                .collect();
            let twice: Vec<f64> = games.iter().chain(&games).copied().chain([1.0, 0.0]).collect();
            let found = tally(wins, draws, losses).score().unwrap();
            is_close(
                found,
                by_definition(&games, scatter(&twice)),
                &format!("+{wins} ={draws} -{losses}"),
            );
        }
    }

    #[test]
    fn the_interval_of_pairs_is_that_of_their_means() {
        // Points of each pair: 2 won, 1 from a pair of opposite results or two draws, and halves.
        for pairs in [
            [2.0, 1.0, 1.0, 1.5, 0.5, 1.0, 2.0, 0.0, 1.0, 1.0].repeat(2),
            [1.0; 20].to_vec(),
            [2.0, 0.0].repeat(15),
            [1.5, 1.0, 1.5, 2.0, 0.5].repeat(10),
        ] {
            let halves = |of: &f64| match (of * 2.0) as u32 {
                0 => [0.0, 0.0],
                1 => [0.5, 0.0],
                2 => [1.0, 0.0],
                3 => [1.0, 0.5],
                _ => [1.0, 1.0],
            };
            let games: Vec<f64> = pairs.iter().flat_map(halves).collect();
            let mut counted = Tally {
                pairs: pairs.clone(),
                ..Tally::default()
            };
            games.iter().for_each(|points| counted.add(*points));
            let means: Vec<f64> = pairs.iter().map(|points| points / 2.0).collect();
            let twice: Vec<f64> = means.iter().chain(&means).copied().chain([1.0, 0.0]).collect();
            // A pair's mean scatters half as much as one of two independent games.
            let expected = by_definition(&games, 2.0 * scatter(&twice));
            is_close(counted.score().unwrap(), expected, &format!("{pairs:?}"));
            // With one pair too few each game counts for itself.
            let few = Tally {
                pairs: pairs[..LEAST_PAIRS - 1].to_vec(),
                ..counted.clone()
            };
            let alone = Tally {
                pairs: Vec::new(),
                ..counted
            };
            assert_eq!(few.score(), alone.score());
        }
    }

    #[test]
    fn what_stands_behind_the_plus_minus_is_half_the_interval_in_elo() {
        let estimate = tally(24, 47, 29).elo().unwrap();
        let (low, high) = (elo_of_score(tally(24, 47, 29).score().unwrap().low), estimate.high);
        assert_eq!(estimate.low, low);
        assert_eq!(
            estimate.to_elo_text(),
            format!("-17 ± {:.0} (0 is inside)", (high - low) / 2.0)
        );
        // Ethereal's row of `docs/figures.md`: 24 won, 47 drawn, 29 lost. By the usual estimate, 1.96 · √(0.2669/100)
        // of the score at a slope of 400 / ln 10 / (s (1 - s)) Elo for each part of it.
        let variance: f64 = (24.0 * 0.525f64.powi(2) + 47.0 * 0.025f64.powi(2) + 29.0 * 0.475f64.powi(2)) / 100.0;
        let usual = 1.96 * (variance / 100.0).sqrt() * 400.0 / 10f64.ln() / (0.475 * 0.525);
        assert!(
            ((high - low) / 2.0 - usual).abs() < 2.0,
            "{} and {usual}",
            (high - low) / 2.0
        );
    }
}
