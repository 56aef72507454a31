//! From rules to circuits: what is declared is tried first, and dropped where
//! it cannot be proven.

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::Fault;
use rules::Rules;

use crate::circuit::{Allowed, Circuits, NoCircuits};
use crate::ground::{Declared, Ground, GroundLimits};

/// Circuits must be there after so many times the time for grounding.
const LATE: u32 = 2;
/// Nodes of a circuit, at most: larger ones are slower than the rules themselves.
const MOST_NODES: usize = 6_000_000;

/// Ground rules of a game and its circuits.
pub(crate) struct Prepared {
    pub ground: Ground,
    pub circuits: Circuits,
    /// What came of `base` and `input`.
    pub declared: Declared,
    /// Time for grounding, and for all of it.
    pub grounded: Duration,
    pub built: Duration,
}

/// Grounds rules within limits and builds their circuits.
pub(crate) fn prepare(rules: &Arc<Rules>, limits: GroundLimits) -> Result<Prepared, Fault> {
    let started = Instant::now();
    let until = started.checked_add(limits.time.saturating_mul(LATE));
    let allowed = Allowed { until, nodes: Some(MOST_NODES) };
    let mut ground = Ground::declared(Arc::clone(rules), limits)?;
    let mut grounded = started.elapsed();
    let mut declared = ground.declared;
    let mut circuits = Circuits::within(&ground, allowed);
    if matches!(circuits, Err(NoCircuits::Strays)) {
        let again = Instant::now();
        declared = Declared::TooLittle;
        let left = GroundLimits { time: limits.time.saturating_sub(grounded), ..limits };
        ground = Ground::new(Arc::clone(rules), left)?;
        grounded += again.elapsed();
        circuits = Circuits::within(&ground, allowed);
    }
    let circuits = circuits.map_err(|_| too_much(&ground))?;
    Ok(Prepared { ground, circuits, declared, grounded, built: started.elapsed() })
}

fn too_much(ground: &Ground) -> Fault {
    Fault::Budget(format!(
        "The {} instances of the rules make a circuit that is too large.",
        ground.instance_count()
    ))
}
