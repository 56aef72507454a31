//! From rules to circuits: grounding within the declarations is tried first, and repeated without them if
//! they cannot be proven.

use std::sync::Arc;
use std::time::Duration;

use game::Fault;
use rules::Rules;

use crate::circuit::{Allowed, Circuits, NoCircuits};
use crate::ground::{Declared, Ground};
use crate::making::Making;
use crate::stopwatch::Stopwatch;

/// The maximum number of nodes of a circuit: larger ones are slower than the rules themselves.
const MOST_NODES: usize = 6_000_000;
/// The maximum number of literals of instances that are visited to build a circuit.
const MOST_LITERALS: u64 = 50_000_000;

/// The ground rules of a game and its circuits.
pub(crate) struct Prepared {
    pub ground: Ground,
    pub circuits: Circuits,
    /// How `base` and `input` were used.
    pub declared: Declared,
    /// The time for grounding, and the total time.
    pub grounded: Duration,
    pub built: Duration,
}

/// Grounds rules within limits and builds their circuits.
pub(crate) fn prepare(rules: &Arc<Rules>, making: &Making) -> Result<Prepared, Fault> {
    let started = Stopwatch::start();
    let allowed = Allowed { nodes: Some(MOST_NODES), literals: Some(MOST_LITERALS), making: Some(making) };
    let mut ground = Ground::declared(Arc::clone(rules), making)?;
    let mut grounded = started.elapsed();
    let mut declared = ground.declared;
    let mut circuits = Circuits::within(&ground, allowed);
    if matches!(circuits, Err(NoCircuits::Strays)) {
        let again = Stopwatch::start();
        declared = Declared::TooLittle;
        ground = Ground::measured(Arc::clone(rules), making).0?;
        grounded += again.elapsed();
        circuits = Circuits::within(&ground, allowed);
    }
    let circuits = match circuits {
        Ok(circuits) => circuits,
        Err(NoCircuits::Stopped) => return Err(Fault::Stopped),
        Err(NoCircuits::TooLarge | NoCircuits::Strays) => return Err(too_much(&ground)),
    };
    Ok(Prepared { ground, circuits, declared, grounded, built: started.elapsed() })
}

fn too_much(ground: &Ground) -> Fault {
    Fault::Budget(format!(
        "The circuit for the {} instances of the rules is too large.",
        ground.instance_count()
    ))
}
