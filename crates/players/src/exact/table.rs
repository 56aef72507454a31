//! A table of fixed size from positions to a byte, eight bytes for each.
//!
//! A position is found by one half of its number and told apart by most of the
//! other. What is forgotten is found again by searching, so a table that is too
//! small costs time and not truth.

use super::Key;

/// Places for positions that share one half of their numbers.
const WAYS: usize = 4;

/// Bytes by positions; 0 is what is not known.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<[u64; WAYS]>,
}

impl Table {
    /// For so many positions.
    pub fn new(positions: usize) -> Table {
        Table { buckets: vec![[0; WAYS]; (positions / WAYS).clamp(16, 1 << 32)] }
    }

    fn place(&self, key: Key) -> usize {
        ((u128::from(key as u64) * self.buckets.len() as u128) >> 64) as usize
    }

    /// What is remembered of a position.
    pub fn get(&self, key: Key) -> Option<u8> {
        let check = check(key);
        let bucket = &self.buckets[self.place(key)];
        bucket.iter().find(|slot| **slot >> 8 == check).map(|slot| *slot as u8).filter(|byte| *byte > 0)
    }

    /// Remembers a byte that is not 0. Of four others the one with the least rank
    /// goes, or the one that came last where all have a higher rank than this one.
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

/// What tells positions apart that share a place.
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
