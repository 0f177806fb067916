//! A game as far as the next move depends on it, and moves as others write them.

use super::castling::{Castle, Wing};
use super::{FenError, Move, Position, Role, Square};

/// Why a move is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// Not the shape of a move.
    #[error("'{0}' is not a move in UCI notation, such as e2e4 or e7e8q")]
    NotUci(String),
    /// The shape of a move, but none here.
    #[error("'{text}' is not a legal move in {fen}")]
    Illegal {
        /// The move.
        text: String,
        /// The position.
        fen: String,
    },
}

impl Position {
    /// The legal move that a UCI text names. Castling may be written as the king's move (`e1g1`) or as king takes rook
    /// (`e1h1`).
    ///
    /// # Errors
    /// The text is no UCI move, or the move is not legal here.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        let not_uci = || MoveError::NotUci(text.to_owned());
        let square = |range: std::ops::Range<usize>| -> Result<Square, MoveError> {
            text.get(range).and_then(|name| name.parse().ok()).ok_or_else(not_uci)
        };
        let (from, to) = (square(0..2)?, square(2..4)?);
        let promotion = match text.get(4..).unwrap_or_default() {
            "" => None,
            "n" => Some(Role::Knight),
            "b" => Some(Role::Bishop),
            "r" => Some(Role::Rook),
            "q" => Some(Role::Queen),
            _ => return Err(not_uci()),
        };
        let to = self.castling_target(from, to).unwrap_or(to);
        self.legal_moves()
            .into_iter()
            .find(|mv| (mv.from(), mv.to(), mv.promotion().map(|promotion| promotion.role())) == (from, to, promotion))
            .ok_or_else(|| MoveError::Illegal {
                text: text.to_owned(),
                fen: self.fen(),
            })
    }

    /// The position after a UCI move.
    ///
    /// # Errors
    /// As [`parse_uci`](Self::parse_uci).
    pub fn play_uci(&self, text: &str) -> Result<Position, MoveError> {
        self.parse_uci(text).map(|mv| self.play(mv))
    }

    /// Where the king goes when castling is written as king takes rook.
    fn castling_target(&self, from: Square, to: Square) -> Option<Square> {
        let us = self.turn();
        let ours = |role, square| self.board().pieces(us, role).contains(square);
        [Wing::King, Wing::Queen]
            .map(|wing| Castle::of(us, wing))
            .into_iter()
            .find(|castle| {
                (from, to) == (castle.king_from, castle.rook_from) && ours(Role::King, from) && ours(Role::Rook, to)
            })
            .map(|castle| castle.king_to)
    }
}

/// A position, and of the game before it the positions that may still be repeated.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    /// Keys of the positions since the last capture or pawn move, without the present one.
    earlier: Vec<u64>,
    /// The move that led to the position.
    last: Option<Move>,
}

impl Game {
    /// A game that starts here.
    pub fn new(position: Position) -> Game {
        Game {
            position,
            earlier: Vec::new(),
            last: None,
        }
    }

    /// A game that starts from a FEN and has gone on with these UCI moves.
    ///
    /// # Errors
    /// The FEN is refused or a move is.
    pub fn from_fen_and_moves<S: AsRef<str>>(fen: &str, moves: impl IntoIterator<Item = S>) -> Result<Game, GameError> {
        let mut game = Game::new(Position::from_fen(fen)?);
        for text in moves {
            game.play_uci(text.as_ref())?;
        }
        Ok(game)
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The move that led to the position; `None` where the game starts with it.
    pub fn last_move(&self) -> Option<Move> {
        self.last
    }

    /// Plays a move that is legal here.
    pub fn play(&mut self, mv: Move) {
        self.earlier.push(self.position.key());
        self.position = self.position.play(mv);
        self.last = Some(mv);
        if self.position.halfmove_clock() == 0 {
            self.earlier.clear();
        }
    }

    /// Plays a UCI move.
    ///
    /// # Errors
    /// The text is no UCI move or the move is not legal here; the game is then unchanged.
    pub fn play_uci(&mut self, text: &str) -> Result<(), MoveError> {
        self.play(self.position.parse_uci(text)?);
        Ok(())
    }

    /// How often the present position has been on the board, now included: 3 makes a draw.
    pub fn occurrences(&self) -> usize {
        let key = self.position.key();
        1 + self.earlier.iter().filter(|&&earlier| earlier == key).count()
    }

    /// Whether the game is drawn by repetition, 50 moves without progress, or lack of material.
    pub fn is_draw(&self) -> bool {
        self.occurrences() >= 3
            || self.position.has_insufficient_material()
            || self.position.halfmove_clock() >= 100 && (!self.position.in_check() || self.position.has_legal_move())
    }

    /// Keys of the positions that may still be repeated, the oldest first, without the present one.
    pub fn earlier_keys(&self) -> &[u64] {
        &self.earlier
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Position::start())
    }
}

/// Why a game cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// Its first position is refused.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// One of its moves is refused.
    #[error(transparent)]
    Move(#[from] MoveError),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen: &str, moves: &str) -> Game {
        Game::from_fen_and_moves(fen, moves.split_whitespace()).unwrap()
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn the_third_occurrence_is_a_draw() {
        let there_and_back = "g1f3 g8f6 f3g1 f6g8 ";
        assert!(!game(START, there_and_back).is_draw());
        let thrice = game(START, &there_and_back.repeat(2));
        assert_eq!(thrice.occurrences(), 3);
        assert!(thrice.is_draw());
    }

    #[test]
    fn lost_castling_rights_make_another_position() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let rooks = "h1g1 h8g8 g1h1 g8h8 ".repeat(2);
        assert_eq!(game(fen, &rooks).occurrences(), 2, "the first had all rights");
        assert_eq!(game(fen, &(rooks + "h1g1 h8g8 g1h1 g8h8")).occurrences(), 3);
    }

    #[test]
    fn an_en_passant_capture_that_is_not_legal_does_not_make_another_position() {
        // After e2e4 nobody can take en passant; with a pawn on d4 somebody could.
        let back_and_forth = "g8f6 g1f3 f6g8 f3g1";
        assert_eq!(game(START, &format!("e2e4 {back_and_forth}")).occurrences(), 2);
        let with_taker = "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(game(with_taker, &format!("e2e4 {back_and_forth}")).occurrences(), 1);
    }

    #[test]
    fn fifty_moves_without_progress_are_a_draw_unless_the_last_one_mates() {
        assert!(!game("4k3/8/8/8/8/8/8/R3K3 w - - 98 80", "a1a2").is_draw());
        assert!(game("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "a1a2").is_draw());
        assert!(!game("4k3/7R/8/8/8/8/8/R3K3 w - - 99 80", "a1a8").is_draw());
        assert!(!game("4k3/8/8/8/8/8/P7/4K3 w - - 99 80", "a2a3").is_draw());
    }

    #[test]
    fn bare_material_is_a_draw() {
        for (fen, draw) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true),
            ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true),
            ("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", true),
            ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false),
            ("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/3NKB2 w - - 0 1", false),
            ("4k3/8/8/8/8/8/7P/4K3 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", false),
        ] {
            assert_eq!(game(fen, "").is_draw(), draw, "{fen}");
        }
    }

    #[test]
    fn both_ways_to_write_castling_are_understood() {
        let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        for (text, written) in [("e1g1", "e1g1"), ("e1h1", "e1g1"), ("e1c1", "e1c1"), ("e1a1", "e1c1")] {
            assert_eq!(position.parse_uci(text).unwrap().to_string(), written);
        }
        // A rook's move from e1 to h1 is not castling.
        let rook = Position::from_fen("k7/8/8/8/8/8/K7/4R3 w - - 0 1").unwrap();
        assert_eq!(rook.parse_uci("e1h1").unwrap().to_string(), "e1h1");
    }

    #[test]
    fn wrong_moves_are_refused() {
        let position = Position::start();
        for text in ["", "e2", "e2e9", "e2e4x", "e2e4qq", "é2e4", "0000", "e2e4 "] {
            assert_eq!(position.parse_uci(text), Err(MoveError::NotUci(text.into())));
        }
        for text in ["e2e5", "e7e5", "e2e4q", "e1g1"] {
            assert!(
                matches!(position.parse_uci(text), Err(MoveError::Illegal { .. })),
                "{text}"
            );
        }
    }
}
