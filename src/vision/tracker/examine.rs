//! One picture by itself: how it compares with a position and what legal lines make of it, whatever came before.

use super::Doubt;
use super::explain::{Explanation, HalfSeen, ScoredBoard, differing};
use super::marks::Marks;
use crate::appearance::{Appearance, BoardReading};
use image::RgbaImage;
use shakmaty::{Chess, Position};
use std::iter;
use torres_chess::same_position;
use torres_geometry::{BoardMap, BySquare};

/// The longest line whose last move may be covered.
const HALF_SEEN: usize = 3;

/// What a picture says to someone who knows the position before, and nothing of the frames before.
#[derive(Clone, Debug)]
pub struct Examination {
    /// What was read, and the lines that come nearest. The squares changed are those that are read for certain and do
    /// not show what the position has there.
    pub seen: Doubt,
    /// Whether a legal line explains the whole board. The tracker may still wait before it believes that line.
    pub explanation: Explanation,
}

/// Reads a picture and looks for the legal lines from `position` that explain it: for evidence, and for people who ask
/// why. The marks are those that the board is known to put on the last move.
pub fn examine(
    appearance: &Appearance,
    image: &RgbaImage,
    map: &BoardMap,
    position: &Chess,
    marks: Option<&Marks>,
) -> Examination {
    let reader = appearance.reader(map);
    let scores = BySquare::from_fn(|square| reader.scores(image, square));
    let look = appearance.closer_look(map, image);
    let scored = ScoredBoard::new(&scores).with_look(&look);
    let seen = Doubt {
        reading: BoardReading {
            squares: scored.readings().clone(),
        },
        changed: scored.contradicted(position.board()).into_iter().collect(),
        candidates: scored.candidates(position),
        scores: Box::new(scores.clone()),
    };
    Examination {
        explanation: explained(&scored, position, &[], marks),
        seen,
    }
}

/// What explains the board: its pieces by themselves, or else together with the marks of the last move.
pub(super) fn explained(
    scored: &ScoredBoard,
    position: &Chess,
    rather: &[shakmaty::Move],
    marks: Option<&Marks>,
) -> Explanation {
    let by_pieces = scored.explain(position, rather);
    let Some(marks) = marks else { return by_pieces };
    match by_pieces {
        Explanation::Ambiguous => pointed_at(scored, position, marks),
        Explanation::None => match half_seen_move(scored, position, marks) {
            Explanation::None => marked_move(scored, position, marks),
            explanation => explanation,
        },
        explanation => explanation,
    }
}

/// The one of several moves that look the same to which the marks of the last move point.
fn pointed_at(scored: &ScoredBoard, position: &Chess, marks: &Marks) -> Explanation {
    let fitting = scored.fitting(position).into_iter();
    let mut found = fitting.filter(|(m, _)| marks.point_at(scored.scores(), m));
    match (found.next(), found.next()) {
        (Some((m, end)), None) => Explanation::Line(vec![m], Box::new(end)),
        _ => Explanation::Ambiguous,
    }
}

/// The one move whose squares are read for certain and marked as this board marks the last move, whatever lies over
/// others.
fn marked_move(scored: &ScoredBoard, position: &Chess, marks: &Marks) -> Explanation {
    let found = scored.agreeing_moves(position);
    let [(played, end)] = &found[..] else {
        return Explanation::None;
    };
    match scored.shows(differing(position.board(), end.board()), end.board()) && marks.mark(scored.scores(), played) {
        true => Explanation::Line(vec![*played], Box::new(end.clone())),
        false => Explanation::None,
    }
}

/// The moves, as few as can be, of which a square is half covered or a piece still under way, if the rest of it or the
/// marks of the last move name them.
fn half_seen_move(scored: &ScoredBoard, position: &Chess, marks: &Marks) -> Explanation {
    for plies in 1..=HALF_SEEN {
        let Some(found) = scored.half_seen(position, plies) else {
            continue;
        };
        let mut found = found.into_iter().filter(|half| {
            let last = half.line.last();
            half.unambiguous || last.is_some_and(|last| marks.name(scored.scores(), last, half.may_have_arrived))
        });
        // What fewer moves may have done needs no more of them.
        let Some(first) = found.next() else {
            return Explanation::None;
        };
        let others: Vec<HalfSeen> = found.collect();
        if others.iter().any(|other| !same_position(&other.end, &first.end)) {
            return Explanation::None;
        }
        if first.unambiguous && scored.has_rival(position, plies, &first.end) {
            return Explanation::None;
        }
        if others.is_empty() {
            return Explanation::Line(first.line, Box::new(first.end));
        }
        let lines = iter::once(first.line).chain(others.into_iter().map(|other| other.line));
        return Explanation::Lines(lines.collect(), Box::new(first.end));
    }
    Explanation::None
}
