//! Measuring the input scale: select an own piece, see on which square the selection appears.
//!
//! Pure: the caller moves the mouse and captures; this says what the pictures mean.

use crate::geometry::{BoardMap, DesktopPx, FramePx, InputPt, InputScale};
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
    /// Compares the board before and after a click that was meant for `meant`, where a piece of `own` stands.
    ///
    /// Only own pieces are looked at: the bot may move meanwhile, and dots on empty squares are no selection.
    pub fn judge(
        before: &RgbaImage,
        after: &RgbaImage,
        map: &BoardMap,
        meant: Square,
        board: &Board,
        own: Color,
    ) -> ScaleProbe {
        let change = |square: Square| of_square(before, map, square).l1(&of_square(after, map, square));
        if change(meant) >= SELECTED {
            return ScaleProbe::Confirmed;
        }
        let strongest = board
            .by_color(own)
            .into_iter()
            .max_by(|a, b| change(*a).total_cmp(&change(*b)));
        match strongest {
            Some(square) if change(square) >= SELECTED => ScaleProbe::Elsewhere {
                seen: map.center(square),
            },
            _ => ScaleProbe::Nothing,
        }
    }
}

/// The scale when a click at `clicked` (in input units) selected what is drawn at pixel `seen` of the desktop; `None` where
/// the two axes do not agree: then something else than the click changed the picture.
pub fn scale_of(clicked: InputPt, seen: DesktopPx) -> Option<InputScale> {
    let (across, down) = (f64::from(clicked.x) / seen.x, f64::from(clicked.y) / seen.y);
    if (across / down - 1.0).abs() > 0.1 {
        return None;
    }
    InputScale::new((across + down) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{BoardRect, Orientation};
    use image::Rgba;

    fn map() -> BoardMap {
        BoardMap {
            rect: BoardRect::new(0.0, 0.0, 400.0, 400.0).unwrap(),
            orientation: Orientation::Black,
        }
    }

    fn painted(squares: &[Square]) -> RgbaImage {
        let mut picture = RgbaImage::from_pixel(400, 400, Rgba([181, 136, 99, 255]));
        for square in squares {
            let r = map().square_rect(*square);
            for y in 0..50 {
                for x in 0..50 {
                    picture.put_pixel(r.x as u32 + x, r.y as u32 + y, Rgba([20, 85, 30, 255]));
                }
            }
        }
        picture
    }

    fn judged(changed: &[Square]) -> ScaleProbe {
        let board = Board::default();
        ScaleProbe::judge(
            &painted(&[]),
            &painted(changed),
            &map(),
            Square::E7,
            &board,
            Color::Black,
        )
    }

    #[test]
    fn the_selection_counts_also_when_the_bot_moves_meanwhile() {
        assert_eq!(judged(&[Square::E7]), ScaleProbe::Confirmed);
        assert_eq!(judged(&[Square::E7, Square::D2, Square::D4]), ScaleProbe::Confirmed);
        assert_eq!(judged(&[Square::D2, Square::D4]), ScaleProbe::Nothing);
    }

    #[test]
    fn a_selection_elsewhere_tells_the_scale_if_both_axes_agree() {
        let seen = map().center(Square::B7);
        assert_eq!(judged(&[Square::B7]), ScaleProbe::Elsewhere { seen });
        let clicked = InputPt { x: 300, y: 200 };
        assert_eq!(
            scale_of(clicked, DesktopPx { x: 150.0, y: 100.0 }),
            InputScale::new(2.0)
        );
        assert_eq!(scale_of(clicked, DesktopPx { x: 300.0, y: 100.0 }), None);
    }
}
