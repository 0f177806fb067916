//! Which colour Torres plays. Nearly every board is turned to its player; some leave White at the bottom whoever plays.

use shakmaty::Color;
use torres_geometry::Orientation;

/// Where Torres sits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seat {
    /// It plays the colour at the bottom.
    #[default]
    Bottom,
    /// It plays the colour at the top.
    Top,
    /// It plays this colour in the game to come, by the user's word.
    Stated(Color),
}

impl Seat {
    /// The colour that it plays on a board that lies so.
    pub fn color(self, board: Orientation) -> Color {
        match self {
            Seat::Bottom => board.bottom(),
            Seat::Top => !board.bottom(),
            Seat::Stated(color) => color,
        }
    }

    /// Where it sits at a board that lies so, which stays from game to game: the colours may change.
    pub fn at(self, board: Orientation) -> Seat {
        match self.color(board) == board.bottom() {
            true => Seat::Bottom,
            false => Seat::Top,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stated_colour_is_played_where_it_sits_and_its_seat_kept_in_the_games_after_it() {
        for (stated, first, seat) in [
            (Color::Black, Orientation::White, Seat::Top),
            (Color::Black, Orientation::Black, Seat::Bottom),
            (Color::White, Orientation::BlackMirrored, Seat::Top),
        ] {
            assert_eq!(Seat::Stated(stated).color(first), stated);
            assert_eq!(Seat::Stated(stated).at(first), seat);
            assert_eq!(seat.color(first), stated);
            assert_eq!(seat.color(first.turned()), !stated);
            assert_eq!(seat.at(first.turned()), seat);
        }
        assert_eq!(Seat::default().color(Orientation::Black), Color::Black);
    }
}
