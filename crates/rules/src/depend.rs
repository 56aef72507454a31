//! Which relation depends on which, and the order this gives.

use gdl::{Diagnostic, Span};

use crate::normalise::Normal;
use crate::split::split;
use crate::{Keyword, Literal, RelationId, Rules, Strictness};

/// Relations that depend on each other, evaluated together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// The relations, in the order of their numbers.
    pub relations: Vec<RelationId>,
    /// Whether some rule of the component reads a relation of the component.
    pub recursive: bool,
}

/// One relation read by another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dependence {
    /// The relation read.
    pub on: RelationId,
    /// Whether under negation.
    pub negative: bool,
    /// The rule that reads it.
    pub rule: usize,
}

/// Orders relations by dependence and marks what depends on state and moves.
///
/// A lenient sheet may be stratified only when its constants are told apart;
/// see [`split`].
pub(crate) fn order(
    mut normal: Normal,
    strictness: Strictness,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Rules> {
    let mut first = true;
    loop {
        let edges = edges(&normal);
        let groups = components(&edges);
        let cycles = negative_cycles(&edges, &groups);
        if cycles.is_empty() {
            return Some(finish(normal, &edges, groups));
        }
        let mut involved: Vec<RelationId> = cycles.iter().flat_map(|(r, d)| [*r, d.on]).collect();
        involved.sort_unstable();
        involved.dedup();
        let splits = strictness == Strictness::Lenient && split(&mut normal, &involved);
        if first || !splits {
            for (relation, edge) in &cycles {
                let report = if splits { Diagnostic::warning } else { Diagnostic::error };
                diagnostics.push(unstratified(&normal, *relation, edge, report));
            }
        }
        if !splits {
            return None;
        }
        first = false;
    }
}

fn unstratified(
    normal: &Normal,
    relation: RelationId,
    edge: &Dependence,
    report: fn(&'static str, Span, String) -> Diagnostic,
) -> Diagnostic {
    let name = &normal.relations[relation.index()].name;
    let other = &normal.relations[edge.on.index()].name;
    let message = format!("`{name}` depends on the negation of `{other}`, which depends on `{name}`");
    report("unstratified", normal.rules[edge.rule].span, message)
        .remedy("break the cycle: no relation may depend on its own negation")
}

fn edges(normal: &Normal) -> Vec<Vec<Dependence>> {
    let mut edges: Vec<Vec<Dependence>> = vec![Vec::new(); normal.relations.len()];
    for (number, rule) in normal.rules.iter().enumerate() {
        for literal in &rule.body {
            if let Some(atom) = literal.atom() {
                let negative = matches!(literal, Literal::Negative(_));
                edges[rule.head.relation.index()].push(Dependence { on: atom.relation, negative, rule: number });
            }
        }
    }
    edges
}

/// The negative dependences within a component.
fn negative_cycles(edges: &[Vec<Dependence>], groups: &[Vec<usize>]) -> Vec<(RelationId, Dependence)> {
    let mut cycles = Vec::new();
    let mut group_of = vec![0; edges.len()];
    for (number, group) in groups.iter().enumerate() {
        group.iter().for_each(|&r| group_of[r] = number);
    }
    for (relation, list) in edges.iter().enumerate() {
        for edge in list {
            if edge.negative && group_of[edge.on.index()] == group_of[relation] {
                cycles.push((RelationId(relation as u32), *edge));
            }
        }
    }
    cycles
}

fn finish(normal: Normal, edges: &[Vec<Dependence>], groups: Vec<Vec<usize>>) -> Rules {
    let Normal { symbols, mut relations, rules, roles } = normal;
    relations[Keyword::True.id().index()].depends_on_true = true;
    relations[Keyword::Does.id().index()].depends_on_does = true;
    let mut ordered = Vec::with_capacity(groups.len());
    for group in groups {
        let (mut recursive, mut on_true, mut on_does) = (false, false, false);
        for &relation in &group {
            on_true |= relations[relation].depends_on_true;
            on_does |= relations[relation].depends_on_does;
            for edge in &edges[relation] {
                on_true |= relations[edge.on.index()].depends_on_true;
                on_does |= relations[edge.on.index()].depends_on_does;
                recursive |= group.contains(&edge.on.index());
            }
        }
        for &relation in &group {
            relations[relation].depends_on_true = on_true;
            relations[relation].depends_on_does = on_does;
        }
        let relations = group.iter().map(|&r| RelationId(r as u32)).collect();
        ordered.push(Component { relations, recursive });
    }
    Rules { symbols, relations, rules, roles, components: ordered }
}

/// Tarjan's strongly connected components, each after all it depends on, without recursion.
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
