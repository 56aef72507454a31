//! Ground rules as an and-inverter graph (AIG).
//!
//! Wires are fluents, moves and gates. A gate is the conjunction of two wires, each possibly inverted, and
//! equal gates exist once (structural hashing). Every role makes exactly one move in a step, so a disjunction
//! of moves is a set: sets of one role are united and intersected directly, and a large set is represented as
//! the negation of its small complement.

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

/// The reason why there are no circuits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoCircuits {
    /// A circuit needs more work or more gates than allowed.
    TooLarge,
    /// The deadline passed, or its stop token was set.
    Stopped,
    /// Terms that the sheet does not declare may come up: the rules must be grounded without the declared
    /// bounds.
    Strays,
}

impl From<Stopped> for NoCircuits {
    fn from(_: Stopped) -> NoCircuits {
        NoCircuits::Stopped
    }
}

/// The circuits of one game: a general one, and one for each phase.
#[derive(Debug)]
pub struct Circuits {
    /// Which fluents are stored, and the facts about all fluents.
    pub store: Store,
    /// The known values of stored fluents that never change.
    pub known: Vec<Option<bool>>,
    /// The clock of the game.
    pub phases: Phases,
    /// The circuit for any state.
    pub general: Circuit,
    /// The circuits of the phases; empty if there is only one phase.
    pub special: Vec<Circuit>,
}

impl Circuits {
    /// Builds all circuits of ground rules without strays.
    pub fn new(ground: &Ground) -> Circuits {
        Circuits::within(ground, Allowed::default()).expect("nothing is forbidden")
    }

    /// Builds circuits that follow the rules in every state, including unreachable ones, as long as fluents
    /// that never change have their constant values. They store every fluent.
    pub fn plain(ground: &Ground) -> Circuits {
        let (general, known, _) = Circuits::first(ground, Allowed::default()).expect("nothing is forbidden");
        let store = Store::everything(ground.fluents.len());
        Circuits::phased(ground, store, known, general, Allowed::default()).expect("nothing is forbidden")
    }

    /// Builds circuits for the reachable states, within limits for each circuit.
    pub fn within(ground: &Ground, allowed: Allowed<'_>) -> Result<Circuits, NoCircuits> {
        let (mut general, known, strays) = Circuits::first(ground, allowed)?;
        let is_bounded = !ground.strays.is_empty();
        if is_bounded && strays.come_up(&general, &ground.initial) {
            return Err(NoCircuits::Strays);
        }
        // The proof may turn out to be useless, so it gets a smaller budget.
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

    /// Builds the general circuit, with the values of fluents that never change, and the strays.
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

    /// Adds a circuit for each phase.
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

    /// Merges wires that are equal in all reachable states.
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
