//! Which colour Torres plays. Nearly every board is turned to its player; some leave White at the bottom whoever plays.

use shakmaty::Color;
use torres_geometry::Orientation;

/// The colour that Torres plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayedColor {
    /// The one at the bottom of the board.
    #[default]
    AtBottom,
    /// The one at the top.
    AtTop,
    /// This one in the game to come, by the user's word.
    Stated(Color),
}

impl PlayedColor {
    /// The colour on a board that lies so.
    pub fn on(self, board: Orientation) -> Color {
        match self {
            PlayedColor::AtBottom => board.bottom(),
            PlayedColor::AtTop => !board.bottom(),
            PlayedColor::Stated(color) => color,
        }
    }

    /// What stays of it for the games after one on a board that lies so: colours may be swapped.
    pub fn after(self, board: Orientation) -> PlayedColor {
        match self.on(board) == board.bottom() {
            true => PlayedColor::AtBottom,
            false => PlayedColor::AtTop,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stated_colour_is_played_and_its_side_of_the_board_in_the_games_after_it() {
        for (stated, first, then) in [
            (Color::Black, Orientation::White, PlayedColor::AtTop),
            (Color::Black, Orientation::Black, PlayedColor::AtBottom),
            (Color::White, Orientation::BlackMirrored, PlayedColor::AtTop),
        ] {
            assert_eq!(PlayedColor::Stated(stated).on(first), stated);
            assert_eq!(PlayedColor::Stated(stated).after(first), then);
            assert_eq!(then.on(first), stated);
            assert_eq!(then.on(first.turned()), !stated);
            assert_eq!(then.after(first.turned()), then);
        }
        assert_eq!(PlayedColor::default().on(Orientation::Black), Color::Black);
    }
}
