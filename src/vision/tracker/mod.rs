//! Follows a game frame by frame: the histogram diff wakes, the legal moves explain, the whole board confirms.

mod belief;
mod covered;
mod decide;
mod examine;
mod explain;
mod flight;
#[cfg(test)]
mod inference_tests;
mod last_frame;
mod loading;
mod marks;
#[cfg(test)]
mod marks_tests;
mod motion;
mod painted;
mod past;
mod pending;
mod taught;

use super::appearance::{Appearance, BareSquares, BoardReading, Relearning, SquareScores};
use super::histogram::{Histograms, NoiseThreshold};
use super::locate;
pub use examine::{Examination, examine};
pub use explain::Explanation;
use explain::ScoredBoard;
use last_frame::LastFrame;
use loading::Loading;
pub use marks::Marks;
use motion::Motions;
use past::Past;
pub use past::{Change, PastMatch};
use pending::Pending;
use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Square};
use std::time::Duration;
pub use taught::Learned;
use torres_frame::{Frame, Timestamp};
use torres_geometry::{BoardMap, BySquare};

/// A picture that stood still this long is at rest.
const REST: Duration = Duration::from_millis(120);

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
    /// The whole board was read anew, and it shows the position believed.
    Stands,
    /// Moves were played: they explain the whole board.
    Played(ExplainedLine),
    /// The whole board shows something else than moves lead to: moves were taken back, a game began, the board was turned.
    Recalled(PastMatch),
    /// The picture is at rest and no legal line explains it, or more than one does.
    Unknown(Doubt),
    /// There is no board at its place any more.
    Lost,
}

impl Reading {
    /// Whether the position believed stands on the board.
    pub fn stands(&self) -> bool {
        matches!(self, Reading::Unchanged | Reading::Stands)
    }
}

/// The one legal line that explains the whole board.
#[derive(Clone, Debug)]
pub struct ExplainedLine {
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
pub struct MoveSigns {
    /// The moved piece is seen where the move ends.
    pub arrived: bool,
    /// Both its squares are marked as this board is known to mark the last move.
    pub marked: bool,
    /// Its origin does not show the piece any more.
    pub left: bool,
    /// Where it ends is what was there before.
    pub awaited: bool,
}

/// Vision's state between frames.
#[derive(Clone, Debug)]
pub struct Tracker {
    appearance: Appearance,
    relearning: Relearning,
    bare: BareSquares,
    map: BoardMap,
    threshold: NoiseThreshold,
    last_frame: Option<LastFrame>,
    /// The last frame that was understood, and the pieces it showed.
    understood: Option<(Histograms, Board)>,
    marks: Option<Marks>,
    motions: Motions,
    past: Past,
    loading: Loading,
    /// Since when the picture stands still.
    still_since: Timestamp,
    /// How long before that picture another frame was taken.
    still_after: Option<Duration>,
    /// What was said of the picture that stands still, if it was not understood.
    still_outcome: Option<StillOutcome>,
    pending: Option<Pending>,
    /// Squares whose picture changed with the last frame.
    moved: Bitboard,
    /// The side whose pieces nobody but Torres moves, and how many moves it has made that are not seen yet; `None` where that is not known.
    own: Option<(Color, usize)>,
}

/// What the last frame that was looked into turned out to be.
#[derive(Clone, Debug)]
enum StillOutcome {
    NotYet,
    Unknown(Box<Doubt>),
    Lost,
}

/// What became of a frame that was looked into.
#[expect(clippy::large_enum_variant, reason = "one outcome lives at a time")]
enum Outcome {
    /// The line that explains it is believed; an empty one where nothing was played.
    Believed(ExplainedLine),
    Other(Reading),
}

impl Tracker {
    /// Starts with no frame seen.
    pub fn new(appearance: Appearance, map: BoardMap) -> Tracker {
        Tracker {
            appearance,
            relearning: Relearning::default(),
            bare: BareSquares::default(),
            map,
            threshold: NoiseThreshold::default(),
            last_frame: None,
            understood: None,
            marks: None,
            motions: Motions::default(),
            past: Past::default(),
            loading: Loading::default(),
            still_since: Timestamp::default(),
            still_after: None,
            still_outcome: None,
            pending: None,
            moved: Bitboard::EMPTY,
            own: None,
        }
    }

    /// Says whose pieces nobody but Torres moves, and how many moves it has made that are not seen yet. Not known, any side may have moved.
    pub fn expect_own(&mut self, own: Option<(Color, usize)>) {
        self.own = own;
    }

    /// The same with another threshold for "this square changed", as measured for a noisy screen.
    pub fn with_threshold(self, threshold: NoiseThreshold) -> Tracker {
        Tracker { threshold, ..self }
    }

    /// The same, for a live page: a game is believed to have begun anew when its first position was seen for so long. Recordings have no page that
    /// loads.
    pub fn with_patience_for_beginnings(self, patience: Duration) -> Tracker {
        Tracker {
            loading: Loading::with_patience(patience),
            ..self
        }
    }

    /// The same, for a live page of which every change is seen: how long a motion stood still between two frames tells how often the page draws. A
    /// recording may have missed frames.
    pub fn showing_every_change(mut self) -> Tracker {
        self.motions.show_every_change();
        self
    }

    /// The same with what another tracker has learned of the marks that this board puts on the last move.
    pub fn with_marks(self, marks: Option<Marks>) -> Tracker {
        Tracker { marks, ..self }
    }

    /// What has been learned of the marks that this board puts on the last move.
    pub fn marks(&self) -> Option<&Marks> {
        self.marks.as_ref()
    }

    /// What the game has taught beside appearance and marks.
    pub fn learned(&self) -> Learned {
        Learned {
            motions: self.motions,
            relearning: self.relearning.clone(),
            bare: self.bare.clone(),
            past: self.past.clone(),
        }
    }

    /// The same with what a game had taught another tracker.
    pub fn with_learned(self, taught: Learned) -> Tracker {
        let Learned {
            motions,
            relearning,
            bare,
            past,
        } = taught;
        let motions = motions.seen_as(&self.motions);
        Tracker {
            motions,
            relearning,
            bare,
            past,
            ..self
        }
    }

    /// Between the frames taken in, others were looked at, of which none is told: the last one so long before this moment.
    pub fn looked_before(&mut self, now: Timestamp, gap: Duration) {
        self.motions.looked_before(now, gap);
    }

    /// Where the board is taken to lie in the frames.
    pub fn map(&self) -> &BoardMap {
        &self.map
    }

    /// The board lies elsewhere now: the next frame is read afresh.
    pub fn moved_to(&mut self, map: BoardMap) {
        self.map = map;
        self.last_frame = None;
        self.understood = None;
        self.still_outcome = None;
        self.pending = None;
    }

    /// How the board appears.
    pub fn appearance(&self) -> &Appearance {
        &self.appearance
    }

    /// Takes the next frame; `position` is the one believed so far.
    pub fn step(&mut self, frame: &Frame, position: &Chess) -> Reading {
        self.past.remember(position);
        self.motions.frame(frame.at);
        let moved = self.take_in(frame);
        self.moved = moved;
        if !moved.is_empty() {
            self.still_since = frame.at;
            self.still_after = self.motions.gap();
            self.motions.changed(frame.at);
            self.still_outcome = None;
        }
        if let Some(pending) = &mut self.pending {
            pending.stirred |= moved;
            // What stirs by a pixel does not stand. Between frames far apart a pointer comes or goes over a piece, but no piece in passing
            // stays; a king that is about to castle has stayed so far.
            let telling = match self.motions.are_sparse() {
                true => pending.watched & !pending.touched,
                false => pending.watched,
            };
            if !(telling & moved).is_empty() {
                pending.at = frame.at;
            }
        }
        let changed = self.changed(position);
        if changed.is_empty() {
            self.pending = None;
            match self.sets_out(frame, position) {
                true => self.motions.not_understood(frame.at),
                false => self.motions.nothing_moved(),
            }
            return Reading::Unchanged;
        }
        match &self.still_outcome {
            // The same picture as last time: only time has passed.
            Some(StillOutcome::Unknown(doubt)) => return Reading::Unknown((**doubt).clone()),
            Some(StillOutcome::Lost) => return Reading::Lost,
            Some(StillOutcome::NotYet) if !self.is_worth_a_look(frame.at) => return Reading::Moving,
            _ => {}
        }
        match self.look_into(frame, position, changed) {
            Outcome::Believed(sighting) if sighting.line.is_empty() => Reading::Stands,
            Outcome::Believed(sighting) => Reading::Played(sighting),
            Outcome::Other(reading) => reading,
        }
    }

    /// Whether the last frame taken in shows the whole board in a position, a few covered squares aside, and since when it has shown just that.
    /// The move that led there may have been known before.
    pub fn stands(&mut self, frame: &Frame, position: &Chess) -> Option<Timestamp> {
        let scores = self
            .last_frame
            .as_mut()?
            .scores(&frame.image, &self.map, &self.appearance);
        ScoredBoard::new(&scores)
            .stands(position.board())
            .then_some(self.still_since)
    }

    /// Looks at a move's own squares in a frame, without taking the frame in; the move is one of the position believed.
    pub fn move_signs(&self, frame: &Frame, played: &Move) -> MoveSigns {
        let reader = self.appearance.reader(&self.map);
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
            let found = best(end).and_then(super::appearance::content);
            found.is_some_and(|piece| piece.role == played.role())
        });
        let shown = |s: Square| best(s).and_then(super::appearance::content).map(|piece| piece.role);
        let before = played.capture().filter(|_| !played.is_en_passant());
        MoveSigns {
            arrived,
            marked: self.marks.as_ref().is_some_and(|m| m.mark(&scores, played)),
            left: shown(origin) != Some(played.role()),
            awaited: shown(played.to()) == before,
        }
    }

    /// Remembers the frame; says what moved since the last one.
    fn take_in(&mut self, frame: &Frame) -> Bitboard {
        let known = self.last_frame.as_mut().and_then(|m| m.update(&frame.image));
        known.unwrap_or_else(|| {
            self.last_frame = Some(LastFrame::new(&frame.image, &self.map));
            self.understood = None;
            Bitboard::FULL
        })
    }

    /// Squares that differ from the last frame that was understood; all, if that frame showed other pieces than are believed.
    fn changed(&self, position: &Chess) -> Bitboard {
        match (&self.understood, &self.last_frame) {
            (Some((histograms, board)), Some(last_frame)) if board == position.board() => {
                last_frame.differing(histograms, self.threshold.get())
            }
            _ => Bitboard::FULL,
        }
    }

    /// Whether a piece of the side to move has set out with this frame, where frames come one by one: there, when a motion began tells
    /// whether it is over.
    fn sets_out(&self, frame: &Frame, position: &Chess) -> bool {
        let reader = self.appearance.reader(&self.map);
        let mut pieces = (self.moved & position.us()).into_iter();
        self.motions.are_sparse()
            && pieces.any(|s| {
                let piece = position.board().piece_at(s);
                piece.is_some_and(|piece| reader.has_set_out(&frame.image, s, piece))
            })
    }

    /// Whether Torres has made a move that is not seen yet. The answer may stand on the board together with it.
    fn own_is_owed(&self) -> bool {
        self.own.is_some_and(|(_, made)| made > 0)
    }

    /// Whether time alone may have changed the answer for a picture that stands still.
    fn is_worth_a_look(&self, now: Timestamp) -> bool {
        let still = now.since(self.still_since);
        let confirmed = self.pending.as_ref().is_some_and(|p| now.since(p.at) >= p.wait);
        still >= REST || confirmed
    }

    fn look_into(&mut self, frame: &Frame, position: &Chess, changed: Bitboard) -> Outcome {
        let Some(last_frame) = self.last_frame.as_mut() else {
            return Outcome::Other(Reading::Moving);
        };
        let scores = last_frame.scores(&frame.image, &self.map, &self.appearance);
        let scored = ScoredBoard::new(&scores).after(position.board(), changed);
        let at_rest = frame.at.since(self.still_since) >= REST;
        let rather = self.pending.as_ref().map_or(&[][..], |p| &p.sighting.line);
        let explanation = examine::explained(&scored, position, rather, &scores, self.marks.as_ref());
        let mut waiting = None;
        let explained = match explanation {
            Explanation::Line(line, end) => Some((line, Vec::new(), end)),
            Explanation::Lines(mut lines, end) => Some((lines.remove(0), lines, end)),
            Explanation::Ambiguous | Explanation::None => None,
        };
        if let Some((line, orders, end)) = explained {
            let confidence = scored.confidence(position.board(), end.board());
            let sighting = ExplainedLine {
                line,
                position: *end,
                confidence,
                only: orders.is_empty(),
            };
            // But for what follows a move that was seen already and held back.
            let held = self.pending.as_ref().map(|p| &p.sighting.line);
            let begun =
                held.is_some_and(|held| sighting.line.len() == held.len() + 1 && sighting.line.starts_with(held));
            let patience = match sighting.line.len() {
                // Several moves can be made up that leave out a piece in flight.
                plies @ 2..
                    if !begun
                        && !self.is_marked(&sighting.line, &scores)
                        && flight::may_be(&scored, position, &sighting.position, plies, changed) =>
                {
                    None
                }
                2 if !self.own_is_owed() && self.past.was_before(2, sighting.position.board()) => None,
                _ => self.patience_of_all(&scored, &sighting, &orders, position, &scores, changed),
            };
            match patience {
                Some(wait) if self.has_stood(&sighting, wait, frame.at) => {
                    self.believe(&sighting, position, &scores, frame);
                    return Outcome::Believed(sighting);
                }
                patience => waiting = patience.map(|wait| (sighting, wait)),
            }
        }
        if let Some(pending) = self.confirmed_pending(&scored, position, frame.at) {
            return Outcome::Believed(self.go_on_from(pending, frame));
        }
        if waiting.is_none()
            && (at_rest || self.motions.are_sparse())
            && let Some(recall) = self.past.recall(&scores, 1 + usize::from(self.own_is_owed()))
        {
            if self.past.begins(&recall) && self.loading.may_be(frame.at) {
                self.still_outcome = Some(StillOutcome::NotYet);
                return Outcome::Other(Reading::Moving);
            }
            self.believe_recall(&recall, &scores);
            return Outcome::Other(Reading::Recalled(recall));
        }
        if waiting.is_none() && at_rest && self.pending.is_none() {
            waiting = self.alone(&scored, position, &scores, changed);
        }
        if let Some((sighting, wait)) = waiting {
            self.hold_back(sighting, position, &scores, wait, frame.at);
        }
        let contradicted = scored.contradicted(position.board()).count();
        let unread = contradicted + (!scored.certain()).count();
        let gone = unread >= GONE && locate::still_there(&frame.image, &self.map.rect).is_none();
        // What is covered and nothing else is no news.
        let covered = contradicted == 0 && unread < GONE;
        let (verdict, reading) = if gone {
            (StillOutcome::Lost, Reading::Lost)
        } else if at_rest && !covered && self.pending.is_none() {
            let doubt = Doubt {
                reading: BoardReading {
                    squares: scored.readings().clone(),
                },
                changed: changed.into_iter().collect(),
                candidates: scored.candidates(position),
                scores: Box::new(scores.clone()),
            };
            (StillOutcome::Unknown(Box::new(doubt.clone())), Reading::Unknown(doubt))
        } else {
            (StillOutcome::NotYet, Reading::Moving)
        };
        self.still_outcome = Some(verdict);
        if contradicted > 0 {
            // What is merely coloured or covered has not begun to move.
            self.motions.not_understood(frame.at);
        }
        Outcome::Other(reading)
    }
}
