//! A transposition table of fixed size that maps positions to a byte, eight bytes per entry.
//!
//! One half of a key selects the bucket, and most of the other half identifies the position. A lost entry is
//! found again by searching, so a table that is too small costs time but not correctness.

use super::Key;

/// The number of entries per bucket.
const WAYS: usize = 4;

/// A map from keys to bytes; 0 means unknown.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<[u64; WAYS]>,
}

impl Table {
    /// Creates a table for this many positions.
    pub fn new(positions: usize) -> Table {
        Table { buckets: vec![[0; WAYS]; (positions / WAYS).clamp(16, 1 << 32)] }
    }

    fn place(&self, key: Key) -> usize {
        ((u128::from(key as u64) * self.buckets.len() as u128) >> 64) as usize
    }

    /// Returns the stored byte of a position.
    pub fn get(&self, key: Key) -> Option<u8> {
        let check = check(key);
        let bucket = &self.buckets[self.place(key)];
        bucket.iter().find(|slot| **slot >> 8 == check).map(|slot| *slot as u8).filter(|byte| *byte > 0)
    }

    /// Stores a byte that is not 0. In a full bucket it replaces the entry with the least rank, or the last
    /// entry if all have a higher rank than this one.
    pub fn put(&mut self, key: Key, byte: u8, rank: impl Fn(u8) -> u8) {
        let (check, place) = (check(key), self.place(key));
        let bucket = &mut self.buckets[place];
        let same = bucket.iter().position(|slot| *slot == 0 || *slot >> 8 == check);
        let place = same.unwrap_or_else(|| {
            let least = (0..WAYS).min_by_key(|&way| rank(bucket[way] as u8)).unwrap_or(0);
            if rank(bucket[least] as u8) <= rank(byte) { least } else { WAYS - 1 }
        });
        bucket[place] = check << 8 | u64::from(byte);
    }
}

/// Returns the part of a key that identifies a position within its bucket.
fn check(key: Key) -> u64 {
    (key >> 72) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ranks_high_stays_and_what_came_last_is_known() {
        let mut table = Table::new(0);
        let key = |number: u64| Key::from(number) << 80;
        for number in 1..=100 {
            table.put(key(number), number as u8, |byte| byte);
        }
        assert_eq!(table.get(key(100)), Some(100));
        assert_eq!(table.get(key(99)), Some(99));
        table.put(key(200), 1, |byte| byte);
        assert_eq!(table.get(key(200)), Some(1));
        assert_eq!([97, 98, 99, 100].iter().filter(|n| table.get(key(**n)).is_some()).count(), 3);
        assert_eq!(table.get(key(7)), None);
    }
}
