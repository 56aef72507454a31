//! A circuit laid out for single states.
//!
//! A conjunction of conjunctions is one gate, which counts the inputs that do not hold: it holds while the
//! count is zero. A wire that flips increments or decrements the counts of the gates that read it, and only a
//! count that reaches or leaves zero propagates further. The outputs (whether a move is legal, the next value
//! of a fluent) are *sinks*, gates without readers. They never propagate, and those of a role's moves are
//! adjacent, so that the zeros among 64 counts are 64 answers.

use std::sync::Arc;

use game::{Goal, MoveId};

use super::layout::Layout;
use super::sketch::{Plans, Sketch};
use crate::circuit::{Lit, Node, mark_cone};

/// A node of a net, possibly inverted: fluents, then gates, then the constant true, then sinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wire(pub u32);

impl Wire {
    /// A wire that is computed only on demand.
    pub const NONE: Wire = Wire(u32::MAX);

    #[inline]
    pub fn new(node: usize, inverted: bool) -> Wire {
        Wire((node as u32) << 1 | u32::from(inverted))
    }

    #[inline]
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    #[inline]
    pub fn invert_if(self, inverted: bool) -> Wire {
        Wire(self.0 ^ u32::from(inverted))
    }
}

/// A next value that depends on the state when a move is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Condition {
    pub fluent: u32,
    pub wire: Wire,
    pub lit: Lit,
}

/// The changes made by the moves of the only role that has a choice.
#[derive(Default)]
pub(crate) struct Steps {
    pub role: usize,
    /// For each candidate, the ends of its masks and of its conditions.
    pub ends: Vec<(u32, u32)>,
    /// Words of the state, with the bits that stay and the bits that are set.
    pub masks: Vec<(u32, u64, u64)>,
    pub conditions: Vec<Condition>,
}

/// What a net keeps up to date from state to state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Which moves are legal, and the next state if no set of moves holds.
    Lazy,
    /// The same, and everything that the moves of the only role with a choice depend on.
    Eager,
    /// The next state, with the sets of moves as inputs: a move is made by flipping the sets that contain it,
    /// and undone by flipping them back. What a move does not change costs nothing, however much could depend
    /// on it.
    Reactive,
}

/// The gates of a net, their readers, and the graph behind them.
pub(crate) struct Core {
    /// For each fluent and gate, where its readers begin. They end where the next ones begin.
    pub starts: Vec<u32>,
    /// The readers, as wires that are inverted if they read the inverse. Each list is padded to a multiple of
    /// four.
    pub edges: Vec<Wire>,
    /// The number of inputs of each node that do not hold in the empty state. The count of a fluent is its
    /// own negation.
    pub counts: Vec<u8>,
    /// The first sink.
    pub sinks: usize,
    /// The first set of moves, if sets are inputs.
    pub first_set: Option<usize>,
    /// The number of sets.
    pub sets: usize,
    /// The graph, for wires that are computed on demand.
    pub nodes: Vec<Node>,
    pub wires: Vec<Wire>,
}

/// The circuit of one phase, with everything precomputed that does not change.
pub(crate) struct Net {
    /// The gates, which several phases may share.
    pub core: Arc<Core>,
    /// For each role, the sink of its first candidate.
    pub legal: Vec<usize>,
    /// Words of the state with restless fluents, and the first sink of each word.
    pub restless: Vec<(usize, usize)>,
    /// For each word, the fluents that keep their values unless a move changes them, and those that hold next
    /// in any state.
    pub staying: Vec<(u64, u64)>,
    pub candidates: Vec<Vec<u32>>,
    /// For each role and move of the game, its place among the candidates.
    pub places: Vec<Vec<u32>>,
    pub terminal: Wire,
    pub steps: Option<Steps>,
    pub goals: Vec<Vec<(Goal, Lit)>>,
    pub percepts: Vec<Vec<Lit>>,
    pub next: Vec<Lit>,
    pub sets_of: Vec<Vec<Vec<u32>>>,
    pub fluents_of: Vec<Vec<u32>>,
}

/// The place of a move that is not a candidate.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// The next values of the fluents in one phase.
struct Future {
    /// For each word, the fluents that keep their values unless a move changes them, and those that hold
    /// next.
    staying: Vec<(u64, u64)>,
    /// All other fluents.
    restless: Vec<(usize, Lit)>,
}

impl Future {
    fn new(nodes: &[Node], still: &[Lit]) -> Future {
        let stays = |f: usize| !still[f].is_inverted() && nodes[still[f].node()] == Node::Fluent(f as u32);
        let mut staying = vec![(0u64, 0u64); still.len().div_ceil(64)];
        let mut restless = Vec::new();
        for f in 0..still.len() {
            let bit = 1 << (f % 64);
            match still[f] {
                _ if stays(f) => staying[f / 64].0 |= bit,
                Lit::TRUE => staying[f / 64].1 |= bit,
                Lit::FALSE => {}
                lit => restless.push((f, lit)),
            }
        }
        Future { staying, restless }
    }

    /// Adds sinks for the restless fluents, word by word.
    fn rows(&self, layout: &mut Layout<'_>) -> Vec<(usize, usize)> {
        let mut rows = Vec::new();
        for word in 0..self.staying.len() {
            let own = |place: usize| self.restless.binary_search_by_key(&(word * 64 + place), |r| r.0).ok();
            if (0..64).any(|place| own(place).is_some()) {
                rows.push((word, layout.row(64, |place| own(place).map(|r| self.restless[r].1))));
            }
        }
        rows
    }
}

impl Net {
    /// Lays out a circuit. Only the reactive kind is possible for every sketch.
    pub fn new(sketch: &Sketch, kind: Kind, move_counts: &[usize]) -> Net {
        let mut nets = Net::lay(std::slice::from_ref(sketch), kind, move_counts);
        nets.swap_remove(0)
    }

    /// Lays out sketches of one graph together, one net for each.
    pub fn lay(sketches: &[Sketch], kind: Kind, move_counts: &[usize]) -> Vec<Net> {
        let aig = &sketches[0].aig;
        let (eager, reactive) = (kind == Kind::Eager, kind == Kind::Reactive);
        let fluents = sketches[0].outputs.next.len();
        let nodes: Vec<Node> = (0..aig.len()).map(|n| aig.node(n)).collect();
        let still = |s: &Sketch| match &s.still {
            Some(still) if !reactive => Future::new(&nodes, still),
            _ => Future::new(&nodes, &s.outputs.next),
        };
        let futures: Vec<Future> = sketches.iter().map(still).collect();
        let mut in_rows: Vec<Lit> =
            sketches.iter().flat_map(|s| s.outputs.legal.iter().flatten()).copied().collect();
        in_rows.extend(futures.iter().flat_map(|f| &f.restless).map(|(_, lit)| *lit));
        let planned = sketches.iter().filter(|_| !reactive).filter_map(|s| s.plans.as_ref());
        let planned = planned.flat_map(|p| p.changes.iter().flatten().map(|&(_, lit)| lit));
        let mut planned: Vec<Lit> = planned.filter(|lit| !lit.is_constant()).collect();
        planned.sort_unstable();
        planned.dedup();
        let mut terminal: Vec<Lit> = sketches.iter().map(|s| s.outputs.terminal).collect();
        terminal.sort_unstable();
        terminal.dedup();
        let mut followed = vec![false; nodes.len()];
        let roots = in_rows.iter().chain(&terminal).chain(planned.iter().filter(|_| eager));
        roots.for_each(|lit| followed[lit.node()] = true);
        mark_cone(aig, &mut followed);
        planned.retain(|lit| followed[lit.node()]);
        let others: Vec<Lit> = planned.iter().chain(&terminal).copied().collect();
        let mut asked: Vec<Lit> = Vec::new();
        for outputs in sketches.iter().map(|s| &s.outputs) {
            asked.extend(outputs.goals.iter().flatten().map(|(_, lit)| lit));
            asked.extend(outputs.percepts.iter().flatten());
            asked.extend(outputs.next.iter().filter(|_| !reactive));
        }
        let sets = if reactive { sketches[0].sets } else { 0 };
        let mut layout = Layout::new(&nodes, followed, (fluents, sets), &in_rows, &others, &asked);
        let terminal: rustc_hash::FxHashMap<Lit, Wire> =
            terminal.iter().map(|&lit| (lit, layout.sink(lit))).collect();
        let mut rows = Vec::new();
        for (sketch, future) in sketches.iter().zip(&futures) {
            let legal = &sketch.outputs.legal;
            let legal: Vec<usize> =
                legal.iter().map(|list| layout.row(list.len(), |place| Some(list[place]))).collect();
            rows.push((legal, future.rows(&mut layout)));
        }
        let sinks: rustc_hash::FxHashMap<Lit, Wire> =
            planned.iter().map(|&lit| (lit, layout.sink(lit))).collect();
        let laid = layout.finish();
        let core = Arc::new(Core {
            starts: laid.starts,
            edges: laid.edges,
            counts: laid.counts,
            sinks: laid.sinks,
            first_set: reactive.then_some(fluents),
            sets: sketches[0].sets,
            wires: laid.wires,
            nodes,
        });
        let mut nets = Vec::new();
        for ((sketch, future), (legal, restless)) in sketches.iter().zip(futures).zip(rows) {
            let plans = sketch.plans.as_ref().filter(|_| !reactive);
            nets.push(Net {
                core: Arc::clone(&core),
                legal,
                restless,
                staying: future.staying,
                places: places(&sketch.candidates, move_counts),
                candidates: sketch.candidates.clone(),
                terminal: terminal[&sketch.outputs.terminal],
                steps: plans.map(|plans| steps(plans, |lit| sinks.get(&lit).copied())),
                goals: sketch.outputs.goals.clone(),
                percepts: sketch.outputs.percepts.clone(),
                next: sketch.outputs.next.clone(),
                sets_of: sketch.sets_of.clone(),
                fluents_of: sketch.fluents_of.clone(),
            });
        }
        nets
    }

    /// Returns `true` if the conditions of some moves are not kept up to date.
    pub fn is_lazy(&self) -> bool {
        self.steps.iter().flat_map(|s| &s.conditions).any(|c| c.wire == Wire::NONE)
    }

    /// Returns `true` if all these moves are candidates.
    #[inline]
    pub fn allows(&self, joint: &[MoveId]) -> bool {
        for (role, m) in joint.iter().enumerate() {
            if self.places[role][m.0 as usize] == NOWHERE {
                return false;
            }
        }
        true
    }
}

fn places(candidates: &[Vec<u32>], move_counts: &[usize]) -> Vec<Vec<u32>> {
    let mut places: Vec<Vec<u32>> = move_counts.iter().map(|&n| vec![NOWHERE; n]).collect();
    for (own, list) in places.iter_mut().zip(candidates) {
        (0..).zip(list).for_each(|(place, &m)| own[m as usize] = place);
    }
    places
}

fn steps(plans: &Plans, sink: impl Fn(Lit) -> Option<Wire>) -> Steps {
    let mut steps = Steps { role: plans.role, ..Steps::default() };
    for changes in &plans.changes {
        let mut masks: Vec<(u32, u64, u64)> = Vec::new();
        for &(fluent, lit) in changes {
            let (word, bit) = (fluent / 64, 1u64 << (fluent % 64));
            if !lit.is_constant() {
                let wire = sink(lit).unwrap_or(Wire::NONE);
                steps.conditions.push(Condition { fluent, wire, lit });
                continue;
            }
            if masks.last().is_none_or(|m| m.0 != word) {
                masks.push((word, u64::MAX, 0));
            }
            let mask = masks.last_mut().expect("one was pushed");
            mask.1 &= !bit;
            if lit == Lit::TRUE {
                mask.2 |= bit;
            }
        }
        steps.masks.extend(masks);
        steps.ends.push((steps.masks.len() as u32, steps.conditions.len() as u32));
    }
    steps
}
