//! Limits on untrusted requests.

use std::time::Duration;

use analysis::profile::{GroundLimits, WORK_PER_SECOND};

/// Limits on everything that comes from outside.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The maximum size of a request body, in bytes.
    pub body: usize,
    /// The limits on rule sheets.
    pub sheet: SheetLimits,
    /// The number of jobs (sheets, drawings, hints) that run at the same time.
    pub workers: usize,
    /// The sustained number of requests per second and client.
    pub rate: f64,
    /// The number of requests that a client may send at once.
    pub burst: f64,
    /// The maximum number of open matches.
    pub matches: usize,
    /// The maximum number of connections.
    pub connections: usize,
    /// The maximum number of steps of a match.
    pub steps: usize,
    /// The time for a hint.
    pub hint: Duration,
}

/// Limits on rule sheets.
#[derive(Debug, Clone)]
pub struct SheetLimits {
    /// The work for compiling, as counted by [`GroundLimits::work`].
    pub compiling: u64,
    /// The maximum number of atoms found while compiling.
    pub atoms: usize,
    /// The maximum number of rule instances found while compiling.
    pub instances: usize,
    /// The time for one request in the workshop.
    pub work: Duration,
    /// The maximum number of random games per request.
    pub playouts: u32,
    /// The maximum number of steps of a random game and of a line of moves.
    pub steps: u32,
}

impl SheetLimits {
    pub(crate) fn grounding(&self) -> GroundLimits {
        GroundLimits { work: self.compiling, atoms: self.atoms, instances: self.instances }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body: 1 << 20,
            sheet: SheetLimits {
                compiling: 4 * WORK_PER_SECOND,
                atoms: 500_000,
                instances: 3_000_000,
                work: Duration::from_secs(10),
                playouts: 10_000,
                steps: 1_000,
            },
            workers: 4,
            rate: 200.0,
            burst: 1_000.0,
            matches: 500,
            connections: 4_000,
            steps: 10_000,
            hint: Duration::from_secs(1),
        }
    }
}
