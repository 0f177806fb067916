//! From a move to points on the board.

use shakmaty::{Chess, Move, Position, Square};
use torres_calibration::Way;
pub use torres_calibration::idle_square;

/// The gesture that enters a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Press on the origin, release on the destination.
    Drag,
    /// Click the origin, click the destination.
    ClickClick,
    /// Click the destination alone: the piece is selected already.
    Target,
}

impl Manner {
    /// The name in journal and progress.
    pub fn name(self) -> &'static str {
        match self {
            Manner::Drag => "drag",
            Manner::ClickClick => "click-click",
            Manner::Target => "a click on its target",
        }
    }

    /// The way of which it is.
    pub fn way(self) -> Way {
        match self {
            Manner::Drag => Way::Drag,
            Manner::ClickClick | Manner::Target => Way::Clicks,
        }
    }
}

impl From<Way> for Manner {
    fn from(way: Way) -> Manner {
        match way {
            Way::Drag => Manner::Drag,
            Way::Clicks => Manner::ClickClick,
        }
    }
}

/// The squares that a move's gesture goes over: castling is entered by the king, two squares to the side.
pub fn endpoints(position: &Chess, played: Move) -> Option<(Square, Square)> {
    let from = played.from()?;
    let to = match played.castling_side() {
        Some(side) => Square::from_coords(side.king_to_file(), position.turn().backrank()),
        None => played.to(),
    };
    Some((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres_chess::{parse_fen, parse_move};

    fn ends(fen: &str, text: &str) -> Option<(Square, Square)> {
        let position = parse_fen(fen).unwrap();
        let m = parse_move(text, &position).unwrap();
        endpoints(&position, m)
    }

    #[test]
    fn castling_moves_the_king_two_squares() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(ends(fen, "e1g1"), Some((Square::E1, Square::G1)));
        assert_eq!(ends(fen, "e1c1"), Some((Square::E1, Square::C1)));
        assert_eq!(
            ends("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8"),
            Some((Square::E8, Square::C8))
        );
    }
}
