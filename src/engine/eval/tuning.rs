//! What the tuner needs: each position's features with their numbers, and the weights, out and in again.

use super::endgame::{FULL_PHASE, FULL_SCALE, mate_bare_king, phase, scale};
use super::features::{COUNT, GROUPS, SQUARES};
use super::sink::Counts;
use super::weights::WEIGHTS;
use super::{Tapered, count_features, king, pawns};
use crate::{Color, Position};
use std::fmt::Write;

/// A position as the evaluation sees it: the value is linear in the weights,
/// `Σ count · (middle · weight.middle + end · weight.end)`, in centipawns from White's view.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Feature and count, White's minus Black's.
    pub counts: Vec<(u16, i16)>,
    /// How much the middlegame counts, 0 to 1.
    pub middle: f32,
    /// How much the endgame counts, 0 to 1; less where an advantage hardly wins.
    pub end: f32,
}

impl Trace {
    /// The position's features; `None` where more than features decides (a bare king), or nothing does.
    pub fn of(position: &Position) -> Option<Trace> {
        if mate_bare_king(position).is_some() {
            return None;
        }
        let mut counts = Counts::default();
        let structure = pawns::structure(position.board(), &mut counts);
        for us in Color::ALL {
            king::shelter(position.board(), us, position.king(us), &mut counts);
        }
        count_features(position, structure, &mut counts);
        let counts = counts.differences();
        let sum = counts.iter().fold(Tapered::ZERO, |sum, &(feature, count)| {
            sum + WEIGHTS[usize::from(feature)] * i32::from(count)
        });
        let strong = if sum.end > 0 { Color::White } else { Color::Black };
        let scale = scale(position.board(), strong, structure.passed) as f32 / FULL_SCALE as f32;
        let middle = phase(position.board()) as f32 / FULL_PHASE as f32;
        let end = (1.0 - middle) * scale;
        (middle + end > 0.0).then_some(Trace { counts, middle, end })
    }

    /// The value with these weights, in centipawns from White's view.
    pub fn value(&self, weights: &[[f32; 2]]) -> f32 {
        let mut value = 0.0;
        for &(feature, count) in &self.counts {
            let [middle, end] = weights[usize::from(feature)];
            value += f32::from(count) * (self.middle * middle + self.end * end);
        }
        value
    }
}

/// The weights in use: for the middlegame and for the endgame, in centipawns.
pub fn weights() -> Vec<[f32; 2]> {
    WEIGHTS
        .iter()
        .map(|weight| [weight.middle as f32, weight.end as f32])
        .collect()
}

/// The source of `weights.rs` with these weights, rounded to centipawns.
///
/// # Panics
/// There are not as many weights as features.
pub fn source(weights: &[[f32; 2]]) -> String {
    assert_eq!(weights.len(), COUNT, "as many weights as features");
    let mut text = String::from(HEAD);
    for group in GROUPS {
        let members = &weights[group.at(0)..group.at(0) + group.len];
        // Writing to a String does not fail.
        let _ = writeln!(text, "    // {}", group.name);
        for (row, chunk) in members.chunks(8).enumerate() {
            if group.name == SQUARES.name && row % 8 == 0 {
                let _ = writeln!(
                    text,
                    "    // {}",
                    ["pawn", "knight", "bishop", "rook", "queen", "king"][row / 8]
                );
            }
            let row: Vec<String> = chunk
                .iter()
                .map(|[middle, end]| format!("t({:4.0}, {:4.0})", middle.round() + 0.0, end.round() + 0.0))
                .collect();
            let _ = writeln!(text, "    {},", row.join(", "));
        }
    }
    text.push_str("];\n");
    text
}

const HEAD: &str = "\
//! Every weight of the evaluation, in centipawns: for the middlegame and for the endgame, in the order of
//! [`GROUPS`](super::features::GROUPS). Squares are a side's own, a1 to h1 first.
//!
//! Written by `torres tune`; `docs/engine/tuning.md` says from which games.

use super::Tapered;
use super::features::COUNT;

const fn t(middle: i32, end: i32) -> Tapered {
    Tapered { middle, end }
}

#[rustfmt::skip]
pub(super) static WEIGHTS: [Tapered; COUNT] = [
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::POSITIONS;
    use crate::eval::evaluate;

    #[test]
    fn the_trace_and_the_sum_are_the_same_evaluation() {
        let mut traced = 0;
        for fen in POSITIONS {
            let position = Position::from_fen(fen).unwrap();
            let Some(trace) = Trace::of(&position) else { continue };
            let white = trace.value(&weights());
            let ours = if position.turn() == Color::White { white } else { -white };
            // The search's sum rounds towards nought twice.
            assert!(
                (ours - evaluate(&position) as f32).abs() <= 2.0,
                "{fen}: {ours} and {}",
                evaluate(&position)
            );
            traced += 1;
        }
        assert!(traced >= 12, "{traced}");
    }

    #[test]
    fn weights_in_use_are_written_as_they_are_read() {
        let written = source(&weights()).replace("\r\n", "\n");
        assert_eq!(written, include_str!("weights.rs").replace("\r\n", "\n"));
    }
}
