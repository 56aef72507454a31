//! The structure of a game, proven from its ground rules and its circuit.
//!
//! Turns follow from the rules themselves. Step counters, constant sums, independent parts and aims follow
//! from the circuit, symmetries from the ground rules. Everything is bounded by counted work, never by a
//! clock, so the same rules always have the same structure.

mod aim;
mod clock;
mod flat;
mod parts;
mod program;
mod refine;
mod still;
mod sums;
mod symmetry;

use std::sync::Arc;

use game::Structure;
use rules::Rules;

use crate::Making;
use crate::circuit::{Aig, Circuits, Lit, Node};
use crate::ground::{Declared, Ground, GroundLimits};

/// The number of ground rules above which only turns are determined.
const LARGEST: usize = 400_000;

/// Finds the structure of rules. Fluents and moves have the same numbers as in a game that was grounded
/// without bounds, or within the declarations of the sheet.
pub(crate) fn find(rules: &Arc<Rules>, declared: Declared) -> Structure {
    let turns =
        rules.control().iter().any(|control| control.takes_turns(&rules.roles)) || rules.roles.len() == 1;
    let mut structure = Structure { turns, ..Structure::default() };
    let ground = match declared {
        Declared::Bounds { .. } => Ground::declared(Arc::clone(rules), &Making::default()),
        _ => Ground::new(Arc::clone(rules), GroundLimits::default()),
    };
    let Ok(ground) = ground else { return structure };
    if ground.instance_count() > LARGEST {
        return structure;
    }
    // These circuits are correct in every state, and their fluents have the numbers of the ground rules.
    let circuits = Circuits::plain(&ground);
    structure.constant_sum = sums::constant_sum(&circuits);
    structure.clock = clock::clock(&ground, &circuits);
    structure.parts = parts::parts(&ground, &circuits, structure.clock.as_ref());
    structure.aims = aim::aims(&circuits);
    structure.symmetries = symmetry::symmetries(&ground, &circuits.known);
    structure
}

/// The fluents and sets of moves that wires depend on, by number. `regions` is set if they also depend on a
/// region.
struct Support {
    fluents: Vec<u32>,
    sets: Vec<u32>,
    nodes: usize,
    regions: bool,
}

impl Support {
    fn of(aig: &Aig, wires: impl IntoIterator<Item = Lit>) -> Support {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work: Vec<usize> = wires.into_iter().map(Lit::node).collect();
        let mut found = Support { fluents: Vec::new(), sets: Vec::new(), nodes: 0, regions: false };
        let mut opened = rustc_hash::FxHashSet::default();
        while let Some(node) = work.pop() {
            if !seen.insert(node) {
                continue;
            }
            found.nodes += 1;
            match aig.node(node) {
                Node::False => {}
                Node::Fluent(fluent) => found.fluents.push(fluent),
                Node::Set(set) => found.sets.push(set),
                Node::And(a, b) => work.extend([a.node(), b.node()]),
                Node::Latch(region, _) => {
                    found.regions = true;
                    if opened.insert(region) {
                        work.extend(aig.regions[region as usize].values.iter().map(|wire| wire.node()));
                    }
                }
            }
        }
        found.fluents.sort_unstable();
        found.sets.sort_unstable();
        found
    }
}
