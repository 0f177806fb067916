//! The chess engine: bitboards, move generation, search and evaluation, and the doors (UCI and the engine
//! socket) through which another process asks it for moves.
//!
//! Nothing here knows about screens, pages or mice. Rules of chess are the engine's own, since they are what it is
//! about; tests hold them against `shakmaty`. Only the outer doors know `link`'s messages.

mod limits;
mod naive;
pub mod socket;

pub use limits::{Clock, Score, SearchControl, SearchInfo, SearchLimits, SearchResult};
pub use naive::{Engine, FenError, Game, Move, MoveError, Position};
