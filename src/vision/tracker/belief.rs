//! What is believed, and what each belief teaches about the board.

use super::pending::Pending;
use super::{ExplainedLine, Marks, Outcome, PastMatch, Tracker};
use crate::appearance::SquareScores;
use shakmaty::{Bitboard, Chess, Position, Role};
use torres_frame::{Frame, Timestamp};
use torres_geometry::{BoardMap, BySquare};

impl Tracker {
    /// Believes what this frame shows.
    pub(super) fn believe(
        &mut self,
        sighting: &ExplainedLine,
        position: &Chess,
        scores: &BySquare<SquareScores>,
        frame: &Frame,
    ) {
        // The position stands, but the next move has begun.
        let begun = sighting.line.is_empty() && self.sets_out(frame, position);
        if let Some(last_frame) = &self.last_frame {
            self.understood = Some((last_frame.histograms().clone(), sighting.position.board().clone()));
        }
        self.learn(sighting, scores, frame);
        self.past.played(position, &sighting.line);
        // A piece that had to be seen twice was at rest the first time.
        let waited = self
            .pending
            .as_ref()
            .filter(|p| sighting.line.starts_with(&p.sighting.line));
        let rested = waited.map_or(frame.at, |p| p.at);
        match begun {
            true => self.motions.not_understood(frame.at),
            false => self.motions.understood(rested, position.turn(), &sighting.line),
        }
        self.still_outcome = None;
        self.pending = None;
    }

    /// Believes what was seen before, and asks what this frame shows of the next move.
    pub(super) fn go_on_from(&mut self, pending: Pending, frame: &Frame) -> ExplainedLine {
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
        self.understood = Some((pending.histograms, pending.sighting.position.board().clone()));
        if let (Some(marks), Some(last)) = (&mut self.marks, pending.sighting.line.last()) {
            marks.believe(&pending.scores, last);
        }
        self.past.played(&pending.from, &pending.sighting.line);
        self.motions
            .understood(pending.at, pending.from.turn(), &pending.sighting.line);
        self.motions.not_understood(now);
        self.still_outcome = None;
        pending.sighting
    }

    /// Goes on from a position that moves do not lead to.
    pub(super) fn believe_recall(&mut self, recall: &PastMatch, scores: &BySquare<SquareScores>) {
        self.past.recalled(recall);
        self.motions.nothing_moved();
        self.still_outcome = None;
        self.pending = None;
        if recall.turned {
            self.marks = None;
            self.moved_to(BoardMap {
                orientation: self.map.orientation.turned(),
                ..self.map
            });
        } else if let Some(last_frame) = &self.last_frame {
            self.understood = Some((last_frame.histograms().clone(), recall.position.board().clone()));
            if let Some(marks) = &mut self.marks {
                marks.stands(scores);
            }
        }
    }

    /// Learns what an understood frame teaches: which marks the site uses, and pieces not seen on this square colour before.
    fn learn(&mut self, sighting: &ExplainedLine, scores: &BySquare<SquareScores>, frame: &Frame) {
        match (&mut self.marks, sighting.line.last()) {
            (Some(marks), Some(last)) => marks.believe(scores, last),
            (Some(_), None) => {}
            (None, _) => self.marks = Some(Marks::new(scores, self.appearance.plain(), self.appearance.noise())),
        }
        let board = sighting.position.board();
        let more = self.appearance.learn_more(&frame.image, &self.map, board);
        // Many sites let a king in check glow.
        let in_check = match sighting.position.is_check() {
            true => sighting.position.our(Role::King),
            false => Bitboard::EMPTY,
        };
        let anew = self
            .relearning
            .take(&mut self.appearance, &frame.image, &self.map, board, in_check);
        let moved = sighting.line.last().map_or(Bitboard::EMPTY, |last| {
            Bitboard::from_iter(last.from()) | Bitboard::from(last.to())
        });
        let marked = self.marks.as_ref().map_or(Bitboard::EMPTY, Marks::before);
        let coloured = in_check | moved | marked;
        let bare = self
            .bare
            .take(&mut self.appearance, &frame.image, &self.map, board, coloured);
        if (more || anew || bare)
            && let Some(last_frame) = &mut self.last_frame
        {
            last_frame.forget_scores();
        }
    }
}
