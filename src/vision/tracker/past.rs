//! What a picture that no line explains may be instead: an earlier position, a new game, the board turned round.
//!
//! Each is believed only when the whole board shows it. One move may have followed already: bots answer a takeback or a
//! new game within milliseconds.

use super::super::appearance::SquareScores;
use super::explain::{ScoredBoard, differing, successors};
use super::marks::beyond;
use serde::{Deserialize, Serialize};
use shakmaty::{Board, Chess, Move, Position};
use torres_chess::{fen, parse_fen_leniently, same_position};
use torres_geometry::BySquare;

/// How many positions are kept, the latest ones.
const KEPT: usize = 24;

/// For each square that is not read, this many must differ from the position believed (a judgement: four moves change
/// no more).
const SEEN_FOR_ONE_UNSEEN: usize = 9;

/// A game's first position seen again after more plies than this is a new game, not a takeback. So is the one after its
/// first move: another game may begin like it.
const TAKEN_BACK: usize = 4;

/// How the picture relates to the game believed so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecallKind {
    /// This many plies were taken back.
    Takeback(usize),
    /// A game has begun anew.
    NewGame,
    /// The position is the same; the board was turned.
    Turned,
}

/// A position other than by moves from the one believed.
#[derive(Clone, Debug)]
pub struct PastMatch {
    /// How it came about.
    pub kind: RecallKind,
    /// Whether the other colour is at the bottom now.
    pub turned: bool,
    /// A move that followed at once, at most one.
    pub line: Vec<Move>,
    /// The position seen, after the line.
    pub position: Chess,
}

/// The positions of the game so far; in a file, a list of FENs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Past {
    positions: Vec<Chess>,
}

impl From<Past> for Vec<String> {
    fn from(past: Past) -> Vec<String> {
        past.positions.iter().map(fen).collect()
    }
}

impl TryFrom<Vec<String>> for Past {
    type Error = String;

    fn try_from(fens: Vec<String>) -> Result<Past, String> {
        Ok(Past {
            positions: fens
                .iter()
                .map(|fen| parse_fen_leniently(fen))
                .collect::<Result<_, _>>()?,
        })
    }
}

impl Past {
    /// This position is believed now.
    pub fn remember(&mut self, position: &Chess) {
        if self.positions.last().is_some_and(|last| same_position(last, position)) {
            return;
        }
        if self.positions.len() >= KEPT {
            // The first one stays: games begin anew from it.
            self.positions.remove(1);
        }
        self.positions.push(position.clone());
    }

    /// These moves were played from a position; every one may be taken back.
    pub fn played(&mut self, from: &Chess, line: &[Move]) {
        let mut position = from.clone();
        for m in line {
            position.play_unchecked(*m);
            self.remember(&position);
        }
    }

    /// Whether the pieces stood like this `plies` ago.
    pub(crate) fn was_before(&self, plies: usize, board: &Board) -> bool {
        let back = self.positions.len().checked_sub(plies + 1);
        back.and_then(|i| self.positions.get(i))
            .is_some_and(|p| p.board() == board)
    }

    /// The one thing of the past, or beginning, that the whole board shows. What moves lead to from the position
    /// believed is no matter of the past: a knight that goes home shows an earlier position too. `plies` is how many
    /// moves may have been played since. `has_landed` says of a position whether it is known that no piece is on its
    /// way in it.
    pub fn recall(
        &self,
        scores: &BySquare<SquareScores>,
        plies: usize,
        has_landed: impl Fn(&Chess) -> bool,
    ) -> Option<PastMatch> {
        let turned_scores = BySquare::from_fn(|s| scores[s.rotate_180()].clone());
        let boards = [
            (false, ScoredBoard::new(scores)),
            (true, ScoredBoard::new(&turned_scores)),
        ];
        for followed in 0..=1 {
            let mut shown = self.all_shown(followed, &boards, plies, &has_landed).into_iter();
            if let Some(first) = shown.next() {
                let is_only = shown.all(|other| same_position(&other.position, &first.position));
                return is_only.then_some(first);
            }
        }
        None
    }

    /// What the boards, as they lie and turned round, may show with `followed` moves after it.
    fn all_shown(
        &self,
        followed: usize,
        boards: &[(bool, ScoredBoard); 2],
        plies: usize,
        has_landed: &impl Fn(&Chess) -> bool,
    ) -> Vec<PastMatch> {
        let believed = self.positions.last();
        let is_believed = |position: &Chess| believed.is_some_and(|last| last.board() == position.board());
        let moves_lead_to = |board: &Board| believed.is_some_and(|last| leads_to(last, board, plies));
        // What stands otherwise than is believed must be seen: under a pointer, or a piece that is dragged, may be
        // anything. Of a new game most of the board tells.
        let is_seen = |scored: &ScoredBoard, board: &Board| {
            believed.is_none_or(|last| {
                let differing = differing(last.board(), board);
                (differing & !scored.certain()).count() * SEEN_FOR_ONE_UNSEEN <= differing.count()
            })
        };
        let mut found = Vec::new();
        for (turned, scored) in boards {
            for (kind, position) in self.candidates() {
                if !turned && is_believed(&position) {
                    continue;
                }
                for (line, end) in lines(&position, followed) {
                    // Nor is a move that was taken back and made again.
                    if !turned && (is_believed(&end) || !is_seen(scored, end.board()) || moves_lead_to(end.board())) {
                        continue;
                    }
                    let may_be_passing = line
                        .last()
                        .is_some_and(|m| m.is_promotion() || !beyond(&position, m).is_empty());
                    if scored.stands(end.board()) && (!may_be_passing || has_landed(&end)) {
                        found.push(PastMatch {
                            kind,
                            turned: *turned,
                            line,
                            position: end,
                        });
                    }
                }
            }
        }
        found
    }

    /// Whether the game goes on from its first position, or another one begins.
    pub fn begins(&self, recall: &PastMatch) -> bool {
        match recall.kind {
            RecallKind::NewGame => true,
            RecallKind::Takeback(plies) => plies + 1 == self.positions.len(),
            RecallKind::Turned => false,
        }
    }

    /// What the game goes on from.
    pub fn recalled(&mut self, recall: &PastMatch) {
        match recall.kind {
            RecallKind::Takeback(plies) => self.positions.truncate(self.positions.len().saturating_sub(plies)),
            RecallKind::NewGame => self.positions.clear(),
            RecallKind::Turned => {}
        }
        self.remember(&recall.position);
    }

    /// The position believed, those before, latest first, and the starts of games.
    fn candidates(&self) -> impl Iterator<Item = (RecallKind, Chess)> {
        let back = self.positions.iter().rev().enumerate();
        let first = self.positions.len().saturating_sub(1);
        let past = back.map(move |(plies, position)| match plies {
            0 => (RecallKind::Turned, position.clone()),
            n if n + 1 >= first && n > TAKEN_BACK => (RecallKind::NewGame, position.clone()),
            n => (RecallKind::Takeback(n), position.clone()),
        });
        past.chain([(RecallKind::NewGame, Chess::default())])
    }
}

/// Whether one to `plies` moves lead to these pieces.
fn leads_to(position: &Chess, board: &Board, plies: usize) -> bool {
    plies > 0
        && successors(position)
            .iter()
            .any(|(_, after)| after.board() == board || leads_to(after, board, plies - 1))
}

/// The position itself, or every one a move later.
fn lines(position: &Chess, plies: usize) -> Vec<(Vec<Move>, Chess)> {
    if plies == 0 {
        return vec![(Vec::new(), position.clone())];
    }
    let after = successors(position).into_iter();
    after.map(|(m, end)| (vec![m], end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres_chess::parse_move;

    fn played(moves: &str) -> (Past, Chess) {
        let (mut past, mut position) = (Past::default(), Chess::default());
        past.remember(&position);
        for text in moves.split_whitespace() {
            let m = parse_move(text, &position).unwrap();
            past.played(&position, &[m]);
            position.play_unchecked(m);
        }
        (past, position)
    }

    #[test]
    fn pieces_that_stood_so_two_plies_ago_are_known() {
        let (past, _) = played("e2e4 e7e5 g1f3");
        let (_, two_ago) = played("e2e4");
        assert!(past.was_before(2, two_ago.board()));
        assert!(!past.was_before(1, two_ago.board()));
        assert!(!past.was_before(3, two_ago.board()));
        assert!(past.was_before(3, Chess::default().board()));
        assert!(!past.was_before(9, two_ago.board()), "there was nothing so long ago");
    }

    #[test]
    fn a_past_survives_a_file_and_the_first_position_is_never_dropped() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(10);
        let (past, position) = played(&shuffle);
        assert_eq!(past.positions.len(), KEPT);
        assert!(same_position(&past.positions[0], &Chess::default()));
        assert!(same_position(past.positions.last().unwrap(), &position));
        let text = serde_json::to_string(&past).unwrap();
        let read: Past = serde_json::from_str(&text).unwrap();
        assert!(
            read.positions
                .iter()
                .zip(&past.positions)
                .all(|(a, b)| same_position(a, b))
        );
        assert!(serde_json::from_str::<Past>(r#"["nonsense"]"#).is_err());
    }
}
