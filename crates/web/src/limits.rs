//! What strangers may cost.

use std::time::Duration;

use analysis::profile::{GroundLimits, WORK_PER_SECOND};

/// Bounds on everything that comes from outside.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Bytes of a request's body.
    pub body: usize,
    /// What a rule sheet may cost.
    pub sheet: SheetLimits,
    /// Pieces of work (sheets, drawings, hints) done at the same time.
    pub workers: usize,
    /// Requests of one client in a second, in the long run.
    pub rate: f64,
    /// Requests of one client at once.
    pub burst: f64,
    /// Matches under way.
    pub matches: usize,
    /// Connections.
    pub connections: usize,
    /// Steps of one match.
    pub steps: usize,
    /// Time for a hint.
    pub hint: Duration,
}

/// What a rule sheet may cost.
#[derive(Debug, Clone)]
pub struct SheetLimits {
    /// Work for compiling it, as [`GroundLimits::work`] counts it.
    pub compiling: u64,
    /// Atoms found while compiling.
    pub atoms: usize,
    /// Instances of rules found while compiling.
    pub instances: usize,
    /// Time for one request in the workshop.
    pub work: Duration,
    /// Random games of one request.
    pub playouts: u32,
    /// Steps of a random game, and of a line of moves.
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
