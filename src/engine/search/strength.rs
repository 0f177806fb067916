//! Playing weaker than one can, as a weak player does: looking less far, overlooking replies, misjudging positions.
//!
//! A level's three handicaps shrink together with the Elo asked for. How strong they make it is measured, not computed:
//! see `docs/engine/levels.md`.

use super::super::value::Value;
use super::super::{Move, Position};
use std::hash::{BuildHasher, RandomState};

/// The weakest and the strongest level; from the latter on nothing is held back.
pub(super) const MIN_ELO: u32 = 600;
pub(super) const MAX_ELO: u32 = 3000;
/// At this level and above nothing is overlooked or misjudged, only fewer nodes are searched.
const SOUND_ELO: u32 = 2900;
/// Levels, the binary logarithm of their nodes, and their share of the weakest level's errors; what lies between two is
/// interpolated. The steps are such that levels 200 apart score much alike (docs/engine/levels.md).
const STEPS: [(u32, f64, f64); 14] = [
    (MIN_ELO, 5.6, 1.0),
    (800, 7.2, 0.68),
    (1000, 8.6, 0.59),
    (1200, 9.4, 0.54),
    (1400, 10.45, 0.47),
    (1600, 11.1, 0.44),
    (1800, 12.2, 0.38),
    (2000, 13.0, 0.33),
    (2200, 13.8, 0.28),
    (2400, 14.9, 0.21),
    (2600, 16.2, 0.13),
    (2800, 17.6, 0.05),
    (SOUND_ELO, 18.3, 0.0),
    (MAX_ELO, 19.0, 0.0),
];
/// Part of the moves that the weakest level overlooks at each node, in 1024ths.
const MOST_OVERLOOKED: f64 = 300.0;
/// How far off its judgement of a position may be, in centipawns.
const MOST_MISJUDGED: f64 = 185.0;

/// What a level is held back by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handicap {
    pub(super) nodes: u64,
    overlooked: u64,
    misjudged: Value,
    /// So that it does not err in the same way each game.
    seed: u64,
}

impl Handicap {
    /// None at full strength.
    pub(super) fn of(elo: u32) -> Option<Handicap> {
        if elo >= MAX_ELO {
            return None;
        }
        let (log_nodes, errors) = step(elo.max(MIN_ELO));
        Some(Handicap {
            nodes: log_nodes.exp2() as u64,
            overlooked: (MOST_OVERLOOKED * errors) as u64,
            misjudged: (MOST_MISJUDGED * errors) as Value,
            seed: RandomState::new().hash_one(0),
        })
    }

    /// Whether a move is not thought of, the same each time in one search.
    pub(super) fn overlooks(&self, position: &Position, mv: Move) -> bool {
        self.chance(position.key() ^ u64::from(mv.bits()) << 32) % 1024 < self.overlooked
    }

    /// An evaluation as the level sees it.
    pub(super) fn misjudge(&self, position: &Position, value: Value) -> Value {
        let width = 2 * self.misjudged as u64 + 1;
        value + (self.chance(position.key()) % width) as Value - self.misjudged
    }

    /// A number that only looks like chance (the last steps of SplitMix64).
    fn chance(&self, key: u64) -> u64 {
        let mut z = key ^ self.seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// What [`STEPS`] says of a level.
fn step(elo: u32) -> (f64, f64) {
    let above = STEPS
        .partition_point(|&(level, ..)| level <= elo)
        .clamp(1, STEPS.len() - 1);
    let ((low, low_nodes, low_errors), (high, high_nodes, high_errors)) = (STEPS[above - 1], STEPS[above]);
    let part = f64::from(elo.clamp(low, high) - low) / f64::from(high - low);
    let between = |low: f64, high: f64| low + part * (high - low);
    (between(low_nodes, high_nodes), between(low_errors, high_errors))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_level_is_held_back_less() {
        let levels: Vec<Handicap> = (0..30).filter_map(|hundred| Handicap::of(hundred * 100)).collect();
        assert_eq!(levels.len(), 30);
        assert!(levels.is_sorted_by_key(|level| level.nodes));
        assert!(levels.is_sorted_by_key(|level| std::cmp::Reverse(level.overlooked)));
        assert!(levels.is_sorted_by_key(|level| std::cmp::Reverse(level.misjudged)));
        assert!(Handicap::of(MAX_ELO).is_none());
    }

    #[test]
    fn about_as_many_moves_are_overlooked_as_it_says() {
        let position = Position::start();
        let moves = position.legal_moves();
        let (mut overlooked, mut all) = (0, 0);
        for _ in 0..500 {
            let level = Handicap::of(MIN_ELO).unwrap();
            overlooked += moves.iter().filter(|&&mv| level.overlooks(&position, mv)).count();
            all += moves.len();
        }
        let part = overlooked as f64 / all as f64;
        assert!((0.24..0.34).contains(&part), "{part}");
        let sound = Handicap::of(SOUND_ELO).unwrap();
        assert!(!moves.iter().any(|&mv| sound.overlooks(&position, mv)));
        assert_eq!(sound.misjudge(&position, 31), 31);
    }
}
