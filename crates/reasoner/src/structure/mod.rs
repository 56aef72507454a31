//! What is proven of a game by its ground rules and its circuit.
//!
//! Turns come from the rules themselves, step counters, constant sums,
//! independent parts and what an end needs from the circuit, symmetries from the
//! ground rules. All of it is bounded by counts of work, never by a clock, so
//! that the same rules always have the same structure.

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

/// Ground rules above which nothing but turns is looked for.
const LARGEST: usize = 400_000;

/// Finds the structure of rules. Fluents and moves have the numbers they have in a game
/// that was ground without bounds, or within what the sheet declares.
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
    // What is proven here holds in every state, and fluents have the numbers they have there.
    let circuits = Circuits::plain(&ground);
    structure.constant_sum = sums::constant_sum(&circuits);
    structure.clock = clock::clock(&ground, &circuits);
    structure.parts = parts::parts(&ground, &circuits, structure.clock.as_ref());
    structure.aims = aim::aims(&circuits);
    structure.symmetries = symmetry::symmetries(&ground, &circuits.known);
    structure
}

/// The fluents and sets of moves that wires depend on, by number; the second
/// is none where a region is among what they depend on.
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
