//! The transposition table: what earlier searches found out about a position.
//!
//! Clusters of four entries fill one cache line each. All threads of a search read and write one table without locks.
//! Two positions can, very rarely, have one key: an entry's move must be checked before it is played.

use super::Move;
use super::value::{MATE_BOUND, MATED_BOUND, Value};
use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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

/// An entry's contents, unpacked.
#[derive(Clone, Copy)]
struct Facts {
    mv: Option<Move>,
    value: i16,
    eval: i16,
    depth: u8,
    bound: Bound,
    /// Below [`GENERATIONS`].
    generation: u8,
}

const NO_EVAL: i16 = i16::MIN;
const GENERATIONS: u8 = 64;
/// Plies by which an entry counts as shallower for each search that it is older.
const PLIES_PER_AGE: i32 = 4;

impl Facts {
    /// 16 bits each of move, value and evaluation, 8 of depth, 6 of generation and 2 of bound; no facts are 0.
    fn pack(self) -> u64 {
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        u64::from(self.mv.map_or(0, Move::bits))
            | u64::from(self.value as u16) << 16
            | u64::from(self.eval as u16) << 32
            | u64::from(self.depth) << 48
            | u64::from(bound | self.generation << 2) << 56
    }

    fn unpack(bits: u64) -> Option<Facts> {
        let bound = match bits >> 56 & 3 {
            0 => return None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        Some(Facts {
            mv: Move::from_bits(bits as u16),
            value: (bits >> 16) as i16,
            eval: (bits >> 32) as i16,
            depth: (bits >> 48) as u8,
            bound,
            generation: (bits >> 58) as u8,
        })
    }

    /// How much would be lost with it: deep and young entries are worth more.
    fn worth(self, generation: u8) -> i32 {
        let age = (generation + GENERATIONS - self.generation) % GENERATIONS;
        i32::from(self.depth) - PLIES_PER_AGE * i32::from(age)
    }
}

/// Two words that are written without a lock: when threads write at once and the words of two entries meet, key and
/// check no longer fit and nobody believes them (Robert Hyatt's and Tim Mann's exclusive or,
/// <https://www.chessprogramming.org/Shared_Hash_Table#Xor>).
#[derive(Default)]
struct Entry {
    /// The key, exclusive or the facts.
    check: AtomicU64,
    facts: AtomicU64,
}

impl Entry {
    /// Key and facts as they stand, whether or not they belong together.
    fn load(&self) -> (u64, u64) {
        let facts = self.facts.load(Relaxed);
        (self.check.load(Relaxed) ^ facts, facts)
    }

    fn facts(&self) -> Option<Facts> {
        Facts::unpack(self.facts.load(Relaxed))
    }

    fn store(&self, key: u64, facts: u64) {
        self.check.store(key ^ facts, Relaxed);
        self.facts.store(facts, Relaxed);
    }
}

const ENTRIES: usize = 4;

/// One cache line.
#[derive(Default)]
#[repr(align(64))]
struct Cluster([Entry; ENTRIES]);

const _: () = assert!(size_of::<Cluster>() == 64);

/// Room for a table: addresses, which cost no memory before the table is made.
pub(super) struct Room {
    clusters: Vec<Cluster>,
    count: usize,
}

impl Room {
    /// Room for at most so many MiB, at least one.
    pub(super) fn of(mib: usize) -> Result<Room, TryReserveError> {
        let (mut clusters, count) = (Vec::new(), clusters_in(mib));
        clusters.try_reserve_exact(count)?;
        ask_for_large_pages(&mut clusters);
        Ok(Room { clusters, count })
    }

    /// An empty table that fills it.
    pub(super) fn table(self) -> TranspositionTable {
        let Room { mut clusters, count } = self;
        clusters.resize_with(count, Cluster::default);
        TranspositionTable {
            clusters,
            generation: 0,
        }
    }
}

/// Asks the system to back the room with pages of 2 MiB, where it has them: with pages of 4 KiB nearly every probe also
/// waits for where its page lies.
fn ask_for_large_pages(room: &mut Vec<Cluster>) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 2 << 20;
        let (start, bytes) = (room.as_mut_ptr().cast::<u8>(), room.capacity() * size_of::<Cluster>());
        let (skipped, whole) = (start.align_offset(PAGE), |rest: usize| rest / PAGE * PAGE);
        if let Some(rest) = bytes.checked_sub(skipped).map(whole).filter(|&rest| rest > 0) {
            // SAFETY: the pages lie whole within the vector's allocation, and the advice changes neither what is in
            // them nor what may be done with them. Measured gain: docs/engine/ledger.md, "Speed". A kernel without such
            // pages says no, and the room is good all the same.
            let _ = unsafe { rustix::mm::madvise(start.add(skipped).cast(), rest, rustix::mm::Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = room;
}

fn clusters_in(mib: usize) -> usize {
    mib.clamp(1, TranspositionTable::MAX_MIB) * 1024 * 1024 / size_of::<Cluster>()
}

/// The table. Threads share it by reference: reading and writing need no exclusive access.
pub(super) struct TranspositionTable {
    clusters: Vec<Cluster>,
    generation: u8,
}

impl TranspositionTable {
    /// The largest table, in MiB, on a machine with memory for it.
    pub(super) const MAX_MIB: usize = 1024 * 1024;

    /// An empty table of at most so many MiB, at least one.
    pub(super) fn new(mib: usize) -> TranspositionTable {
        let count = clusters_in(mib);
        let mut clusters = Vec::with_capacity(count);
        ask_for_large_pages(&mut clusters);
        Room { clusters, count }.table()
    }

    /// Becomes an empty table in other room. The old entries go before the room is filled, so that both need not fit.
    pub(super) fn refill(&mut self, room: Room) {
        self.clusters = Vec::new();
        *self = room.table();
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.clusters.fill_with(Cluster::default);
        self.generation = 0;
    }

    /// A new search begins: what is there grows older.
    pub(super) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// What is known of the position with this key, met so many plies from the root.
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Known> {
        let facts = self.entries(key).iter().find_map(|entry| {
            let (found, facts) = entry.load();
            (found == key).then_some(facts)
        })?;
        Facts::unpack(facts).map(|facts| Known {
            mv: facts.mv,
            value: from_node(Value::from(facts.value), ply),
            bound: facts.bound,
            depth: i32::from(facts.depth),
            eval: Some(Value::from(facts.eval)).filter(|_| facts.eval != NO_EVAL),
        })
    }

    /// Has the processor fetch what [`probe`](Self::probe) will read.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let entries = std::ptr::from_ref(self.entries(key));
            // SAFETY: a prefetch reads nothing, and the address is that of a reference. Measured gain:
            // docs/engine/ledger.md, "Speed".
            unsafe { _mm_prefetch::<_MM_HINT_T0>(entries.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// Remembers; an old move is kept where the new search found none.
    pub(super) fn store(&self, key: u64, ply: usize, known: Known) {
        let entries = self.entries(key);
        let (place, old) = self.place_for(entries, key);
        if let Some(old) = old
            && known.bound != Bound::Exact
            && known.depth + KEEP_DEEPER_BY < i32::from(old.depth)
            && old.generation == self.generation
        {
            // A shallow bound does not push out much deeper knowledge of the same position and search.
            return;
        }
        let facts = Facts {
            mv: known.mv.or(old.and_then(|old| old.mv)),
            value: to_node(known.value, ply) as i16,
            eval: known.eval.map_or(NO_EVAL, |eval| eval as i16),
            depth: known.depth.clamp(0, 255) as u8,
            bound: known.bound,
            generation: self.generation,
        };
        entries[place].store(key, facts.pack());
    }

    /// Which entry to write, and what it says if it is of the same position.
    fn place_for(&self, entries: &[Entry; ENTRIES], key: u64) -> (usize, Option<Facts>) {
        let (mut least, mut place) = (i32::MAX, 0);
        for (index, entry) in entries.iter().enumerate() {
            let (found, facts) = entry.load();
            let facts = Facts::unpack(facts);
            if found == key && facts.is_some() {
                return (index, facts);
            }
            let worth = facts.map_or(i32::MIN, |facts| facts.worth(self.generation));
            if worth < least {
                (least, place) = (worth, index);
            }
        }
        (place, None)
    }

    /// How full it is with entries of this search, in thousandths, by a sample.
    pub(super) fn full(&self) -> u32 {
        let sample = &self.clusters[..self.clusters.len().min(1000)];
        let count = sample
            .iter()
            .flat_map(|cluster| &cluster.0)
            .filter_map(Entry::facts)
            .filter(|facts| facts.generation == self.generation)
            .count();
        (count * 1000 / (sample.len() * ENTRIES)) as u32
    }

    /// The high half of a 128-bit product spreads keys evenly over any number of clusters.
    fn entries(&self, key: u64) -> &[Entry; ENTRIES] {
        let number = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[number as usize].0
    }
}

/// A bound replaces an exact or deeper entry of the same position unless it is so much shallower.
const KEEP_DEEPER_BY: i32 = 4;

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
    use crate::value::{mate_in, mated_in};
    use crate::{Position, Square};

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
    fn room_that_no_machine_has_is_refused_and_not_died_of() {
        // A TiB: whether a machine's addresses suffice is its own matter, as long as the answer is one.
        drop(Room::of(TranspositionTable::MAX_MIB));
        assert_eq!(Room::of(1).unwrap().table().clusters.len(), 1024 * 1024 / 64);
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
        let table = TranspositionTable::new(1);
        table.store(1, 4, known(mate_in(7), 3, Bound::Exact));
        assert_eq!(table.probe(1, 10).unwrap().value, mate_in(13));
        table.store(2, 4, known(mated_in(6), 3, Bound::Exact));
        assert_eq!(table.probe(2, 0).unwrap().value, mated_in(2));
    }

    #[test]
    fn old_and_shallow_entries_give_way() {
        let mut table = TranspositionTable::new(1);
        // These keys share a cluster.
        for key in 0..4 {
            table.store(key, 0, known(0, 10 + key as i32, Bound::Exact));
        }
        table.store(4, 0, known(0, 1, Bound::Exact));
        assert_eq!(table.probe(0, 0), None, "the shallowest went");
        assert!(table.probe(3, 0).is_some() && table.probe(4, 0).is_some());
        for _ in 0..4 {
            table.age();
        }
        table.store(6, 0, known(0, 0, Bound::Exact));
        table.store(7, 0, known(0, 0, Bound::Exact));
        assert!(table.probe(6, 0).is_some(), "a young entry outlives old deeper ones");
    }

    #[test]
    fn words_of_two_entries_are_not_believed() {
        let table = TranspositionTable::new(1);
        table.store(1, 0, known(7, 5, Bound::Exact));
        table.store(2, 0, known(8, 6, Bound::Lower));
        let [first, second, ..] = &table.clusters[0].0;
        // As if one thread's facts had overtaken the other's.
        first.facts.store(second.facts.load(Relaxed), Relaxed);
        assert_eq!(table.probe(1, 0), None);
        assert_eq!(table.probe(2, 0).unwrap().value, 8);
    }

    #[test]
    fn threads_never_read_what_none_has_written() {
        let table = TranspositionTable::new(1);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..200_000u64 {
                        // All keys share a cluster; value and depth belong to the key.
                        let key = (round * 7 + thread) % 11;
                        table.store(key, 0, known(key as Value * 3, key as i32, Bound::Exact));
                        if let Some(found) = table.probe((round * 5 + thread) % 11, 0) {
                            let key = (round * 5 + thread) % 11;
                            assert_eq!((found.value, found.depth), (key as Value * 3, key as i32));
                        }
                    }
                });
            }
        });
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
