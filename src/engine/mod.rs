//! The chess engine: bitboards, move generation, search and evaluation, and UCI, by which another
//! process asks it for moves. The engine socket, by which Torres asks it, is `cli`'s.
//!
//! Nothing here knows about screens, pages or mice. Rules of chess are the engine's own, since they are what it is
//! about; tests hold them against `shakmaty`.
//!
//! From the bottom up: [`Square`], [`Bitboard`] and attack tables; [`Board`] and [`Position`] with its one checked door
//! for FENs and [`PackedPosition`]s, [`Move`]s and [`perft()`]; evaluation ([`HandMade`], [`nnue`]), transposition
//! table and search behind [`Engine`]; [`mod@bench`] and [`uci`] at the top. To use it:
//!
//! ```
//! use torres_engine::{Engine, Game, SearchControl, SearchLimits};
//!
//! let mut game = Game::default();
//! game.play_uci("e2e4")?;
//! let limits = SearchLimits { depth: Some(5), ..SearchLimits::default() };
//! let result = Engine::new(16).search(&game, &limits, &SearchControl::new(), &mut |info| {
//!     println!("depth {}: {:?}", info.depth, info.score);
//! });
//! assert!(result.best.is_some());
//! # Ok::<(), torres_engine::MoveError>(())
//! ```

mod attacks;
pub mod bench;
mod bitboard;
mod board;
mod castling;
mod eval;
mod evaluator;
mod fen;
mod free_memory;
mod fuzz_tests;
mod game;
mod limits;
mod magics;
mod movegen;
mod mv;
pub mod nnue;
mod packed;
mod perft;
mod piece;
mod position;
mod search;
mod see;
mod setup;
mod sliders;
mod square;
mod time;
mod tt;
pub mod uci;
mod value;
mod zobrist;

pub use bitboard::Bitboard;
pub use board::Board;
pub use castling::{CastlingRights, Wing};
pub use eval::{HandMade, tuning};
pub use evaluator::Evaluation;
pub use fen::{FenError, FenReason};
pub use free_memory::NoMemory;
pub use game::{Game, GameError, MoveError};
pub use limits::{Clock, Score, SearchControl, SearchInfo, SearchLimits, SearchResult};
pub use mv::{Move, MoveKind, Promotion};
pub use packed::{PackedError, PackedPosition, PackedReason};
pub use perft::{divide, perft};
pub use piece::{ByColor, Color, Piece, Role};
pub use position::Position;
pub use search::{Engine, Options};
pub use setup::Illegal;
pub use square::{NotASquare, Square};
