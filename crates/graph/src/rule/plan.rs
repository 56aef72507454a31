//! Search planning: known slots first, then the rarest elements.
//!
//! The planner is greedy. Every constraint whose slots are known is checked, the cheapest
//! first. Otherwise the edge or node with the fewest expected candidates is searched for, based
//! on counts from the start graph. For labels and types that only occur during play, the rules
//! that create them show at which kinds of nodes to expect them.

use super::constraints::Constraint;
use super::{LabelRef, Rule, Slot, Step};
use crate::vocabulary::{FLAG, LabelId, Vocabulary};

/// How often labels and types occur in the start graph.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    /// For each label by its dense index: the numbers of edges, of distinct sources, and of distinct targets.
    labels: Vec<(f64, f64, f64)>,
    types: Vec<f64>,
    nodes: f64,
    /// For labels that are not in the start graph, by dense index: the expected numbers of
    /// sources and targets.
    expected: Vec<Option<(f64, f64)>>,
}

impl Statistics {
    /// Computes the counts of a start graph.
    pub fn of(host: &crate::host::Host, vocabulary: &Vocabulary) -> Statistics {
        let count = vocabulary.dense_count();
        let mut ends: Vec<(f64, Vec<u32>, Vec<u32>)> = vec![(0.0, Vec::new(), Vec::new()); count];
        for edge in &host.edges {
            let entry = &mut ends[vocabulary.dense(edge.label)];
            entry.0 += 1.0;
            entry.1.push(edge.a.0);
            entry.2.push(edge.b.0);
        }
        let different = |mut list: Vec<u32>| {
            list.sort_unstable();
            list.dedup();
            list.len() as f64
        };
        let labels = ends.into_iter().map(|(n, a, b)| (n, different(a), different(b))).collect();
        let mut types = vec![0.0; vocabulary.type_count()];
        host.types.iter().for_each(|&kind| types[kind as usize] += 1.0);
        Statistics { labels, types, nodes: host.types.len() as f64, expected: Vec::new() }
    }

    /// Learns from the rules what will be created during play.
    pub fn learn(&mut self, rules: &[Rule], vocabulary: &Vocabulary) {
        let some = self.some();
        for rule in rules {
            for (_, kind) in rule.levels.iter().flat_map(|level| &level.new_nodes) {
                let count = &mut self.types[*kind as usize];
                *count = count.max(some);
            }
        }
        let mut expected: Vec<Option<(f64, f64)>> = vec![None; vocabulary.dense_count()];
        for rule in rules {
            let created = |slot: usize| {
                let levels = rule.levels.iter();
                levels.flat_map(|level| &level.new_nodes).any(|(new, _)| *new == slot)
            };
            let ends = |slot: usize| match &rule.slots[slot] {
                _ if created(slot) => some,
                Slot::Node(Some(allowed)) => self.of_types(allowed),
                _ => self.nodes,
            };
            for (label, a, b) in rule.levels.iter().flat_map(|level| &level.new_edges) {
                if let LabelRef::Fixed(label) = label {
                    let known = &mut expected[vocabulary.dense(*label)];
                    let (sources, targets) = known.unwrap_or((1.0, 1.0));
                    *known = Some((sources.max(ends(*a)), targets.max(ends(*b))));
                }
            }
        }
        self.expected = expected;
    }

    /// Returns the estimated number of elements that are not in the start graph.
    fn some(&self) -> f64 {
        self.nodes / 2.0 + 1.0
    }

    fn of_types(&self, allowed: &[bool]) -> f64 {
        let kinds = self.types.iter().zip(allowed);
        kinds.filter(|(_, allowed)| **allowed).map(|(count, _)| count).sum()
    }

    fn edges(&self, dense: usize) -> (f64, f64, f64) {
        let (count, sources, targets) = self.labels.get(dense).copied().unwrap_or_default();
        if count > 0.0 {
            return (count, sources, targets);
        }
        let some = self.some();
        match self.expected.get(dense).copied().flatten() {
            Some((sources, targets)) => (some, sources.min(some), targets.min(some)),
            None => (some, 2.0, some),
        }
    }
}

/// A slot that nothing determines.
#[derive(Debug)]
pub(super) struct Undetermined(pub(super) usize);

/// Orders constraints into a plan. `known` marks the slots filled before, and on return those filled after.
pub(super) fn plan(
    mut open: Vec<Constraint>,
    known: &mut [bool],
    slots: &[Slot],
    statistics: &Statistics,
    vocabulary: &Vocabulary,
) -> Result<Vec<Step>, Undetermined> {
    let mut steps = Vec::new();
    loop {
        open.retain(|constraint| !matches!(constraint, Constraint::Node(slot) if known[*slot]));
        if open.is_empty() {
            return Ok(steps);
        }
        let ready = |constraint: &Constraint| constraint.slots().iter().all(|&slot| known[slot]);
        let check = (0..open.len()).filter(|&at| ready(&open[at])).min_by_key(|&at| (open[at].price(), at));
        let chosen = match check {
            Some(at) => at,
            None => {
                let cost = |constraint: &Constraint| cost(constraint, known, slots, statistics, vocabulary);
                let best = (0..open.len())
                    .filter_map(|at| Some((cost(&open[at])?, at)))
                    .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                match best {
                    Some((_, at)) => at,
                    None => {
                        let missing = open.iter().flat_map(Constraint::inputs).find(|&slot| !known[slot]);
                        return Err(Undetermined(missing.unwrap_or(0)));
                    }
                }
            }
        };
        let constraint = open.remove(chosen);
        let filled = constraint.slots();
        let mut failed = None;
        let step = constraint.step(known, |inner, own| {
            let mut inside = known.to_vec();
            own.iter()
                .filter(|&&slot| !matches!(slots[slot], Slot::Data(_)))
                .for_each(|&slot| inside[slot] = false);
            match plan(inner, &mut inside, slots, statistics, vocabulary) {
                Ok(steps) => steps,
                Err(undetermined) => {
                    failed = Some(undetermined);
                    Vec::new()
                }
            }
        });
        if let Some(undetermined) = failed {
            return Err(undetermined);
        }
        filled.into_iter().for_each(|slot| known[slot] = true);
        steps.push(step);
    }
}

/// Returns the expected number of candidates of a search step, or `None` if it cannot be searched for yet.
fn cost(
    constraint: &Constraint,
    known: &[bool],
    slots: &[Slot],
    statistics: &Statistics,
    vocabulary: &Vocabulary,
) -> Option<f64> {
    let edge = |label: LabelId, a: usize, b: usize| {
        let (count, sources, targets) = statistics.edges(vocabulary.dense(label));
        let flag = label & FLAG != 0;
        match (known[a], known[b]) {
            (true, true) => 0.1,
            (true, false) => count / sources.max(1.0),
            (false, true) => count / targets.max(1.0),
            // A flag that is not in the start graph is expected to mark few nodes.
            (false, false) if flag && statistics.labels[vocabulary.dense(label)].0 == 0.0 => 1.5,
            (false, false) => count,
        }
    };
    match constraint {
        Constraint::Node(slot) => {
            let count: f64 = match &slots[*slot] {
                Slot::Node(Some(allowed)) => statistics.of_types(allowed),
                _ => statistics.nodes,
            };
            Some(count.max(1.0) + 0.5)
        }
        Constraint::Edge(label, a, b) => Some(edge(*label, *a, *b)),
        Constraint::Wild(labels, _, a, b) => {
            Some(labels.iter().map(|&label| edge(label, *a, *b)).sum::<f64>() + 1.0)
        }
        Constraint::Path(_, a, b) => {
            // Checking a path between two known ends takes as much work as finding all its ends
            // from one of them.
            let known = known[*a] || known[*b];
            Some(if known { 4.0 } else { statistics.nodes * statistics.nodes + 1000.0 })
        }
        Constraint::Eval(expr, _) => {
            let mut ready = true;
            expr.slots(&mut |slot| ready &= known[slot]);
            ready.then_some(0.2)
        }
        _ => None,
    }
}
