//! The order of terms by their canonical text, without comparing texts each time.

use std::collections::BTreeMap;
use std::ops::Bound;

use rules::Symbols;

use crate::{TermId, TermPool};

/// The distance of the ranks of two consecutive terms.
const GAP: u64 = 1 << 32;

/// The ranks of the terms seen so far. A new term is ranked between its neighbours. All terms are ranked
/// again only if there is no gap left.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ranks {
    /// The rank of each term; zero if it has none yet.
    ranks: Vec<u64>,
    sorted: BTreeMap<String, TermId>,
}

impl Ranks {
    /// Sorts terms by their canonical text.
    pub fn sort(&mut self, terms: &mut [TermId], pool: &TermPool, symbols: &Symbols) {
        if terms.len() < 2 {
            return;
        }
        if self.ranks.len() < pool.len() {
            self.ranks.resize(pool.len(), 0);
        }
        for &term in terms.iter() {
            if self.ranks[term.index()] == 0 {
                self.rank(pool.text(symbols, term), term);
            }
        }
        terms.sort_unstable_by_key(|t| self.ranks[t.index()]);
    }

    fn rank(&mut self, text: String, term: TermId) {
        let below = self.sorted.range::<str, _>((Bound::Unbounded, Bound::Excluded(&*text))).next_back();
        let above = self.sorted.range::<str, _>((Bound::Excluded(&*text), Bound::Unbounded)).next();
        let below = below.map_or(0, |(_, t)| self.ranks[t.index()]);
        let above = above.map_or(below.saturating_add(2 * GAP), |(_, t)| self.ranks[t.index()]);
        self.sorted.insert(text, term);
        let between = below + (above - below) / 2;
        if between > below && between < above {
            self.ranks[term.index()] = between;
            return;
        }
        for (place, term) in self.sorted.values().enumerate() {
            self.ranks[term.index()] = (place as u64 + 1) * GAP;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_seen_in_any_order_are_sorted_by_text() {
        let mut symbols = Symbols::default();
        let mut pool = TermPool::default();
        let names: Vec<gdl::Name> = (0..500).map(|i| format!("n{}", i * 7919 % 500).into()).collect();
        let terms: Vec<TermId> = names.iter().map(|n| pool.intern(symbols.intern(n), &[])).collect();
        let mut ranks = Ranks::default();
        for pair in terms.windows(2) {
            ranks.sort(&mut [pair[0], pair[1]], &pool, &symbols);
        }
        let mut sorted = terms.clone();
        ranks.sort(&mut sorted, &pool, &symbols);
        let texts: Vec<String> = sorted.iter().map(|&t| pool.text(&symbols, t)).collect();
        assert!(texts.is_sorted());
    }
}
