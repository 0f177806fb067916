//! Follows a game frame by frame: the histogram diff wakes, the legal moves explain, the whole board confirms.

mod examine;
mod explain;
mod marks;
mod memory;
mod motion;
mod past;

use super::histogram::{Histograms, NoiseThreshold};
use super::locate;
use super::look::{BoardReading, Look, Relearning, SquareScores, judge};
use crate::frame::{Frame, Timestamp};
use crate::geometry::{BoardMap, BySquare};
pub use examine::{Examination, examine};
pub use explain::Explanation;
use explain::{View, same};
pub use marks::Marks;
use marks::{Evidence, beyond, passing_at_once};
use memory::Memory;
use motion::Motions;
use past::Past;
pub use past::{Change, Recall};
use shakmaty::{Bitboard, Board, Chess, Move, Position, Role, Square};
use std::time::Duration;

/// A picture that stood still this long is at rest.
const REST: Duration = Duration::from_millis(120);

/// A piece that may only be passing must be seen in the same place this much later. Faster captures than the screen's own
/// frames see one animation frame twice; in this time an animation has gone on.
const CONFIRM: Duration = Duration::from_millis(50);

/// On a board that marks its moves, an unmarked one must stand still this long.
const UNMARKED_REST: Duration = Duration::from_millis(300);

/// A dialog that asks what to promote to covers squares no farther away than this.
const DIALOG: u32 = 3;

/// A new piece that fits its square within this cost stands there, and does not slide.
const STANDS: f32 = 0.06;

/// So does one that costs less than this share of what any other that it might be costs.
const ALONE: f32 = 0.45;

/// So many squares in contradiction are no move: the board may be gone.
const GONE: usize = 16;

/// What vision says of a frame, compared with the position believed so far.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "one reading lives at a time, and a doubt is rare"
)]
pub enum Reading {
    /// No square differs from the last frame that was understood: nothing happened.
    Unchanged,
    /// The picture moves or is not understood yet; look again.
    Moving,
    /// The whole board is explained.
    Seen(Sighting),
    /// The whole board shows something else than moves lead to: moves were taken back, a game began, the board was turned.
    Recalled(Recall),
    /// The picture is at rest and no legal line explains it, or more than one does.
    Unknown(Doubt),
    /// There is no board at its place any more.
    Lost,
}

/// The one legal line that explains the whole board.
#[derive(Clone, Debug)]
pub struct Sighting {
    /// Moves from the believed position to the one seen; empty when that one stands there still.
    pub line: Vec<Move>,
    /// The position after the line.
    pub position: Chess,
    /// How sure the least sure square is, 0 to 1.
    pub confidence: f64,
    /// No other line leads to this position: these moves were played, in this order.
    pub only: bool,
}

/// Why a resting picture is not understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// What was read, square by square.
    pub reading: BoardReading,
    /// How every square compares with everything that may stand on it.
    pub scores: Box<BySquare<SquareScores>>,
    /// Squares that differ from the last frame that was understood.
    pub changed: Vec<Square>,
    /// The legal lines that come nearest, with their cost (0 is a perfect fit), best first.
    pub candidates: Vec<(Vec<Move>, f64)>,
}

/// What a single frame shows of a move, at the squares of that move alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glimpse {
    /// The moved piece is seen where the move ends.
    pub arrived: bool,
    /// Both its squares are marked as this board is known to mark the last move.
    pub marked: bool,
}

/// Vision's state between frames.
#[derive(Clone, Debug)]
pub struct Tracker {
    look: Look,
    relearning: Relearning,
    map: BoardMap,
    threshold: NoiseThreshold,
    memory: Option<Memory>,
    /// The last frame that was understood, and the pieces it showed.
    understood: Option<(Histograms, Board)>,
    marks: Option<Marks>,
    motions: Motions,
    past: Past,
    /// Since when the picture stands still.
    still_since: Timestamp,
    /// What was said of the picture that stands still, if it was not understood.
    verdict: Option<Verdict>,
    pending: Option<Pending>,
}

/// What the last frame that was looked into turned out to be.
#[derive(Clone, Debug)]
enum Verdict {
    NotYet,
    Unknown(Box<Doubt>),
    Lost,
}

/// A line that explains the board but may be a piece in passing.
#[derive(Clone, Debug)]
struct Pending {
    sighting: Sighting,
    /// The position it starts from.
    from: Chess,
    /// The squares that it changed; of a rook that may be about to castle, its king's too.
    watched: Bitboard,
    histograms: Histograms,
    scores: BySquare<SquareScores>,
    at: Timestamp,
}

impl Tracker {
    /// Starts with no frame seen.
    pub fn new(look: Look, map: BoardMap) -> Tracker {
        Tracker {
            look,
            relearning: Relearning::default(),
            map,
            threshold: NoiseThreshold::default(),
            memory: None,
            understood: None,
            marks: None,
            motions: Motions::default(),
            past: Past::default(),
            still_since: Timestamp::default(),
            verdict: None,
            pending: None,
        }
    }

    /// The same with another threshold for "this square changed", as measured for a noisy screen.
    pub fn with_threshold(self, threshold: NoiseThreshold) -> Tracker {
        Tracker { threshold, ..self }
    }

    /// The same with what another tracker has learned of the marks that this board puts on the last move.
    pub fn with_marks(self, marks: Option<Marks>) -> Tracker {
        Tracker { marks, ..self }
    }

    /// What has been learned of the marks that this board puts on the last move.
    pub fn marks(&self) -> Option<&Marks> {
        self.marks.as_ref()
    }

    /// Where the board is taken to lie in the frames.
    pub fn map(&self) -> &BoardMap {
        &self.map
    }

    /// The board lies elsewhere now: the next frame is read afresh.
    pub fn moved_to(&mut self, map: BoardMap) {
        self.map = map;
        self.memory = None;
        self.understood = None;
        self.verdict = None;
        self.pending = None;
    }

    /// How the board appears.
    pub fn look(&self) -> &Look {
        &self.look
    }

    /// Takes the next frame; `position` is the one believed so far.
    pub fn step(&mut self, frame: &Frame, position: &Chess) -> Reading {
        self.past.remember(position);
        let moved = self.take_in(frame);
        if !moved.is_empty() {
            self.still_since = frame.at;
            self.verdict = None;
        }
        if let Some(pending) = &mut self.pending
            && !(pending.watched & moved).is_empty()
        {
            // What stirs by a pixel does not stand.
            pending.at = frame.at;
        }
        let changed = self.changed(position);
        self.motions.frame(frame.at);
        if changed.is_empty() {
            self.pending = None;
            self.motions.understood(frame.at, false);
            return Reading::Unchanged;
        }
        match &self.verdict {
            // The same picture as last time: only time has passed.
            Some(Verdict::Unknown(doubt)) => return Reading::Unknown((**doubt).clone()),
            Some(Verdict::Lost) => return Reading::Lost,
            Some(Verdict::NotYet) if !self.is_worth_a_look(frame.at) => return Reading::Moving,
            _ => {}
        }
        self.look_into(frame, position, changed)
    }

    /// Looks at a move's own squares in a frame, without taking the frame in; the move is one of the position believed.
    pub fn glimpse(&self, frame: &Frame, played: &Move) -> Glimpse {
        let reader = self.look.reader(&self.map);
        let (origin, ends) = marks::squares(played);
        let squares = ends | Bitboard::from(origin);
        let scores = BySquare::from_fn(|s| match squares.contains(s) {
            true => reader.scores(&frame.image, s),
            false => SquareScores::default(),
        });
        let best = |s: Square| {
            let costs = scores[s].cost.iter().enumerate();
            costs.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(k, _)| k)
        };
        let arrived = ends.into_iter().any(|end| {
            let found = best(end).and_then(super::look::content);
            found.is_some_and(|piece| piece.role == played.role())
        });
        let marked = self.marks.as_ref().is_some_and(|m| m.mark(&scores, played));
        Glimpse { arrived, marked }
    }

    /// Remembers the frame; says what moved since the last one.
    fn take_in(&mut self, frame: &Frame) -> Bitboard {
        let known = self.memory.as_mut().and_then(|m| m.update(&frame.image));
        known.unwrap_or_else(|| {
            self.memory = Some(Memory::new(&frame.image, &self.map));
            self.understood = None;
            Bitboard::FULL
        })
    }

    /// Squares that differ from the last frame that was understood; all, if that frame showed other pieces than are believed.
    fn changed(&self, position: &Chess) -> Bitboard {
        match (&self.understood, &self.memory) {
            (Some((histograms, board)), Some(memory)) if board == position.board() => {
                memory.differing(histograms, self.threshold.get())
            }
            _ => Bitboard::FULL,
        }
    }

    /// Whether time alone may have changed the answer for a picture that stands still.
    fn is_worth_a_look(&self, now: Timestamp) -> bool {
        let still = now.since(self.still_since);
        let confirmed = self.pending.as_ref().is_some_and(|p| now.since(p.at) >= CONFIRM);
        still >= REST || confirmed
    }

    fn look_into(&mut self, frame: &Frame, position: &Chess, changed: Bitboard) -> Reading {
        let Some(memory) = self.memory.as_mut() else {
            return Reading::Moving;
        };
        let scores = memory.scores(&frame.image, &self.map, &self.look);
        let view = View::new(&scores);
        let at_rest = frame.at.since(self.still_since) >= REST;
        let rather = self.pending.as_ref().map_or(&[][..], |p| &p.sighting.line);
        let explanation = match view.explain(position, rather) {
            Explanation::Ambiguous => self.pointed_at(&view, position, &scores),
            Explanation::None => self.half_seen_move(&view, position, &scores),
            explanation => explanation,
        };
        let mut waiting = None;
        let only = matches!(explanation, Explanation::Line(..));
        if let Explanation::Line(line, end) | Explanation::Lines(line, end) = explanation {
            let confidence = view.confidence(position.board(), end.board());
            let sighting = Sighting {
                line,
                position: *end,
                confidence,
                only,
            };
            let hidden = changed & !view.certain() & !explain::differing(position.board(), sighting.position.board());
            // But for what follows a move that was seen already and held back.
            let held = self.pending.as_ref().map(|p| &p.sighting.line);
            let begun =
                held.is_some_and(|held| sighting.line.len() == held.len() + 1 && sighting.line.starts_with(held));
            let patience = match sighting.line.len() {
                // Where something else goes on, several moves can be made up that leave out a piece in flight.
                2.. if !hidden.is_empty() && !begun => None,
                2 if self.past.was_before(2, sighting.position.board()) => None,
                _ => self.patience(&sighting, position, &scores, changed),
            };
            match patience {
                Some(wait) if self.has_stood(&sighting, wait, frame.at) => {
                    return self.believe(sighting, position, &scores, frame);
                }
                patience => waiting = patience.map(|_| sighting),
            }
        }
        if let Some(pending) = self.confirmed_pending(&view, position, frame.at) {
            return self.believe_pending(pending, frame.at);
        }
        if waiting.is_none()
            && (at_rest || self.motions.are_sparse())
            && let Some(recall) = self.past.recall(&scores)
        {
            return self.believe_recall(recall, &scores, frame.at);
        }
        if let Some(sighting) = waiting {
            self.hold(sighting, position, &scores, frame.at);
        }
        let contradicted = view.contradicted(position.board()).count();
        let unread = contradicted + (!view.certain()).count();
        let gone = unread >= GONE && locate::still_there(&frame.image, &self.map.rect).is_none();
        let (verdict, reading) = if gone {
            (Verdict::Lost, Reading::Lost)
        } else if at_rest && (self.pending.is_none() || frame.at.since(self.still_since) >= UNMARKED_REST) {
            let doubt = Doubt {
                reading: BoardReading {
                    squares: view.readings().clone(),
                },
                changed: changed.into_iter().collect(),
                candidates: view.candidates(position),
                scores: Box::new(scores.clone()),
            };
            (Verdict::Unknown(Box::new(doubt.clone())), Reading::Unknown(doubt))
        } else {
            (Verdict::NotYet, Reading::Moving)
        };
        self.verdict = Some(verdict);
        if contradicted > 0 {
            // What is merely coloured or covered has not begun to move.
            self.motions.not_understood(frame.at);
        }
        reading
    }

    /// How long the explanation must have stood to be believed; `None`: it may not be at all. Only a piece that could go on from where
    /// it is seen may be passing: that it rests there is told by the marks of the last move, by the animations seen so far, or by time.
    fn patience(
        &self,
        sighting: &Sighting,
        position: &Chess,
        scores: &BySquare<SquareScores>,
        changed: Bitboard,
    ) -> Option<Duration> {
        let Some(last) = sighting.line.last() else {
            return Some(Duration::ZERO);
        };
        let beyond = beyond(&before_last(position, &sighting.line), last) | passing_at_once(position, &sighting.line);
        if beyond.is_empty() && !last.is_promotion() {
            return Some(Duration::ZERO);
        }
        let marks = self.marks.as_ref();
        match marks.map_or(Evidence::Silent, |m| m.evidence(scores, last, beyond)) {
            Evidence::Agrees => Some(Duration::ZERO),
            // A dialog offers the pieces to choose from right there, and covers the squares around.
            _ if last.is_promotion() => {
                let around = Square::ALL.into_iter().filter(|s| s.distance(last.to()) <= DIALOG);
                let mut others = around.filter(|s| *s != last.to() && changed.contains(*s));
                let covered = others.any(|s| judge(&scores[s]).doubtful);
                let new = &scores[last.to()];
                let color = before_last(position, &sighting.line).turn();
                let cost = |role: Role| new.cost[super::look::index(Some(role.of(color)))];
                let others = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].into_iter();
                let next = others
                    .filter(|r| Some(*r) != last.promotion())
                    .map(cost)
                    .fold(f32::INFINITY, f32::min);
                // A piece on its way resembles several; one learned on the other square colour only does not fit well, but nothing else does.
                let alone = last.promotion().is_some_and(|role| cost(role) <= ALONE * next);
                let fits = !judge(new).doubtful && (new.least() <= STANDS || alone);
                (!covered).then_some(if fits { Duration::ZERO } else { CONFIRM })
            }
            Evidence::Disagrees => None,
            Evidence::Silent if marks.is_some_and(Marks::are_used) => Some(UNMARKED_REST),
            // Of several moves at once the last may just have begun.
            Evidence::Silent if sighting.line.len() == 1 && self.motions.are_over() => Some(Duration::ZERO),
            Evidence::Silent => Some(CONFIRM),
        }
    }

    /// Whether the same was seen so much earlier.
    fn has_stood(&self, sighting: &Sighting, wait: Duration, now: Timestamp) -> bool {
        let pending = self.pending.as_ref();
        let earlier = pending.filter(|p| same(&p.sighting.position, &sighting.position));
        wait.is_zero() || earlier.is_some_and(|p| now.since(p.at) >= wait)
    }

    /// Keeps an explanation until the piece is seen again, where it is or elsewhere.
    fn hold(&mut self, sighting: Sighting, position: &Chess, scores: &BySquare<SquareScores>, now: Timestamp) {
        let held = self.pending.as_ref();
        if held.is_some_and(|p| sighting.line.starts_with(&p.sighting.line)) {
            return;
        }
        if let (Some(memory), Some(last)) = (&self.memory, sighting.line.last()) {
            let board = sighting.position.board();
            let goal = beyond(&before_last(position, &sighting.line), last);
            self.pending = Some(Pending {
                from: position.clone(),
                watched: explain::differing(position.board(), board)
                    | (goal & board.kings() & board.by_color(!sighting.position.turn())),
                histograms: memory.histograms().clone(),
                scores: scores.clone(),
                at: now,
                sighting,
            });
        }
    }

    /// The one of several moves that look the same to which the marks of the last move point.
    fn pointed_at(&self, view: &View, position: &Chess, scores: &BySquare<SquareScores>) -> Explanation {
        let Some(marks) = &self.marks else {
            return Explanation::Ambiguous;
        };
        let fitting = view.fitting(position).into_iter();
        let mut found = fitting.filter(|(m, _)| marks.point_at(scores, m));
        match (found.next(), found.next()) {
            (Some((m, end)), None) => Explanation::Line(vec![m], Box::new(end)),
            _ => Explanation::Ambiguous,
        }
    }

    /// The one move of which a square is half covered or its piece still under way, if the rest of it or the marks of the last move
    /// name it.
    fn half_seen_move(&self, view: &View, position: &Chess, scores: &BySquare<SquareScores>) -> Explanation {
        let Some(marks) = &self.marks else {
            return Explanation::None;
        };
        let found = view.half_seen(position).into_iter();
        let mut found = found.filter(|half| half.told || marks.name(scores, &half.played));
        match (found.next(), found.next()) {
            (Some(half), None) => Explanation::Line(vec![half.played], Box::new(half.end)),
            _ => Explanation::None,
        }
    }

    /// The pending line, if all its squares still show it well after, while other squares move on: a piece in passing
    /// would be gone.
    fn confirmed_pending(&mut self, view: &View, position: &Chess, now: Timestamp) -> Option<Pending> {
        let pending = self.pending.as_ref()?;
        let still = view.shows(pending.watched, pending.sighting.position.board());
        if !still || !same(&pending.from, position) {
            self.pending = None;
            return None;
        }
        let marks_are_used = self.marks.as_ref().is_some_and(Marks::are_used);
        (!marks_are_used && now.since(pending.at) >= CONFIRM)
            .then(|| self.pending.take())
            .flatten()
    }

    fn believe(
        &mut self,
        sighting: Sighting,
        position: &Chess,
        scores: &BySquare<SquareScores>,
        frame: &Frame,
    ) -> Reading {
        if let Some(memory) = &self.memory {
            self.understood = Some((memory.histograms().clone(), sighting.position.board().clone()));
        }
        self.learn(&sighting, scores, frame);
        self.past.played(position, &sighting.line);
        // A piece that had to be seen twice was at rest the first time.
        let waited = self
            .pending
            .as_ref()
            .filter(|p| sighting.line.starts_with(&p.sighting.line));
        let rested = waited.map_or(frame.at, |p| p.at);
        self.motions.understood(rested, !sighting.line.is_empty());
        self.verdict = None;
        self.pending = None;
        Reading::Seen(sighting)
    }

    /// Believes what was seen before, while this frame shows the next thing going on.
    fn believe_pending(&mut self, pending: Pending, now: Timestamp) -> Reading {
        self.understood = Some((pending.histograms, pending.sighting.position.board().clone()));
        if let (Some(marks), Some(last)) = (&mut self.marks, pending.sighting.line.last()) {
            marks.believe(&pending.scores, last);
        }
        self.past.played(&pending.from, &pending.sighting.line);
        self.motions.understood(pending.at, true);
        self.motions.not_understood(now);
        self.verdict = None;
        Reading::Seen(pending.sighting)
    }

    /// Goes on from a position that moves do not lead to.
    fn believe_recall(&mut self, recall: Recall, scores: &BySquare<SquareScores>, now: Timestamp) -> Reading {
        self.past.recalled(&recall);
        self.motions.understood(now, false);
        self.verdict = None;
        self.pending = None;
        if recall.turned {
            self.marks = None;
            self.moved_to(BoardMap {
                orientation: self.map.orientation.turned(),
                ..self.map
            });
        } else if let Some(memory) = &self.memory {
            self.understood = Some((memory.histograms().clone(), recall.position.board().clone()));
            if let Some(marks) = &mut self.marks {
                marks.stands(scores);
            }
        }
        Reading::Recalled(recall)
    }

    /// Learns what an understood frame teaches: which marks the site uses, and pieces not seen on this square colour before.
    fn learn(&mut self, sighting: &Sighting, scores: &BySquare<SquareScores>, frame: &Frame) {
        match (&mut self.marks, sighting.line.last()) {
            (Some(marks), Some(last)) => marks.believe(scores, last),
            (Some(_), None) => {}
            (None, _) => self.marks = Some(Marks::new(scores, self.look.plain(), self.look.noise())),
        }
        let board = sighting.position.board();
        let more = self.look.learn_more(&frame.image, &self.map, board);
        let anew = self.relearning.take(&mut self.look, &frame.image, &self.map, board);
        if (more || anew)
            && let Some(memory) = &mut self.memory
        {
            memory.forget_scores();
        }
    }
}

/// The position before the last move of a line.
fn before_last(from: &Chess, line: &[Move]) -> Chess {
    let mut position = from.clone();
    for m in line.iter().take(line.len().saturating_sub(1)) {
        position.play_unchecked(*m);
    }
    position
}
