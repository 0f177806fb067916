//! From pixels to chess, pure: frames go in, readings come out, and nothing waits, clicks or remembers a file.
//!
//! *Where*: [`locate()`] finds boards in a screenshot. *What changed*: `histogram` compares the squares of two frames.
//! *What stands there*: [`appearance`] knows how this board's squares and pieces appear. *What was played*: [`tracker`]
//! asks which legal line explains the whole board, [`join`](mod@join) what a picture by itself says of a game joined in
//! the middle. What cannot be told is unknown, never guessed.

pub mod appearance;
pub mod clock;
pub mod differ;
mod find;
pub mod histogram;
pub mod join;
pub mod joined;
pub mod locate;
mod patch;
pub mod tracker;

pub use appearance::{Appearance, BoardReading, SquareReading};
pub use find::{Recognised, boards, find_and_read, first_that_reads, read_at, recognise};
pub use locate::{FoundBoard, locate};
pub use tracker::{Covered, Doubt, ExplainedLine, MoveSigns, OwnSide, PastMatch, Reading, RecallKind, Tracker};
