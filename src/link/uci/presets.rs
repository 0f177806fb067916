//! Opponents that many people know: the computer of Lichess, by level.
//!
//! The numbers are those its servers run (<https://github.com/lichess-org/fishnet>): Fairy-Stockfish with its classical
//! evaluation, the only one that Debian's `fairy-stockfish` 11.1 has.

use crate::messages::Limits;

/// The program that plays Lichess' levels, and the Debian package that has it.
pub const FAIRY: &str = "fairy-stockfish";

/// `Skill Level` of each level.
const SKILL: [i32; 8] = [-9, -5, -1, 3, 7, 11, 16, 20];
/// Plies.
const DEPTH: [u32; 8] = [5, 5, 5, 5, 5, 8, 13, 22];
/// Time for each move, in ms.
const MOVE_MS: [u64; 8] = [50, 100, 150, 200, 300, 400, 500, 1000];

/// The UCI options of a level, and its limits for each move; `None` for a level that is none.
pub fn lichess(level: u8) -> Option<(Vec<(String, String)>, Limits)> {
    let index = usize::from(level).checked_sub(1)?;
    Some((
        vec![("Skill Level".to_owned(), SKILL.get(index)?.to_string())],
        Limits {
            move_ms: MOVE_MS.get(index).copied(),
            depth: DEPTH.get(index).copied(),
            ..Limits::default()
        },
    ))
}

/// The level's name in tables and panels.
pub fn lichess_name(level: u8) -> String {
    format!("Lichess level {level}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_eight_levels() {
        assert!((1..=8).all(|level| lichess(level).is_some()));
        assert!(lichess(0).is_none() && lichess(9).is_none());
        let (options, limits) = lichess(6).unwrap();
        assert_eq!(options, [("Skill Level".to_owned(), "11".to_owned())]);
        assert_eq!((limits.move_ms, limits.depth, limits.nodes), (Some(400), Some(8), None));
    }
}
