//! Why a square is not believed, in words that a person can check against the picture.

use super::judge::weigh;
use super::scores::{Motion, SquareScores};

/// A reason to doubt what was read on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoubtReason {
    /// Too much of what would stand there is hidden.
    Covered,
    /// Something else fits about as well.
    Ambiguous,
    /// The piece fits better beside its place: it is on its way.
    Displaced,
    /// Two pieces lie over each other: a capture is going on.
    Superposed,
    /// A piece shows faintly: it is being dragged, or fades.
    Ghost,
    /// The whole square has another colour, as something opaque would give it.
    PaintedOver,
}

impl DoubtReason {
    /// One word or two for a person.
    pub fn name(self) -> &'static str {
        match self {
            DoubtReason::Covered => "covered",
            DoubtReason::Ambiguous => "ambiguous",
            DoubtReason::Displaced => "on its way",
            DoubtReason::Superposed => "two pieces",
            DoubtReason::Ghost => "fading",
            DoubtReason::PaintedOver => "painted over",
        }
    }
}

/// All reasons for which a square is doubtful; none for one that is believed.
pub fn doubt_reasons(scores: &SquareScores) -> Vec<DoubtReason> {
    let weighed = weigh(scores);
    let motion = scores.motion.map(|motion| match motion {
        Motion::Displaced => DoubtReason::Displaced,
        Motion::Superposed => DoubtReason::Superposed,
        Motion::Ghost => DoubtReason::Ghost,
    });
    let reasons = [
        motion,
        weighed.painted_over.then_some(DoubtReason::PaintedOver),
        (weighed.covered > 1.0).then_some(DoubtReason::Covered),
        (weighed.clear < 1.0).then_some(DoubtReason::Ambiguous),
    ];
    reasons.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::super::content::{CONTENTS, EMPTY};
    use super::super::judge;
    use super::*;

    fn scores(best: f32, next: f32, body: f32) -> SquareScores {
        let mut scores = SquareScores {
            cost: [1.0; CONTENTS],
            body: [1.0; CONTENTS],
            ..SquareScores::default()
        };
        (scores.cost[3], scores.cost[4], scores.body[3]) = (best, next, body);
        scores
    }

    /// A white pointer over most of a pawn's square looks like a tint of the square: 33 levels of it left 0.206 open,
    /// and 0.357 for the pawn (`unseen-54-085`, d3).
    #[test]
    fn an_empty_square_under_a_tint_leaves_little_open() {
        let tinted = |open: f32| {
            let mut scores = scores(0.357, 0.5, 0.62);
            (scores.cost[EMPTY], scores.body[EMPTY], scores.tint) = (open, open, 33);
            doubt_reasons(&scores)
        };
        assert_eq!(tinted(0.206), [DoubtReason::Ambiguous]);
        assert_eq!(tinted(0.03), []);
    }

    #[test]
    fn a_square_has_a_reason_just_when_it_is_doubtful() {
        let moving = SquareScores {
            motion: Some(Motion::Displaced),
            ..scores(0.01, 0.4, 0.01)
        };
        let mut painted = scores(0.9, 0.9, 0.9);
        (painted.cost[EMPTY], painted.body[EMPTY], painted.tint) = (0.01, 0.01, 200);
        for (scores, expected) in [
            (scores(0.01, 0.4, 0.01), vec![]),
            (scores(0.01, 0.011, 0.01), vec![DoubtReason::Ambiguous]),
            (scores(0.2, 0.9, 0.6), vec![DoubtReason::Covered]),
            (moving, vec![DoubtReason::Displaced]),
            (painted, vec![DoubtReason::PaintedOver]),
        ] {
            assert_eq!(doubt_reasons(&scores), expected);
            assert_eq!(judge(&scores).doubtful, !expected.is_empty());
        }
    }
}
