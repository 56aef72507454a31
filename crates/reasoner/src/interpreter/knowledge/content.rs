//! The relations that `knows` refers to, and their content in a state.

use game::Fault;
use rules::{Keyword, Literal, RelationId, Rules, Symbol, Term};

use super::super::engine::Engine;
use crate::TermId;
use crate::datalog::layout::is_split;

/// A relation whose content may be known by a role.
pub(super) struct Content {
    pub relation: RelationId,
    pub name: Symbol,
    /// Whether some rule reads that a role knows it, and that it is common knowledge.
    pub by_roles: bool,
    pub in_common: bool,
}

/// Returns the relations that `knows` refers to, each after all those it depends on.
pub(super) fn contents(rules: &Rules) -> Result<Vec<Content>, Fault> {
    let mut list: Vec<Content> = Vec::new();
    for atom in rules.rules.iter().flat_map(|rule| &rule.body).filter_map(Literal::atom) {
        let in_common = atom.relation == Keyword::CommonKnowledge.id();
        if !in_common && atom.relation != Keyword::Knows.id() {
            continue;
        }
        let (name, arity) = match atom.arguments.last() {
            Some(Term::Constant(name)) => (*name, 0),
            Some(Term::Function(name, inner)) => (*name, inner.len()),
            _ => continue,
        };
        let place = rules.relations.iter().position(|r| r.arity == arity && *r.name == *rules.name(name));
        // A relation without rules is empty, so nobody knows anything of it.
        let Some(place) = place else { continue };
        let relation = RelationId(place as u32);
        if is_split(relation) && relation != Keyword::True.id() && relation != Keyword::Legal.id() {
            let text =
                format!("`knows` cannot be applied to `{}`: define a relation for it.", rules.name(name));
            return Err(Fault::Unsupported(text));
        }
        let at = list.iter().position(|content| content.relation == relation).unwrap_or_else(|| {
            list.push(Content { relation, name, by_roles: false, in_common: false });
            list.len() - 1
        });
        list[at].by_roles |= !in_common;
        list[at].in_common |= in_common;
    }
    let order =
        |content: &Content| rules.components.iter().position(|c| c.relations.contains(&content.relation));
    list.sort_by_key(order);
    Ok(list)
}

/// Returns the content of a relation in the current state, as sorted terms.
pub(super) fn holds(engine: &mut Engine, content: &Content) -> Result<Vec<TermId>, Fault> {
    let relation = content.relation;
    if relation != Keyword::True.id() {
        engine.ask(relation)?;
    }
    let mut rows: Vec<Vec<TermId>> = Vec::new();
    if is_split(relation) {
        let lead = usize::from(relation == Keyword::Legal.id());
        for (table, row, term) in engine.machine.filed(relation, lead) {
            let leading = &engine.machine.layout.tables[table.index()].row(row)[..lead];
            rows.push([leading, &[term]].concat());
        }
    } else {
        let arity = engine.rules.relation(relation).arity;
        let table = engine.machine.layout.plain(relation, arity);
        rows.extend(engine.machine.layout.tables[table.index()].rows().map(<[TermId]>::to_vec));
    }
    let intern = |row: &Vec<TermId>| engine.machine.pool.intern(content.name, row);
    let mut terms: Vec<TermId> = rows.iter().map(intern).collect();
    terms.sort_unstable();
    Ok(terms)
}
