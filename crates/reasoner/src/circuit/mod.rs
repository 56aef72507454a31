//! Ground rules as an and-inverter graph.
//!
//! Wires are fluents, moves and gates; a gate is the conjunction of two wires,
//! each possibly inverted, and equal gates exist once. Since exactly one move
//! per role is made in a step, a disjunction of moves is a set: sets of one
//! role are joined and intersected as such, and a large one is the negation of
//! the few others.

mod aig;
mod build;
mod constant;
mod phase;
mod restrict;

use crate::ground::Ground;
pub use aig::{Aig, Lit, Node, Region};
pub use build::{Allowed, Circuit, Outputs};
pub use phase::Phases;
pub(crate) use restrict::{Restricted, mark_cone};

/// Circuits of one game: a general one, and one for each phase.
#[derive(Debug)]
pub struct Circuits {
    /// Known values of fluents that never change.
    pub known: Vec<Option<bool>>,
    /// The clock of the game.
    pub phases: Phases,
    /// The circuit for any state.
    pub general: Circuit,
    /// The circuits of the phases; empty where there is only one.
    pub special: Vec<Circuit>,
}

impl Circuits {
    /// Builds all circuits of ground rules.
    pub fn new(ground: &Ground) -> Circuits {
        Circuits::within(ground, Allowed::default()).expect("nothing is forbidden")
    }

    /// The same within limits for each; none where one takes longer or more gates.
    pub fn within(ground: &Ground, allowed: Allowed) -> Option<Circuits> {
        let build = |known: &[Option<bool>]| Circuit::build_within(ground, known, allowed);
        let first = build(&vec![None; ground.fluents.len()])?;
        let known = constant::constants(&first, &ground.initial);
        let general = if known.iter().any(Option::is_some) { build(&known)? } else { first };
        let phases = Phases::find(&general, &ground.initial, &known);
        let mut special = Vec::new();
        for phase in &phases.values {
            let mut known = known.clone();
            for (&fluent, &value) in phases.fluents.iter().zip(phase) {
                known[fluent as usize] = Some(value);
            }
            special.push(build(&known)?);
        }
        Some(Circuits { known, phases, general, special })
    }
}
