//! A run as a file, so that one that was ended goes on where it was, to the last bit.
//!
//! All numbers are little-endian.
//!
//! | bytes | what they hold |
//! |---|---|
//! | 0–3 | `TRUN` |
//! | 4–7 | the format, 1 |
//! | 8–11 | hidden units, *h* |
//! | 12–15 | length of the text, *t* |
//! | 16–19 | points of the curve, *p* |
//! | 20–27 | batches learned from |
//! | 28–43 | errors since the last point of the curve: their sum (64-bit float), and of how many positions |
//! | then *t* | which run it is, in UTF-8 |
//! | then 40 × *p* | batches, mean error learned, errors judged against target, score and result (64 bits each) |
//! | then 3 × | parameters, running means of gradients and of their squares, 32-bit floats in the order of [`Parameters`] |
//! | last 4 | CRC-32 (IEEE) of all before |

use super::kernel::Errors;
use super::learner::State;
use super::parameters::{LANES, Parameters};
use super::{Point, Sum, TrainError};
use std::io::{self, Write};
use std::path::Path;
use torres_engine::nnue::is_hidden;

const MAGIC: &[u8; 8] = b"TRUN\x01\0\0\0";
const HEADER: usize = 44;
const POINT: usize = 40;

/// A run that was ended, or will be.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Which run it is: its settings and its positions, in words.
    pub run: String,
    /// How the errors fell so far.
    pub curve: Vec<Point>,
    /// The errors since the last point of the curve.
    pub since: Sum,
    /// The network, and what else its next step needs.
    pub state: State,
}

impl Checkpoint {
    /// As it is stored.
    pub fn bytes(&self) -> Vec<u8> {
        let hidden = self.state.parameters.hidden();
        let mut bytes = MAGIC.to_vec();
        for length in [hidden, self.run.len(), self.curve.len()] {
            bytes.extend((length as u32).to_le_bytes());
        }
        bytes.extend(self.state.steps.to_le_bytes());
        bytes.extend(self.since.errors.to_le_bytes());
        bytes.extend(self.since.positions.to_le_bytes());
        bytes.extend(self.run.as_bytes());
        for point in &self.curve {
            let Errors { target, score, result } = point.judged.unwrap_or(NONE);
            bytes.extend(point.batch.to_le_bytes());
            for number in [point.learned, target, score, result] {
                bytes.extend(number.to_le_bytes());
            }
        }
        for numbers in [&self.state.parameters, &self.state.mean, &self.state.square] {
            for row in &numbers.rows {
                bytes.extend(row.0.iter().flat_map(|number| number.to_le_bytes()));
            }
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// What bytes say; `None` where they are not as they were written.
    pub fn from_bytes(bytes: &[u8]) -> Option<Checkpoint> {
        let (checked, checksum) = bytes.split_last_chunk()?;
        if !checked.starts_with(MAGIC) || crc32fast::hash(checked) != u32::from_le_bytes(*checksum) {
            return None;
        }
        let (header, rest) = checked.split_first_chunk::<HEADER>()?;
        let length = |from: usize| header[from..].first_chunk().map(|&b| u32::from_le_bytes(b) as usize);
        let number = |from: usize| header[from..].first_chunk().copied();
        let (hidden, text, points) = (length(8)?, length(12)?, length(16)?);
        if !is_hidden(hidden) {
            return None;
        }
        let (run, rest) = rest.split_at_checked(text)?;
        let (curve, mut rest) = rest.split_at_checked(points.checked_mul(POINT)?)?;
        let curve = curve.as_chunks::<POINT>().0.iter().map(|bytes| {
            let (numbers, _) = bytes.as_chunks::<8>();
            let [learned, target, score, result] = [1, 2, 3, 4].map(|at| f64::from_le_bytes(numbers[at]));
            let judged = Errors { target, score, result };
            Point {
                batch: u64::from_le_bytes(numbers[0]),
                learned,
                judged: (!target.is_nan()).then_some(judged),
            }
        });
        let curve = curve.collect();
        let mut parameters = || {
            let mut parameters = Parameters::zero(hidden);
            let (mine, others) = rest.split_at_checked(parameters.rows.len() * LANES * 4)?;
            rest = others;
            let numbers = mine.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
            let places = parameters.rows.iter_mut().flat_map(|row| &mut row.0);
            places.zip(numbers).for_each(|(place, number)| *place = number);
            Some(parameters)
        };
        let state = State {
            parameters: parameters()?,
            mean: parameters()?,
            square: parameters()?,
            steps: u64::from_le_bytes(number(20)?),
        };
        rest.is_empty().then_some(Checkpoint {
            run: std::str::from_utf8(run).ok()?.to_owned(),
            curve,
            since: Sum {
                errors: f64::from_le_bytes(number(28)?),
                positions: u64::from_le_bytes(number(36)?),
            },
            state,
        })
    }

    /// Reads the file; `None` where there is none.
    ///
    /// # Errors
    /// It cannot be read, is damaged or none at all.
    pub fn read(path: &Path) -> Result<Option<Checkpoint>, TrainError> {
        match std::fs::read(path) {
            Ok(bytes) => match Checkpoint::from_bytes(&bytes) {
                Some(checkpoint) => Ok(Some(checkpoint)),
                None => Err(TrainError::NoCheckpoint(path.to_owned())),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(TrainError::io(path)(error)),
        }
    }
}

/// In place of errors that were not judged.
const NONE: Errors = Errors {
    target: f64::NAN,
    score: f64::NAN,
    result: f64::NAN,
};

/// Writes a file that is there whole, or is what it was before.
///
/// # Errors
/// The system refuses.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    // Temporary files are for their maker's eyes, unless something else is said; the user's mask has the last word.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let wrong = TrainError::io(path);
    let mut file = builder.tempfile_in(folder).map_err(&wrong)?;
    file.write_all(bytes).map_err(&wrong)?;
    file.as_file().sync_all().map_err(&wrong)?;
    file.persist(path).map_err(|error| wrong(error.error))?;
    Ok(())
}
