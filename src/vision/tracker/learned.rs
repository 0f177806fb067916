//! What a game teaches a tracker beside the marks of a move. Evidence keeps it, so that a replay starts where the game
//! was.

use super::motion::Motions;
use super::past::Past;
use super::places::Places;
use super::{ExplainedLine, Marks};
use crate::appearance::{Appearance, BareSquares, Relearning};
use image::RgbaImage;
use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Position, Role};
use torres_geometry::BoardMap;

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
    /// The positions of the game so far.
    pub(super) past: Past,
}

impl Learned {
    /// Teaches the appearance what an understood picture shows: pieces not seen on this square colour before, pieces
    /// learned wrongly, and the ground of empty squares. Squares that the last move or a check colours teach nothing,
    /// nor do those in motion: a piece may be known before it rests. Says whether the appearance changed.
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
        let more = appearance.learn_more(image, map, board, in_motion);
        // Many sites let a king in check glow.
        let in_check = match explained.position.is_check() {
            true => explained.position.our(Role::King),
            false => Bitboard::EMPTY,
        };
        let anew = self
            .relearning
            .take(appearance, image, map, board, in_check | in_motion);
        let moved = explained.line.last().map_or(Bitboard::EMPTY, |last| {
            Bitboard::from_iter(last.from()) | Bitboard::from(last.to())
        });
        let coloured = in_check | in_motion | moved | marks.map_or(Bitboard::EMPTY, Marks::before);
        let bare = self.bare.take(appearance, image, map, board, coloured);
        more || anew || bare
    }
}
