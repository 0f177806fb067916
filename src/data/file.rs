//! Blocks on disk: read one after the other, and games appended to a file that may be broken off at any moment.

use super::block::{Block, HEADER, Header, Kind, START};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What is wrong with a file of positions.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The system cannot open, read or write it.
    #[error("'{}': {error}", file.display())]
    Io {
        /// Which file.
        file: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// It holds something else.
    #[error("'{}' is no file of positions; name one that `torres selfplay` or `torres data` wrote", .0.display())]
    Foreign(PathBuf),
    /// Bytes in it are not as they were written.
    #[error(
        "'{}' is damaged from byte {at} on; the blocks before it are whole: `head -c {at} FILE > NEW` keeps them",
        file.display()
    )]
    Damaged {
        /// Which file.
        file: PathBuf,
        /// Where the first block that is not whole begins.
        at: u64,
    },
    /// Another program writes there.
    #[error("'{}': another torres writes there; stop it, or choose another file", .0.display())]
    Busy(PathBuf),
    /// Its games are of another run.
    #[error(
        "'{}' holds games of another run: of another seed, other nodes, random plies or openings, or another engine; \
         say what it was begun with, or choose another file",
        .0.display()
    )]
    OtherRun(PathBuf),
    /// Positions of a shuffled file no longer belong to games.
    #[error("'{}' is shuffled: whole games are needed here; name the files it was made from", .0.display())]
    NoGames(PathBuf),
    /// The file to be written exists already.
    #[error("'{}' is there already; choose another name, or remove it", .0.display())]
    Exists(PathBuf),
}

impl DataError {
    /// For `map_err`: adds the file's name to an error.
    pub(super) fn io(file: &Path) -> impl Fn(io::Error) -> DataError + use<> {
        let file = file.to_owned();
        move |error| DataError::Io {
            file: file.clone(),
            error,
        }
    }
}

/// A file of positions that is read block by block.
#[derive(Debug)]
pub struct Blocks {
    path: PathBuf,
    input: BufReader<File>,
    /// Where the next block begins.
    at: u64,
    torn: u64,
    ended: bool,
    buffer: Vec<u8>,
}

impl Blocks {
    /// Opens a file; an empty one is a file without blocks.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn open(path: &Path) -> Result<Blocks, DataError> {
        let file = File::open(path).map_err(DataError::io(path))?;
        Ok(Blocks::of(path, file))
    }

    fn of(path: &Path, file: File) -> Blocks {
        Blocks {
            path: path.to_owned(),
            input: BufReader::with_capacity(1 << 20, file),
            at: 0,
            torn: 0,
            ended: false,
            buffer: Vec::new(),
        }
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of all blocks read so far.
    pub fn position(&self) -> u64 {
        self.at
    }

    /// Once the last block was read: bytes at the file's end that are no whole block, because the writer was ended in
    /// the middle of one, or is writing it just now.
    pub fn torn(&self) -> u64 {
        self.torn
    }

    /// The next block; `None` at the end, whether or not the file ends in the middle of one.
    fn read(&mut self) -> Result<Option<Block>, DataError> {
        let mut head = [0; HEADER];
        let got = self.fill(&mut head)?;
        let known = got.min(START.len());
        if self.at == 0 && head[..known] != START[..known] {
            return Err(DataError::Foreign(self.path.clone()));
        }
        if got < HEADER {
            self.torn = got as u64;
            return Ok(None);
        }
        let damaged = DataError::Damaged {
            file: self.path.clone(),
            at: self.at,
        };
        let Some(header) = Header::read(&head) else {
            return Err(damaged);
        };
        let mut records = std::mem::take(&mut self.buffer);
        records.resize(header.length(), 0);
        let more = self.fill(&mut records)?;
        if more < records.len() {
            self.torn = (got + more) as u64;
            return Ok(None);
        }
        let block = header.with(&records).ok_or(damaged)?;
        self.at += (HEADER + records.len()) as u64;
        self.buffer = records;
        Ok(Some(block))
    }

    /// Reads until the buffer is full or the file ends; how many bytes there were.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, DataError> {
        let mut got = 0;
        while got < buffer.len() {
            match self.input.read(&mut buffer[got..]) {
                Ok(0) => break,
                Ok(more) => got += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(DataError::io(&self.path)(error)),
            }
        }
        Ok(got)
    }
}

/// The blocks, until the end or the first that is not as it was written.
impl Iterator for Blocks {
    type Item = Result<Block, DataError>;
    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let block = self.read().transpose();
        self.ended = !matches!(block, Some(Ok(_)));
        block
    }
}

/// A file to which the games of one run are appended, in the order of their numbers; one program at a time writes to
/// it.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    file: File,
    run: u64,
    next: u32,
    games: u64,
    positions: u64,
}

impl GameFile {
    /// Opens a file to begin it or to go on with it. An end that was not written whole is cut off: the games that were
    /// there are played again, and are the same. So is damage within the longest block's length of the end, as a
    /// machine leaves that loses its power.
    ///
    /// # Errors
    /// It cannot be read or written, another program writes there, it is damaged elsewhere, or it holds anything but
    /// games of this run.
    pub fn open(path: &Path, run: u64) -> Result<GameFile, DataError> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(DataError::io(path))?;
        file.try_lock().map_err(|_| DataError::Busy(path.to_owned()))?;
        let length = file.metadata().map_err(DataError::io(path))?.len();
        let reader = file.try_clone().map_err(DataError::io(path))?;
        let mut blocks = Blocks::of(path, reader);
        let (mut next, mut games, mut positions) = (0, 0, 0);
        for block in &mut blocks {
            let block = match block {
                Ok(block) => block,
                Err(DataError::Damaged { at, .. }) if length.saturating_sub(at) <= Block::MOST_BYTES as u64 => break,
                Err(error) => return Err(error),
            };
            if block.kind != Kind::Game {
                return Err(DataError::NoGames(path.to_owned()));
            }
            if block.run != run || block.number < next {
                return Err(DataError::OtherRun(path.to_owned()));
            }
            next = block.number.saturating_add(1);
            games += 1;
            positions += block.records.len() as u64;
        }
        let whole = blocks.position();
        file.set_len(whole)
            .and_then(|()| file.seek(SeekFrom::Start(whole)))
            .map_err(DataError::io(path))?;
        Ok(GameFile {
            path: path.to_owned(),
            file,
            run,
            next,
            games,
            positions,
        })
    }

    /// The number after that of the last game.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// How many games are in it.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many positions are in it.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Appends a game in one piece.
    ///
    /// # Errors
    /// The disk refuses; what was written of it is no whole block, and is cut off when the file is opened again.
    ///
    /// # Panics
    /// The number is not beyond all before it.
    pub fn append(&mut self, number: u32, records: Vec<super::Record>) -> Result<(), DataError> {
        assert!(number >= self.next, "games are appended in their order");
        let block = Block {
            kind: Kind::Game,
            run: self.run,
            number,
            records,
        };
        self.file.write_all(&block.bytes()).map_err(DataError::io(&self.path))?;
        self.next = number.saturating_add(1);
        self.games += 1;
        self.positions += block.records.len() as u64;
        Ok(())
    }
}

/// A file that gets its name when it is finished, and does not exist before.
#[derive(Debug)]
pub(super) struct NewFile {
    path: PathBuf,
    file: io::BufWriter<tempfile::NamedTempFile>,
}

impl NewFile {
    /// Begins a file beside the place where it will be.
    pub(super) fn create(path: &Path) -> Result<NewFile, DataError> {
        if path.exists() {
            return Err(DataError::Exists(path.to_owned()));
        }
        let mut prefix = path.file_name().unwrap_or_default().to_owned();
        prefix.push(".part-");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix);
        // A temporary file can be read by its maker only, unless it is told otherwise; the user's mask still applies.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder(path)).map_err(DataError::io(path))?;
        Ok(NewFile {
            path: path.to_owned(),
            file: io::BufWriter::with_capacity(1 << 20, file),
        })
    }

    pub(super) fn append(&mut self, block: &Block) -> Result<(), DataError> {
        self.file.write_all(&block.bytes()).map_err(DataError::io(&self.path))
    }

    /// Gives it its name.
    pub(super) fn finish(self) -> Result<(), DataError> {
        let wrong = DataError::io(&self.path);
        let file = self.file.into_inner().map_err(|error| wrong(error.into_error()))?;
        file.as_file().sync_all().map_err(&wrong)?;
        match file.persist_noclobber(&self.path) {
            Ok(_) => Ok(()),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(DataError::Exists(self.path)),
            Err(error) => Err(wrong(error.error)),
        }
    }
}

/// The folder that a file lies in.
pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcome, Record};
    use proptest::prelude::*;
    use torres_engine::Position;

    const RUN: u64 = 7;

    fn records(count: usize) -> Vec<Record> {
        (0..count)
            .map(|index| Record::new(&Position::start(), index as i16, Outcome::Draw))
            .collect()
    }

    /// A file of games with so many positions each, numbered 0, 2, 4, …
    fn games(path: &Path, counts: &[usize]) {
        let mut file = GameFile::open(path, RUN).unwrap();
        for (index, &count) in counts.iter().enumerate() {
            file.append(index as u32 * 2, records(count)).unwrap();
        }
    }

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = torres_fuzz::folder();
        let path = folder.path().join("games.bin");
        (folder, path)
    }

    /// The blocks, how the reading ended, and what was left out at the end.
    fn read(path: &Path) -> (Vec<Block>, Option<DataError>, u64) {
        let mut blocks = Blocks::open(path).unwrap();
        let mut whole = Vec::new();
        for block in &mut blocks {
            match block {
                Ok(block) => whole.push(block),
                Err(error) => return (whole, Some(error), 0),
            }
        }
        let torn = blocks.torn();
        (whole, None, torn)
    }

    #[test]
    fn games_come_back_as_they_were_written() {
        let (_folder, path) = folder();
        games(&path, &[3, 0, 5]);
        let (blocks, error, torn) = read(&path);
        assert!(error.is_none() && torn == 0);
        let told: Vec<_> = blocks
            .iter()
            .map(|b| (b.kind, b.run, b.number, b.records.clone()))
            .collect();
        let game = |number, count| (Kind::Game, RUN, number, records(count));
        assert_eq!(told, [game(0, 3), game(2, 0), game(4, 5)]);
        let file = GameFile::open(&path, RUN).unwrap();
        assert_eq!((file.next(), file.games(), file.positions()), (5, 3, 8));
    }

    /// As a writer leaves it that is killed at any moment.
    #[test]
    fn an_end_that_was_not_written_whole_is_left_out_by_readers_and_cut_off_by_the_writer() {
        let (_folder, path) = folder();
        games(&path, &[2, 1]);
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let first = 3 * 32;
            let kept = if length < first { 0 } else { 1 };
            let (blocks, error, torn) = read(&path);
            assert!(error.is_none(), "{length}: {error:?}");
            assert_eq!((blocks.len(), torn as usize), (kept, length - kept * first), "{length}");
            let mut file = GameFile::open(&path, RUN).unwrap();
            assert_eq!(file.next(), kept as u32, "{length}");
            assert_eq!(
                std::fs::metadata(&path).unwrap().len() as usize,
                kept * first,
                "{length}"
            );
            if kept == 0 {
                file.append(0, records(2)).unwrap();
            }
            file.append(2, records(1)).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), whole, "{length}");
        }
    }

    #[test]
    fn damage_is_named_with_its_place_and_only_cut_off_near_the_end() {
        let (_folder, path) = folder();
        games(&path, &[2, 1, 4]);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[3 * 32 + 40] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let (blocks, error, _) = read(&path);
        assert_eq!(blocks.len(), 1);
        let error = error.unwrap();
        assert!(matches!(error, DataError::Damaged { at: 96, .. }), "{error}");
        assert!(error.to_string().contains("head -c 96 FILE"), "{error}");
        assert_eq!(GameFile::open(&path, RUN).unwrap().next(), 1, "the end is played again");

        games(&path, &[]);
        let mut file = GameFile::open(&path, RUN).unwrap();
        for number in 2..5 {
            file.append(number, records(Block::MOST_RECORDS)).unwrap();
        }
        drop(file);
        let length = std::fs::metadata(&path).unwrap().len();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[100] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let refused = GameFile::open(&path, RUN).unwrap_err();
        assert!(matches!(refused, DataError::Damaged { at: 96, .. }), "{refused}");
        assert_eq!(std::fs::metadata(&path).unwrap().len(), length, "nothing is cut off");
    }

    #[test]
    fn only_games_of_the_same_run_are_gone_on_with() {
        let (folder, path) = folder();
        games(&path, &[1]);
        let other = GameFile::open(&path, RUN + 1).unwrap_err();
        assert!(matches!(other, DataError::OtherRun(_)), "{other}");

        let busy = GameFile::open(&path, RUN).unwrap();
        assert!(matches!(GameFile::open(&path, RUN), Err(DataError::Busy(_))));
        drop(busy);

        for foreign in ["{\"game\":0}\n", "x"] {
            std::fs::write(&path, foreign).unwrap();
            assert!(matches!(GameFile::open(&path, RUN), Err(DataError::Foreign(_))));
            assert_eq!(std::fs::read_to_string(&path).unwrap(), foreign, "it is left as it is");
        }

        let shuffled = folder.path().join("shuffled.bin");
        let mut file = NewFile::create(&shuffled).unwrap();
        let block = Block {
            kind: Kind::Shuffled,
            run: 0,
            number: 0,
            records: records(2),
        };
        file.append(&block).unwrap();
        assert!(!shuffled.exists(), "nothing is there before it is finished");
        file.finish().unwrap();
        assert!(matches!(GameFile::open(&shuffled, RUN), Err(DataError::NoGames(_))));
        assert!(matches!(NewFile::create(&shuffled), Err(DataError::Exists(_))));
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            2,
            "nothing else is left"
        );
    }

    proptest! {
        /// Whatever happens to a file: what is read are blocks that were written, in their order.
        #[test]
        fn damage_never_makes_a_game(at: prop::sample::Index, bytes in prop::collection::vec(any::<u8>(), 1..40), cut: prop::sample::Index) {
            let (_folder, path) = folder();
            games(&path, &[2, 1, 4]);
            let written = read(&path).0;
            let mut whole = std::fs::read(&path).unwrap();
            let at = at.index(whole.len());
            for (byte, damage) in whole[at..].iter_mut().zip(&bytes) {
                *byte ^= damage;
            }
            whole.truncate(cut.index(whole.len() + 1));
            std::fs::write(&path, &whole).unwrap();
            let (blocks, _, _) = read(&path);
            prop_assert_eq!(&blocks[..], &written[..blocks.len()]);
        }
    }
}
