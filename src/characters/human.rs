//! Weak opponents that err as people do: now and then they take the second or third best move, not a random one.
//!
//! Before each move the player draws how much it will lose, in centipawns, from a normal distribution, and plays the
//! move whose loss against the best is nearest to that. It never misses a recapture. The idea is that of Lichess' bots,
//! which use a spread of 80: of a distribution around 0 half the moves are the best, and where there is only the best
//! move and a blunder, the blunder is far from most of what is drawn.

use torres_engine::{Move, Score, SearchInfo, Square};

/// A move with what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The move.
    pub mv: Move,
    /// From the side to move's view, in centipawns.
    pub value: i32,
}

/// How much a player means to lose with a move, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// On average, before what is below zero is counted as nothing.
    pub loss: i32,
    /// Standard deviation.
    pub spread: i32,
}

/// Beyond this a game is as good as decided, and players do not tell values apart, in centipawns.
const DECIDED: i32 = 1_000;

/// The lines of the deepest iteration that a search with several lines reported, the best first.
pub(crate) fn lines(infos: &[SearchInfo]) -> Vec<Line> {
    let depth = infos.iter().map(|info| info.depth).max();
    let mut lines: Vec<Line> = infos
        .iter()
        .filter(|info| Some(info.depth) == depth)
        .filter_map(|info| {
            Some(Line {
                mv: *info.pv.first()?,
                value: centipawns(info.score),
            })
        })
        .collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.value));
    lines
}

/// A score, no further from 0 than [`DECIDED`], mates included.
fn centipawns(score: Score) -> i32 {
    match score {
        Score::Cp(value) => value.clamp(-DECIDED, DECIDED),
        Score::Mate(moves) if moves > 0 => DECIDED,
        Score::Mate(_) => -DECIDED,
    }
}

/// The move that such a player makes of these lines, the best first; `None` where there is none. `taken` is the square
/// on which the opponent has just taken something. The same chance, any number, makes the same choice.
pub(crate) fn choose(lines: &[Line], taken: Option<Square>, target: Target, chance: u64) -> Option<Move> {
    let best = lines.first()?;
    if best.mv.is_capture() && taken == Some(best.mv.to()) {
        return Some(best.mv);
    }
    let meant = (f64::from(target.loss) + f64::from(target.spread) * normal(chance)).max(0.0);
    let away = |line: &Line| (f64::from(best.value - line.value) - meant).abs();
    // Of two that are as near the better one, which stands first.
    let mut chosen = best;
    for line in lines {
        if away(line) < away(chosen) {
            chosen = line;
        }
    }
    Some(chosen.mv)
}

/// A normally distributed number (mean 0, standard deviation 1) made of an evenly distributed one, by Box and Muller's
/// transform of its halves.
fn normal(chance: u64) -> f64 {
    let mixed = mix(chance);
    // Above 0, at most 1.
    let unit = |half: u32| (f64::from(half) + 1.0) / (f64::from(u32::MAX) + 1.0);
    let (radius, angle) = (unit((mixed >> 32) as u32), unit(mixed as u32));
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// Spreads small numbers over all of 64 bits (the last step of SplitMix64, <https://prng.di.unimi.it/splitmix64.c>).
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres_engine::Position;

    /// Moves of the start position, each worth so much.
    fn worth(values: &[i32]) -> Vec<Line> {
        let moves = Position::start().legal_moves();
        moves
            .into_iter()
            .zip(values)
            .map(|(mv, &value)| Line { mv, value })
            .collect()
    }

    fn losses(lines: &[Line], target: Target) -> Vec<i32> {
        let loss = |mv| {
            lines
                .iter()
                .find(|line| line.mv == mv)
                .map(|line| lines[0].value - line.value)
                .unwrap()
        };
        (0..4_000)
            .map(|chance| loss(choose(lines, None, target, chance).unwrap()))
            .collect()
    }

    fn mean(numbers: &[i32]) -> f64 {
        f64::from(numbers.iter().sum::<i32>()) / numbers.len() as f64
    }

    #[test]
    fn losses_are_spread_as_the_target_says() {
        // A choice at every 25 centipawns.
        let lines = worth(&(0..20).map(|step| 100 - 25 * step).collect::<Vec<_>>());
        let target = Target { loss: 200, spread: 80 };
        let drawn = losses(&lines, target);
        assert!((mean(&drawn) - 200.0).abs() < 5.0, "{}", mean(&drawn));
        // Of a normal distribution 68.3 % lie within one standard deviation; rounding to 25 makes that 120 to 280 ±
        // 12.5.
        let near = drawn.iter().filter(|loss| (**loss - 200).abs() <= 75).count() as f64 / drawn.len() as f64;
        assert!((0.62..0.76).contains(&near), "{near}");
        // Half of a distribution around 0 is below it, and counts as the best move.
        let best = losses(&lines, Target { loss: 0, spread: 80 });
        let share = best.iter().filter(|loss| **loss == 0).count() as f64 / best.len() as f64;
        // Below 12.5 of 80: 56.2 %.
        assert!((0.53..0.59).contains(&share), "{share}");
    }

    #[test]
    fn a_piece_is_hardly_ever_given_away_where_only_that_is_to_choose() {
        let lines = worth(&[20, 0, -600, -620]);
        let drawn = losses(&lines, Target { loss: 100, spread: 80 });
        // From a loss of 320 on 620 is nearer than 20: 2.75 standard deviations, 0.3 % of all draws.
        let given = drawn.iter().filter(|loss| **loss > 20).count();
        assert!((1..40).contains(&given), "{given}");
    }

    #[test]
    fn the_best_recapture_is_never_missed() {
        let position = Position::from_fen("4k3/8/8/8/3q4/4P3/8/4K3 w - - 0 1").unwrap();
        let take = position.parse_uci("e3d4").unwrap();
        let other = position.parse_uci("e1e2").unwrap();
        let lines = [Line { mv: take, value: 100 }, Line { mv: other, value: -100 }];
        let target = Target { loss: 200, spread: 80 };
        let count = |taken| {
            let takes = |chance: &u64| choose(&lines, taken, target, *chance) == Some(take);
            (0..1_000).filter(takes).count()
        };
        assert_eq!(count(Some(take.to())), 1_000);
        assert!(count(None) < 200);
    }

    #[test]
    fn decided_is_decided_and_the_last_iteration_counts() {
        let moves = Position::start().legal_moves();
        let info = |depth, mv, score| SearchInfo {
            depth,
            selective_depth: depth,
            line: 1,
            score,
            nodes: 0,
            time: std::time::Duration::ZERO,
            hash_full: 0,
            pv: vec![mv],
        };
        let told = [
            info(1, moves[0], Score::Cp(50)),
            info(2, moves[1], Score::Cp(-4_000)),
            info(2, moves[2], Score::Mate(3)),
        ];
        assert_eq!(
            lines(&told),
            [
                Line {
                    mv: moves[2],
                    value: 1_000
                },
                Line {
                    mv: moves[1],
                    value: -1_000
                }
            ]
        );
        assert_eq!(choose(&[], None, Target { loss: 0, spread: 80 }, 1), None);
    }
}
