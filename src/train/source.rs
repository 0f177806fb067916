//! Shuffled files as an endless row of positions, a window in memory at a time.

use super::TrainError;
use super::example::Example;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};
use torres_data::Record;
use torres_data::block::Kind;
use torres_data::file::Blocks;
use torres_data::random::SplitMix;

/// Positions of a window, about: 32 MiB. A window is shuffled once more, so that positions come in another order in
/// each pass, and a second one is read meanwhile.
const WINDOW: usize = 1 << 20;

/// Files whose positions were looked at once, from the first to the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    files: Vec<PathBuf>,
    positions: u64,
    checksum: u32,
}

impl Source {
    /// Reads shuffled files from start to end, so that what is wrong with them is said before hours of learning.
    ///
    /// # Errors
    /// A file cannot be read, is damaged or not shuffled, or has a position that none can learn from.
    pub(crate) fn open(files: &[PathBuf]) -> Result<Source, TrainError> {
        let mut source = Source {
            files: files.to_vec(),
            positions: 0,
            checksum: 0,
        };
        let mut checksum = crc32fast::Hasher::new();
        for file in files {
            let mut in_file = 0;
            for block in Blocks::open(file)? {
                let block = block?;
                if block.kind != Kind::Shuffled {
                    return Err(TrainError::NotShuffled(file.clone()));
                }
                for record in &block.records {
                    if Example::of(record).is_none() {
                        return Err(TrainError::Stray {
                            file: file.clone(),
                            position: in_file,
                        });
                    }
                    checksum.update(record.bytes());
                    in_file += 1;
                }
            }
            source.positions += in_file;
        }
        source.checksum = checksum.finalize();
        Ok(source)
    }

    /// How many positions there are.
    pub(crate) fn positions(&self) -> u64 {
        self.positions
    }

    /// CRC-32 of all positions in their order.
    pub(crate) fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The batches from the one with this number on, `batches.end` at most. The files are read again and again; which
    /// positions are in a batch depends on the files, the seed and the batch's size, and on nothing else.
    pub(crate) fn batches(&self, batches: std::ops::Range<u64>, size: usize, seed: u64) -> Batches {
        let in_window = (WINDOW / size).max(1);
        let first = batches.start / in_window as u64;
        let windows = match batches.is_empty() {
            true => 0..0,
            false => first..batches.end.div_ceil(in_window as u64),
        };
        let (sender, windows_read) = sync_channel(0);
        let source = self.clone();
        let window_length = in_window * size;
        std::thread::spawn(move || {
            let mut endless = Endless::new(source);
            let mut start = || endless.skip(windows.start * window_length as u64);
            let mut failed = start().err();
            for number in windows {
                // The last window need not be full.
                let wanted = (batches.end - number * in_window as u64).min(in_window as u64) as usize * size;
                let window = match failed.take() {
                    Some(error) => Err(error),
                    None => endless.take(wanted).map(|mut window| {
                        let mut random = SplitMix(seed ^ SplitMix(number).next());
                        random.shuffle(&mut window);
                        window
                    }),
                };
                let ends = window.is_err();
                // Whoever hears no longer has stopped.
                if sender.send(window).is_err() || ends {
                    return;
                }
            }
        });
        Batches {
            windows: windows_read,
            window: Vec::new(),
            size,
            at: 0,
            skip: (batches.start % in_window as u64) as usize * size,
        }
    }
}

/// Batches, one after the other.
pub(crate) struct Batches {
    windows: Receiver<Result<Vec<Record>, TrainError>>,
    window: Vec<Record>,
    size: usize,
    at: usize,
    /// What of the first window was learned from already.
    skip: usize,
}

impl Batches {
    /// The next batch; `None` after the last.
    ///
    /// # Errors
    /// A file cannot be read, is damaged, or is no longer what it was.
    pub(crate) fn next_batch(&mut self) -> Result<Option<&[Record]>, TrainError> {
        if self.at == self.window.len() {
            let Ok(window) = self.windows.recv() else {
                return Ok(None);
            };
            self.window = window?;
            self.at = std::mem::take(&mut self.skip);
        }
        let from = self.at;
        self.at = (from + self.size).min(self.window.len());
        Ok(Some(&self.window[from..self.at]))
    }
}

/// The positions of all files, again and again.
struct Endless {
    source: Source,
    /// The file to be opened next.
    next_file: usize,
    blocks: Option<Blocks>,
    block: std::vec::IntoIter<Record>,
    /// Positions read in this pass.
    read: u64,
}

impl Endless {
    fn new(source: Source) -> Endless {
        Endless {
            source,
            next_file: 0,
            blocks: None,
            block: Vec::new().into_iter(),
            read: 0,
        }
    }

    /// Goes on to a place in the row.
    fn skip(&mut self, positions: u64) -> Result<(), TrainError> {
        let mut left = positions % self.source.positions.max(1);
        while left > 0 {
            let here = (self.block.len() as u64).min(left);
            self.block.by_ref().take(here as usize).for_each(drop);
            left -= here;
            if left > 0 {
                self.next_block()?;
            }
        }
        Ok(())
    }

    fn take(&mut self, count: usize) -> Result<Vec<Record>, TrainError> {
        let mut records = Vec::with_capacity(count);
        while records.len() < count {
            let missing = count - records.len();
            records.extend(self.block.by_ref().take(missing));
            if records.len() < count {
                self.next_block()?;
            }
        }
        Ok(records)
    }

    fn next_block(&mut self) -> Result<(), TrainError> {
        loop {
            if let Some(blocks) = &mut self.blocks {
                if let Some(block) = blocks.next() {
                    let block = block?;
                    self.read += block.records.len() as u64;
                    self.block = block.records.into_iter();
                    return Ok(());
                }
                self.blocks = None;
            }
            if self.next_file == self.source.files.len() {
                // Each pass must bring what the first one did, at least one position.
                if self.read != self.source.positions || self.read == 0 {
                    return Err(TrainError::Changed);
                }
                (self.next_file, self.read) = (0, 0);
            }
            self.blocks = Some(Blocks::open(&self.source.files[self.next_file])?);
            self.next_file += 1;
        }
    }
}

/// Positions to be judged, shuffled or not: the first so many of some files.
///
/// # Errors
/// A file cannot be read or is damaged, or has a position that none can learn from.
pub(crate) fn read_all(file: &Path, most: usize) -> Result<Vec<Record>, TrainError> {
    let mut records = Vec::new();
    for block in Blocks::open(file)? {
        records.extend(block?.records);
        if records.len() >= most {
            records.truncate(most);
            break;
        }
    }
    match records.iter().position(|record| Example::of(record).is_none()) {
        Some(position) => Err(TrainError::Stray {
            file: file.to_owned(),
            position: position as u64,
        }),
        None => Ok(records),
    }
}
