//! What the scores of a square say stands there, and how sure that is.

use super::content::{EMPTY, content, index};
use super::scores::SquareScores;
use shakmaty::{Board, Piece, Square};
use torres_geometry::BySquare;

/// A square whose best content costs less than this fits well, as a mean over the square.
pub(super) const WELL: f32 = 0.03;

/// A piece of whose body (or an empty square of whose middle) more than this share is hidden is covered.
pub(super) const COVERED: f32 = 0.5;

/// The second best content must cost this much more, as a mean over the square.
pub(super) const GAP: f32 = 0.012;

/// Where the two look so alike on that ground that no picture shows such a difference, this share of the one that there
/// is, but not less than the least.
const SHARE_OF_GAP: f32 = 0.5;
const LEAST_GAP: f32 = 0.003;

/// It must also cost more by this share of what the best one leaves open: half of a picture that nothing explains may
/// be two pieces in a capture.
const GAP_PER_OPEN: f32 = 0.45;

/// The same for an empty square, over which only arrows and notices lie.
const GAP_PER_OPEN_EMPTY: f32 = 0.3;

/// The same for an empty square under a tint: the tint is what is seen at the margin, and the same pointer or notice
/// that leaves the rest open may lie there. Twice what any content needs (a judgement).
const GAP_PER_OPEN_TINTED: f32 = 0.9;

/// Farther from its plain colour than this, in levels, an empty square is tinted, or covered.
pub(super) const TINTED: i16 = 24;

/// A square that is evenly this many levels away from its colour may as well be covered by something opaque.
pub(super) const OPAQUE: i16 = 130;

/// A square whose best content costs more than this is hidden: it is evidence for no content.
pub const HIDDEN: f32 = 0.38;

/// The evidence of a square that is read for certain, in nats: as much as it takes to believe a move (1000 to 1).
pub(crate) const CERTAIN: f32 = 6.9;

/// This much of a piece's body may be hidden when it is to be told from a few others only.
const PARTLY_COVERED: f32 = 0.65;

/// The same for the middle of an empty square.
const EMPTY_COVERED: f32 = 0.8;

/// To tell what one legal move leads to from what others lead to takes this share of what a certain reading needs: 4.6
/// nats (100 to 1), since the others are few.
const DISTINGUISHED: f32 = 4.6 / CERTAIN;

/// What stands on a square, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SquareReading {
    /// The piece seen, `None` for an empty square.
    pub content: Option<Piece>,
    /// 0 to 1.
    pub confidence: f64,
    /// Covered, or too like something else, to be believed.
    pub doubtful: bool,
}

/// What stands on every square.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardReading {
    /// Square by square.
    pub squares: BySquare<SquareReading>,
}

impl BoardReading {
    /// The pieces as read, doubtful squares by their best guess.
    pub fn board(&self) -> Board {
        let pieces = self.squares.iter().filter_map(|(s, r)| Some((s, r.content?)));
        pieces.collect()
    }

    /// The least sure square's confidence.
    pub fn confidence(&self) -> f64 {
        self.squares.iter().map(|(_, r)| r.confidence).fold(1.0, f64::min)
    }

    /// The squares not to be believed.
    pub fn doubtful(&self) -> Vec<Square> {
        self.squares
            .iter()
            .filter(|(_, r)| r.doubtful)
            .map(|(s, _)| s)
            .collect()
    }
}

/// The arguments for and against the best content of a square.
pub(super) struct Weighed {
    pub(super) best: usize,
    /// Above 1: so much of it is hidden that it is a guess.
    pub(super) covered: f32,
    /// Below 1: something else may as well stand there.
    pub(super) clear: f32,
    /// The square is painted over.
    pub(super) painted_over: bool,
}

pub(super) fn weigh(scores: &SquareScores) -> Weighed {
    let (best, gap) = scores.best();
    // What covers a part of the square is evidence for no content, so the rest must tell them further apart. A tint
    // leaves little open.
    let gap_per_open = match best == EMPTY {
        true if scores.tint > TINTED => GAP_PER_OPEN_TINTED,
        true => GAP_PER_OPEN_EMPTY,
        false => GAP_PER_OPEN,
    };
    let open = open(scores, best);
    Weighed {
        best,
        covered: scores.body[best] / COVERED,
        clear: gap / (needed_gap(scores) + gap_per_open * open),
        painted_over: best == EMPTY && scores.tint > OPAQUE,
    }
}

/// What a content leaves open, as a mean cost. What lies beside a body that fits, a cursor say, is no argument against
/// it; but a square under a tint is tinted all over, and what is left open beside its middle lies over it.
fn open(scores: &SquareScores, content: usize) -> f32 {
    match content == EMPTY && scores.tint > TINTED {
        true => scores.cost[content],
        false => scores.cost[content].min(scores.body[content]),
    }
}

/// By how much the next content must cost more than the best.
fn needed_gap(scores: &SquareScores) -> f32 {
    let possible = scores.apart.map_or(GAP, |apart| SHARE_OF_GAP * apart);
    possible.clamp(LEAST_GAP, GAP)
}

/// Whether a square's picture tells this content from these others, whatever else it resembles. A picture in motion
/// tells nothing.
pub fn distinguishes(scores: &SquareScores, content: Option<Piece>, others: &[Option<Piece>]) -> bool {
    let k = index(content);
    let others = others.iter().map(|o| index(*o)).filter(|o| !scores.alike.same(*o, k));
    let next = others.map(|o| scores.cost[o]).fold(f32::INFINITY, f32::min);
    let gap_per_open = if k == EMPTY { GAP_PER_OPEN_EMPTY } else { GAP_PER_OPEN };
    let open = open(scores, k);
    let hidden = if k == EMPTY { EMPTY_COVERED } else { PARTLY_COVERED };
    let seen = scores.motion.is_none() && scores.body[k] <= hidden && scores.least() <= HIDDEN;
    seen && next - scores.cost[k] >= DISTINGUISHED * (GAP + gap_per_open * open)
}

/// By how many nats a square's picture speaks for one content against another: [`CERTAIN`] where the two are apart by
/// as much as a square that is read for certain has between its best content and the next. A picture that nothing
/// explains is no evidence.
pub(crate) fn log_likelihood_ratio(scores: &SquareScores, this: usize, other: usize) -> f32 {
    if scores.alike.same(this, other) || scores.least() > HIDDEN {
        return 0.0;
    }
    let best = scores.best().0;
    let gap_per_open = if best == EMPTY {
        GAP_PER_OPEN_EMPTY
    } else {
        GAP_PER_OPEN
    };
    let open = open(scores, best);
    // A piece that is not learned costs everything.
    let cost = |k: usize| scores.cost[k].min(1.0);
    CERTAIN * (cost(other) - cost(this)) / (needed_gap(scores) + gap_per_open * open)
}

/// Whether the whole square has another colour, as something opaque would give it.
pub(crate) fn is_painted_over(scores: &SquareScores) -> bool {
    weigh(scores).painted_over
}

/// Whether something lies over what stands on the square, by half of it or more: a click there would hit that.
pub(crate) fn is_covered(scores: &SquareScores, content: Option<Piece>) -> bool {
    scores.body[index(content)] > COVERED
}

/// Whether a square is read for certain, if what it is evenly painted with is its mark.
pub(crate) fn is_read_under_paint(scores: &SquareScores) -> bool {
    let Weighed { covered, clear, .. } = weigh(scores);
    covered <= 1.0 && clear >= 1.0 && scores.motion.is_none()
}

/// What the scores of a square say stands there.
pub fn judge(scores: &SquareScores) -> SquareReading {
    let Weighed {
        best,
        covered,
        clear,
        painted_over,
    } = weigh(scores);
    SquareReading {
        content: content(scores.alike.first(best)),
        confidence: f64::from((1.0 - covered / 2.0).clamp(0.0, 1.0) * (clear / 2.0).clamp(0.0, 1.0)),
        doubtful: !is_read_under_paint(scores) || painted_over,
    }
}
