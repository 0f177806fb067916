//! A position, what the search said of it and how its game ended, in 32 bytes.

use std::fmt;
use torres_engine::{PackedError, PackedPosition, Position};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// 0–1.
    BlackWins,
    /// ½–½.
    Draw,
    /// 1–0.
    WhiteWins,
}

impl Outcome {
    /// All three, in the order of White's points.
    pub const ALL: [Outcome; 3] = [Outcome::BlackWins, Outcome::Draw, Outcome::WhiteWins];

    /// White's points: 0, 0.5 or 1.
    pub fn white_points(self) -> f32 {
        self as u8 as f32 / 2.0
    }
}

/// As PGN writes it.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::WhiteWins => "1-0",
        })
    }
}

/// A position to learn from.
///
/// | bytes | what they hold |
/// |---|---|
/// | 0–27 | the position, as [`PackedPosition`] has it |
/// | 28–29 | the search's score in centipawns from White's view, signed, little-endian |
/// | 30 | the game's result: 0 Black won, 1 drawn, 2 White won |
/// | 31 | 0 |
///
/// ```
/// use torres_data::{Outcome, Record};
/// use torres_engine::Position;
///
/// let record = Record::new(&Position::start(), -34, Outcome::Draw);
/// assert_eq!(record.position()?, Position::start());
/// assert_eq!((record.score(), record.outcome()), (-34, Some(Outcome::Draw)));
/// # Ok::<(), torres_engine::PackedError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Record([u8; Record::BYTES]);

impl Record {
    /// How many bytes it has.
    pub const BYTES: usize = 32;

    /// A record of a position, its score in centipawns from White's view, and its game's result.
    pub fn new(position: &Position, score: i16, outcome: Outcome) -> Record {
        let mut bytes = [0; Record::BYTES];
        bytes[..PackedPosition::BYTES].copy_from_slice(PackedPosition::of(position).bytes());
        bytes[28..30].copy_from_slice(&score.to_le_bytes());
        bytes[30] = outcome as u8;
        Record(bytes)
    }

    /// A record of any bytes, unchecked.
    pub fn from_bytes(bytes: [u8; Record::BYTES]) -> Record {
        Record(bytes)
    }

    /// As they are stored.
    pub fn bytes(&self) -> &[u8; Record::BYTES] {
        &self.0
    }

    /// The position as it is stored, unchecked.
    pub fn packed(&self) -> PackedPosition {
        let (packed, _) = self.0.split_first_chunk().unwrap_or((&[0; PackedPosition::BYTES], &[]));
        PackedPosition::from_bytes(*packed)
    }

    /// The position.
    ///
    /// # Errors
    /// The bytes are no position. A block with the right checksum has such a record only if another program wrote it.
    pub fn position(&self) -> Result<Position, PackedError> {
        self.packed().unpack()
    }

    /// What the search said, in centipawns from White's view.
    pub fn score(&self) -> i16 {
        i16::from_le_bytes([self.0[28], self.0[29]])
    }

    /// How the game ended; `None` where the byte says nothing that can be.
    pub fn outcome(&self) -> Option<Outcome> {
        Outcome::ALL.get(usize::from(self.0[30])).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bytes_are_where_the_format_says() {
        let record = Record::new(&Position::start(), -2, Outcome::WhiteWins);
        assert_eq!(record.bytes()[..28], *PackedPosition::of(&Position::start()).bytes());
        assert_eq!(record.bytes()[28..], [0xfe, 0xff, 2, 0]);
        assert_eq!(Outcome::ALL.map(Outcome::white_points), [0.0, 0.5, 1.0]);
        let mut bytes = *record.bytes();
        bytes[30] = 3;
        assert_eq!(Record::from_bytes(bytes).outcome(), None);
    }

    proptest! {
        #[test]
        fn every_score_and_result_comes_back(score: i16, outcome in prop::sample::select(Outcome::ALL.to_vec())) {
            let record = Record::new(&Position::start(), score, outcome);
            let again = Record::from_bytes(*record.bytes());
            prop_assert_eq!((again.score(), again.outcome()), (score, Some(outcome)));
            prop_assert_eq!(again.position().map(|position| position.fen()), Ok(Position::start().fen()));
        }
    }
}
