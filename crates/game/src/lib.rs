//! The vocabulary of play.
//!
//! Roles, moves, states, percepts and goals; [`Game`], what any rules define;
//! [`Player`], what anyone who plays does. This crate does no I/O and knows no
//! rule language, no reasoner and no protocol.

mod budget;
pub mod conformance;
mod fault;
mod ident;
mod model;
pub mod perft;
mod player;
mod playout;
mod registry;
mod seat;
mod seed;
mod spec;
mod structure;

pub use budget::{Budget, Deadline, StopToken};
pub use fault::Fault;
pub use ident::{Goal, MoveId, PerceptId, RoleId};
pub use model::{Game, Stepped};
pub use player::{Explanation, MatchContext, Observation, Player, Thought};
pub use playout::{End, Outcomes, Playouts, SharedPlayouts, Start, Tally, Totals, playout, scalar_playouts};
pub use registry::{Registry, SpecError};
pub use seat::{Seat, Seated, Turn};
pub use seed::{PlayoutStream, Rng, Seed};
pub use spec::{Argument, Spec};
pub use structure::{Aim, Clock, FluentId, Part, Structure, Symmetry};
