//! The network as a file: read, checked, written.
//!
//! All numbers are little-endian.
//!
//! | bytes | what they hold |
//! |---|---|
//! | 0–3 | `TNET` |
//! | 4 | the format, 1 |
//! | 5 | the architecture, 1: 768 inputs mirrored by the king's file, two perspectives, squared clipped units |
//! | 6–7 | hidden units of each side, *h*: a multiple of 64, at most 1,024 |
//! | 8 | sets of output weights, 8 |
//! | 9 | 0 |
//! | 10–11 | length of the text, *t* |
//! | 12–15 | CRC-32 (IEEE) of everything else |
//! | then *t* | how it was made, in UTF-8 |
//! | then 768 × *h* × 2 | input weights, a row of *h* for each input, 255 for 1.0 |
//! | then *h* × 2 | bias of the hidden units |
//! | then 8 × 2 *h* × 2 | output weights, a row for each set, 64 for 1.0; the side to move first |
//! | then 8 × 4 | bias of the outputs, 255 × 64 for 1.0 |

use super::kernels::{Chunk, LANES};
use super::{BUCKETS, INPUT_ONE, INPUTS, Network};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::{Arc, OnceLock};

const MAGIC: &[u8; 4] = b"TNET";
const FORMAT: u8 = 1;
const ARCHITECTURE: u8 = 1;
const HEADER: usize = 16;
const CHECKSUM: std::ops::Range<usize> = 12..16;
/// Hidden units of a side, at most.
pub const MOST_HIDDEN: usize = 1024;
/// More than the largest network has.
const MOST_BYTES: u64 = 4 << 20;
/// Men on a board, at most: the position's door lets no more in.
const MOST_MEN: usize = 32;
/// Beyond this a hidden unit times its output weight does not fit 16 bits.
const MOST_OUTPUT_WEIGHT: i16 = 128;

/// Weights as plain numbers, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// A row of hidden units for each of the [`INPUTS`]; [`INPUT_ONE`] for 1.0.
    pub inputs: Vec<i16>,
    /// One for each hidden unit; [`INPUT_ONE`] for 1.0.
    pub input_bias: Vec<i16>,
    /// A row for each of the [`BUCKETS`], the side to move first; [`OUTPUT_ONE`](super::OUTPUT_ONE) for 1.0.
    pub outputs: Vec<i16>,
    /// One for each of the [`BUCKETS`]; [`INPUT_ONE`] × [`OUTPUT_ONE`](super::OUTPUT_ONE) for 1.0.
    pub output_bias: [i32; BUCKETS],
}

/// Why a network is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// There is no such file, or it cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(ErrorKind),
    /// It does not begin as a network does.
    #[error("it is not a network of Torres: it does not begin with 'TNET'")]
    Foreign,
    /// Another format or architecture.
    #[error(
        "it has format {format}, architecture {architecture}; this Torres reads format {FORMAT}, architecture {ARCHITECTURE}"
    )]
    OtherKind {
        /// Byte 4.
        format: u8,
        /// Byte 5.
        architecture: u8,
    },
    /// So many hidden units, or sets of output weights, cannot be.
    #[error(
        "it has {hidden} hidden units and {buckets} outputs; a multiple of {LANES} up to {MOST_HIDDEN} is needed, and {BUCKETS}"
    )]
    Size {
        /// Hidden units of each side.
        hidden: usize,
        /// Sets of output weights.
        buckets: usize,
    },
    /// Its length is not what the header says.
    #[error("it has {found} bytes and should have {wanted}: it is cut off, or has something appended")]
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes that the header asks for.
        wanted: usize,
    },
    /// The checksum differs.
    #[error("it is damaged: its checksum does not fit")]
    Damaged,
    /// The text is no UTF-8, or too long.
    #[error("its text is not UTF-8 of at most 65,535 bytes")]
    Text,
    /// Some position's sums would not fit the numbers they are kept in.
    #[error("its weights are too large for exact sums")]
    Overflow,
}

impl Network {
    /// The network with these weights; `made` says how it was made.
    ///
    /// # Errors
    /// The numbers of weights do not fit together, sums could overflow, or the text is too long.
    pub fn new(weights: &Weights, made: &str) -> Result<Network, NetworkError> {
        let hidden = weights.input_bias.len();
        check_size(hidden, BUCKETS)?;
        for (found, wanted) in [
            (weights.inputs.len(), INPUTS * hidden),
            (weights.outputs.len(), BUCKETS * 2 * hidden),
        ] {
            if found != wanted {
                return Err(NetworkError::Length { found, wanted });
            }
        }
        if made.len() > usize::from(u16::MAX) {
            return Err(NetworkError::Text);
        }
        if can_overflow(weights) {
            return Err(NetworkError::Overflow);
        }
        Ok(Network {
            inputs: Chunk::all(&weights.inputs),
            input_bias: Chunk::all(&weights.input_bias),
            outputs: Chunk::all(&weights.outputs),
            output_bias: weights.output_bias,
            made: made.to_owned(),
        })
    }

    /// The network that comes with the program. `None` if it were damaged, which a test rules out.
    pub fn embedded() -> Option<Arc<Network>> {
        static EMBEDDED: OnceLock<Option<Arc<Network>>> = OnceLock::new();
        let read = || Network::from_bytes(include_bytes!("torres.tnet")).ok().map(Arc::new);
        EMBEDDED.get_or_init(read).clone()
    }

    /// Its weights as plain numbers.
    pub fn weights(&self) -> Weights {
        let plain = |chunks: &[Chunk]| chunks.iter().flat_map(|chunk| chunk.0).collect();
        Weights {
            inputs: plain(&self.inputs),
            input_bias: plain(&self.input_bias),
            outputs: plain(&self.outputs),
            output_bias: self.output_bias,
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or is not a network that this build can use.
    pub fn read(path: &Path) -> Result<Network, NetworkError> {
        // Longer than any network: no more than that is read.
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(|error| NetworkError::Unreadable(error.kind()))?;
        file.take(MOST_BYTES)
            .read_to_end(&mut bytes)
            .map_err(|error| NetworkError::Unreadable(error.kind()))?;
        Network::from_bytes(&bytes)
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// It is not a network that this build can use.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(NetworkError::Foreign);
        };
        if !header.starts_with(MAGIC) {
            return Err(NetworkError::Foreign);
        }
        let [
            _,
            _,
            _,
            _,
            format,
            architecture,
            hidden @ ..,
            buckets,
            _,
            text0,
            text1,
            _,
            _,
            _,
            _,
        ] = *header;
        if (format, architecture) != (FORMAT, ARCHITECTURE) {
            return Err(NetworkError::OtherKind { format, architecture });
        }
        let hidden = usize::from(u16::from_le_bytes(hidden));
        check_size(hidden, usize::from(buckets))?;
        let text = usize::from(u16::from_le_bytes([text0, text1]));
        let wanted = HEADER + text + 2 * (INPUTS + 1 + 2 * BUCKETS) * hidden + 4 * BUCKETS;
        if bytes.len() != wanted {
            return Err(NetworkError::Length {
                found: bytes.len(),
                wanted,
            });
        }
        if header[CHECKSUM] != checksum(bytes).to_le_bytes() {
            return Err(NetworkError::Damaged);
        }
        let (text, rest) = rest.split_at(text);
        let made = std::str::from_utf8(text).map_err(|_| NetworkError::Text)?;
        let (inputs, rest) = rest.split_at(2 * INPUTS * hidden);
        let (input_bias, rest) = rest.split_at(2 * hidden);
        let (outputs, rest) = rest.split_at(2 * BUCKETS * 2 * hidden);
        let mut output_bias = [0; BUCKETS];
        for (bias, bytes) in output_bias.iter_mut().zip(rest.as_chunks().0) {
            *bias = i32::from_le_bytes(*bytes);
        }
        let weights = Weights {
            inputs: numbers(inputs),
            input_bias: numbers(input_bias),
            outputs: numbers(outputs),
            output_bias,
        };
        Network::new(&weights, made)
    }

    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&[FORMAT, ARCHITECTURE]);
        bytes.extend_from_slice(&(self.hidden() as u16).to_le_bytes());
        bytes.extend_from_slice(&[BUCKETS as u8, 0]);
        bytes.extend_from_slice(&(self.made.len() as u16).to_le_bytes());
        bytes.extend_from_slice(&[0; CHECKSUM.end - CHECKSUM.start]);
        bytes.extend_from_slice(self.made.as_bytes());
        let weights = self.weights();
        for numbers in [&weights.inputs, &weights.input_bias, &weights.outputs] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(weights.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        let checksum = checksum(&bytes);
        bytes[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }
}

/// Whether a network can have so many hidden units: a multiple of 64 up to [`MOST_HIDDEN`].
pub const fn is_hidden(units: usize) -> bool {
    units > 0 && units.is_multiple_of(LANES) && units <= MOST_HIDDEN
}

fn check_size(hidden: usize, buckets: usize) -> Result<(), NetworkError> {
    if is_hidden(hidden) && buckets == BUCKETS {
        Ok(())
    } else {
        Err(NetworkError::Size { hidden, buckets })
    }
}

/// Of everything but the checksum itself.
fn checksum(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..CHECKSUM.start]);
    hasher.update(&bytes[CHECKSUM.end..]);
    hasher.finalize()
}

fn numbers(bytes: &[u8]) -> Vec<i16> {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|&pair| i16::from_le_bytes(pair))
        .collect()
}

/// Whether some board's hidden unit could leave 16 bits, or some output 32. So all sums are exact, in any order.
fn can_overflow(weights: &Weights) -> bool {
    let hidden = weights.input_bias.len();
    let unit_overflows = |unit: usize| {
        let mut column: Vec<i32> = weights.inputs[unit..]
            .iter()
            .step_by(hidden)
            .map(|&weight| i32::from(weight))
            .collect();
        column.sort_unstable();
        let bias = i32::from(weights.input_bias[unit]);
        let least: i32 = column.iter().take(MOST_MEN).filter(|&&weight| weight < 0).sum();
        let most: i32 = column.iter().rev().take(MOST_MEN).filter(|&&weight| weight > 0).sum();
        i16::try_from(bias + least).is_err() || i16::try_from(bias + most).is_err()
    };
    let output_overflows = |row: &[i16]| {
        let most = i64::from(INPUT_ONE * INPUT_ONE);
        let sum: i64 = row.iter().map(|&weight| most * i64::from(weight).abs()).sum();
        i32::try_from(sum).is_err()
    };
    (0..hidden).any(unit_overflows)
        || weights
            .outputs
            .iter()
            .any(|weight| weight.unsigned_abs() > MOST_OUTPUT_WEIGHT.unsigned_abs())
        || weights.outputs.chunks(2 * hidden).any(output_overflows)
        || weights
            .output_bias
            .iter()
            .any(|bias| bias.unsigned_abs() > i32::MAX.unsigned_abs() / 2)
}
