//! A network for the engine that learns from positions of its own games.
//!
//! It is made to say which share of the points a position is worth: the mean squared error is made small between
//! sigmoid(output) and a target that mixes the search's score and the game's result. `docs/engine/network.md` has the
//! formulas, and tells how to make a network from nothing.
//!
//! | file | what it holds |
//! |---|---|
//! | [`example`] | a record as the network sees it: two views, their inputs, the target |
//! | [`parameters`] | the network's numbers, in rows that fit the processor |
//! | [`kernel`] | the arithmetic: outputs, gradients, AdamW's steps; compiled for several kinds of processors |
//! | [`learner`] | batches on several threads, with the same bits on any number of them |
//! | [`schedule`] | how wide the steps are |
//! | [`source`] | shuffled files as batches |
//! | [`checkpoint`] | a run as a file, to go on from |
//! | [`run`] | all of it together |
//! | [`quantised`] | the network in whole numbers, as the engine has it |
//! | [`plot`] | how the errors fell, as a picture |
//! | [`average`](mod@average) | the mean of several networks |

pub mod average;
pub mod checkpoint;
pub mod example;
mod fuzz_tests;
mod kernel;
mod learner;
mod parameters;
pub mod plot;
mod quantised;
pub mod run;
mod schedule;
mod source;
#[cfg(test)]
mod tests;

use kernel::Errors;
use std::io;
use std::path::{Path, PathBuf};
use torres_data::DataError;

pub use average::average;
pub use run::{Progress, Run, Settings};

/// A point of the curve: mean squared errors of the expected points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The batches learned from until then.
    pub batch: u64,
    /// In the batches since the point before, each before it was learned from.
    pub learned: f64,
    /// On the positions set apart, where there are some.
    pub judged: Option<Errors>,
}

/// Squared errors that were added up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sum {
    /// Their sum.
    pub errors: f64,
    /// How many positions they are of.
    pub positions: u64,
}

impl Sum {
    fn add(&mut self, errors: f64, positions: usize) {
        self.errors += errors;
        self.positions += positions as u64;
    }

    fn mean(&self) -> f64 {
        self.errors / self.positions.max(1) as f64
    }
}

/// Why a network cannot learn.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A file of positions cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Positions come game by game.
    #[error("'{}' has its positions game by game; `torres data shuffle` makes a file to learn from", .0.display())]
    NotShuffled(PathBuf),
    /// What is no position, in a block that is whole.
    #[error(
        "'{}': position {position}, counted from 0, is none that can be learned from; `torres data show` tells why. \
         Another program wrote it: make the file again without it",
        file.display()
    )]
    Stray {
        /// In which file.
        file: PathBuf,
        /// Its place, from 0.
        position: u64,
    },
    /// There is too little to learn from.
    #[error(
        "{positions} positions, all passes counted, do not fill a batch of {batch}; make more positions, or choose a \
         smaller --batch"
    )]
    TooFew {
        /// So many.
        positions: u64,
        /// That a batch has.
        batch: usize,
    },
    /// Files are no longer what they were.
    #[error("the files of positions were changed while they were read; begin anew with files that stay as they are")]
    Changed,
    /// The file of the checkpoint holds something else.
    #[error("'{}' is no checkpoint, or is damaged; choose another name, or remove it to begin anew", .0.display())]
    NoCheckpoint(PathBuf),
    /// The checkpoint is of another run.
    #[error(
        "'{}' is the checkpoint of another run: {saved}. This one is: {asked}. Say the same again to go on, or choose \
         another --checkpoint",
        file.display()
    )]
    OtherRun {
        /// Which file.
        file: PathBuf,
        /// Its run.
        saved: String,
        /// The run that was asked for.
        asked: String,
    },
    /// The system refuses.
    #[error("'{}': {error}", file.display())]
    Io {
        /// Which file.
        file: PathBuf,
        /// What it says.
        error: io::Error,
    },
}

impl TrainError {
    /// For `map_err`: which file it was about.
    fn io(file: &Path) -> impl Fn(io::Error) -> TrainError + use<> {
        let file = file.to_owned();
        move |error| TrainError::Io {
            file: file.clone(),
            error,
        }
    }
}
