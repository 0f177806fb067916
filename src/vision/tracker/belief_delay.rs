//! How long a line that explains the board must have stood before it is believed: its piece may be passing, or the line
//! made up.

use super::explain::ScoredBoard;
use super::marks::{Marks, beyond, passing_after_fewer, passing_at_once};
use super::motion::Motions;
use super::odds::{Animation, Marked, Odds, at_rest_after, share};
use super::places::Places;
use super::{ExplainedLine, OwnSide};
use crate::appearance::{index, judge};
use shakmaty::{Bitboard, Board, Chess, Move, Position, Role, Square};
use std::iter;
use std::time::Duration;

/// A promoted piece that does not fit well must be seen in the same place this much later: in this time an animation
/// has gone on.
const CONFIRM: Duration = Duration::from_millis(50);

/// Where the marks name another move than any that explains the pieces, these must stand still this long.
const ANOTHER_IS_MARKED: Duration = Duration::from_millis(300);

/// A line in which our side makes other moves than we have entered must stand this long.
const NOT_OURS: Duration = Duration::from_millis(1000);

/// A line that is the only one to agree, though something lies over a square that it left, must stand this long (a
/// judgement): no animation stands so long.
const ALONE_STANDS: Duration = Duration::from_millis(1000);

/// A dialog that asks what to promote to covers squares no farther away than this.
const DIALOG: u32 = 3;

/// A new piece that fits its square within this cost stands there, and does not slide.
const STANDS: f32 = 0.06;

/// So does one that costs less than this share of what any other that it might be costs.
const ALONE: f32 = 0.45;

/// What is seen and known when a line explains the board.
pub struct BeliefDelay<'a> {
    /// The board as read.
    pub scored: &'a ScoredBoard<'a>,
    /// The position believed.
    pub position: &'a Chess,
    /// Squares that differ from the last frame that was understood.
    pub changed: Bitboard,
    /// How this board marks moves, once that is known.
    pub marks: Option<&'a Marks>,
    /// How earlier moves came about.
    pub motions: &'a Motions,
    /// How far beside their places this board's pieces rest.
    pub places: Places,
    /// How long before this picture another frame was taken.
    pub still_after: Option<Duration>,
    /// The side whose pieces nobody but Torres moves.
    pub own: Option<OwnSide>,
}

impl BeliefDelay<'_> {
    /// How long the explanation must have stood to be believed; `None`: it may not be at all.
    ///
    /// Where other orders of play (`orders`) lead to the same position: as long as the one needs whose last move is
    /// marked, else as long as any does, for each may end with a piece in passing. Where another move is marked than
    /// any of them ends with, several moves were made up around that one.
    pub fn of(&self, explained: &ExplainedLine, orders: &[Vec<Move>]) -> Option<Duration> {
        let is_another = |line: &&Vec<Move>| {
            let marks = self.marks.zip(line.last());
            line.len() > 1 && marks.is_some_and(|(marks, last)| marks.name_another(self.scored.scores(), last))
        };
        let lines: Vec<&Vec<Move>> = iter::once(&explained.line)
            .chain(orders)
            .filter(|line| !is_another(line))
            .collect();
        if lines.is_empty() {
            return Some(ANOTHER_IS_MARKED);
        }
        let of = |line: &Vec<Move>| self.of_line(line, &explained.position);
        match lines.iter().find(|line| self.is_marked(line)) {
            Some(line) => of(line),
            None => lines
                .into_iter()
                .map(of)
                .try_fold(Duration::ZERO, |most, wait| Some(most.max(wait?))),
        }
    }

    /// Whether the page marks the last move of a line as the last one.
    pub fn is_marked(&self, line: &[Move]) -> bool {
        let marks = self.marks.zip(line.last());
        marks.is_some_and(|(marks, last)| marks.mark(self.scored.scores(), last))
    }

    /// The only line that agrees with a picture at rest, though something lies over squares. Where its own squares show
    /// it in part, it is believed once no piece can be on its way in the picture: one that is held over a square does
    /// not lie where a resting one does. Where they only resemble it (a page may light the square from which a piece
    /// was taken), it must have stood for longer, and it must be known whose pieces nobody but Torres moves: a piece
    /// that is being dragged has left its square too.
    pub fn only_agreeing(&self) -> Option<(ExplainedLine, Duration)> {
        let may = |line: &[Move]| self.own.is_none_or(|own| !own.is_made_up(line, self.position.turn()));
        let (line, end, is_alone) = self.scored.only_agreeing(self.position, may)?;
        let (start, shown) = (self.position.board(), end.board());
        let least = match self.scored.shows_in_part(start, shown) {
            true => at_rest_after(self.motions.page_frame()),
            false if is_alone && self.own.is_some() && self.scored.resembles(start, shown) => ALONE_STANDS,
            false => return None,
        };
        let explained = ExplainedLine {
            confidence: self.scored.confidence(start, shown),
            line,
            position: end,
            only: true,
        };
        let wait = self.of(&explained, &[])?;
        Some((explained, wait.max(least)))
    }

    /// How long one line that ends in this position must have stood.
    fn of_line(&self, line: &[Move], end: &Chess) -> Option<Duration> {
        let wait = self.of_passing(line, end)?;
        let made_up = self.own.is_some_and(|own| own.is_made_up(line, self.position.turn()));
        Some(if made_up { wait.max(NOT_OURS) } else { wait })
    }

    /// The same as far as pieces in passing are concerned: only one that could go on from where it is seen may be
    /// passing.
    fn of_passing(&self, line: &[Move], end: &Chess) -> Option<Duration> {
        let Some(last) = line.last() else {
            return Some(Duration::ZERO);
        };
        let goals = beyond(&before_last(self.position, line), last)
            | passing_at_once(self.position, line)
            | passing_after_fewer(self.position, line, end.board());
        if goals.is_empty() && !last.is_promotion() {
            return Some(Duration::ZERO);
        }
        let odds = self.odds(line, end.board(), goals);
        if last.is_promotion() && !matches!(odds.marked, Marked::Both | Marked::Alike) {
            return promotion(self.scored, line, self.position, self.changed);
        }
        odds.wait()
    }

    /// What the picture says of the line's last move, whose piece could still go on to `goals`.
    fn odds(&self, line: &[Move], end: &Board, goals: Bitboard) -> Odds {
        let shown = line.last().and_then(|last| Some((last.to(), end.piece_at(last.to())?)));
        let (position, scores) = (self.position, self.scored.scores());
        let (marked, strays) = self.marks.map_or((Marked::Neither, 0), |marks| {
            let free = self.scored.certain() & !self.scored.seen().occupied();
            marks.marked_squares(scores, line, goals, free)
        });
        // A king that is about to castle follows by itself, animated or not. Of several moves at once the last may just
        // have begun.
        let is_single = line.len() == 1 && (goals & position.board().kings()).is_empty();
        let is_entered = line
            .last()
            .zip(self.own)
            .is_some_and(|(last, own)| own.has_entered(last));
        let old = self.marks.map_or(Bitboard::EMPTY, Marks::before);
        let prey = goals & position.them() & !old;
        Odds {
            goals: goals.count(),
            gap: self.still_after,
            page_frame: self.motions.page_frame(),
            marked,
            strays,
            marks_moves: self.marks.map_or(share(0, 0), Marks::share_of_moves),
            old_marks_stand: self.marks.is_some_and(|marks| marks.old_stand(scores)),
            // Where our own piece was dropped is known: it goes on nowhere.
            old_marks_stay: match is_entered {
                true => 1.0,
                false => self.marks.map_or(1.0, Marks::old_marks_stay),
            },
            // A board that was not understood before has changed wherever one looks.
            prey_changes: self.changed != Bitboard::FULL && !(prey & self.changed).is_empty(),
            aside: shown.map_or(0.0, |(s, piece)| self.scored.aside(s, piece)),
            usually_aside: self.places.usual(),
            animation: match is_single {
                true => self.motions.animation(position.turn()),
                false => Animation::Unknown,
            },
        }
    }
}

/// How long a promotion without marks must have stood. A dialog that asks what to promote to offers the pieces right
/// there, and covers the squares around.
pub fn promotion(scored: &ScoredBoard, line: &[Move], position: &Chess, changed: Bitboard) -> Option<Duration> {
    let last = line.last()?;
    let around = Square::ALL.into_iter().filter(|s| s.distance(last.to()) <= DIALOG);
    let mut others = around.filter(|s| *s != last.to() && changed.contains(*s));
    if others.any(|s| !scored.certain().contains(s)) {
        return None;
    }
    let new = &scored.scores()[last.to()];
    let color = before_last(position, line).turn();
    let cost = |role: Role| new.cost[index(Some(role.of(color)))];
    let others = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].into_iter();
    let next = others
        .filter(|r| Some(*r) != last.promotion())
        .map(cost)
        .fold(f32::INFINITY, f32::min);
    // A piece on its way resembles several; one learned on the other square colour only does not fit well, but nothing
    // else does.
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
