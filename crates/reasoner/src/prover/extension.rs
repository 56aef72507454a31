//! Facts that are given rather than derived: those of the sheet, of the state and of the moves.
//!
//! Rows are looked up by an index over exactly the columns that are known. The fluents of a state are stored
//! by functor, with the fluent's arguments as columns. Indexes of a state's rows are built on first use.

use rules::{Keyword, RelationId, Rules, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{TermId, TermPool};

/// No row.
pub(crate) const NONE: u32 = u32::MAX;

/// The index of an extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ExtensionId(pub u32);

/// All given facts.
#[derive(Debug, Clone)]
pub(crate) struct Extensions {
    all: Vec<Extension>,
    of_relation: Vec<Option<ExtensionId>>,
    by_functor: FxHashMap<(Symbol, usize), ExtensionId>,
    /// The fluents of the state as whole terms.
    state: ExtensionId,
    moves: ExtensionId,
    filled: Vec<ExtensionId>,
}

impl Extensions {
    /// Stores the facts of the sheet.
    pub fn new(rules: &Rules, pool: &mut TermPool) -> Extensions {
        let all = vec![Extension::new(1), Extension::new(2)];
        let (state, moves) = (ExtensionId(0), ExtensionId(1));
        let mut of_relation = vec![None; rules.relations.len()];
        let by_functor = FxHashMap::default();
        let mut this =
            Extensions { all, of_relation: Vec::new(), by_functor, state, moves, filled: Vec::new() };
        for (number, relation) in rules.relations.iter().enumerate() {
            let mut seen = FxHashSet::default();
            for &rule in relation.rules.iter().filter(|&&r| rules.rules[r].body.is_empty()) {
                let row: Box<[TermId]> =
                    rules.rules[rule].head.arguments.iter().map(|t| ground(t, pool)).collect();
                if seen.insert(row.clone()) {
                    let id = *of_relation[number].get_or_insert_with(|| this.add(relation.arity));
                    this.all[id.0 as usize].push(&row);
                }
            }
        }
        this.of_relation = of_relation;
        this
    }

    fn add(&mut self, arity: usize) -> ExtensionId {
        self.all.push(Extension::new(arity));
        ExtensionId(self.all.len() as u32 - 1)
    }

    /// Returns the facts of a relation in the sheet.
    pub fn facts(&self, relation: RelationId) -> Option<ExtensionId> {
        self.of_relation[relation.index()]
    }

    /// Returns the same, and creates an empty extension for a relation without facts.
    pub fn facts_or_none(&mut self, relation: RelationId, arity: usize) -> ExtensionId {
        self.facts(relation).unwrap_or_else(|| {
            let id = self.add(arity);
            self.of_relation[relation.index()] = Some(id);
            id
        })
    }

    /// Returns the fluents of the state as whole terms, in one column.
    pub fn state(&self) -> ExtensionId {
        self.state
    }

    /// Returns the joint move, in two columns.
    pub fn moves(&self) -> ExtensionId {
        self.moves
    }

    /// Returns the fluents with this functor and number of arguments, with one column per argument.
    pub fn fluents(&mut self, functor: Symbol, arity: usize) -> ExtensionId {
        if let Some(&id) = self.by_functor.get(&(functor, arity)) {
            return id;
        }
        let id = self.add(arity);
        self.by_functor.insert((functor, arity), id);
        id
    }

    /// Sets the fluents that hold.
    pub fn enter(&mut self, state: &[TermId], pool: &TermPool) {
        self.all[self.state.0 as usize].clear();
        for id in self.filled.drain(..) {
            self.all[id.0 as usize].clear();
        }
        for &fact in state {
            let arguments = pool.arguments(fact);
            let id = self.fluents(pool.functor(fact), arguments.len());
            let table = &mut self.all[id.0 as usize];
            if table.count == 0 {
                self.filled.push(id);
            }
            table.push(arguments);
            self.all[self.state.0 as usize].push(&[fact]);
        }
    }

    /// Sets the joint move.
    pub fn make(&mut self, roles: &[TermId], joint: &[TermId]) {
        let moves = &mut self.all[self.moves.0 as usize];
        moves.clear();
        for (&role, &mv) in roles.iter().zip(joint) {
            moves.push(&[role, mv]);
        }
    }

    #[inline]
    pub fn get(&self, id: ExtensionId) -> &Extension {
        &self.all[id.0 as usize]
    }

    #[inline]
    pub fn get_mut(&mut self, id: ExtensionId) -> &mut Extension {
        &mut self.all[id.0 as usize]
    }
}

/// Returns `true` if the facts of the relation are given by the state or the moves.
pub(crate) fn is_given(relation: RelationId) -> bool {
    relation == Keyword::True.id() || relation == Keyword::Does.id()
}

/// Interns a term without variables.
pub(crate) fn ground(term: &rules::Term, pool: &mut TermPool) -> TermId {
    match term {
        rules::Term::Constant(name) => pool.intern(*name, &[]),
        rules::Term::Variable(_) => unreachable!("facts are ground because rules are safe"),
        rules::Term::Function(name, parts) => {
            let parts: Vec<TermId> = parts.iter().map(|t| ground(t, pool)).collect();
            pool.intern(*name, &parts)
        }
    }
}

/// Rows of one width, with indexes.
#[derive(Debug, Clone)]
pub(crate) struct Extension {
    arity: usize,
    rows: Vec<TermId>,
    count: usize,
    indexes: Vec<Index>,
}

/// Rows grouped by the values in some columns.
#[derive(Debug, Clone)]
struct Index {
    columns: Box<[usize]>,
    /// The first row of each group, plus one, by hash.
    slots: Vec<u32>,
    /// The next row of the same group.
    next: Vec<u32>,
    is_built: bool,
}

impl Extension {
    fn new(arity: usize) -> Extension {
        Extension { arity, rows: Vec::new(), count: 0, indexes: Vec::new() }
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.count = 0;
        self.indexes.iter_mut().for_each(|i| i.is_built = false);
    }

    fn push(&mut self, row: &[TermId]) {
        self.rows.extend_from_slice(row);
        self.count += 1;
    }

    pub fn len(&self) -> usize {
        self.count
    }

    #[inline]
    pub fn row(&self, number: u32) -> &[TermId] {
        &self.rows[number as usize * self.arity..(number as usize + 1) * self.arity]
    }

    /// Returns the index over these columns, and creates it if necessary.
    pub fn index(&mut self, columns: &[usize]) -> usize {
        let known = self.indexes.iter().position(|i| *i.columns == *columns);
        known.unwrap_or_else(|| {
            let columns = columns.into();
            self.indexes.push(Index { columns, slots: Vec::new(), next: Vec::new(), is_built: false });
            self.indexes.len() - 1
        })
    }

    /// Returns the first row whose indexed columns are `key`, or [`NONE`].
    #[inline]
    pub fn first(&mut self, index: usize, key: &[TermId]) -> u32 {
        if self.count == 0 {
            return NONE;
        }
        if !self.indexes[index].is_built {
            self.build(index);
        }
        let index = &self.indexes[index];
        let mask = index.slots.len() - 1;
        let mut at = hash(key.iter().copied()) & mask;
        loop {
            let head = index.slots[at];
            if head == 0 {
                return NONE;
            }
            let row = &self.rows[(head as usize - 1) * self.arity..];
            if index.columns.iter().zip(key).all(|(&c, k)| row[c] == *k) {
                return head - 1;
            }
            at = (at + 1) & mask;
        }
    }

    /// Returns the next row with the same values in the indexed columns, or [`NONE`].
    #[inline]
    pub fn next(&self, index: usize, row: u32) -> u32 {
        self.indexes[index].next[row as usize]
    }

    fn build(&mut self, index: usize) {
        let Extension { arity, rows, count, indexes } = self;
        let index = &mut indexes[index];
        let size = (*count * 2).next_power_of_two().max(4);
        index.slots.clear();
        index.slots.resize(size, 0);
        index.next.clear();
        index.next.resize(*count, NONE);
        let key = |row: usize| {
            let row = &rows[row * *arity..];
            index.columns.iter().map(move |&c| row[c])
        };
        for row in (0..*count).rev() {
            let mut at = hash(key(row)) & (size - 1);
            while index.slots[at] != 0 && !key(index.slots[at] as usize - 1).eq(key(row)) {
                at = (at + 1) & (size - 1);
            }
            index.next[row] = index.slots[at].checked_sub(1).unwrap_or(NONE);
            index.slots[at] = row as u32 + 1;
        }
        index.is_built = true;
    }

    /// Returns the number of distinct values in each column.
    pub fn spread(&self) -> Vec<usize> {
        let column = |c: usize| (0..self.count).map(move |r| self.rows[r * self.arity + c]);
        (0..self.arity).map(|c| column(c).collect::<FxHashSet<_>>().len()).collect()
    }
}

/// Returns a hash of a key, for a table whose size is a power of two.
#[inline]
pub(crate) fn hash(key: impl Iterator<Item = TermId>) -> usize {
    let mut state = 0u64;
    for term in key {
        state = (state.rotate_left(5) ^ u64::from(term.0)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    (state >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_any_columns_in_their_order() {
        let mut table = Extension::new(3);
        for i in 0..100 {
            table.push(&[TermId(i), TermId(i % 7), TermId(i % 3)]);
        }
        let index = table.index(&[1, 2]);
        let mut found = Vec::new();
        let mut row = table.first(index, &[TermId(4), TermId(1)]);
        while row != NONE {
            found.push(row);
            row = table.next(index, row);
        }
        assert_eq!(found, [4, 25, 46, 67, 88]);
        assert_eq!(table.first(index, &[TermId(7), TermId(1)]), NONE);
        assert_eq!(table.spread(), [100, 7, 3]);
        table.clear();
        assert_eq!(table.first(index, &[TermId(4), TermId(1)]), NONE);
    }
}
