//! Measures the input scale where the system does not say it: an own piece is clicked, and the board shows where
//! something changes.
//!
//! Pure: the caller moves the mouse and captures; this says what the pictures mean.

use image::RgbaImage;
use shakmaty::{Bitboard, Chess, Color, Position, Role, Square};
use torres_geometry::{BoardMap, BySquare, DesktopPx, FramePx, InputPt, InputScale};
use torres_vision::differ::{SHARE, differing};

/// What clicking a piece showed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScaleProbe {
    /// Something changed as a click on the intended piece changes it.
    Confirmed,
    /// Something changed elsewhere: input units and pixels differ, by about the ratio of these two places.
    Elsewhere {
        /// Where it was.
        seen: FramePx,
    },
    /// Nothing changed that a click explains.
    Nothing,
}

/// The same position with this colour to move, where that is possible.
pub(crate) fn as_if_to_move(position: &Chess, own: Color) -> Chess {
    match position.turn() == own {
        true => position.clone(),
        false => position.clone().swap_turn().unwrap_or_else(|_| position.clone()),
    }
}

/// The piece to click: a pawn or another piece of the colour to move, nearest to the middle of the board; one that can
/// move where there is one.
///
/// `None` when the colour has no piece.
pub(crate) fn probe_square(position: &Chess) -> Option<Square> {
    let own = position.us();
    let movable: Bitboard = position.legal_moves().iter().filter_map(|m| m.from()).collect();
    let central = |s: &Square| {
        let (file, rank) = (i32::from(s.file() as u8), i32::from(s.rank() as u8));
        (2 * file - 7).abs() + (2 * rank - 7).abs()
    };
    let pawns = own & position.board().by_role(Role::Pawn);
    let choices = [pawns & movable, own & movable, pawns, own];
    choices
        .into_iter()
        .find_map(|squares| squares.into_iter().min_by_key(central))
}

/// The squares to which a piece can go.
fn targets(position: &Chess, from: Square) -> Bitboard {
    let moves = position.legal_moves();
    moves
        .iter()
        .filter(|m| m.from() == Some(from))
        .map(|m| m.to())
        .collect()
}

/// An empty square that no piece of the side to move can go to: a click there deselects and does nothing else.
pub fn idle_square(position: &Chess) -> Option<Square> {
    let destinations: Bitboard = position.legal_moves().iter().map(|m| m.to()).collect();
    let free = !(position.board().occupied() | destinations);
    free.into_iter().next()
}

impl ScaleProbe {
    /// Compares the board before and after a click that was meant for `meant`, where a piece of the side to move stands
    /// in `position`; `is_turn` is false where that side is not to move in truth, so that the other one may.
    ///
    /// A selection may be shown on the piece, or on the squares only to which it can go.
    pub fn judge(
        (before, after): (&RgbaImage, &RgbaImage),
        map: &BoardMap,
        meant: Square,
        position: &Chess,
        is_turn: bool,
    ) -> ScaleProbe {
        let share = BySquare::from_fn(|square| differing((before, map), (after, map), square));
        let changed: Bitboard = Square::ALL.into_iter().filter(|s| share[*s] >= SHARE).collect();
        let strongest = |among: Bitboard| {
            let all = among.into_iter();
            all.max_by(|a, b| share[*a].total_cmp(&share[*b]))
                .map(|square| ScaleProbe::Elsewhere {
                    seen: map.center(square),
                })
        };
        if changed.contains(meant) {
            return ScaleProbe::Confirmed;
        }
        if let Some(elsewhere) = strongest(changed & position.us()) {
            return elsewhere;
        }
        // The bot moves meanwhile.
        if !is_turn && !(changed & position.them()).is_empty() {
            return ScaleProbe::Nothing;
        }
        if !(changed & targets(position, meant)).is_empty() {
            return ScaleProbe::Confirmed;
        }
        let shown = |from: &Square| (changed & targets(position, *from)).count();
        match position.us().into_iter().max_by_key(shown) {
            Some(other) if shown(&other) > 0 => ScaleProbe::Elsewhere {
                seen: map.center(other),
            },
            _ if is_turn => strongest(changed).unwrap_or(ScaleProbe::Nothing),
            _ => ScaleProbe::Nothing,
        }
    }
}

/// The scale when a click at `clicked` (in input units) changed what is drawn at pixel `seen` of the desktop; `None`
/// where the two axes do not agree: then something else than the click changed the picture.
pub(crate) fn scale_of(clicked: InputPt, seen: DesktopPx) -> Option<InputScale> {
    let (across, down) = (f64::from(clicked.x) / seen.x, f64::from(clicked.y) / seen.y);
    if (across / down - 1.0).abs() > 0.1 {
        return None;
    }
    InputScale::new((across + down) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;
    use torres_geometry::{BoardRect, Orientation};

    fn map() -> BoardMap {
        BoardMap {
            rect: BoardRect::new(0.0, 0.0, 400.0, 400.0).unwrap(),
            orientation: Orientation::Black,
        }
    }

    /// A board of one colour; the middle of these squares is a little darker.
    fn painted(squares: &[Square]) -> RgbaImage {
        let mut picture = RgbaImage::from_pixel(400, 400, Rgba([181, 136, 99, 255]));
        for square in squares {
            let r = map().square_rect(*square);
            for (x, y) in (0..100).map(|k| (20 + k % 10, 20 + k / 10)) {
                picture.put_pixel(r.x as u32 + x, r.y as u32 + y, Rgba([169, 124, 87, 255]));
            }
        }
        picture
    }

    /// Black's view of the start position, as if it were to move.
    fn judged(changed: &[Square], is_turn: bool) -> ScaleProbe {
        let position = as_if_to_move(&Chess::default(), Color::Black);
        let pictures = (&painted(&[]), &painted(changed));
        ScaleProbe::judge(pictures, &map(), Square::E7, &position, is_turn)
    }

    #[test]
    fn a_pawn_in_the_middle_is_clicked_one_that_can_move_if_there_is_one() {
        assert_eq!(probe_square(&Chess::default()), Some(Square::D2));
        let black = as_if_to_move(&Chess::default(), Color::Black);
        assert_eq!((black.turn(), probe_square(&black)), (Color::Black, Some(Square::D7)));
        let position = |fen| torres_chess::parse_fen(fen).unwrap();
        // The pawn in the middle is blocked.
        assert_eq!(
            probe_square(&position("4k3/8/4p3/4P3/8/8/7P/4K3 w - - 0 1")),
            Some(Square::H2)
        );
        assert_eq!(
            probe_square(&position("k7/8/4p3/4P3/8/8/8/K7 w - - 0 1")),
            Some(Square::A1)
        );
    }

    #[test]
    fn an_idle_click_goes_where_no_piece_can() {
        let position = Chess::default();
        let square = idle_square(&position).unwrap();
        assert!(position.board().piece_at(square).is_none());
        assert!(position.legal_moves().iter().all(|m| m.to() != square));
    }

    #[test]
    fn the_selection_counts_also_when_the_bot_moves_meanwhile() {
        assert_eq!(judged(&[Square::E7], true), ScaleProbe::Confirmed);
        assert_eq!(
            judged(&[Square::E7, Square::D2, Square::D4], false),
            ScaleProbe::Confirmed
        );
        assert_eq!(judged(&[Square::D2, Square::D4], false), ScaleProbe::Nothing);
        assert_eq!(judged(&[Square::E2, Square::E4], false), ScaleProbe::Nothing);
        assert_eq!(judged(&[], true), ScaleProbe::Nothing);
    }

    #[test]
    fn a_selection_shown_on_the_target_squares_alone_is_one() {
        assert_eq!(judged(&[Square::E6, Square::E5], true), ScaleProbe::Confirmed);
        let seen = map().center(Square::B7);
        assert_eq!(
            judged(&[Square::B6, Square::B5], true),
            ScaleProbe::Elsewhere { seen },
            "the pawn's two squares are more than the knight's one"
        );
    }

    #[test]
    fn any_other_change_tells_where_the_click_arrived_while_nobody_else_can_have_made_it() {
        let seen = map().center(Square::C2);
        assert_eq!(judged(&[Square::C2], true), ScaleProbe::Elsewhere { seen });
        assert_eq!(judged(&[Square::C2], false), ScaleProbe::Nothing);
    }

    #[test]
    fn a_selection_elsewhere_tells_the_scale_if_both_axes_agree() {
        let seen = map().center(Square::B7);
        assert_eq!(judged(&[Square::B7], true), ScaleProbe::Elsewhere { seen });
        let clicked = InputPt { x: 300, y: 200 };
        assert_eq!(
            scale_of(clicked, DesktopPx { x: 150.0, y: 100.0 }),
            InputScale::new(2.0)
        );
        assert_eq!(scale_of(clicked, DesktopPx { x: 300.0, y: 100.0 }), None);
    }
}
