//! The dependence graph of relations, and the evaluation order it implies.

use crate::normalise::Normal;
use crate::{Keyword, Literal, Relation, RelationId, Rule, Term};

/// Mutually dependent relations, which are evaluated together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// The relations, sorted by number.
    pub relations: Vec<RelationId>,
    /// Whether some rule of the component reads a relation of the component.
    pub recursive: bool,
}

/// An edge of the dependence graph: one relation read by another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dependence {
    /// The relation read.
    pub on: RelationId,
    /// Whether it must be evaluated completely first, because it is read under negation or under `knows`.
    pub negative: bool,
    /// The rule that reads it.
    pub rule: usize,
    /// The position in the rule's body of the literal that reads it.
    pub literal: usize,
}

/// The dependence graph of a sheet's relations.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    /// The relations that each relation reads.
    pub edges: Vec<Vec<Dependence>>,
    /// The strongly connected components, each after all those it depends on.
    pub components: Vec<Component>,
    /// The component of each relation.
    pub component_of: Vec<usize>,
}

impl Graph {
    /// Builds the dependence graph of a sheet's rules.
    pub fn new(normal: &Normal) -> Graph {
        let mut edges: Vec<Vec<Dependence>> = vec![Vec::new(); normal.relations.len()];
        for (number, rule) in normal.rules.iter().enumerate() {
            for (literal, negative, on) in reads(normal, rule) {
                edges[rule.head.relation.index()].push(Dependence { on, negative, rule: number, literal });
            }
        }
        let groups = components(&edges);
        let mut component_of = vec![0; edges.len()];
        for (number, group) in groups.iter().enumerate() {
            group.iter().for_each(|&r| component_of[r] = number);
        }
        let components = groups
            .into_iter()
            .enumerate()
            .map(|(number, group)| Component {
                recursive: group
                    .iter()
                    .any(|&r| edges[r].iter().any(|e| component_of[e.on.index()] == number)),
                relations: group.into_iter().map(|r| RelationId(r as u32)).collect(),
            })
            .collect();
        Graph { edges, components, component_of }
    }

    /// Returns the edges that lie on a cycle through negation or knowledge, each with the
    /// relation of its head.
    pub fn negative_cycles(&self) -> Vec<(RelationId, Dependence)> {
        let mut found = Vec::new();
        for (relation, edges) in self.edges.iter().enumerate() {
            let group = self.component_of[relation];
            let closing = edges.iter().filter(|e| e.negative && self.component_of[e.on.index()] == group);
            found.extend(closing.map(|e| (RelationId(relation as u32), *e)));
        }
        found
    }

    /// Returns, for each relation, whether it is or depends on one of `sources`.
    pub fn depending_on(&self, sources: &[Keyword]) -> Vec<bool> {
        let mut depends = vec![false; self.edges.len()];
        sources.iter().for_each(|k| depends[k.id().index()] = true);
        for component in &self.components {
            let reads = |r: &RelationId| {
                depends[r.index()] || self.edges[r.index()].iter().any(|e| depends[e.on.index()])
            };
            if component.relations.iter().any(reads) {
                component.relations.iter().for_each(|r| depends[r.index()] = true);
            }
        }
        depends
    }

    /// Marks the relations that depend on the state or on the moves made. Knowledge counts as
    /// part of the state.
    pub fn mark(&self, relations: &mut [Relation]) {
        let knowledge = [Keyword::Knows, Keyword::CommonKnowledge];
        let on_true = self.depending_on(&[Keyword::True, knowledge[0], knowledge[1]]);
        let on_does = self.depending_on(&[Keyword::Does]);
        for (number, relation) in relations.iter_mut().enumerate() {
            relation.depends_on_true = on_true[number];
            relation.depends_on_does = on_does[number];
        }
    }
}

/// Returns what a rule reads: the position of the literal, whether the dependence is negative,
/// and the relation. `(knows r (p …))` reads `knows` and, as if negated, `p`.
fn reads<'n>(normal: &'n Normal, rule: &'n Rule) -> impl Iterator<Item = (usize, bool, RelationId)> + 'n {
    rule.body.iter().enumerate().flat_map(move |(position, literal)| {
        let atom = literal.atom();
        let read = atom.map(|a| (position, matches!(literal, Literal::Negative(_)), a.relation));
        let known = atom.and_then(|a| known(normal, a.relation, &a.arguments)).map(|p| (position, true, p));
        read.into_iter().chain(known)
    })
}

/// Returns the relation that a `knows` is about.
pub(crate) fn known(normal: &Normal, relation: RelationId, arguments: &[Term]) -> Option<RelationId> {
    if relation != Keyword::Knows.id() && relation != Keyword::CommonKnowledge.id() {
        return None;
    }
    let (name, arity) = match arguments.last()? {
        Term::Constant(name) => (*name, 0),
        Term::Function(name, inner) => (*name, inner.len()),
        Term::Variable(_) => return None,
    };
    normal.find(normal.symbols.full_name(name), arity)
}

/// Returns the strongly connected components, each after all those it depends on (Tarjan's
/// algorithm, without recursion).
fn components(edges: &[Vec<Dependence>]) -> Vec<Vec<usize>> {
    const NONE: usize = usize::MAX;
    let count = edges.len();
    let (mut index, mut low) = (vec![NONE; count], vec![0; count]);
    let mut on_stack = vec![false; count];
    let (mut stack, mut groups) = (Vec::new(), Vec::new());
    let mut next = 0;
    for root in 0..count {
        if index[root] != NONE {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some(&(node, position)) = work.last() {
            if position == 0 {
                index[node] = next;
                low[node] = next;
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(edge) = edges[node].get(position) {
                let target = edge.on.index();
                work.last_mut().expect("the node just looked at").1 += 1;
                if index[target] == NONE {
                    work.push((target, 0));
                } else if on_stack[target] {
                    low[node] = low[node].min(index[target]);
                }
                continue;
            }
            work.pop();
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                let mut group = Vec::new();
                loop {
                    let member = stack.pop().expect("the component's root is on the stack");
                    on_stack[member] = false;
                    group.push(member);
                    if member == node {
                        break;
                    }
                }
                group.sort_unstable();
                groups.push(group);
            }
        }
    }
    groups
}
