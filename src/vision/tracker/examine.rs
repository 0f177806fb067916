//! One picture by itself: how it compares with a position and what legal lines make of it, whatever came before.

use super::Doubt;
use super::explain::{Explanation, View};
use crate::geometry::{BoardMap, BySquare};
use crate::vision::look::{BoardReading, Look};
use image::RgbaImage;
use shakmaty::{Chess, Position};

/// What a picture says to someone who knows the position before, and nothing of the frames before.
#[derive(Clone, Debug)]
pub struct Examination {
    /// What was read, and the lines that come nearest. The squares changed are those that are read for certain and do not show what
    /// the position has there.
    pub seen: Doubt,
    /// Whether a legal line explains the whole board. The tracker may still wait before it believes that line.
    pub explanation: Explanation,
}

/// Reads a picture and looks for the legal lines from `position` that explain it: for evidence, and for people who ask why.
pub fn examine(look: &Look, image: &RgbaImage, map: &BoardMap, position: &Chess) -> Examination {
    let reader = look.reader(map);
    let scores = BySquare::from_fn(|square| reader.scores(image, square));
    let view = View::new(&scores);
    let seen = Doubt {
        reading: BoardReading {
            squares: view.readings().clone(),
        },
        changed: view.contradicted(position.board()).into_iter().collect(),
        candidates: view.candidates(position),
        scores: Box::new(scores.clone()),
    };
    Examination {
        explanation: view.explain(position, &[]),
        seen,
    }
}
