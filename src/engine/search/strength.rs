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
const SOUND_ELO: u32 = 2400;
/// Nodes of the weakest level.
const LEAST_NODES: f64 = 16.0;
/// Elo points for twice the nodes.
const ELO_PER_DOUBLING: f64 = 125.0;
/// Part of the moves that the weakest level overlooks at each node, in 1024ths.
const MOST_OVERLOOKED: f64 = 260.0;
/// How far off its judgement of a position may be, in centipawns.
const MOST_MISJUDGED: f64 = 160.0;

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
        let elo = elo.max(MIN_ELO);
        let weakness = f64::from(SOUND_ELO.saturating_sub(elo)) / f64::from(SOUND_ELO - MIN_ELO);
        Some(Handicap {
            nodes: (LEAST_NODES * (f64::from(elo - MIN_ELO) / ELO_PER_DOUBLING).exp2()) as u64,
            overlooked: (MOST_OVERLOOKED * weakness) as u64,
            misjudged: (MOST_MISJUDGED * weakness) as Value,
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
        assert!((0.2..0.3).contains(&part), "{part}");
        let sound = Handicap::of(SOUND_ELO).unwrap();
        assert!(!moves.iter().any(|&mv| sound.overlooks(&position, mv)));
        assert_eq!(sound.misjudge(&position, 31), 31);
    }
}
