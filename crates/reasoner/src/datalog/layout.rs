//! The assignment of relations to tables.
//!
//! An ordinary relation has one table. The keywords whose last argument is a fluent, a move or a percept have
//! one table per functor of that argument, with the functor's arguments as columns, so that
//! `(true (cell ?x ?y b))` is an indexed lookup by `b`. If a rule reads such a keyword with a variable in
//! that place, an additional table contains the whole terms.

use rules::{Keyword, RelationId, Symbol};
use rustc_hash::FxHashMap;

use super::table::Table;

/// The number of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TableId(pub u32);

impl TableId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Returns `true` if a relation has one table per functor of its last argument.
pub(crate) fn is_split(relation: RelationId) -> bool {
    let split = [
        Keyword::True,
        Keyword::Next,
        Keyword::Init,
        Keyword::Does,
        Keyword::Legal,
        Keyword::Sees,
        Keyword::Knows,
        Keyword::CommonKnowledge,
    ];
    split.iter().any(|k| k.id() == relation)
}

/// All tables of an interpreter.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layout {
    pub tables: Vec<Table>,
    /// For each table of a split relation, the functor of its rows.
    pub functors: Vec<Option<Symbol>>,
    /// Relations whose rows are stored in the tables of another.
    aliases: Vec<(RelationId, RelationId)>,
    plain: FxHashMap<RelationId, TableId>,
    split: FxHashMap<(RelationId, Symbol, usize), TableId>,
    /// The tables of each split relation, in order of creation.
    parts: FxHashMap<RelationId, Vec<TableId>>,
}

impl Layout {
    /// Stores the rows of one split relation in the tables of another.
    pub fn alias(&mut self, relation: RelationId, of: RelationId) {
        self.aliases.push((relation, of));
    }

    fn family(&self, relation: RelationId) -> RelationId {
        self.aliases.iter().find(|(r, _)| *r == relation).map_or(relation, |(_, of)| *of)
    }

    fn add(&mut self, functor: Option<Symbol>, arity: usize) -> TableId {
        let id = TableId(self.tables.len() as u32);
        self.tables.push(Table::new(arity));
        self.functors.push(functor);
        id
    }

    /// Returns the table of a relation with this arity; for a split relation, the table of whole terms.
    pub fn plain(&mut self, relation: RelationId, arity: usize) -> TableId {
        let relation = self.family(relation);
        if let Some(&id) = self.plain.get(&relation) {
            return id;
        }
        let id = self.add(None, arity);
        self.plain.insert(relation, id);
        id
    }

    /// Returns the table of whole terms of a split relation, if some rule needs it.
    pub fn whole(&self, relation: RelationId) -> Option<TableId> {
        self.plain.get(&self.family(relation)).copied()
    }

    /// Returns the table of a split relation for a functor. `lead` columns precede the functor's arguments.
    pub fn split(&mut self, relation: RelationId, functor: Symbol, arity: usize, lead: usize) -> TableId {
        let relation = self.family(relation);
        if let Some(&id) = self.split.get(&(relation, functor, arity)) {
            return id;
        }
        let id = self.add(Some(functor), lead + arity);
        self.split.insert((relation, functor, arity), id);
        self.parts.entry(relation).or_default().push(id);
        id
    }

    /// Returns the tables of a split relation, one per functor.
    pub fn parts(&self, relation: RelationId) -> &[TableId] {
        self.parts.get(&self.family(relation)).map_or(&[], |v| v)
    }

    /// Returns the approximate memory of all rows, in words of four bytes.
    pub fn words(&self) -> usize {
        self.tables.iter().map(|t| t.len() * t.row_words()).sum()
    }

    pub fn clear(&mut self, relation: RelationId) {
        if let Some(&id) = self.plain.get(&relation) {
            self.tables[id.index()].clear();
        }
        if let Some(parts) = self.parts.get(&relation) {
            for id in parts {
                self.tables[id.index()].clear();
            }
        }
    }
}
