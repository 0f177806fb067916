//! The blocks of several files, one after the other, and each game only once.

use super::block::{Block, GameId, Kind};
use super::file::{Blocks, DataError};
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// A number of games and positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    /// Games; none in shuffled files.
    pub games: u64,
    /// Positions.
    pub positions: u64,
}

impl Amount {
    /// Counts a block.
    pub fn add(&mut self, block: &Block) {
        self.games += u64::from(block.kind == Kind::Game);
        self.positions += block.records.len() as u64;
    }
}

/// What was left out while files were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Games that had been there already, in the same file or another.
    pub repeated: u64,
    /// Files that end in the middle of a block, and the bytes of it.
    pub torn: Vec<(PathBuf, u64)>,
}

/// A sentence for each kind of thing that was left out.
impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (file, bytes) in &self.torn {
            writeln!(
                f,
                "'{}': the last {bytes} bytes are no whole game and were left out (torres selfplay may be writing it)",
                file.display()
            )?;
        }
        match self.repeated {
            0 => Ok(()),
            games => writeln!(f, "{games} games were there more than once and counted once"),
        }
    }
}

/// Hands over every block of some files.
///
/// # Errors
/// A file cannot be read, is damaged or none of positions; or what `on_block` says.
pub fn each_block(
    files: &[PathBuf],
    mut on_block: impl FnMut(&Path, Block) -> Result<(), DataError>,
) -> Result<LeftOut, DataError> {
    let mut seen: HashSet<GameId> = HashSet::new();
    let mut left_out = LeftOut::default();
    for path in files {
        let mut blocks = Blocks::open(path)?;
        for block in &mut blocks {
            let block = block?;
            if block.kind == Kind::Game && !seen.insert(block.game()) {
                left_out.repeated += 1;
            } else {
                on_block(path, block)?;
            }
        }
        if blocks.torn() > 0 {
            left_out.torn.push((path.clone(), blocks.torn()));
        }
    }
    Ok(left_out)
}

/// Hands over every game of some files.
///
/// # Errors
/// As [`each_block`]; or a file is shuffled and has no games any more.
pub fn each_game(
    files: &[PathBuf],
    mut on_game: impl FnMut(Block) -> Result<(), DataError>,
) -> Result<LeftOut, DataError> {
    each_block(files, |path, block| match block.kind {
        Kind::Game => on_game(block),
        Kind::Shuffled => Err(DataError::NoGames(path.to_owned())),
    })
}
