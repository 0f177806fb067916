//! Whether an answer can be right: checked before a user of the link sees it.

use super::messages::{BestMove, Go};
use shakmaty::{Chess, Position};
use torres_chess::{parse_fen_960, parse_move, position_after, same_position};
use torres_printing::shortened;

/// A message quotes no more characters of a FEN or a move.
const QUOTED: usize = 200;

/// The position that a `go` asks about: its FEN after its moves.
///
/// # Errors
/// What is wrong with the FEN or a move.
pub fn position_of(go: &Go) -> Result<Chess, String> {
    position_after(parse_fen_960(&go.fen)?, &go.moves)
}

/// Checks that an answer is for this position (FEN fields 1 to 4, en passant only where a legal capture exists), and
/// that its move is legal there, or missing where there is none.
///
/// # Errors
/// What is wrong with the answer.
pub fn check(position: &Chess, answer: &BestMove) -> Result<(), String> {
    let shown = shortened(&answer.fen, QUOTED);
    if !same_position(&parse_fen_960(&answer.fen)?, position) {
        return Err(format!("it answers for another position, '{shown}'"));
    }
    match &answer.best {
        None if position.legal_moves().is_empty() => Ok(()),
        None => Err(format!("it has no move where there are some, in '{shown}'")),
        Some(text) => parse_move(text, position).map(|_| ()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::messages::Limits;
    use super::*;

    fn go(fen: &str, moves: &[&str]) -> Go {
        let moves = moves.iter().map(ToString::to_string).collect();
        let (fen, limits) = (fen.to_string(), Limits::default());
        Go {
            id: 1,
            fen,
            moves,
            limits,
            ..Go::default()
        }
    }

    fn answer(best: Option<&str>, fen: &str) -> BestMove {
        BestMove {
            id: 1,
            best: best.map(str::to_string),
            ponder: None,
            fen: fen.to_string(),
        }
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn counters_and_idle_en_passant_do_not_make_another_position() {
        let position = position_of(&go(START, &["e2e4"])).unwrap();
        let bare = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 7 9";
        let noted = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        assert_eq!(check(&position, &answer(Some("e7e5"), bare)), Ok(()));
        assert_eq!(check(&position, &answer(Some("e7e5"), noted)), Ok(()));
        assert!(check(&position, &answer(Some("e2e4"), START)).is_err());
        assert!(check(&position, &answer(Some("e7e5"), &noted.replace("KQkq", "KQk"))).is_err());
    }

    #[test]
    fn a_move_must_be_legal() {
        let position = position_of(&go(START, &[])).unwrap();
        for wrong in ["e2e5", "e7e5", "e2e4q", "castle", "", "0000", "Q@e4"] {
            assert!(check(&position, &answer(Some(wrong), START)).is_err(), "{wrong}");
        }
        assert!(check(&position, &answer(None, START)).is_err());
        assert_eq!(check(&position, &answer(Some("g1f3"), START)), Ok(()));
    }

    #[test]
    fn no_move_is_right_when_there_is_none() {
        let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        let position = position_of(&go(mated, &[])).unwrap();
        assert_eq!(check(&position, &answer(None, mated)), Ok(()));
    }

    #[test]
    fn castling_is_the_king_going_two_squares() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let position = position_of(&go(fen, &[])).unwrap();
        assert_eq!(check(&position, &answer(Some("e1g1"), fen)), Ok(()));
    }

    #[test]
    fn a_question_without_a_position_is_refused() {
        assert!(position_of(&go("nonsense", &[])).is_err());
        assert!(position_of(&go("8/8/8/8/8/8/8/8 w - - 0 1", &[])).is_err());
        assert!(position_of(&go(START, &["e2e5"])).unwrap_err().contains("e2e5"));
    }
}
