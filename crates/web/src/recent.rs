//! A small cache of recently used values.

use std::sync::{Mutex, PoisonError};

/// Keeps the most recently used values by key.
pub(crate) struct Recent<K, V> {
    kept: Mutex<Vec<(K, V)>>,
    size: usize,
}

impl<K: PartialEq, V: Clone> Recent<K, V> {
    pub(crate) fn new(size: usize) -> Recent<K, V> {
        Recent { kept: Mutex::new(Vec::new()), size }
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(known, _)| known == key)?;
        let found = kept.remove(at);
        let value = found.1.clone();
        kept.push(found);
        Some(value)
    }

    pub(crate) fn put(&self, key: K, value: V) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(known, _)| *known != key);
        if kept.len() >= self.size {
            kept.remove(0);
        }
        kept.push((key, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_longest_ago_goes_first() {
        let recent = Recent::new(2);
        recent.put(1, "a");
        recent.put(2, "b");
        assert_eq!(recent.get(&1), Some("a"));
        recent.put(3, "c");
        assert_eq!((recent.get(&1), recent.get(&2), recent.get(&3)), (Some("a"), None, Some("c")));
    }
}
