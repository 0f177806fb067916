//! What a game teaches a tracker beside the marks of a move. Evidence keeps it, so that a replay starts where the game
//! was.

use super::motion::Motions;
use super::past::Past;
use super::places::Places;
use super::{ExplainedLine, Marks};
use crate::appearance::{
    Appearance, BareSquares, Departures, LearnedPiece, MarkedSquares, Relearning, SquareScores, judge,
};
use image::RgbaImage;
use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Board, Chess, Move, Position, Role, Square};
use torres_geometry::{BoardMap, BySquare};

/// The state that decisions rest on and that no single frame shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Learned {
    /// How moves came about: how long animations take, or that there are none.
    pub(super) motions: Motions,
    /// How far beside their places the pieces rest.
    pub(super) places: Places,
    /// How well the pieces that were learned from one square look as they were learned.
    pub(super) relearning: Relearning,
    /// Bare squares that were seen once.
    #[serde(skip)]
    pub(super) bare: BareSquares,
    /// Squares on which a piece stood that was seen on one colour only.
    #[serde(skip)]
    departures: Departures,
    /// Squares that moves have left, as the page marks them.
    #[serde(skip)]
    marked: MarkedSquares,
    /// The squares of the last move, which a page may mark.
    #[serde(skip)]
    last_move: Bitboard,
    /// What was learned on such a square.
    #[serde(skip)]
    under_marks: Vec<LearnedPiece>,
    /// The positions of the game so far.
    pub(super) past: Past,
}

impl Learned {
    /// These moves were played from a position.
    pub(super) fn played(&mut self, from: &Chess, line: &[Move]) {
        self.past.played(from, line);
        if let Some(last) = line.last() {
            self.last_move = Bitboard::from_iter(last.from()) | Bitboard::from(last.to());
        }
    }

    /// Teaches the appearance what an understood picture shows: pieces not seen on this square colour before, pieces
    /// learned wrongly, and the ground of empty squares. Squares in motion teach nothing, since a piece may be known
    /// before it rests; those that the last move or a check colours teach no ground. Says whether the appearance
    /// changed.
    pub(super) fn teach(
        &mut self,
        appearance: &mut Appearance,
        (image, map): (&RgbaImage, &BoardMap),
        explained: &ExplainedLine,
        marks: Option<&Marks>,
        in_motion: Bitboard,
    ) -> bool {
        let board = explained.position.board();
        let landed = explained.line.last().map(|last| last.to());
        if let Some(aside) = landed.and_then(|s| appearance.closer_look(map, image).aside(s, board.piece_at(s)?)) {
            self.places.landed(aside);
        }
        let more = self.teach_pieces(appearance, (image, map), board, !in_motion);
        // Many sites let a king in check glow.
        let in_check = match explained.position.is_check() {
            true => explained.position.our(Role::King),
            false => Bitboard::EMPTY,
        };
        let anew = self
            .relearning
            .take(appearance, image, map, board, in_check | in_motion);
        let coloured = in_check | in_motion | self.last_move | marks.map_or(Bitboard::EMPTY, Marks::before);
        let bare = self.bare.take(appearance, image, map, board, coloured);
        let left = self.last_move & !(board.occupied() | in_motion);
        let marked = left.into_iter().any(|s| self.marked.take(appearance, image, map, s));
        more || anew || bare || marked
    }

    /// Teaches the pieces that stand on these squares and were not seen on such before. A page may mark the last move's
    /// squares: what was learned there is learned anew where the piece stands on another of that colour, or stays when
    /// the mark has gone. Says whether the appearance changed.
    pub(super) fn teach_pieces(
        &mut self,
        appearance: &mut Appearance,
        (image, map): (&RgbaImage, &BoardMap),
        board: &Board,
        squares: Bitboard,
    ) -> bool {
        let unmarked = squares & !self.last_move;
        let stands_unmarked = |learned: &LearnedPiece| {
            let standing = board.by_piece(learned.piece) & unmarked;
            standing.into_iter().any(|s| s.is_dark() == learned.dark)
        };
        let (again, left) = self.under_marks.drain(..).partition::<Vec<_>, _>(stands_unmarked);
        self.under_marks = left;
        // The last piece learned first: one that was built on another one goes before it.
        again.iter().rev().for_each(|learned| appearance.forget(learned));
        let clean = appearance.learn_more(image, map, board, unmarked);
        let marked = appearance.learn_more(image, map, board, squares & self.last_move);
        let changed = !(again.is_empty() && clean.is_empty() && marked.is_empty());
        self.under_marks.extend(marked);
        self.departures.remember(appearance, image, map, board, squares);
        changed
    }

    /// Teaches the pieces that have left their squares, where those are read as bare for certain. Says whether the
    /// appearance changed.
    pub(super) fn teach_departed(
        &mut self,
        appearance: &mut Appearance,
        (image, map): (&RgbaImage, &BoardMap),
        scores: &BySquare<SquareScores>,
    ) -> bool {
        let is_bare = |s: &Square| {
            let read = judge(&scores[*s]);
            read.content.is_none() && !read.doubtful
        };
        let bare = self.departures.squares().into_iter().filter(is_bare).collect();
        self.departures.take(appearance, image, map, bare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::appearance::glowing::{map, picture};
    use shakmaty::uci::UciMove;

    /// What a move changes is not looked at as it lands: its origin is learned once the picture rests.
    #[test]
    fn the_squares_that_two_moves_have_left_teach_how_a_mark_looks() {
        let start = Chess::default();
        let mut appearance = Appearance::learn(&picture(start.board(), &[]), &map(), start.board()).unwrap();
        let mut learned = Learned::default();
        let mut position = start;
        let mut doubtful = Vec::new();
        for uci in ["d2d4", "g8f6", "f2f4", "a7a6"] {
            let played = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            let squares = [played.from().unwrap(), played.to()];
            learned.played(&position, &[played]);
            position.play_unchecked(played);
            let image = picture(position.board(), &squares);
            let moved = Bitboard::from_iter(squares);
            for (line, in_motion) in [(vec![played], moved), (vec![], Bitboard::EMPTY)] {
                let explained = ExplainedLine {
                    line,
                    position: position.clone(),
                    confidence: 1.0,
                    only: true,
                };
                learned.teach(&mut appearance, (&image, &map()), &explained, None, in_motion);
            }
            let read = appearance.read(&image, &map());
            doubtful.push(read.squares[squares[0]].doubtful);
        }
        // d2 is dark, g8 is light; f2 and a7 are dark.
        assert_eq!(doubtful, [true, true, false, false]);
        assert_eq!(
            appearance
                .read(&picture(position.board(), &[Square::C3]), &map())
                .doubtful(),
            []
        );
    }
}
