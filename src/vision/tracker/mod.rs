//! Follows a game frame by frame. The histograms say whether a square changed, the legal moves explain what the board
//! shows, and a line is believed once the whole board agrees with it.
//!
//! All state is the [`Tracker`]'s, and changes in this file alone. The other files hold its parts, and functions of
//! values.

mod belief_delay;
mod covered;
mod examine;
mod explain;
mod flight;
#[cfg(test)]
mod inference_tests;
mod last_frame;
mod learned;
mod loading;
mod marks;
#[cfg(test)]
mod marks_tests;
mod motion;
mod odds;
mod past;
mod pending;
mod places;
mod reading;
mod stood;

use super::appearance::{Appearance, BoardReading, SquareScores};
use super::histogram::{Histograms, NoiseThreshold};
use super::locate;
use belief_delay::BeliefDelay;
pub use covered::Covered;
pub use examine::{Examination, examine};
pub use explain::Explanation;
use explain::ScoredBoard;
use last_frame::LastFrame;
pub use learned::Learned;
use loading::Loading;
pub use marks::Marks;
pub use past::{PastMatch, RecallKind};
use pending::Pending;
pub use reading::{Doubt, ExplainedLine, MoveSigns, Reading};
use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Square};
use std::time::Duration;
use stood::Stood;
use torres_chess::same_position;
use torres_frame::{Frame, Timestamp};
use torres_geometry::{BoardMap, BySquare};

/// A picture that stood still this long is at rest.
const REST: Duration = Duration::from_millis(120);

/// Where this many squares contradict the position believed or cannot be read, no move was played: the board may be
/// gone.
const GONE: usize = 16;

/// Vision's state between frames.
#[derive(Clone, Debug)]
pub struct Tracker {
    appearance: Appearance,
    map: BoardMap,
    threshold: NoiseThreshold,
    last_frame: Option<LastFrame>,
    /// The last frame that was understood, and the pieces it showed.
    understood: Option<(Histograms, Board)>,
    marks: Option<Marks>,
    learned: Learned,
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
    /// The last picture that was understood showed a motion: what moved in it has taught nothing yet.
    lesson_is_left: bool,
    /// What stood where since the position was believed.
    stood: Stood,
    /// The side whose pieces nobody but Torres moves; `None` where that is not known.
    own: Option<OwnSide>,
}

/// What Torres knows of its own side, where nobody else moves its pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnSide {
    /// Its colour.
    pub color: Color,
    /// The move that Torres has made for it and that is not seen yet.
    pub entered: Option<Move>,
    /// Whether that is a promotion whose piece was chosen on the page: the pawn has become no other.
    pub chosen: bool,
}

impl OwnSide {
    /// Whether moves of this side in a line, in which `turn` moves first, are others than Torres has made: somebody may
    /// move our pieces by hand, but far more often such a line is made up around a piece on its way.
    fn is_made_up(&self, line: &[Move], turn: Color) -> bool {
        let mut own = line.iter().skip(usize::from(turn != self.color)).step_by(2);
        own.next().is_some_and(|first| !self.has_entered(first)) || own.next().is_some()
    }

    /// Whether Torres has made this move. Which piece a pawn became is the page's.
    fn has_entered(&self, m: &Move) -> bool {
        let entered = self.entered.as_ref();
        entered.is_some_and(|entered| (entered.from(), entered.to()) == (m.from(), m.to()))
    }
}

/// What the last frame that was looked into turned out to be.
#[derive(Clone, Debug)]
enum StillOutcome {
    NotYet,
    /// The position stands, but squares that are not read for certain have changed: a piece may be on its way there.
    Stands,
    Unknown {
        doubt: Box<Doubt>,
        /// It had stood for so long that no piece was on its way in it.
        landed: bool,
    },
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
            map,
            threshold: NoiseThreshold::default(),
            last_frame: None,
            understood: None,
            marks: None,
            learned: Learned::default(),
            loading: Loading::default(),
            still_since: Timestamp::default(),
            still_after: None,
            still_outcome: None,
            pending: None,
            moved: Bitboard::EMPTY,
            lesson_is_left: false,
            stood: Stood::default(),
            own: None,
        }
    }

    /// Says whose pieces nobody but Torres moves, and what it did with them. Not known, any side may have moved.
    pub fn expect_own(&mut self, own: Option<OwnSide>) {
        self.own = own;
    }

    /// The same with another threshold for "this square changed", as measured for a noisy screen.
    pub fn with_threshold(self, threshold: NoiseThreshold) -> Tracker {
        Tracker { threshold, ..self }
    }

    /// The same, for a live page: a game is believed to have begun anew when its first position was seen for
    /// `patience`. Recordings have no page that loads.
    pub fn with_patience_for_beginnings(self, patience: Duration) -> Tracker {
        Tracker {
            loading: Loading::with_patience(patience),
            ..self
        }
    }

    /// The same, for a live page of which every change is seen: how long a motion stood still between two frames tells
    /// how often the page draws. A recording may have missed frames.
    pub fn showing_every_change(mut self) -> Tracker {
        self.learned.motions.show_every_change();
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
        self.learned.clone()
    }

    /// The same with what a game had taught another tracker.
    pub fn with_learned(mut self, learned: Learned) -> Tracker {
        let motions = learned.motions.seen_as(&self.learned.motions);
        self.learned = learned;
        self.learned.motions = motions;
        self
    }

    /// Between the frames taken in, others were looked at, of which none is told: the last one so long before this
    /// moment.
    pub fn looked_before(&mut self, now: Timestamp, gap: Duration) {
        self.learned.motions.looked_before(now, gap);
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
        self.stood.forget();
        self.pending = None;
    }

    /// How the board appears.
    pub fn appearance(&self) -> &Appearance {
        &self.appearance
    }

    /// Takes the next frame; `position` is the one believed so far.
    pub fn step(&mut self, frame: &Frame, position: &Chess) -> Reading {
        self.learned.past.remember(position);
        self.learned.motions.frame(frame.at);
        let moved = self.take_in(frame);
        self.moved = moved;
        self.stood.stir(moved, frame.at);
        if !moved.is_empty() {
            self.still_since = frame.at;
            self.still_after = self.learned.motions.gap();
            self.learned.motions.changed(frame.at);
            self.still_outcome = None;
        }
        if let Some(pending) = &mut self.pending {
            pending.stir(moved, self.learned.motions.are_sparse(), frame.at);
        }
        let changed = self.changed(position);
        let stands_still = matches!(self.still_outcome, Some(StillOutcome::Stands)) && !self.has_landed(frame.at);
        if changed.is_empty() || (stands_still && self.is_understood(position)) {
            self.pending = None;
            self.stood.forget();
            self.learn_from_rest(frame, position.board());
            match self.sets_out(frame, position) {
                true => self.learned.motions.not_understood(frame.at),
                false => self.learned.motions.nothing_moved(),
            }
            return Reading::Unchanged;
        }
        match &self.still_outcome {
            // The same picture as last time: only time has passed.
            Some(StillOutcome::Unknown { doubt, landed }) if *landed || !self.has_landed(frame.at) => {
                return Reading::Unknown((**doubt).clone());
            }
            Some(StillOutcome::Lost) => return Reading::Lost,
            Some(StillOutcome::NotYet) if !self.is_worth_a_look(frame.at) => return Reading::Moving,
            _ => {}
        }
        match self.look_into(frame, position, changed) {
            Outcome::Believed(explained) if explained.line.is_empty() && moved.is_empty() => Reading::Unchanged,
            Outcome::Believed(explained) if explained.line.is_empty() => Reading::Stands,
            Outcome::Believed(explained) => Reading::Played(explained),
            Outcome::Other(reading) => reading,
        }
    }

    /// Whether the last frame taken in shows the whole board in a position, a few covered squares aside, and since when
    /// it has shown just that. The move that led there may have been known before.
    pub fn stands(&mut self, frame: &Frame, position: &Chess) -> Option<Timestamp> {
        let scores = self.scores(frame)?;
        ScoredBoard::new(&scores)
            .stands(position.board())
            .then_some(self.still_since)
    }

    /// The squares that something lies over in the last frame taken in, where the board stands in this position
    /// (`covered.rs`).
    ///
    /// Stricter than what reading asks for: a square may be read from the half that shows, but a click goes to its
    /// middle.
    pub fn covered(&mut self, frame: &Frame, board: &Board) -> Covered {
        let Some(scores) = self.scores(frame) else {
            return Covered::default();
        };
        covered::covered(&self.appearance.reader(&self.map), &frame.image, &scores, board)
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

    /// The scores of the last frame taken in, which is this one. `None` before the first.
    fn scores(&mut self, frame: &Frame) -> Option<BySquare<SquareScores>> {
        let last_frame = self.last_frame.as_mut()?;
        Some(last_frame.scores(&frame.image, &self.map, &self.appearance))
    }

    /// Squares that differ from the last frame that was understood; all, if that frame showed other pieces than are
    /// believed.
    fn changed(&self, position: &Chess) -> Bitboard {
        match (&self.understood, &self.last_frame) {
            (Some((histograms, board)), Some(last_frame)) if board == position.board() => {
                last_frame.differing(histograms, self.threshold.get())
            }
            _ => Bitboard::FULL,
        }
    }

    /// Whether a frame was understood that showed this position.
    fn is_understood(&self, position: &Chess) -> bool {
        let understood = self.understood.as_ref();
        understood.is_some_and(|(_, board)| board == position.board())
    }

    /// Whether a piece of the side to move has set out with this frame, where frames come one by one: there, when a
    /// motion began tells whether it is over.
    fn sets_out(&self, frame: &Frame, position: &Chess) -> bool {
        let reader = self.appearance.reader(&self.map);
        let mut pieces = (self.moved & position.us()).into_iter();
        self.learned.motions.are_sparse()
            && pieces.any(|s| {
                let piece = position.board().piece_at(s);
                piece.is_some_and(|piece| reader.has_set_out(&frame.image, s, piece))
            })
    }

    /// Whether Torres has made a move that is not seen yet. The answer may stand on the board together with it.
    fn own_is_owed(&self) -> bool {
        self.own.is_some_and(|own| own.entered.is_some())
    }

    /// For how long a picture must have stood to tell that no piece is on its way in it.
    fn long(&self) -> Duration {
        odds::at_rest_after(self.learned.motions.page_frame())
    }

    /// Whether the picture has stood for so long by now.
    fn has_landed(&self, now: Timestamp) -> bool {
        now.since(self.still_since) >= self.long()
    }

    /// Whether time alone may have changed the answer for a picture that stands still.
    fn is_worth_a_look(&self, now: Timestamp) -> bool {
        let still = now.since(self.still_since);
        let confirmed = self.pending.as_ref().is_some_and(|pending| pending.is_over(now));
        still >= REST || confirmed
    }

    /// What is seen and known when a line explains this board.
    fn belief_delay<'a>(
        &'a self,
        scored: &'a ScoredBoard<'a>,
        position: &'a Chess,
        changed: Bitboard,
    ) -> BeliefDelay<'a> {
        BeliefDelay {
            scored,
            position,
            changed,
            marks: self.marks.as_ref(),
            motions: &self.learned.motions,
            places: self.learned.places,
            still_after: self.still_after,
            own: self.own,
        }
    }

    /// Reads a picture that shows something new, looks for the line that explains it, and believes that line or says
    /// why not.
    fn look_into(&mut self, frame: &Frame, position: &Chess, changed: Bitboard) -> Outcome {
        let Some(mut scores) = self.scores(frame) else {
            return Outcome::Other(Reading::Moving);
        };
        if self.learn_departed(frame, &scores) {
            scores = self.scores(frame).unwrap_or(scores);
        }
        let look = self.appearance.closer_look(&self.map, &frame.image);
        let chosen = self.own.filter(|own| own.chosen).and_then(|own| own.entered);
        let scored = ScoredBoard::new(&scores)
            .after(position.board(), changed)
            .with_chosen(chosen)
            .with_look(&look);
        let (long, landed) = (self.long(), self.has_landed(frame.at));
        self.stood.see(scored.pieces_not_on(position.board()), frame.at, long);
        let stood = self.stood.pieces().to_vec();
        let scored = scored.with_stood(&stood);
        let at_rest = frame.at.since(self.still_since) >= REST;
        // First of all: of a board that lies elsewhere now so little is read that the position before explains it.
        let may_be_gone = scored.unread(position.board()) >= GONE;
        if may_be_gone && locate::still_there(&frame.image, &self.map.rect).is_none() {
            self.still_outcome = Some(StillOutcome::Lost);
            if !scored.contradicted(position.board()).is_empty() {
                self.learned.motions.not_understood(frame.at);
            }
            return Outcome::Other(Reading::Lost);
        }
        let mut waiting = None;
        if let Some((explained, orders)) = self.explained(&scored, position) {
            match self.wait_for(&explained, &orders, &self.belief_delay(&scored, position, changed)) {
                Some(wait) if self.has_stood(&explained, wait, frame.at) => {
                    let unsure = match landed {
                        true => Bitboard::EMPTY,
                        false => changed & !scored.certain(),
                    };
                    self.believe(&explained, position, (&scores, unsure), frame);
                    return Outcome::Believed(explained);
                }
                wait => waiting = wait.map(|wait| (explained, wait)),
            }
        }
        // A board may be turned while a move on it is held back.
        let over = self.pending.as_ref().filter(|pending| pending.is_over(frame.at));
        let held_back = over.map(|pending| pending.explained.position.clone());
        if let Some(pending) = self.take_confirmed(&scored, position, frame.at) {
            return Outcome::Believed(self.go_on_from(pending, frame));
        }
        if waiting.is_none() && (at_rest || self.learned.motions.are_sparse()) {
            let was_held_back = |end: &Chess| held_back.as_ref().is_some_and(|held| same_position(held, end));
            let has_landed = |end: &Chess| landed || was_held_back(end);
            let plies = 1 + usize::from(self.own_is_owed());
            if let Some(found) = self.learned.past.recall(&scores, plies, has_landed) {
                return Outcome::Other(self.recall(found, &scores, frame.at));
            }
        }
        if waiting.is_none() && at_rest && self.pending.is_none() {
            waiting = self.belief_delay(&scored, position, changed).only_agreeing();
        }
        if let Some((explained, wait)) = waiting {
            self.hold_back(explained, position, &scores, wait, frame.at);
        }
        Outcome::Other(self.not_believed(&scored, position, changed, frame))
    }

    /// The line that explains the board, and the other orders of play that lead to the same position.
    fn explained(&self, scored: &ScoredBoard, position: &Chess) -> Option<(ExplainedLine, Vec<Vec<Move>>)> {
        let rather = self.pending.as_ref().map_or(&[][..], |p| p.explained.order_seen());
        let (line, orders, end) = match examine::explained(scored, position, rather, self.marks.as_ref()) {
            Explanation::Line(line, end) => (line, Vec::new(), end),
            Explanation::Lines(mut lines, end) => (lines.remove(0), lines, end),
            Explanation::Ambiguous | Explanation::None => return None,
        };
        let explained = ExplainedLine {
            confidence: scored.confidence(position.board(), end.board()),
            line,
            position: *end,
            only: orders.is_empty(),
        };
        Some((explained, orders))
    }

    /// How long the line must have stood to be believed; `None`: it may not be at all.
    fn wait_for(&self, explained: &ExplainedLine, orders: &[Vec<Move>], delay: &BeliefDelay) -> Option<Duration> {
        let plies = explained.line.len();
        // Several moves can be made up that leave out a piece in flight; but not what follows a move that was seen
        // already and held back.
        let held = self.pending.as_ref().map(|pending| &pending.explained.line);
        let goes_on = held.is_some_and(|held| plies == held.len() + 1 && explained.line.starts_with(held));
        if plies >= 2
            && !goes_on
            && !delay.is_marked(&explained.line)
            && flight::may_be_in_flight(delay.scored, delay.position, &explained.position, plies, delay.changed)
        {
            return None;
        }
        let is_taken_back = plies == 2 && !self.own_is_owed();
        if is_taken_back && self.learned.past.was_before(2, explained.position.board()) {
            return None;
        }
        delay.of(explained, orders)
    }

    /// Whether the line needs no time, or was held back so long ago.
    fn has_stood(&self, explained: &ExplainedLine, wait: Duration, now: Timestamp) -> bool {
        let pending = self.pending.as_ref();
        wait.is_zero() || pending.is_some_and(|pending| pending.has_stood(explained, wait, now))
    }

    /// Believes what this frame shows. Squares that are `unsure` have changed, and may go on changing: where the position
    /// stands, they count as changed until the picture has stood for long. A histogram does not tell a piece that
    /// slides onto its square from one that has arrived.
    fn believe(
        &mut self,
        explained: &ExplainedLine,
        position: &Chess,
        (scores, unsure): (&BySquare<SquareScores>, Bitboard),
        frame: &Frame,
    ) {
        // The position stands, but the next move has begun.
        let begun = explained.line.is_empty() && self.sets_out(frame, position);
        let stands = explained.line.is_empty() && self.is_understood(position);
        if let Some(last_frame) = &self.last_frame {
            let mut shown = last_frame.histograms().clone();
            if let Some((before, _)) = self.understood.as_ref().filter(|_| stands) {
                unsure.into_iter().for_each(|s| shown[s] = before[s].clone());
            }
            self.understood = Some((shown, explained.position.board().clone()));
        }
        self.learned.played(position, &explained.line);
        self.learn(explained, scores, frame);
        // A piece that had to be seen twice was at rest the first time.
        let waited = self
            .pending
            .as_ref()
            .filter(|p| explained.line.starts_with(&p.explained.line));
        let rested = waited.map_or(frame.at, |p| p.at);
        match begun {
            true => self.learned.motions.not_understood(frame.at),
            false => self
                .learned
                .motions
                .understood(rested, position.turn(), &explained.line),
        }
        self.still_outcome = (stands && !unsure.is_empty()).then_some(StillOutcome::Stands);
        self.stood.forget();
        self.pending = None;
    }

    /// Learns what an understood frame teaches: which marks the site uses, and how its pieces and squares appear.
    fn learn(&mut self, explained: &ExplainedLine, scores: &BySquare<SquareScores>, frame: &Frame) {
        match (&mut self.marks, explained.line.last()) {
            (Some(marks), Some(last)) => marks.believe(scores, last),
            (Some(marks), None) => marks.look_for_late_marks(scores),
            (None, _) => self.marks = Some(Marks::new(scores, self.appearance.plain(), self.appearance.noise())),
        }
        // Of the first picture nobody knows what moves in it.
        let in_motion = match self.moved {
            Bitboard::FULL => Bitboard::EMPTY,
            moved => moved,
        };
        let picture = (&*frame.image, &self.map);
        let marks = self.marks.as_ref();
        let changed = self
            .learned
            .teach(&mut self.appearance, picture, explained, marks, in_motion);
        self.lesson_is_left = !in_motion.is_empty();
        self.was_taught(changed);
    }

    /// Learns the pieces that have left their squares. Says whether the appearance changed.
    fn learn_departed(&mut self, frame: &Frame, scores: &BySquare<SquareScores>) -> bool {
        let picture = (&*frame.image, &self.map);
        let changed = self.learned.teach_departed(&mut self.appearance, picture, scores);
        self.was_taught(changed);
        changed
    }

    /// Learns from a picture at rest the pieces that one in motion did not teach.
    fn learn_from_rest(&mut self, frame: &Frame, board: &Board) {
        if !self.lesson_is_left || frame.at.since(self.still_since) < REST {
            return;
        }
        self.lesson_is_left = false;
        let picture = (&*frame.image, &self.map);
        let changed = self
            .learned
            .teach_pieces(&mut self.appearance, picture, board, Bitboard::FULL);
        self.was_taught(changed);
    }

    /// What was learned may have changed the appearance: then what was read by the old one is read anew.
    fn was_taught(&mut self, changed: bool) {
        if changed && let Some(last_frame) = &mut self.last_frame {
            last_frame.forget_scores();
        }
    }

    /// Keeps an explanation until the piece is seen again, where it is or elsewhere.
    fn hold_back(
        &mut self,
        explained: ExplainedLine,
        position: &Chess,
        scores: &BySquare<SquareScores>,
        wait: Duration,
        now: Timestamp,
    ) {
        if let Some(held) = &mut self.pending
            && explained.line.starts_with(&held.explained.line)
        {
            if explained.line.len() == held.explained.line.len() {
                held.wait = wait;
            }
            return;
        }
        if let Some(last_frame) = &self.last_frame
            && let Some(pending) = Pending::new(explained, position, (scores, last_frame.histograms()), (now, wait))
        {
            self.pending = Some(pending);
        }
    }

    /// The line held back, if all its squares still show it well after, while other squares move on: a piece in passing
    /// would be gone.
    fn take_confirmed(&mut self, scored: &ScoredBoard, position: &Chess, now: Timestamp) -> Option<Pending> {
        let pending = self.pending.as_ref()?;
        if !pending.is_shown(scored) || !same_position(&pending.from, position) {
            self.pending = None;
            return None;
        }
        pending.is_over(now).then(|| self.pending.take()).flatten()
    }

    /// Believes what was seen before, and asks what this frame shows of the next move.
    fn go_on_from(&mut self, pending: Pending, frame: &Frame) -> ExplainedLine {
        let earlier = self.believe_pending(pending, frame.at);
        let changed = self.changed(&earlier.position);
        match self.look_into(frame, &earlier.position, changed) {
            Outcome::Believed(later) => ExplainedLine {
                line: [earlier.line, later.line].concat(),
                position: later.position,
                confidence: earlier.confidence.min(later.confidence),
                only: earlier.only && later.only,
            },
            // The rest is for the frames to come.
            Outcome::Other(_) => earlier,
        }
    }

    /// Believes what was seen before, while this frame shows the next thing going on.
    fn believe_pending(&mut self, pending: Pending, now: Timestamp) -> ExplainedLine {
        let (explained, from) = (pending.explained, pending.from);
        self.understood = Some((pending.histograms, explained.position.board().clone()));
        if let (Some(marks), Some(last)) = (&mut self.marks, explained.line.last()) {
            marks.believe(&pending.scores, last);
        }
        self.learned.played(&from, &explained.line);
        self.learned
            .motions
            .understood(pending.at, from.turn(), &explained.line);
        self.learned.motions.not_understood(now);
        self.still_outcome = None;
        self.stood.forget();
        explained
    }

    /// Goes on from a position that moves do not lead to, unless a page may be loading.
    fn recall(&mut self, found: PastMatch, scores: &BySquare<SquareScores>, now: Timestamp) -> Reading {
        if self.learned.past.begins(&found) && self.loading.may_be_loading(now) {
            self.still_outcome = Some(StillOutcome::NotYet);
            return Reading::Moving;
        }
        self.learned.past.recalled(&found);
        self.learned.motions.nothing_moved();
        self.still_outcome = None;
        self.stood.forget();
        self.pending = None;
        if found.turned {
            self.marks = None;
            self.moved_to(BoardMap {
                orientation: self.map.orientation.turned(),
                ..self.map
            });
        } else if let Some(last_frame) = &self.last_frame {
            self.understood = Some((last_frame.histograms().clone(), found.position.board().clone()));
            if let Some(marks) = &mut self.marks {
                marks.stands(scores);
            }
        }
        Reading::Recalled(found)
    }

    /// What to say of a picture that nothing is believed of: at rest and not understood, or still moving.
    fn not_believed(&mut self, scored: &ScoredBoard, position: &Chess, changed: Bitboard, frame: &Frame) -> Reading {
        let contradicted = scored.contradicted(position.board()).count();
        // What is covered and nothing else is no news.
        let covered = contradicted == 0 && scored.unread(position.board()) < GONE;
        let at_rest = frame.at.since(self.still_since) >= REST;
        let (outcome, reading) = if at_rest && !covered && self.pending.is_none() {
            let doubt = Doubt {
                reading: BoardReading {
                    squares: scored.readings().clone(),
                },
                changed: changed.into_iter().collect(),
                candidates: scored.candidates(position),
                scores: Box::new(scored.scores().clone()),
            };
            let outcome = StillOutcome::Unknown {
                doubt: Box::new(doubt.clone()),
                landed: self.has_landed(frame.at),
            };
            (outcome, Reading::Unknown(doubt))
        } else {
            (StillOutcome::NotYet, Reading::Moving)
        };
        self.still_outcome = Some(outcome);
        if contradicted > 0 {
            // What is merely coloured or covered has not begun to move.
            self.learned.motions.not_understood(frame.at);
        }
        reading
    }
}
