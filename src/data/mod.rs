//! Positions on disk for evaluations to learn from: games that the engine played against itself, each position with the
//! search's score and the game's result.
//!
//! A file is a row of blocks ([`block`]), a block a header and records of 32 bytes each ([`record`]). In a file of
//! games a block is a game, so that whole games can be set apart; in a shuffled file it is some thousand positions of
//! all games. `docs/engine/data.md` has the format byte by byte.
//!
//! | file | what it holds |
//! |---|---|
//! | [`record`] | a position, its score and its game's result in 32 bytes |
//! | [`block`] | the header of a block and its checksum |
//! | [`mod@file`] | blocks from a file, and games to a file that may be broken off at any moment |
//! | [`source`] | the blocks of several files, each game once |
//! | [`split`], [`shuffle`] | files from files |
//! | [`histogram`] | what is in them, in words and bars |
//! | [`random`] | the same numbers for the same seed everywhere |
//!
//! All of it streams: memory does not grow with the files, but for 8 bytes a game and for what [`shuffle`] is given.

pub mod block;
pub mod file;
mod fuzz_tests;
pub mod histogram;
pub mod random;
pub mod record;
pub mod shuffle;
pub mod source;
pub mod split;

pub use block::{Block, Kind};
pub use file::{DataError, GameFile};
pub use record::{Outcome, Record};
