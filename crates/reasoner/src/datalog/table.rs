//! Rows of terms, with hash indexes that are created on first use.

use crate::TermId;

/// Tables with fewer rows than this are scanned instead of indexed.
const SMALL: usize = 6;
const NONE: u32 = u32::MAX;

/// The content of one relation (or of one functor under `true`, `does` and so on).
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    arity: usize,
    rows: Vec<TermId>,
    count: usize,
    /// The first index covers all columns and keeps rows unique.
    indexes: Vec<Index>,
}

#[derive(Debug, Clone)]
struct Index {
    columns: Vec<usize>,
    heads: Vec<u32>,
    next: Vec<u32>,
    /// The number of rows that are linked.
    built: usize,
}

impl Table {
    pub fn new(arity: usize) -> Table {
        Table { arity, rows: Vec::new(), count: 0, indexes: vec![Index::new((0..arity).collect())] }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns the approximate memory of a row, in words of four bytes.
    pub fn row_words(&self) -> usize {
        self.arity + 3
    }

    pub fn arity(&self) -> usize {
        self.arity
    }

    #[inline]
    pub fn row(&self, number: usize) -> &[TermId] {
        &self.rows[number * self.arity..(number + 1) * self.arity]
    }

    pub fn rows(&self) -> impl Iterator<Item = &[TermId]> {
        (0..self.count).map(|i| self.row(i))
    }

    pub fn clear(&mut self) {
        if self.count == 0 {
            return;
        }
        self.rows.clear();
        self.count = 0;
        self.indexes.iter_mut().for_each(Index::clear);
    }

    /// Keeps only the first `count` rows.
    pub fn truncate(&mut self, count: usize) {
        if count < self.count {
            self.rows.truncate(count * self.arity);
            self.count = count;
            self.indexes.iter_mut().for_each(Index::clear);
        }
    }

    /// Adds a row that is known to be absent.
    pub fn push(&mut self, row: &[TermId]) {
        self.rows.extend_from_slice(row);
        self.count += 1;
    }

    /// Adds a row unless it is present. Returns `true` if it was added.
    pub fn insert(&mut self, row: &[TermId]) -> bool {
        debug_assert_eq!(row.len(), self.arity);
        self.prepare(0);
        if self.contains(row) {
            return false;
        }
        self.push(row);
        true
    }

    /// Returns the number of the index over these columns, and creates it if necessary.
    pub fn index(&mut self, columns: &[usize]) -> usize {
        match self.indexes.iter().position(|i| i.columns == columns) {
            Some(position) => position,
            None => {
                self.indexes.push(Index::new(columns.to_vec()));
                self.indexes.len() - 1
            }
        }
    }

    /// Brings an index up to date. Must precede [`Table::first`] and [`Table::contains`].
    pub fn prepare(&mut self, index: usize) {
        if self.count >= SMALL {
            self.indexes[index].extend(&self.rows, self.arity, self.count);
        }
    }

    /// Returns `true` if a row is present.
    pub fn contains(&self, row: &[TermId]) -> bool {
        self.position(row).is_some()
    }

    /// Returns the number of a row, if it is present.
    pub fn position(&self, row: &[TermId]) -> Option<usize> {
        if self.count < SMALL {
            return self.rows().position(|r| r == row);
        }
        let index = &self.indexes[0];
        let mut at = index.heads[hash(row.iter().copied()) as usize & (index.heads.len() - 1)];
        while at != NONE {
            if self.row(at as usize) == row {
                return Some(at as usize);
            }
            at = index.next[at as usize];
        }
        None
    }

    /// Returns a cursor at the first candidate row for a key under an index. Candidates may have another key
    /// with the same hash, so each must be checked.
    #[inline]
    pub fn first(&self, index: usize, key: impl Iterator<Item = TermId>) -> Cursor {
        if self.count < SMALL {
            return Cursor { at: if self.count == 0 { NONE } else { 0 }, scan: true };
        }
        let heads = &self.indexes[index].heads;
        Cursor { at: heads[hash(key) as usize & (heads.len() - 1)], scan: false }
    }

    /// Returns the row at the cursor, if there is one, and advances the cursor.
    #[inline]
    pub fn advance(&self, index: usize, cursor: &mut Cursor) -> Option<usize> {
        if cursor.at == NONE {
            return None;
        }
        let row = cursor.at as usize;
        cursor.at = if cursor.scan {
            if row + 1 < self.count { cursor.at + 1 } else { NONE }
        } else {
            self.indexes[index].next[row]
        };
        Some(row)
    }

    /// Returns the number of distinct values in each column.
    pub fn distinct(&self) -> Vec<usize> {
        let most = self.rows.iter().map(|t| t.index()).max().unwrap_or(0);
        let mut seen = vec![0u64; most / 64 + 1];
        let mut count = |column: usize| {
            seen.fill(0);
            self.rows().for_each(|row| seen[row[column].index() / 64] |= 1 << (row[column].0 % 64));
            seen.iter().map(|word| word.count_ones() as usize).sum()
        };
        (0..self.arity).map(&mut count).collect()
    }
}

/// A position in a chain of candidate rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor {
    at: u32,
    scan: bool,
}

impl Index {
    fn new(columns: Vec<usize>) -> Index {
        Index { columns, heads: Vec::new(), next: Vec::new(), built: 0 }
    }

    fn clear(&mut self) {
        if self.built > 0 {
            self.heads.fill(NONE);
            self.next.clear();
            self.built = 0;
        }
    }

    fn extend(&mut self, rows: &[TermId], arity: usize, count: usize) {
        if self.built == count && !self.heads.is_empty() {
            return;
        }
        if count * 2 > self.heads.len() {
            self.heads.clear();
            self.heads.resize((count * 4).next_power_of_two().max(16), NONE);
            self.next.clear();
            self.built = 0;
        }
        let mask = self.heads.len() - 1;
        for number in self.built..count {
            let row = &rows[number * arity..(number + 1) * arity];
            let bucket = hash(self.columns.iter().map(|&c| row[c])) as usize & mask;
            self.next.push(self.heads[bucket]);
            self.heads[bucket] = number as u32;
        }
        self.built = count;
    }
}

#[inline]
fn hash(key: impl Iterator<Item = TermId>) -> u32 {
    let mut state = 0u32;
    for term in key {
        state = (state.rotate_left(5) ^ term.0).wrapping_mul(0x9e37_79b1);
    }
    state ^ (state >> 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_unique_and_found_by_any_column() {
        let mut table = Table::new(2);
        for i in 0..100 {
            assert!(table.insert(&[TermId(i), TermId(i % 7)]));
            assert!(!table.insert(&[TermId(i), TermId(i % 7)]));
        }
        let index = table.index(&[1]);
        table.prepare(index);
        let mut cursor = table.first(index, [TermId(3)].into_iter());
        let mut found = 0;
        while let Some(row) = table.advance(index, &mut cursor) {
            found += usize::from(table.row(row)[1] == TermId(3));
        }
        assert_eq!(found, (0..100).filter(|i| i % 7 == 3).count());
        table.clear();
        assert!(!table.contains(&[TermId(1), TermId(1)]));
        assert!(table.insert(&[TermId(1), TermId(1)]));
    }
}
