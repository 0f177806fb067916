//! Follows a game frame by frame: the histogram diff wakes, the legal moves explain, the whole board confirms.

mod examine;
mod explain;
mod marks;
mod memory;

use super::histogram::{Histograms, NoiseThreshold};
use super::locate;
use super::look::{BoardReading, Look, SquareScores};
use crate::frame::{Frame, Timestamp};
use crate::geometry::{BoardMap, BySquare};
pub use examine::{Examination, examine};
pub use explain::Explanation;
use explain::{View, same};
pub use marks::Marks;
use marks::{Evidence, may_be_passing};
use memory::Memory;
use shakmaty::{Bitboard, Board, Chess, Move, Position, Square};
use std::time::Duration;

/// A picture that stood still this long is at rest.
const REST: Duration = Duration::from_millis(120);

/// A piece that may only be passing must be seen in the same place this much later. Faster captures than the screen's own
/// frames see one animation frame twice; in this time an animation has gone on.
const CONFIRM: Duration = Duration::from_millis(50);

/// On a board that marks its moves, an unmarked one must stand still this long.
const UNMARKED_REST: Duration = Duration::from_millis(300);

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

/// Vision's state between frames.
#[derive(Clone, Debug)]
pub struct Tracker {
    look: Look,
    map: BoardMap,
    threshold: NoiseThreshold,
    memory: Option<Memory>,
    /// The last frame that was understood, and the pieces it showed.
    understood: Option<(Histograms, Board)>,
    marks: Option<Marks>,
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
    touched: Bitboard,
    histograms: Histograms,
    scores: BySquare<SquareScores>,
    at: Timestamp,
}

impl Tracker {
    /// Starts with no frame seen.
    pub fn new(look: Look, map: BoardMap) -> Tracker {
        Tracker {
            look,
            map,
            threshold: NoiseThreshold::default(),
            memory: None,
            understood: None,
            marks: None,
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
        let moved = self.take_in(frame);
        if moved {
            self.still_since = frame.at;
            self.verdict = None;
        }
        let changed = self.changed(position);
        if changed.is_empty() {
            self.pending = None;
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

    /// Remembers the frame; says whether anything moved since the last one.
    fn take_in(&mut self, frame: &Frame) -> bool {
        let known = self.memory.as_mut().and_then(|m| m.update(&frame.image));
        match known {
            Some(moved) => !moved.is_empty(),
            None => {
                self.memory = Some(Memory::new(&frame.image, &self.map));
                self.understood = None;
                true
            }
        }
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
        let explanation = view.explain(position, rather);
        if let Explanation::Line(line, end) = explanation {
            let confidence = view.confidence(position.board(), end.board());
            let sighting = Sighting {
                line,
                position: *end,
                confidence,
            };
            if self.is_believable(&sighting, position, &scores, frame.at) {
                let touched = explain::differing(position.board(), sighting.position.board());
                return self.believe(sighting, touched, &scores, frame);
            }
        }
        if let Some(pending) = self.confirmed_pending(&view, position, frame.at) {
            return self.believe_pending(pending);
        }
        let contradicted = view.contradicted(position.board()).count();
        let gone = contradicted >= GONE && locate::still_there(&frame.image, &self.map.rect).is_none();
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
        reading
    }

    /// Whether the explanation may be believed now, by the marks of the last move or by having stood long enough.
    fn is_believable(
        &mut self,
        sighting: &Sighting,
        position: &Chess,
        scores: &BySquare<SquareScores>,
        now: Timestamp,
    ) -> bool {
        let Some(last) = sighting.line.last() else { return true };
        let touched = explain::differing(position.board(), sighting.position.board());
        let evidence = self
            .marks
            .as_ref()
            .map_or(Evidence::Silent, |m| m.evidence(scores, last, touched));
        let marks_are_used = self.marks.as_ref().is_some_and(Marks::are_used);
        let passing = || may_be_passing(&before_last(position, &sighting.line), last);
        let wait = match evidence {
            Evidence::Agrees => return true,
            Evidence::Disagrees => return false,
            Evidence::Partial => UNMARKED_REST,
            Evidence::Silent | Evidence::OriginOnly if marks_are_used && passing() => UNMARKED_REST,
            Evidence::Silent if marks_are_used => UNMARKED_REST,
            Evidence::Silent if passing() => CONFIRM,
            Evidence::Silent | Evidence::OriginOnly => return true,
        };
        match &self.pending {
            Some(p) if same(&p.sighting.position, &sighting.position) => now.since(p.at) >= wait,
            _ => {
                if let Some(memory) = &self.memory {
                    self.pending = Some(Pending {
                        sighting: sighting.clone(),
                        from: position.clone(),
                        touched,
                        histograms: memory.histograms().clone(),
                        scores: scores.clone(),
                        at: now,
                    });
                }
                false
            }
        }
    }

    /// The pending line, if all squares that it changed still show it well after, while other squares move on: a piece in passing
    /// would be gone.
    fn confirmed_pending(&mut self, view: &View, position: &Chess, now: Timestamp) -> Option<Pending> {
        let pending = self.pending.as_ref()?;
        let still = view.shows(pending.touched, pending.sighting.position.board());
        if !still || !same(&pending.from, position) {
            self.pending = None;
            return None;
        }
        let last = pending.sighting.line.last()?;
        let silent = self
            .marks
            .as_ref()
            .is_none_or(|m| !m.are_used() && m.evidence(&pending.scores, last, pending.touched) == Evidence::Silent);
        (silent && now.since(pending.at) >= CONFIRM)
            .then(|| self.pending.take())
            .flatten()
    }

    fn believe(
        &mut self,
        sighting: Sighting,
        touched: Bitboard,
        scores: &BySquare<SquareScores>,
        frame: &Frame,
    ) -> Reading {
        if let Some(memory) = &self.memory {
            self.understood = Some((memory.histograms().clone(), sighting.position.board().clone()));
        }
        self.learn(&sighting, touched, scores, frame);
        self.verdict = None;
        self.pending = None;
        Reading::Seen(sighting)
    }

    fn believe_pending(&mut self, pending: Pending) -> Reading {
        self.understood = Some((pending.histograms, pending.sighting.position.board().clone()));
        if let (Some(marks), Some(last)) = (&mut self.marks, pending.sighting.line.last()) {
            marks.believe(&pending.scores, last, pending.touched);
        }
        self.verdict = None;
        Reading::Seen(pending.sighting)
    }

    /// Learns what an understood frame teaches: which marks the site uses, and pieces not seen on this square colour before.
    fn learn(&mut self, sighting: &Sighting, touched: Bitboard, scores: &BySquare<SquareScores>, frame: &Frame) {
        match (&mut self.marks, sighting.line.last()) {
            (Some(marks), Some(last)) => marks.believe(scores, last, touched),
            (Some(_), None) => {}
            (None, _) => self.marks = Some(Marks::new(scores, self.look.plain(), self.look.noise())),
        }
        if self.look.learn_more(&frame.image, &self.map, sighting.position.board())
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
