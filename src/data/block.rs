//! Blocks: some records behind a header that says what they are and whether they are whole.

use super::random::SplitMix;
use super::record::Record;

/// What a block's records are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Positions of one game, in the order in which they came up.
    Game,
    /// Positions of many games in any order.
    Shuffled,
}

/// Some records that belong together: on disk a header of 32 bytes, then the records.
///
/// | bytes of the header | what they hold |
/// |---|---|
/// | 0–7 | 0: no square is occupied, so that no header can be taken for a position |
/// | 8–11 | `TPOS` |
/// | 12 | the format, 1 |
/// | 13 | what the records are: 0 a game, 1 shuffled |
/// | 14–15 | how many there are |
/// | 16–23 | which run they come from: one number for one engine with one seed and the same settings; 0 when shuffled |
/// | 24–27 | the game's number in its run, from 0; or the shuffled block's |
/// | 28–31 | CRC-32 of the header's first 28 bytes and all records |
///
/// All numbers are little-endian and without a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What the records are.
    pub kind: Kind,
    /// The run that a game comes from; 0 when shuffled.
    pub run: u64,
    /// A game's number in its run; or the shuffled block's.
    pub number: u32,
    /// At most [`Block::MOST_RECORDS`].
    pub records: Vec<Record>,
}

/// The header's bytes.
pub(super) const HEADER: usize = 32;
/// How every header begins: no occupied square, the name of the format and its number.
pub(super) const START: [u8; 13] = *b"\0\0\0\0\0\0\0\0TPOS\x01";

/// What a header says.
pub(super) struct Header {
    kind: Kind,
    count: usize,
    run: u64,
    number: u32,
    checksum: u32,
    /// The bytes of it that go into the checksum.
    checked: [u8; HEADER - 4],
}

impl Header {
    /// `None` where the bytes are no header.
    pub(super) fn read(bytes: &[u8; HEADER]) -> Option<Header> {
        let (checked, checksum) = bytes.split_first_chunk()?;
        let number = |from: usize| bytes[from..].first_chunk().copied();
        let kind = match bytes[13] {
            0 => Kind::Game,
            1 => Kind::Shuffled,
            _ => return None,
        };
        bytes.starts_with(&START).then_some(Header {
            kind,
            count: usize::from(u16::from_le_bytes([bytes[14], bytes[15]])),
            run: u64::from_le_bytes(bytes[16..].first_chunk().copied()?),
            number: u32::from_le_bytes(number(24)?),
            checksum: u32::from_le_bytes(*checksum.first_chunk()?),
            checked: *checked,
        })
    }

    /// Bytes of the records that follow.
    pub(super) fn length(&self) -> usize {
        self.count * Record::BYTES
    }

    /// The block, if the checksum is right.
    pub(super) fn with(self, records: &[u8]) -> Option<Block> {
        (checksum(&self.checked, records) == self.checksum).then(|| Block {
            kind: self.kind,
            run: self.run,
            number: self.number,
            records: records
                .as_chunks()
                .0
                .iter()
                .map(|&bytes| Record::from_bytes(bytes))
                .collect(),
        })
    }
}

impl Block {
    /// More records have no room in a block.
    pub(crate) const MOST_RECORDS: usize = u16::MAX as usize;
    /// The bytes of the longest block.
    pub(crate) const MOST_BYTES: usize = HEADER + Block::MOST_RECORDS * Record::BYTES;

    /// The bytes that are stored. Where there are more records than fit, the first ones.
    pub fn bytes(&self) -> Vec<u8> {
        let count = self.records.len().min(Block::MOST_RECORDS);
        let mut bytes = Vec::with_capacity(HEADER + count * Record::BYTES);
        bytes.extend(START);
        bytes.push(match self.kind {
            Kind::Game => 0,
            Kind::Shuffled => 1,
        });
        bytes.extend((count as u16).to_le_bytes());
        bytes.extend(self.run.to_le_bytes());
        bytes.extend(self.number.to_le_bytes());
        let checked = bytes.len();
        bytes.resize(HEADER, 0);
        for record in &self.records[..count] {
            bytes.extend_from_slice(record.bytes());
        }
        let checksum = checksum(&bytes[..checked], &bytes[HEADER..]);
        bytes[checked..HEADER].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Which game this is among those of all runs.
    pub fn game(&self) -> GameId {
        GameId(SplitMix(self.run ^ SplitMix(u64::from(self.number)).next()).next())
    }
}

/// A random number for each game of each run, always the same for the same game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameId(u64);

impl GameId {
    /// Whether a game is set apart, when this share of all games (0 to 1) is. The answer depends on the game alone, not
    /// on its file or on other games. A game that is set apart at one share is set apart at every larger one.
    pub fn is_set_apart(self, share: f64) -> bool {
        // The upper 53 bits are a fraction of one.
        ((self.0 >> 11) as f64) < share * (1u64 << 53) as f64
    }
}

fn checksum(header: &[u8], records: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(records);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;
    use torres_engine::Position;

    fn block(number: u32) -> Block {
        Block {
            kind: Kind::Game,
            run: 0x0102_0304_0506_0708,
            number,
            records: vec![Record::new(&Position::start(), 25, Outcome::Draw); 2],
        }
    }

    fn read(bytes: &[u8]) -> Option<Block> {
        Header::read(bytes.first_chunk()?)?.with(&bytes[HEADER..])
    }

    #[test]
    fn bytes_are_where_the_format_says() {
        let bytes = block(9).bytes();
        assert_eq!(bytes.len(), 3 * 32);
        assert_eq!(bytes[..8], [0; 8]);
        assert_eq!(bytes[8..16], *b"TPOS\x01\x00\x02\x00");
        assert_eq!(bytes[16..28], [8, 7, 6, 5, 4, 3, 2, 1, 9, 0, 0, 0]);
        assert_eq!(bytes[32..64], *block(9).records[0].bytes());
        assert_eq!(read(&bytes), Some(block(9)));
        let shuffled = Block {
            kind: Kind::Shuffled,
            run: 0,
            ..block(1)
        };
        assert_eq!(shuffled.bytes()[13], 1);
        assert_eq!(read(&shuffled.bytes()), Some(shuffled));
    }

    #[test]
    fn a_changed_bit_anywhere_is_noticed() {
        let bytes = block(9).bytes();
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            // Where the count is damaged, all records that are there count.
            let header = damaged.first_chunk().and_then(Header::read);
            assert_eq!(
                header.and_then(|header| header.with(&damaged[HEADER..])),
                None,
                "bit {bit}"
            );
        }
    }

    #[test]
    fn games_are_set_apart_by_share_and_always_the_same() {
        let apart = |run, share| -> Vec<u32> {
            let games = (0..10_000).map(|number| Block { run, ..block(number) });
            let apart = games.filter(|game| game.game().is_set_apart(share));
            apart.map(|game| game.number).collect()
        };
        let tenth = apart(1, 0.1);
        assert!((900..1100).contains(&tenth.len()), "{}", tenth.len());
        assert_eq!(tenth, apart(1, 0.1));
        assert_ne!(tenth, apart(2, 0.1));
        assert!(apart(1, 0.01).iter().all(|number| tenth.contains(number)));
        assert_eq!((apart(1, 0.0).len(), apart(1, 1.0).len()), (0, 10_000));
    }
}
