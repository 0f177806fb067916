//! What every room says of chess in the same way: positions as FEN, moves as UCI, equal positions, sides in files, time
//! controls.
//!
//! The rules are `shakmaty`'s. A FEN that is written names an en passant square only where a legal capture exists.

mod time_control;

use serde::{Deserialize, Serialize};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist128;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Position, PositionError};
pub use time_control::TimeControl;
use torres_printing::shortened;

/// A message quotes no more characters of a FEN or a move.
const QUOTED: usize = 200;

/// A colour as files and messages name it: `white` or `black`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        color.fold_wb(Side::White, Side::Black)
    }
}

/// The position as FEN.
pub fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// The legal position that a FEN describes.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_fen(text: &str) -> Result<Chess, String> {
    legal_position(text, CastlingMode::Standard)
}

/// The legal position that a FEN describes, with kings and rooks that may castle from any squares (Chess960).
///
/// # Errors
/// What is wrong with the text.
pub fn parse_fen_960(text: &str) -> Result<Chess, String> {
    legal_position(text, CastlingMode::Chess960)
}

fn legal_position(text: &str, castling: CastlingMode) -> Result<Chess, String> {
    parsed(text)?
        .into_position(castling)
        .map_err(|error| no_position(text, &error))
}

/// The position that a FEN describes, also one that no game reaches, as long as moves can be made in it.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_fen_leniently(text: &str) -> Result<Chess, String> {
    Chess::from_setup(parsed(text)?.into_setup(), CastlingMode::Standard)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(|error| no_position(text, &error))
}

fn parsed(text: &str) -> Result<Fen, String> {
    text.parse()
        .map_err(|error| format!("'{}' is not a FEN: {error}", shortened(text, QUOTED)))
}

fn no_position(text: &str, error: &PositionError<Chess>) -> String {
    format!("'{}' is not a legal position: {error}", shortened(text, QUOTED))
}

/// Whether two positions are equal: FEN fields 1 to 4, en passant only where a legal capture exists.
pub fn same_position(a: &Chess, b: &Chess) -> bool {
    a.board() == b.board()
        && a.turn() == b.turn()
        && a.castles().castling_rights() == b.castles().castling_rights()
        && a.ep_square(EnPassantMode::Legal) == b.ep_square(EnPassantMode::Legal)
}

/// Whether a FEN describes a position that is [equal](same_position) to this one.
pub fn describes(fen: &str, position: &Chess) -> bool {
    parse_fen(fen).is_ok_and(|described| same_position(&described, position))
}

/// A number that [equal](same_position) positions share: counts repetitions.
pub fn repetition_key(position: &Chess) -> Zobrist128 {
    position.zobrist_hash(EnPassantMode::Legal)
}

/// The move as UCI text; castling is the king's two steps.
pub fn uci(played: Move) -> String {
    UciMove::from_standard(played).to_string()
}

/// The moves as UCI text.
pub fn uci_line(line: &[Move]) -> Vec<String> {
    line.iter().copied().map(uci).collect()
}

/// The legal move that this UCI text names in a position.
///
/// # Errors
/// It is not a UCI move, or not legal there.
pub fn parse_move(text: &str, position: &Chess) -> Result<Move, String> {
    let named: UciMove = text
        .parse()
        .map_err(|_| format!("'{}' is not a UCI move", shortened(text, QUOTED)))?;
    named
        .to_move(position)
        .map_err(|_| format!("{text} is not legal in '{}'", fen(position)))
}

/// The position after these UCI moves.
///
/// # Errors
/// What is wrong with the first move that cannot be played.
pub fn position_after(start: Chess, moves: impl IntoIterator<Item: AsRef<str>>) -> Result<Chess, String> {
    moves.into_iter().try_fold(start, |mut position, text| {
        let played = parse_move(text.as_ref(), &position)?;
        position.play_unchecked(played);
        Ok(position)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

    #[test]
    fn counters_and_an_en_passant_square_without_a_capture_do_not_make_another_position() {
        let position = position_after(Chess::default(), ["e2e4"]).unwrap();
        assert_eq!(fen(&position), AFTER_E4);
        for same in [AFTER_E4.to_owned(), AFTER_E4.replace("- 0 1", "e3 7 9")] {
            assert!(describes(&same, &position), "{same}");
            assert_eq!(repetition_key(&parse_fen(&same).unwrap()), repetition_key(&position));
        }
        for other in [
            AFTER_E4.replace("KQkq", "KQk"),
            AFTER_E4.replace(" b ", " w "),
            "nonsense".into(),
        ] {
            assert!(!describes(&other, &position), "{other}");
        }
    }

    #[test]
    fn a_position_that_no_game_reaches_is_read_only_leniently() {
        // Both rooks give check at once, and a right to castle without the rook.
        let unreached = "R3k2R/8/8/8/8/8/8/4K3 b K - 0 1";
        assert!(parse_fen(unreached).unwrap_err().contains("is not a legal position"));
        assert!(parse_fen_leniently(unreached).is_ok());
        for wrong in ["", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1"] {
            assert!(parse_fen_leniently(wrong).is_err(), "{wrong}");
        }
        assert!(parse_fen_960("1k6/8/8/8/8/8/8/1K4R1 w G - 0 1").is_ok());
        assert!(parse_fen("1k6/8/8/8/8/8/8/1K4R1 w G - 0 1").is_err());
    }

    #[test]
    fn a_move_must_be_uci_and_legal() {
        let start = Chess::default();
        assert_eq!(uci(parse_move("g1f3", &start).unwrap()), "g1f3");
        for wrong in ["", "castle", "e2e5", "e7e5", "e2e4q", "0000", "Q@e4"] {
            assert!(parse_move(wrong, &start).is_err(), "{wrong}");
        }
        let castles = parse_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        assert_eq!(uci_line(&[parse_move("e1g1", &castles).unwrap()]), ["e1g1"]);
        assert!(
            position_after(start, ["e2e4", "e2e4"])
                .unwrap_err()
                .starts_with("e2e4 is not legal in")
        );
    }

    #[test]
    fn a_side_is_a_word_in_files() {
        for (side, color, word) in [
            (Side::White, Color::White, r#""white""#),
            (Side::Black, Color::Black, r#""black""#),
        ] {
            assert_eq!((Side::from(color), Color::from(side)), (side, color));
            assert_eq!(serde_json::to_string(&side).unwrap(), word);
        }
    }
}
