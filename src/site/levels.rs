//! The bot's levels, weakest first.
//!
//! All levels are the same engine. A level bounds how deep and how long it looks, and the weak ones also *slip*: in
//! that share of their moves they play any legal move at all, each with the same chance, without looking.

use torres_link::messages::Limits;

/// What a level is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// How far the engine looks, in plies.
    pub depth: u32,
    /// How many nodes it may visit.
    pub nodes: u64,
    /// The longest thought, in ms: a safety net that the other bounds reach first on any usual machine.
    pub move_ms: u64,
    /// In how many of 100 moves it slips.
    pub slip_percent: u8,
}

impl Level {
    /// The bounds as the engine knows them.
    pub fn limits(&self) -> Limits {
        Limits {
            depth: Some(self.depth),
            nodes: Some(self.nodes),
            move_ms: Some(self.move_ms),
            ..Limits::default()
        }
    }
}

const fn level(depth: u32, nodes: u64, slip_percent: u8) -> Level {
    Level {
        depth,
        nodes,
        move_ms: 2_000,
        slip_percent,
    }
}

/// Level 1 first.
pub const LEVELS: [Level; 8] = [
    level(1, 5_000, 50),
    level(1, 5_000, 20),
    level(2, 10_000, 10),
    level(3, 20_000, 4),
    level(4, 40_000, 0),
    level(6, 80_000, 0),
    level(8, 200_000, 0),
    level(12, 1_000_000, 0),
];

/// A level that exists, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LevelNumber(usize);

/// The level of the first game, where nothing else is said.
impl Default for LevelNumber {
    fn default() -> LevelNumber {
        LevelNumber(3)
    }
}

/// A level that does not exist.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no level {0}; choose 1 (weakest) to {max}", max = LEVELS.len())]
pub struct NoSuchLevel(pub u8);

impl LevelNumber {
    /// All of them, the weakest first.
    pub fn all() -> impl Iterator<Item = LevelNumber> {
        (1..=LEVELS.len()).map(LevelNumber)
    }

    /// The number, counted from 1.
    pub fn get(self) -> usize {
        self.0
    }

    /// What it is made of.
    pub fn level(self) -> &'static Level {
        &LEVELS[self.0 - 1]
    }
}

impl TryFrom<u8> for LevelNumber {
    type Error = NoSuchLevel;

    fn try_from(number: u8) -> Result<LevelNumber, NoSuchLevel> {
        if (1..=LEVELS.len()).contains(&usize::from(number)) {
            Ok(LevelNumber(number.into()))
        } else {
            Err(NoSuchLevel(number))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_levels_of_the_table_exist() {
        assert_eq!(
            LevelNumber::try_from(0).unwrap_err().to_string(),
            "there is no level 0; choose 1 (weakest) to 8"
        );
        assert!(LevelNumber::try_from(9).is_err());
        assert_eq!(LevelNumber::try_from(1).unwrap().level(), &LEVELS[0]);
        assert_eq!(LevelNumber::try_from(8).unwrap().level(), &LEVELS[7]);
    }

    #[test]
    fn no_level_is_weaker_than_the_one_before_in_any_way() {
        for pair in LEVELS.windows(2) {
            assert!(
                pair[0].depth <= pair[1].depth && pair[0].nodes <= pair[1].nodes,
                "{pair:?}"
            );
            assert!(pair[0].slip_percent >= pair[1].slip_percent, "{pair:?}");
            assert_ne!(pair[0], pair[1]);
        }
    }
}
