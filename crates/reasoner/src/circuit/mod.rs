//! Ground rules as an and-inverter graph.
//!
//! Wires are fluents, moves and gates; a gate is the conjunction of two wires,
//! each possibly inverted, and equal gates exist once. Since exactly one move
//! per role is made in a step, a disjunction of moves is a set: sets of one
//! role are joined and intersected as such, and a large one is the negation of
//! the few others.

mod aig;
mod build;
mod candidates;
mod constant;
mod exclusion;
mod facts;
mod induct;
mod phase;
mod restrict;
mod rewrite;
mod samples;
mod sat;
mod simulate;
mod store;
mod strays;
mod sweep;
#[cfg(test)]
mod tests;
mod window;

use crate::ground::Ground;
use crate::making::Stopped;
pub use aig::{Aig, Lit, Node, Region};
pub use build::{Allowed, Circuit, Outputs};
pub use facts::{Fact, Facts};
pub use phase::Phases;
pub(crate) use restrict::{Restricted, mark_cone};
pub use store::{Source, Store};
use strays::StrayWires;

/// Why there are no circuits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoCircuits {
    /// One takes more work or more gates than allowed.
    TooLarge,
    /// The deadline passed, or its stop token was raised.
    Stopped,
    /// What the sheet does not declare may come about: the rules must be ground without bounds.
    Strays,
}

impl From<Stopped> for NoCircuits {
    fn from(_: Stopped) -> NoCircuits {
        NoCircuits::Stopped
    }
}

/// Circuits of one game: a general one, and one for each phase.
#[derive(Debug)]
pub struct Circuits {
    /// Which fluents are stored, and what holds of all.
    pub store: Store,
    /// Known values of stored fluents that never change.
    pub known: Vec<Option<bool>>,
    /// The clock of the game.
    pub phases: Phases,
    /// The circuit for any state.
    pub general: Circuit,
    /// The circuits of the phases; empty where there is only one.
    pub special: Vec<Circuit>,
}

impl Circuits {
    /// Builds all circuits of ground rules without strays.
    pub fn new(ground: &Ground) -> Circuits {
        Circuits::within(ground, Allowed::default()).expect("nothing is forbidden")
    }

    /// Circuits that are as the rules say in every state, also in those that cannot be
    /// reached, as long as fluents that never change are as they always are. They store
    /// every fluent.
    pub fn plain(ground: &Ground) -> Circuits {
        let (general, known, _) = Circuits::first(ground, Allowed::default()).expect("nothing is forbidden");
        let store = Store::everything(ground.fluents.len());
        Circuits::phased(ground, store, known, general, Allowed::default()).expect("nothing is forbidden")
    }

    /// Circuits for the states that can be reached, within limits for each.
    pub fn within(ground: &Ground, allowed: Allowed<'_>) -> Result<Circuits, NoCircuits> {
        let (mut general, known, strays) = Circuits::first(ground, allowed)?;
        let is_bounded = !ground.strays.is_empty();
        if is_bounded && strays.come_up(&general, &ground.initial) {
            return Err(NoCircuits::Strays);
        }
        // What may be in vain may not take long.
        let work = if is_bounded { induct::WORK / 8 } else { induct::WORK };
        let facts = induct::facts(ground, &general, &known, work, allowed)?;
        if is_bounded {
            if !strays::never_hold(&general, &strays, &facts, allowed)? {
                return Err(NoCircuits::Strays);
            }
            general = sweep::compact(&general);
        }
        let mut circuits = Circuits::with_facts(ground, general, known, &facts, allowed)?;
        for circuit in std::iter::once(&mut circuits.general).chain(&mut circuits.special) {
            let nodes = circuit.aig.len();
            rewrite::rewrite(circuit, &|| allowed.look(nodes))?;
        }
        Ok(circuits)
    }

    fn with_facts(
        ground: &Ground,
        general: Circuit,
        known: Vec<Option<bool>>,
        facts: &Facts,
        allowed: Allowed<'_>,
    ) -> Result<Circuits, NoCircuits> {
        let constants = (0..).zip(&known).filter_map(|(f, v)| v.map(|value| Fact::Constant(f, value)));
        let all = Facts::new(constants.chain(facts.iter().cloned()).collect());
        if facts.is_empty() {
            let store = Store { facts: all, ..Store::everything(ground.fluents.len()) };
            return Circuits::phased(ground, store, known, general, allowed);
        }
        let store = Store::without_redundant(known.len(), all, &general);
        let known = vec![None; store.fluents.len()];
        let general = Circuit::build(ground, &store, &known, allowed)?;
        let mut circuits = Circuits::phased(ground, store, known, general, allowed)?;
        circuits.merge(ground, allowed)?;
        Ok(circuits)
    }

    /// The circuit for any state with the fluents that never change, and the strays.
    fn first(
        ground: &Ground,
        allowed: Allowed<'_>,
    ) -> Result<(Circuit, Vec<Option<bool>>, StrayWires), NoCircuits> {
        let store = Store::everything(ground.fluents.len());
        let build = |known: &[Option<bool>]| Circuit::build_with_strays(ground, &store, known, allowed);
        let (mut general, mut strays) = build(&vec![None; ground.fluents.len()])?;
        let known = constant::constants(&general, &ground.initial);
        if known.iter().any(Option::is_some) {
            (general, strays) = build(&known)?;
        }
        Ok((general, known, strays))
    }

    /// Adds circuits for the phases.
    fn phased(
        ground: &Ground,
        store: Store,
        known: Vec<Option<bool>>,
        general: Circuit,
        allowed: Allowed<'_>,
    ) -> Result<Circuits, NoCircuits> {
        let phases = Phases::find(&general, &store.initial(ground), &known);
        let mut special = Vec::new();
        for phase in &phases.values {
            let mut known = known.clone();
            for (&fluent, &value) in phases.fluents.iter().zip(phase) {
                known[fluent as usize] = Some(value);
            }
            special.push(Circuit::build(ground, &store, &known, allowed)?);
        }
        Ok(Circuits { store, known, phases, general, special })
    }

    /// Merges wires that are equal in all states that can be reached.
    fn merge(&mut self, ground: &Ground, allowed: Allowed<'_>) -> Result<(), Stopped> {
        let facts = self.store.stored_facts();
        let initial = self.store.initial(ground);
        let lists = [std::slice::from_mut(&mut self.general), &mut self.special[..]];
        for (list, fixed) in lists.into_iter().zip([&[][..], &self.phases.fluents[..]]) {
            let signatures = samples::signatures(list, fixed, &initial, &facts);
            for (circuit, signatures) in list.iter_mut().zip(&signatures) {
                *circuit = sweep::sweep(circuit, signatures, &facts, allowed)?;
            }
        }
        Ok(())
    }
}
