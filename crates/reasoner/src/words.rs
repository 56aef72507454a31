//! A sequence of words that is stored inline if it is short.
//!
//! States are created and dropped by the million, and most games have fewer than two hundred fluents.
//! Allocating memory would take as long as a good part of a step.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

/// The maximum number of words that are stored inline.
const FEW: usize = 3;

/// A sequence of words.
#[derive(Clone)]
pub struct Words(Kept);

#[derive(Clone)]
enum Kept {
    Few(usize, [u64; FEW]),
    Many(Box<[u64]>),
}

impl Words {
    /// Creates a sequence of this many zero words.
    pub fn empty(count: usize) -> Words {
        Words(if count <= FEW { Kept::Few(count, [0; FEW]) } else { Kept::Many(vec![0; count].into()) })
    }
}

impl From<&[u64]> for Words {
    fn from(words: &[u64]) -> Words {
        let mut own = Words::empty(words.len());
        own.copy_from_slice(words);
        own
    }
}

impl Deref for Words {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        match &self.0 {
            Kept::Few(count, words) => &words[..*count],
            Kept::Many(words) => words,
        }
    }
}

impl DerefMut for Words {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            Kept::Few(count, words) => &mut words[..*count],
            Kept::Many(words) => words,
        }
    }
}

impl PartialEq for Words {
    fn eq(&self, other: &Words) -> bool {
        **self == **other
    }
}

impl Eq for Words {}

impl Hash for Words {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (**self).hash(hasher);
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<'a> IntoIterator for &'a Words {
    type Item = &'a u64;
    type IntoIter = std::slice::Iter<'a, u64>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_rows_are_what_was_put_into_them() {
        for count in 0..8usize {
            let all: Vec<u64> = (1..=count as u64).collect();
            let words = Words::from(&all[..]);
            assert_eq!(*words, all[..]);
            assert_eq!(words, words.clone());
            assert_eq!(Words::empty(count).len(), count);
            assert_eq!(words == Words::empty(count), count == 0);
        }
    }
}
