//! The transposition table: what earlier searches found out about a position.
//!
//! Clusters of five entries fill one cache line each. Keys are checked with 32 bits beyond the cluster's number, so
//! that an entry can, rarely, be another position's: its move must be checked before it is played.

use super::Move;
use super::value::{MATE_BOUND, MATED_BOUND, Value};

/// What an entry's value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// At most the value: no move raised alpha.
    Upper,
    /// At least the value: a move reached beta.
    Lower,
    /// The value.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// The best move, or the one that refuted.
    pub(super) mv: Option<Move>,
    /// Mates count from the present node.
    pub(super) value: Value,
    pub(super) bound: Bound,
    /// Plies searched.
    pub(super) depth: i32,
    /// Static evaluation; `None` in check.
    pub(super) eval: Option<Value>,
}

impl Known {
    /// Whether the value settles a search to this depth in this window.
    pub(super) fn settles(&self, depth: i32, alpha: Value, beta: Value) -> bool {
        self.depth >= depth
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.value >= beta,
                Bound::Upper => self.value <= alpha,
            }
    }
}

#[derive(Clone, Copy)]
struct Entry {
    key: u32,
    mv: Option<Move>,
    value: i16,
    eval: i16,
    depth: u8,
    /// Low two bits: 0 for an empty entry, else the bound; the rest: generation.
    bound_and_generation: u8,
}

const NO_EVAL: i16 = i16::MIN;
const GENERATIONS: u8 = 64;
/// An entry that is one search older counts as so many plies shallower.
const PLIES_PER_AGE: i32 = 4;

impl Entry {
    const EMPTY: Entry = Entry {
        key: 0,
        mv: None,
        value: 0,
        eval: NO_EVAL,
        depth: 0,
        bound_and_generation: 0,
    };

    fn bound(&self) -> Option<Bound> {
        match self.bound_and_generation & 3 {
            0 => None,
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            _ => Some(Bound::Exact),
        }
    }

    /// How much would be lost with it: deep and young entries are worth more.
    fn worth(&self, generation: u8) -> i32 {
        if self.bound().is_none() {
            return i32::MIN;
        }
        let age = (generation + GENERATIONS - (self.bound_and_generation >> 2)) % GENERATIONS;
        i32::from(self.depth) - PLIES_PER_AGE * i32::from(age)
    }
}

const ENTRIES: usize = 5;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Cluster([Entry; ENTRIES]);

const _: () = assert!(size_of::<Cluster>() == 64);

/// The table.
pub(super) struct TranspositionTable {
    clusters: Vec<Cluster>,
    generation: u8,
}

impl TranspositionTable {
    /// The largest table, in MiB.
    pub(super) const MAX_MIB: usize = 32 * 1024;

    /// An empty table of at most so many MiB, at least one.
    pub(super) fn new(mib: usize) -> TranspositionTable {
        let clusters = mib.clamp(1, Self::MAX_MIB) * 1024 * 1024 / size_of::<Cluster>();
        TranspositionTable {
            clusters: vec![Cluster([Entry::EMPTY; ENTRIES]); clusters],
            generation: 0,
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.clusters.fill(Cluster([Entry::EMPTY; ENTRIES]));
        self.generation = 0;
    }

    /// A new search begins: what is there grows older.
    pub(super) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// What is known of the position with this key, met so many plies from the root.
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Known> {
        let entry = self.clusters[self.number(key)]
            .0
            .iter()
            .find(|entry| entry.key == key as u32)?;
        Some(Known {
            mv: entry.mv,
            value: from_node(Value::from(entry.value), ply),
            bound: entry.bound()?,
            depth: i32::from(entry.depth),
            eval: Some(Value::from(entry.eval)).filter(|_| entry.eval != NO_EVAL),
        })
    }

    /// Remembers; an old move is kept where the new search found none.
    pub(super) fn store(&mut self, key: u64, ply: usize, known: Known) {
        let number = self.number(key);
        let generation = self.generation;
        let entries = &mut self.clusters[number].0;
        let same = entries
            .iter()
            .position(|entry| entry.key == key as u32 && entry.bound().is_some());
        let place = same.unwrap_or_else(|| least_worth(entries, generation));
        let old = entries[place];
        let known_before = same.is_some();
        // A shallow bound does not push out much deeper knowledge of the same position and search.
        if known_before
            && known.bound != Bound::Exact
            && known.depth + 4 < i32::from(old.depth)
            && old.bound_and_generation >> 2 == generation
        {
            return;
        }
        let bound = match known.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        entries[place] = Entry {
            key: key as u32,
            mv: known.mv.or(old.mv.filter(|_| known_before)),
            value: to_node(known.value, ply) as i16,
            eval: known.eval.map_or(NO_EVAL, |eval| eval as i16),
            depth: known.depth.clamp(0, 255) as u8,
            bound_and_generation: bound | generation << 2,
        };
    }

    /// How full it is with entries of this search, in thousandths, by a sample.
    pub(super) fn full(&self) -> u32 {
        let sample = &self.clusters[..self.clusters.len().min(1000)];
        let young = |entry: &&Entry| entry.bound().is_some() && entry.bound_and_generation >> 2 == self.generation;
        let count = sample.iter().flat_map(|cluster| &cluster.0).filter(young).count();
        (count * 1000 / (sample.len() * ENTRIES)) as u32
    }

    /// The high half of a 128-bit product spreads keys evenly over any number of clusters.
    fn number(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize
    }
}

fn least_worth(entries: &[Entry; ENTRIES], generation: u8) -> usize {
    let worth = |&place: &usize| entries[place].worth(generation);
    (0..ENTRIES).min_by_key(worth).unwrap_or(0)
}

/// A mate's distance from the root becomes one from the node, where other paths meet it too.
fn to_node(value: Value, ply: usize) -> Value {
    match value {
        MATE_BOUND.. => value + ply as Value,
        ..=MATED_BOUND => value - ply as Value,
        _ => value,
    }
}

fn from_node(value: Value, ply: usize) -> Value {
    match value {
        MATE_BOUND.. => value - ply as Value,
        ..=MATED_BOUND => value + ply as Value,
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::value::{mate_in, mated_in};
    use crate::engine::{Position, Square};

    fn known(value: Value, depth: i32, bound: Bound) -> Known {
        Known {
            mv: None,
            value,
            bound,
            depth,
            eval: Some(12),
        }
    }

    #[test]
    fn what_is_stored_is_found() {
        let mut table = TranspositionTable::new(1);
        let mv = Position::start().parse_uci("e2e4").ok();
        let fact = Known {
            mv,
            ..known(-77, 9, Bound::Lower)
        };
        assert_eq!(table.probe(42, 0), None);
        table.store(42, 0, fact);
        assert_eq!(table.probe(42, 0), Some(fact));
        assert_eq!(table.probe(43, 0), None);
        table.store(42, 0, known(5, 10, Bound::Exact));
        assert_eq!(
            table.probe(42, 0).unwrap().mv.unwrap().to(),
            "e4".parse::<Square>().unwrap()
        );
        table.clear();
        assert_eq!(table.probe(42, 0), None);
    }

    #[test]
    fn mates_count_from_the_node_that_meets_them() {
        let mut table = TranspositionTable::new(1);
        table.store(1, 4, known(mate_in(7), 3, Bound::Exact));
        assert_eq!(table.probe(1, 10).unwrap().value, mate_in(13));
        table.store(2, 4, known(mated_in(6), 3, Bound::Exact));
        assert_eq!(table.probe(2, 0).unwrap().value, mated_in(2));
    }

    #[test]
    fn old_and_shallow_entries_give_way() {
        let mut table = TranspositionTable::new(1);
        // These keys share a cluster.
        for key in 0..5 {
            table.store(key, 0, known(0, 10 + key as i32, Bound::Exact));
        }
        table.store(5, 0, known(0, 1, Bound::Exact));
        assert_eq!(table.probe(0, 0), None, "the shallowest went");
        assert!(table.probe(4, 0).is_some() && table.probe(5, 0).is_some());
        for _ in 0..4 {
            table.age();
        }
        table.store(6, 0, known(0, 0, Bound::Exact));
        table.store(7, 0, known(0, 0, Bound::Exact));
        assert!(table.probe(6, 0).is_some(), "a young entry outlives old deeper ones");
    }

    #[test]
    fn bounds_settle_only_what_they_can() {
        let deep = |bound| known(50, 8, bound);
        assert!(deep(Bound::Exact).settles(8, 0, 1));
        assert!(!deep(Bound::Exact).settles(9, 0, 1));
        assert!(deep(Bound::Lower).settles(8, 20, 50));
        assert!(!deep(Bound::Lower).settles(8, 50, 51));
        assert!(deep(Bound::Upper).settles(8, 50, 51));
        assert!(!deep(Bound::Upper).settles(8, 49, 50));
    }
}
