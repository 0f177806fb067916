//! Opponents that many people know: the computer of Lichess, by level.
//!
//! The numbers are those its servers run (<https://github.com/lichess-org/fishnet>): Fairy-Stockfish with its classical
//! evaluation, the only one that Debian's `fairy-stockfish` 11.1 has.

use crate::messages::Limits;
use std::fmt;
use std::str::FromStr;

/// The program that plays Lichess' levels, and the Debian package that has it.
pub const FAIRY: &str = "fairy-stockfish";

/// `Skill Level` of each level.
const SKILL: [i32; 8] = [-9, -5, -1, 3, 7, 11, 16, 20];
/// Plies.
const DEPTH: [u32; 8] = [5, 5, 5, 5, 5, 8, 13, 22];
/// Time for each move, in ms.
const MOVE_MS: [u64; 8] = [50, 100, 150, 200, 300, 400, 500, 1000];

/// A level of Lichess' computer: 1, the weakest, to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LichessLevel(u8);

impl LichessLevel {
    /// Its UCI options, and its limits for each move.
    pub fn settings(self) -> (Vec<(String, String)>, Limits) {
        let index = usize::from(self.0) - 1;
        (
            vec![("Skill Level".to_owned(), SKILL[index].to_string())],
            Limits {
                move_ms: Some(MOVE_MS[index]),
                depth: Some(DEPTH[index]),
                ..Limits::default()
            },
        )
    }

    /// Its name in tables and panels.
    pub fn name(self) -> String {
        format!("Lichess level {self}")
    }
}

impl fmt::Display for LichessLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for LichessLevel {
    type Err = String;

    fn from_str(text: &str) -> Result<LichessLevel, String> {
        let level = text
            .parse()
            .ok()
            .filter(|level| (1..=SKILL.len()).contains(&usize::from(*level)));
        level
            .map(LichessLevel)
            .ok_or_else(|| format!("Lichess has no such level; choose 1 (weakest) to {}", SKILL.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_eight_levels() {
        let level = |text: &str| text.parse::<LichessLevel>();
        assert!((1..=8).all(|number| level(&number.to_string()).is_ok_and(|level| level.settings().0.len() == 1)));
        assert!(["0", "9", "-1", "x", ""].iter().all(|wrong| level(wrong).is_err()));
        let (options, limits) = level("6").unwrap().settings();
        assert_eq!(options, [("Skill Level".to_owned(), "11".to_owned())]);
        assert_eq!((limits.move_ms, limits.depth, limits.nodes), (Some(400), Some(8), None));
    }
}
