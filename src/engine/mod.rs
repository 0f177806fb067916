//! The chess engine: bitboards, move generation, search and evaluation, and the doors (UCI and the engine
//! socket) through which another process asks it for moves.
//!
//! Nothing here knows about screens, pages or mice. Rules of chess are the engine's own, since they are what it is
//! about; tests hold them against `shakmaty`. Only the outer doors know `link`'s messages.

mod attacks;
mod bitboard;
mod board;
mod castling;
mod fen;
mod game;
mod limits;
mod magics;
mod movegen;
mod mv;
mod naive;
mod perft;
mod piece;
mod position;
mod setup;
pub mod socket;
mod square;
mod zobrist;

pub use bitboard::Bitboard;
pub use board::Board;
pub use castling::{CastlingRights, Wing};
pub use fen::{FenError, FenReason};
pub use game::{Game, GameError, MoveError};
pub use limits::{Clock, Score, SearchControl, SearchInfo, SearchLimits, SearchResult};
pub use mv::{Move, MoveKind, Promotion};
pub use naive::Engine;
pub use perft::{divide, perft};
pub use piece::{ByColor, Color, Piece, Role};
pub use position::Position;
pub use setup::Illegal;
pub use square::{NotASquare, Square};
