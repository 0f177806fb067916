//! A line that explains the board and is held back: its piece may be on its way. It is believed once it has stood for
//! long enough.

use super::ExplainedLine;
use super::belief_delay::before_last;
use super::explain::{ScoredBoard, differing};
use super::marks::beyond;
use crate::appearance::SquareScores;
use crate::histogram::Histograms;
use shakmaty::{Bitboard, Chess, Position};
use std::time::Duration;
use torres_chess::same_position;
use torres_frame::Timestamp;
use torres_geometry::BySquare;

/// A line that explains the board but may be a piece in passing.
#[derive(Clone, Debug)]
pub struct Pending {
    pub explained: ExplainedLine,
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
    /// Since when it stands.
    pub at: Timestamp,
    /// For how long it must stand.
    pub wait: Duration,
}

impl Pending {
    /// Holds a line of one move or more back; `scores` and `histograms` are of the picture that it explains.
    pub fn new(
        explained: ExplainedLine,
        from: &Chess,
        (scores, histograms): (&BySquare<SquareScores>, &Histograms),
        (now, wait): (Timestamp, Duration),
    ) -> Option<Pending> {
        let last = explained.line.last()?;
        let board = explained.position.board();
        let goals = beyond(&before_last(from, &explained.line), last);
        let touched = differing(from.board(), board);
        Some(Pending {
            from: from.clone(),
            watched: touched | (goals & board.kings() & board.by_color(!explained.position.turn())),
            touched,
            stirred: Bitboard::EMPTY,
            histograms: histograms.clone(),
            scores: scores.clone(),
            at: now,
            wait,
            explained,
        })
    }

    /// A frame has come in which these squares have another picture than in the frame before.
    pub fn stir(&mut self, moved: Bitboard, is_sparse: bool, now: Timestamp) {
        self.stirred |= moved;
        // What stirs by a pixel does not stand. Between frames far apart a pointer comes or goes over a piece, but no
        // piece in passing stays; a king that is about to castle has stayed so far.
        let telling = match is_sparse {
            true => self.watched & !self.touched,
            false => self.watched,
        };
        if !(telling & moved).is_empty() {
            self.at = now;
        }
    }

    /// Whether its squares show it still. A picture that has not changed since shows what it showed, half covered or
    /// not.
    pub fn is_shown(&self, scored: &ScoredBoard) -> bool {
        scored.shows(self.watched & self.stirred, self.explained.position.board())
    }

    /// Whether it leads to the same position as this line, and has stood for so long.
    pub fn has_stood(&self, explained: &ExplainedLine, wait: Duration, now: Timestamp) -> bool {
        same_position(&self.explained.position, &explained.position) && now.since(self.at) >= wait
    }

    /// Whether it has stood for as long as it must.
    pub fn is_over(&self, now: Timestamp) -> bool {
        now.since(self.at) >= self.wait
    }
}
