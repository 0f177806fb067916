//! Opponents that many people know: the computer of Lichess, by level.
//!
//! The numbers are those its servers run (<https://github.com/lichess-org/fishnet>): Fairy-Stockfish with its classical
//! evaluation, the only one that Debian's `fairy-stockfish` 11.1 has.

use super::limits::SideLimits;

/// `Skill Level` of each level.
const SKILL: [i32; 8] = [-9, -5, -1, 3, 7, 11, 16, 20];
/// Plies.
const DEPTH: [u32; 8] = [5, 5, 5, 5, 5, 8, 13, 22];
/// Time for each move, in ms.
const MOVE_MS: [u64; 8] = [50, 100, 150, 200, 300, 400, 500, 1000];

/// The UCI option and the limits of a level; `None` for a level that is none.
pub fn lichess(level: usize) -> Option<(Vec<(String, String)>, SideLimits)> {
    let index = level.checked_sub(1)?;
    Some((
        vec![("Skill Level".to_owned(), SKILL.get(index)?.to_string())],
        SideLimits {
            depth: DEPTH.get(index).copied(),
            ..SideLimits::move_ms(*MOVE_MS.get(index)?)
        },
    ))
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
        assert_eq!(limits.to_string(), "movetime=400,depth=8");
    }
}
