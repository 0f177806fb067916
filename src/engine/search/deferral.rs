//! Deferral: a move that another thread is searching right now waits until the node's other moves are done; by then the
//! table mostly knows what became of it. So threads that began at one place spread over the tree (Tom Kerrigan's
//! simplified ABDADA, <http://www.tckerrigan.com/Chess/Parallel_Search/Simplified_ABDADA/>).

use super::super::{Move, Position};
use super::params::DEFERRAL_DEPTH;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Places of the table, each for a few moves.
const PLACES: usize = 4096;
const MOVES: usize = 4;
/// Spreads a move's bits over a word.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The moves that the threads of one search are searching. Nothing depends on its being right: an entry that is
/// overwritten, or read while another thread changes it, costs or saves a little work.
pub(super) struct Deferral {
    places: Vec<[AtomicU64; MOVES]>,
}

/// A move in a position, as the table knows it; `None` where nothing is deferred.
pub(super) type MoveKey = Option<u64>;

impl Deferral {
    pub(super) fn new() -> Deferral {
        Deferral {
            places: std::iter::repeat_with(Default::default).take(PLACES).collect(),
        }
    }

    /// What a move at a depth is known by; moves near the leaves are not worth the trouble.
    pub(super) fn move_key(position: &Position, mv: Move, depth: i32) -> MoveKey {
        // 0 is an empty entry, and no move's bits are 0.
        (depth >= DEFERRAL_DEPTH).then(|| (position.key() ^ u64::from(mv.bits()).wrapping_mul(SPREAD)).max(1))
    }

    pub(super) fn is_taken(&self, move_key: MoveKey) -> bool {
        move_key.is_some_and(|key| self.place(key).iter().any(|entry| entry.load(Relaxed) == key))
    }

    pub(super) fn begin(&self, move_key: MoveKey) {
        let Some(key) = move_key else { return };
        let place = self.place(key);
        let free = place.iter().find(|entry| entry.load(Relaxed) == 0);
        free.unwrap_or(&place[0]).store(key, Relaxed);
    }

    pub(super) fn end(&self, move_key: MoveKey) {
        let Some(key) = move_key else { return };
        if let Some(entry) = self.place(key).iter().find(|entry| entry.load(Relaxed) == key) {
            entry.store(0, Relaxed);
        }
    }

    fn place(&self, key: u64) -> &[AtomicU64; MOVES] {
        &self.places[key as usize % PLACES]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_taken_from_its_beginning_to_its_end() {
        let deferral = Deferral::new();
        let position = Position::start();
        let moves = position.legal_moves();
        let move_key = |index: usize| Deferral::move_key(&position, moves[index], DEFERRAL_DEPTH);
        assert_eq!(Deferral::move_key(&position, moves[0], DEFERRAL_DEPTH - 1), None);
        deferral.begin(move_key(0));
        assert!(deferral.is_taken(move_key(0)) && !deferral.is_taken(move_key(1)));
        deferral.end(move_key(1));
        assert!(deferral.is_taken(move_key(0)));
        deferral.end(move_key(0));
        assert!(!deferral.is_taken(move_key(0)));
    }

    #[test]
    fn a_full_place_still_takes_moves() {
        let deferral = Deferral::new();
        let keys: Vec<MoveKey> = (1..=6).map(|number| Some(number * PLACES as u64)).collect();
        keys.iter().for_each(|&key| deferral.begin(key));
        assert!(deferral.is_taken(keys[5]));
        keys.iter().for_each(|&key| deferral.end(key));
        assert!(!keys.iter().any(|&key| deferral.is_taken(key)));
    }
}
