//! Shuffles the positions of many games in bounded memory; each order is equally likely.
//!
//! Positions that do not fit into memory are dealt at random to piles that do, and each pile is shuffled by itself. The
//! order is as random as if all had been shuffled at once: each pile is equally likely for a position, and so is each
//! place in it.

use super::block::{Block, Kind};
use super::file::{DataError, NewFile, folder};
use super::random::SplitMix;
use super::record::Record;
use super::source::{Amount, LeftOut, each_block};
use std::fs::File;
use std::io::{BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Records in a block of a shuffled file: one mebibyte.
const BLOCK: usize = 1 << 15;
/// Bytes of a pile that wait to be written.
const PILE_BUFFER: usize = 1 << 16;

/// The most piles: a system may limit a program to some hundred open files.
const MOST_PILES: u64 = 512;

/// What was shuffled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shuffled {
    /// How many games and positions.
    pub amount: Amount,
    /// What was left out.
    pub left_out: LeftOut,
}

/// Writes all positions of some files into a new one, in an order that a seed decides. `memory` is what positions may
/// take in memory at once, in bytes; where that is less than there are, as much is needed on the disk beside the new
/// file.
///
/// # Errors
/// A file cannot be read or written, or is damaged; or the one to be written is there.
pub fn shuffle(files: &[PathBuf], out: &Path, seed: u64, memory: u64) -> Result<Shuffled, DataError> {
    let mut file = NewFile::create(out)?;
    let mut random = SplitMix(seed);
    let mut bytes = 0;
    for file in files {
        bytes += std::fs::metadata(file).map_err(DataError::io(file))?.len();
    }
    let mut piles = Piles::new(bytes.div_ceil(memory.max(1)).clamp(1, MOST_PILES) as usize, out)?;
    let mut amount = Amount::default();
    let left_out = each_block(files, |_, block| {
        amount.add(&block);
        block
            .records
            .iter()
            .try_for_each(|record| piles.deal(record, &mut random))
    })?;
    let (mut number, mut waiting) = (0, Vec::with_capacity(BLOCK));
    let mut write = |records: &mut Vec<Record>| -> Result<(), DataError> {
        let block = Block {
            kind: Kind::Shuffled,
            run: 0,
            number,
            records: std::mem::take(records),
        };
        number += 1;
        file.append(&block)?;
        *records = block.records;
        records.clear();
        Ok(())
    };
    piles.each(|mut pile| {
        let (records, _) = pile.as_chunks_mut();
        random.shuffle(records);
        for &bytes in &*records {
            waiting.push(Record::from_bytes(bytes));
            if waiting.len() == BLOCK {
                write(&mut waiting)?;
            }
        }
        Ok(())
    })?;
    if !waiting.is_empty() {
        write(&mut waiting)?;
    }
    file.finish()?;
    Ok(Shuffled { amount, left_out })
}

/// The piles of records that wait to be shuffled.
enum Piles {
    /// All fit into memory.
    Memory(Vec<u8>),
    /// In files without names, which vanish with the program however it ends.
    Disk { out: PathBuf, files: Vec<BufWriter<File>> },
}

impl Piles {
    fn new(count: usize, out: &Path) -> Result<Piles, DataError> {
        if count == 1 {
            return Ok(Piles::Memory(Vec::new()));
        }
        let pile = |_| {
            Ok(BufWriter::with_capacity(
                PILE_BUFFER,
                tempfile::tempfile_in(folder(out))?,
            ))
        };
        let files: std::io::Result<_> = (0..count).map(pile).collect();
        Ok(Piles::Disk {
            out: out.to_owned(),
            files: files.map_err(DataError::io(out))?,
        })
    }

    fn deal(&mut self, record: &Record, random: &mut SplitMix) -> Result<(), DataError> {
        match self {
            Piles::Memory(bytes) => {
                bytes.extend_from_slice(record.bytes());
                Ok(())
            }
            Piles::Disk { out, files } => {
                let pile = random.below(files.len());
                files[pile].write_all(record.bytes()).map_err(DataError::io(out))
            }
        }
    }

    /// Hands over the bytes of each pile.
    fn each(self, mut on_pile: impl FnMut(Vec<u8>) -> Result<(), DataError>) -> Result<(), DataError> {
        match self {
            Piles::Memory(bytes) => on_pile(bytes),
            Piles::Disk { out, files } => files.into_iter().try_for_each(|file| {
                let bytes = || -> std::io::Result<Vec<u8>> {
                    let mut file = file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
                    file.rewind()?;
                    let mut bytes = Vec::new();
                    file.read_to_end(&mut bytes)?;
                    Ok(bytes)
                };
                on_pile(bytes().map_err(DataError::io(&out))?)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameFile, Outcome};
    use torres_engine::Position;

    /// A folder with a file `games` in which each position has a score of its own.
    fn games(count: u32) -> (tempfile::TempDir, PathBuf) {
        let folder = torres_fuzz::folder();
        let path = folder.path().join("games");
        let mut file = GameFile::open(&path, 1).unwrap();
        for number in 0..count {
            let records =
                (0..10).map(|index| Record::new(&Position::start(), (number * 10 + index) as i16, Outcome::Draw));
            file.append(number, records.collect()).unwrap();
        }
        (folder, path)
    }

    fn scores(path: &Path) -> Vec<i16> {
        let mut scores = Vec::new();
        each_block(&[path.to_owned()], |_, block| {
            assert_eq!(block.kind == Kind::Shuffled, block.run == 0);
            scores.extend(block.records.iter().map(Record::score));
            Ok(())
        })
        .unwrap();
        scores
    }

    /// In memory and on disk, each position is there once, and no longer where it was.
    #[test]
    fn every_position_is_kept_and_none_stays_where_it_was() {
        let (folder, games) = games(1000);
        let shuffled = |name: &str, seed, memory| {
            let out = folder.path().join(name);
            let told = shuffle(std::slice::from_ref(&games), &out, seed, memory).unwrap();
            assert_eq!(
                told.amount,
                Amount {
                    games: 1000,
                    positions: 10_000
                }
            );
            scores(&out)
        };
        let in_memory = shuffled("memory", 1, 1 << 30);
        let on_disk = shuffled("disk", 1, 50_000);
        assert_eq!(in_memory, shuffled("again", 1, 1 << 30), "a seed gives an order");
        assert_ne!(in_memory, shuffled("other", 2, 1 << 30), "and another seed another");
        for order in [&in_memory, &on_disk] {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.iter().copied().eq(0..10_000));
            let stayed = (0..).zip(order).filter(|(place, score)| place == *score).count();
            assert!(stayed < 10, "{stayed}");
            let neighbours = order.windows(2).filter(|pair| pair[0] / 10 == pair[1] / 10).count();
            assert!(neighbours < 40, "{neighbours} neighbours are of one game");
            // Both halves come from all of the games.
            let mean = order[..5000].iter().map(|&score| f64::from(score)).sum::<f64>() / 5000.0;
            assert!((4800.0..5200.0).contains(&mean), "{mean}");
        }
        let left = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 5, "no pile is left");
    }

    #[test]
    fn blocks_of_a_shuffled_file_are_full_but_for_the_last() {
        let (folder, games) = games(3300);
        let (once, twice) = (folder.path().join("once"), folder.path().join("twice"));
        shuffle(&[games], &once, 1, 300_000).unwrap();
        shuffle(std::slice::from_ref(&once), &twice, 2, 1 << 30).unwrap();
        for path in [&once, &twice] {
            let mut sizes = Vec::new();
            each_block(std::slice::from_ref(path), |_, block| {
                sizes.push((block.number, block.records.len()));
                Ok(())
            })
            .unwrap();
            assert_eq!(sizes, [(0, BLOCK), (1, 33_000 - BLOCK)]);
        }
        assert_ne!(scores(&once), scores(&twice));
    }
}
