//! Measuring the input scale: select an own piece, see on which square the selection appears.
//!
//! Pure: the caller moves the mouse and captures; this says what the pictures mean.

use crate::geometry::{BoardMap, FramePx};
use crate::vision::histogram::of_square;
use image::RgbaImage;
use shakmaty::{Board, Color, Role, Square};

/// A square's histogram must change by this much (L1, 0 to 2) to have been selected.
const SELECTED: f32 = 0.25;

/// What selecting a piece showed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScaleProbe {
    /// The selection appeared where the click was meant to go.
    Confirmed,
    /// It appeared on another square: input units and pixels differ, by about the ratio of these two places.
    Elsewhere {
        /// Where it appeared.
        seen: FramePx,
    },
    /// No square changed like a selection.
    Nothing,
}

/// The piece to select: an own pawn or knight that can move from the start, nearest to the middle of the board.
///
/// `None` when the colour has no piece.
pub fn probe_square(board: &Board, own: Color) -> Option<Square> {
    let own_pieces = board.by_color(own);
    let of = |role: Role| own_pieces & board.by_role(role);
    let central = |s: &Square| {
        let (file, rank) = (i32::from(s.file() as u8), i32::from(s.rank() as u8));
        (2 * file - 7).abs() + (2 * rank - 7).abs()
    };
    of(Role::Pawn)
        .into_iter()
        .min_by_key(central)
        .or_else(|| own_pieces.into_iter().min_by_key(central))
}

impl ScaleProbe {
    /// Compares the board before and after a click that was meant for `meant`.
    pub fn judge(before: &RgbaImage, after: &RgbaImage, map: &BoardMap, meant: Square, own: &Board) -> ScaleProbe {
        // Destinations get dots, which change a square less than a selection does; and only a square with a piece
        // can be selected.
        let change = |square: Square| of_square(before, map, square).l1(&of_square(after, map, square));
        let strongest = own
            .occupied()
            .into_iter()
            .max_by(|a, b| change(*a).total_cmp(&change(*b)));
        match strongest {
            Some(square) if change(square) < SELECTED => ScaleProbe::Nothing,
            Some(square) if square == meant => ScaleProbe::Confirmed,
            Some(square) => ScaleProbe::Elsewhere {
                seen: map.center(square),
            },
            None => ScaleProbe::Nothing,
        }
    }
}
