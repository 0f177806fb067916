//! A stand-in behind the engine's public types until the real one lands.

use super::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, uci::UciMove};

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move(UciMove);

impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Why a FEN is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FenError(String);

/// Why a move is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MoveError(String);

/// A legal position.
#[derive(Clone, Debug)]
pub struct Position(Chess);

impl Position {
    /// The start position.
    pub fn start() -> Position {
        Position(Chess::default())
    }

    /// Reads a FEN.
    ///
    /// # Errors
    /// All reasons for which it is not a position that a game can continue from.
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        let fen: Fen = fen.parse().map_err(|error| FenError(format!("{error}")))?;
        fen.into_position(CastlingMode::Standard)
            .map(Position)
            .map_err(|error| FenError(format!("{error}")))
    }

    /// Writes a FEN, en passant only where a legal capture exists.
    pub fn fen(&self) -> String {
        Fen::from_position(&self.0, EnPassantMode::Legal).to_string()
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> Vec<Move> {
        self.0
            .legal_moves()
            .iter()
            .map(|mv| Move(mv.to_uci(CastlingMode::Standard)))
            .collect()
    }

    /// The legal move that a UCI text names.
    ///
    /// # Errors
    /// The text is no UCI move or the move is not legal here.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        let uci: UciMove = text
            .parse()
            .map_err(|_| MoveError(format!("'{text}' is not a UCI move")))?;
        let mv = uci
            .to_move(&self.0)
            .map_err(|_| MoveError(format!("'{text}' is not legal in {}", self.fen())))?;
        Ok(Move(mv.to_uci(CastlingMode::Standard)))
    }

    /// The position after a UCI move.
    ///
    /// # Errors
    /// The text is no UCI move or the move is not legal here.
    pub fn play_uci(&self, text: &str) -> Result<Position, MoveError> {
        let mv = self
            .parse_uci(text)?
            .0
            .to_move(&self.0)
            .map_err(|error| MoveError(error.to_string()))?;
        self.0
            .clone()
            .play(mv)
            .map(Position)
            .map_err(|error| MoveError(error.to_string()))
    }
}

/// A position and what of the game before it still matters: the positions that may be repeated.
#[derive(Clone, Debug)]
pub struct Game(Position);

impl Game {
    /// A game that starts here.
    pub fn new(position: Position) -> Game {
        Game(position)
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.0
    }

    /// Plays a UCI move.
    ///
    /// # Errors
    /// The text is no UCI move or the move is not legal here; the game is then unchanged.
    pub fn play_uci(&mut self, text: &str) -> Result<(), MoveError> {
        self.0 = self.0.play_uci(text)?;
        Ok(())
    }
}

/// The search and what it remembers from move to move.
pub struct Engine {}

impl Engine {
    /// An engine with a transposition table of so many MiB.
    pub fn new(_hash_mib: usize) -> Engine {
        Engine {}
    }

    /// Forgets what was learned of the last game.
    pub fn new_game(&mut self) {}

    /// Thinks until a limit is reached or `control` says stop; `report` hears of each completed iteration.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &SearchLimits,
        control: &SearchControl,
        report: &mut dyn FnMut(SearchInfo),
    ) -> SearchResult {
        if limits.infinite {
            control.wait_for_stop();
        } else if limits.ponder {
            control.wait_for_stop_or_hit();
        }
        let best = game.position().legal_moves().first().copied();
        report(SearchInfo {
            depth: 1,
            selective_depth: 1,
            score: Score::Cp(0),
            nodes: 1,
            time: std::time::Duration::ZERO,
            hash_full: 0,
            pv: best.into_iter().collect(),
        });
        SearchResult {
            best,
            ponder: None,
            score: Score::Cp(0),
            depth: 1,
            nodes: 1,
        }
    }
}
