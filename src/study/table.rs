//! Transposition tables: of one thread, or of several behind mutexes. The one without locks is the engine's.

use std::sync::{Mutex, PoisonError};
use torres_engine::Move;

/// What an entry's value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// At most the value.
    Upper,
    /// At least the value.
    Lower,
    /// The value.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The position's.
    pub key: u64,
    /// The best move, where one is known.
    pub best: Option<Move>,
    /// From the side to move's view.
    pub value: i32,
    /// What the value says.
    pub bound: Bound,
    /// Plies searched.
    pub depth: i32,
}

/// What a thread remembers, and finds out from others.
pub(crate) trait Table {
    /// What is known of the position with this key.
    fn probe(&self, key: u64) -> Option<Entry>;
    /// Remembers, in place of another position or of a search that was not deeper.
    fn store(&mut self, entry: Entry);
}

/// A thread's own table.
pub(crate) type Entries = Vec<Option<Entry>>;

/// An empty table of so many MiB, at least one.
pub(crate) fn of(mib: usize) -> Entries {
    vec![None; mib.max(1) * 1024 * 1024 / size_of::<Option<Entry>>()]
}

/// The high half of a 128-bit product spreads keys evenly over any number of places.
fn place(key: u64, places: usize) -> usize {
    ((u128::from(key) * places as u128) >> 64) as usize
}

impl Table for Entries {
    fn probe(&self, key: u64) -> Option<Entry> {
        self[place(key, self.len())].filter(|entry| entry.key == key)
    }

    fn store(&mut self, entry: Entry) {
        let places = self.len();
        let old = &mut self[place(entry.key, places)];
        if old.is_none_or(|old| old.key != entry.key || old.depth <= entry.depth) {
            *old = Some(entry);
        }
    }
}

/// Parts of a table with mutexes.
const PARTS: usize = 1024;

/// A table for several threads, each part behind a mutex.
pub(crate) struct WithMutexes(Vec<Mutex<Entries>>);

impl WithMutexes {
    /// An empty table of so many MiB, at least one.
    pub(crate) fn of(mib: usize) -> WithMutexes {
        let entries = mib.max(1) * 1024 * 1024 / size_of::<Option<Entry>>() / PARTS;
        WithMutexes((0..PARTS).map(|_| Mutex::new(vec![None; entries])).collect())
    }

    /// The part that a key belongs to, by other bits than those that say where in it.
    fn part<T>(&self, key: u64, then: impl FnOnce(&mut Entries) -> T) -> T {
        // An entry is whole whatever a panicking holder did.
        let part = self.0[key as usize % PARTS].lock();
        then(&mut part.unwrap_or_else(PoisonError::into_inner))
    }
}

impl Table for &WithMutexes {
    fn probe(&self, key: u64) -> Option<Entry> {
        self.part(key, |entries| entries.probe(key))
    }

    fn store(&mut self, entry: Entry) {
        self.part(entry.key, |entries| entries.store(entry));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u64, depth: i32) -> Entry {
        Entry {
            key,
            best: None,
            value: 3 * depth,
            bound: Bound::Exact,
            depth,
        }
    }

    #[test]
    fn what_is_stored_is_found_and_a_deeper_search_stays() {
        let shared = WithMutexes::of(1);
        let mut tables: [Box<dyn Table>; 2] = [Box::new(of(1)), Box::new(&shared)];
        for table in &mut tables {
            let value = |table: &dyn Table, key| table.probe(key).map(|found| found.value);
            assert_eq!(value(&**table, 42), None);
            table.store(entry(42, 5));
            table.store(entry(42, 4));
            assert_eq!((value(&**table, 42), value(&**table, 43)), (Some(15), None));
            // Another position takes the place.
            table.store(entry(42 + PARTS as u64, 1));
            assert_eq!(
                (value(&**table, 42), value(&**table, 42 + PARTS as u64)),
                (None, Some(3))
            );
        }
    }
}
