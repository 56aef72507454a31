//! Reasoners: implementations of games from rules.
//!
//! Each reasoner turns checked [`rules::Rules`] into a [`game::Game`]. The interpreter is the oracle: it
//! evaluates the rules as they are written, state by state, and every other reasoner must agree with it.

pub mod circuit;
mod circuit_game;
mod cost;
mod datalog;
mod fastest;
pub mod ground;
pub mod interpreter;
pub mod lanes;
mod making;
mod meter;
mod prepared;
pub mod prover;
mod scalar;
mod shared_terms;
mod stopwatch;
mod structure;
mod term;
mod words;

/// What [`fastest!`] refers to, so that its callers need no other crate.
#[doc(hidden)]
pub use ::game as __game;
pub use circuit_game::{CircuitGame, CircuitScratch, Figures};
pub use cost::RuleCost;
pub use ground::{Declared, GroundLimits};
pub use interpreter::Interpreter;
pub use lanes::{Member, Pool};
pub use making::{Making, Observer, Progress};
pub use meter::{Limits, WORK_PER_SECOND};
pub use prover::Prover;
pub use term::{TermId, TermPool};
pub use words::Words;
