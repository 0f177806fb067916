//! Lines that explain the board but may be a piece in passing: how long each is held back.

use super::decide::{Habit, Marked, Odds, share};
use super::explain::differing;
use super::marks::{Marks, beyond, passing_after_fewer, passing_at_once};
use super::{ExplainedLine, ScoredBoard, Tracker};
use crate::appearance::{SquareScores, index, judge};
use crate::histogram::Histograms;
use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square};
use std::iter;
use std::time::Duration;
use torres_chess::same_position;
use torres_frame::Timestamp;
use torres_geometry::BySquare;

/// A promoted piece that fits none too well must be seen in the same place this much later: in this time an animation has gone on.
const CONFIRM: Duration = Duration::from_millis(50);

/// Where the marks name another move than any that explains the pieces, these must stand still this long.
const ANOTHER_IS_MARKED: Duration = Duration::from_millis(300);

/// A line in which our side moves, and we made no move, must stand this long: somebody may move our pieces by hand, but far more often such a line is
/// made up around a piece on its way.
const NOT_OURS: Duration = Duration::from_millis(1000);

/// What one line alone explains, though something lies over a square that it left, must stand this long (a judgement): no animation stands so long.
const ALONE_STANDS: Duration = Duration::from_millis(1000);

/// A dialog that asks what to promote to covers squares no farther away than this.
const DIALOG: u32 = 3;

/// A new piece that fits its square within this cost stands there, and does not slide.
const STANDS: f32 = 0.06;

/// So does one that costs less than this share of what any other that it might be costs.
const ALONE: f32 = 0.45;

/// A line that explains the board but may be a piece in passing.
#[derive(Clone, Debug)]
pub struct Pending {
    pub sighting: ExplainedLine,
    /// The position it starts from.
    pub from: Chess,
    /// The squares that it changed; of a rook that may be about to castle, its king's too.
    pub watched: Bitboard,
    /// Those of them that it changed.
    pub touched: Bitboard,
    /// Squares whose picture has changed since.
    pub stirred: Bitboard,
    pub histograms: Histograms,
    pub scores: BySquare<SquareScores>,
    pub at: Timestamp,
    /// For how long it must stand.
    pub wait: Duration,
}

impl Pending {
    /// Whether its squares show it still. A picture that has not changed since shows what it showed, half covered or not.
    pub fn is_shown(&self, scored: &ScoredBoard) -> bool {
        scored.shows(self.watched & self.stirred, self.sighting.position.board())
    }
}

impl Tracker {
    /// How long the explanation must have stood to be believed; `None`: it may not be at all.
    fn patience(
        &self,
        scored: &ScoredBoard,
        sighting: &ExplainedLine,
        position: &Chess,
        scores: &BySquare<SquareScores>,
        changed: Bitboard,
    ) -> Option<Duration> {
        let wait = self.patience_with_passing(scored, sighting, position, scores, changed)?;
        let made_up = self
            .own
            .is_some_and(|(own, made)| moves_of(own, position.turn(), sighting.line.len()) > made);
        Some(if made_up { wait.max(NOT_OURS) } else { wait })
    }

    /// The same as far as pieces in passing are concerned: only one that could go on from where it is seen may be passing.
    fn patience_with_passing(
        &self,
        scored: &ScoredBoard,
        sighting: &ExplainedLine,
        position: &Chess,
        scores: &BySquare<SquareScores>,
        changed: Bitboard,
    ) -> Option<Duration> {
        let Some(last) = sighting.line.last() else {
            return Some(Duration::ZERO);
        };
        let goals = beyond(&before_last(position, &sighting.line), last)
            | passing_at_once(position, &sighting.line)
            | passing_after_fewer(position, &sighting.line, sighting.position.board());
        if goals.is_empty() && !last.is_promotion() {
            return Some(Duration::ZERO);
        }
        let evidence = self.evidence(scored, sighting, position, scores, changed, goals);
        if last.is_promotion() && evidence.marked != Marked::Both {
            return promotion_patience(scored, sighting, position, scores, changed);
        }
        evidence.wait()
    }

    /// What the picture says of the line's last move, whose piece could still go on to `goals`.
    fn evidence(
        &self,
        scored: &ScoredBoard,
        sighting: &ExplainedLine,
        position: &Chess,
        scores: &BySquare<SquareScores>,
        changed: Bitboard,
        goals: Bitboard,
    ) -> Odds {
        let marks = self.marks.as_ref();
        let marked = marks.map(|marks| {
            let free = scored.certain() & !scored.seen().occupied();
            marks.marked_squares(scores, &sighting.line, goals, free)
        });
        // A king that is about to castle follows by itself, animated or not. Of several moves at once the last may just have begun.
        let alone = sighting.line.len() == 1 && (goals & position.board().kings()).is_empty();
        let old = marks.map_or(Bitboard::EMPTY, Marks::before);
        let prey = goals & position.them() & !old;
        Odds {
            goals: goals.count(),
            gap: self.still_after,
            page_frame: self.motions.page_frame(),
            marked: marked.unwrap_or(Marked::Neither),
            marks_moves: marks.map_or(share(0, 0), Marks::share_of_moves),
            old_marks_stand: marks.is_some_and(|marks| marks.old_stand(scores)),
            // A board that was not understood before has changed wherever one looks.
            prey_changes: changed != Bitboard::FULL && !(prey & changed).is_empty(),
            habit: match alone {
                true => self.motions.habit(position.turn()),
                false => Habit::Unknown,
            },
        }
    }

    /// The same where other orders of play lead to the same position: as long as the one needs whose last move is marked, else as long
    /// as any does, for each may end with a piece in passing. Where another move is marked than any of them ends with, several moves
    /// were made up around that one.
    pub(super) fn patience_of_all(
        &self,
        scored: &ScoredBoard,
        sighting: &ExplainedLine,
        orders: &[Vec<Move>],
        position: &Chess,
        scores: &BySquare<SquareScores>,
        changed: Bitboard,
    ) -> Option<Duration> {
        let is_another = |line: &&Vec<Move>| {
            let marks = self.marks.as_ref().zip(line.last());
            line.len() > 1 && marks.is_some_and(|(marks, last)| marks.name_another(scores, last))
        };
        let lines: Vec<&Vec<Move>> = iter::once(&sighting.line)
            .chain(orders)
            .filter(|line| !is_another(line))
            .collect();
        if lines.is_empty() {
            return Some(ANOTHER_IS_MARKED);
        }
        let of = |line: &Vec<Move>| {
            let sighting = ExplainedLine {
                line: line.clone(),
                ..sighting.clone()
            };
            self.patience(scored, &sighting, position, scores, changed)
        };
        match lines.iter().find(|line| self.is_marked(line, scores)) {
            Some(line) => of(line),
            None => lines
                .into_iter()
                .map(of)
                .try_fold(Duration::ZERO, |most, wait| Some(most.max(wait?))),
        }
    }

    /// Whether the page marks the last move of a line as the last one.
    pub(super) fn is_marked(&self, line: &[Move], scores: &BySquare<SquareScores>) -> bool {
        let marks = self.marks.as_ref().zip(line.last());
        marks.is_some_and(|(marks, last)| marks.mark(scores, last))
    }

    /// The line that alone explains a picture at rest, though something lies over a square that it left: a page may light the square from which a piece was
    /// taken. Only where it is known whose pieces nobody but Torres moves: a piece that is held in a hand has left its square too.
    pub(super) fn alone(
        &self,
        scored: &ScoredBoard,
        position: &Chess,
        scores: &BySquare<SquareScores>,
        changed: Bitboard,
    ) -> Option<(ExplainedLine, Duration)> {
        let (own, made) = self.own?;
        let may = |line: &[Move]| moves_of(own, position.turn(), line.len()) <= made;
        let (line, end) = scored.alone(position, may)?;
        let sighting = ExplainedLine {
            confidence: scored.confidence(position.board(), end.board()),
            line,
            position: end,
            only: true,
        };
        let wait = self.patience_of_all(scored, &sighting, &[], position, scores, changed)?;
        Some((sighting, wait.max(ALONE_STANDS)))
    }

    /// Whether the same was seen so much earlier.
    pub(super) fn has_stood(&self, sighting: &ExplainedLine, wait: Duration, now: Timestamp) -> bool {
        let pending = self.pending.as_ref();
        let earlier = pending.filter(|p| same_position(&p.sighting.position, &sighting.position));
        wait.is_zero() || earlier.is_some_and(|p| now.since(p.at) >= wait)
    }

    /// Keeps an explanation until the piece is seen again, where it is or elsewhere.
    pub(super) fn hold_back(
        &mut self,
        sighting: ExplainedLine,
        position: &Chess,
        scores: &BySquare<SquareScores>,
        wait: Duration,
        now: Timestamp,
    ) {
        if let Some(held) = &mut self.pending
            && sighting.line.starts_with(&held.sighting.line)
        {
            if sighting.line.len() == held.sighting.line.len() {
                held.wait = wait;
            }
            return;
        }
        if let (Some(last_frame), Some(last)) = (&self.last_frame, sighting.line.last()) {
            let board = sighting.position.board();
            let goal = beyond(&before_last(position, &sighting.line), last);
            let touched = differing(position.board(), board);
            self.pending = Some(Pending {
                from: position.clone(),
                watched: touched | (goal & board.kings() & board.by_color(!sighting.position.turn())),
                touched,
                stirred: Bitboard::EMPTY,
                histograms: last_frame.histograms().clone(),
                scores: scores.clone(),
                at: now,
                wait,
                sighting,
            });
        }
    }

    /// The pending line, if all its squares still show it well after, while other squares move on: a piece in passing
    /// would be gone.
    pub(super) fn confirmed_pending(
        &mut self,
        scored: &ScoredBoard,
        position: &Chess,
        now: Timestamp,
    ) -> Option<Pending> {
        let pending = self.pending.as_ref()?;
        if !pending.is_shown(scored) || !same_position(&pending.from, position) {
            self.pending = None;
            return None;
        }
        (now.since(pending.at) >= pending.wait)
            .then(|| self.pending.take())
            .flatten()
    }
}

/// How many moves of a line of so many are one side's, when `turn` makes the first.
fn moves_of(side: Color, turn: Color, plies: usize) -> usize {
    match side == turn {
        true => plies.div_ceil(2),
        false => plies / 2,
    }
}

/// A dialog that asks what to promote to offers the pieces right there, and covers the squares around.
pub(super) fn promotion_patience(
    scored: &ScoredBoard,
    sighting: &ExplainedLine,
    position: &Chess,
    scores: &BySquare<SquareScores>,
    changed: Bitboard,
) -> Option<Duration> {
    let last = sighting.line.last()?;
    let around = Square::ALL.into_iter().filter(|s| s.distance(last.to()) <= DIALOG);
    let mut others = around.filter(|s| *s != last.to() && changed.contains(*s));
    if others.any(|s| !scored.certain().contains(s)) {
        return None;
    }
    let new = &scores[last.to()];
    let color = before_last(position, &sighting.line).turn();
    let cost = |role: Role| new.cost[index(Some(role.of(color)))];
    let others = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].into_iter();
    let next = others
        .filter(|r| Some(*r) != last.promotion())
        .map(cost)
        .fold(f32::INFINITY, f32::min);
    // A piece on its way resembles several; one learned on the other square colour only does not fit well, but nothing else does.
    let alone = last.promotion().is_some_and(|role| cost(role) <= ALONE * next);
    let fits = !judge(new).doubtful && (new.least() <= STANDS || alone);
    Some(if fits { Duration::ZERO } else { CONFIRM })
}

/// The position before the last move of a line.
pub fn before_last(from: &Chess, line: &[Move]) -> Chess {
    let mut position = from.clone();
    for m in line.iter().take(line.len().saturating_sub(1)) {
        position.play_unchecked(*m);
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_take_turns() {
        let (white, black) = (Color::White, Color::Black);
        let of = |side, turn| [1, 2, 3].map(|plies| moves_of(side, turn, plies));
        assert_eq!(of(white, white), [1, 1, 2]);
        assert_eq!(of(black, white), [0, 1, 1]);
    }
}
