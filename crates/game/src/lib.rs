//! The vocabulary of games and players.
//!
//! Roles, moves, states, percepts and goals; [`Game`], the interface of all games; [`Player`], the interface
//! of all players. This crate does no I/O and knows no rule language, no reasoner and no protocol.

mod any;
mod batches;
mod budget;
pub mod conformance;
mod fault;
mod game;
mod grounded;
mod ident;
mod joint;
mod mix;
mod near;
mod parameter;
mod parameters;
pub mod perft;
mod player;
mod playout;
mod registry;
mod reserve;
mod role;
mod seat;
mod seed;
mod spec;
mod structure;
mod thought;
mod walk;

pub use any::{AnyGame, AnyScratch, AnyState};
pub use batches::{Batches, Stepped};
pub use budget::{Budget, Deadline, StopToken};
pub use fault::Fault;
pub use game::Game;
pub use grounded::{Grounded, fluent_count, numbered, structure};
pub use ident::{Goal, MoveId, PerceptId, RoleId};
pub use joint::{all_legal, chance_roles, for_each_joint};
pub use mix::Mix;
pub use near::{did_you_mean, near_misses};
pub use parameter::Parameter;
pub use parameters::{ParameterError, Parameters};

pub use player::{MatchContext, Observation, Player};
pub use playout::{End, Outcomes, Playouts, SharedPlayouts, Start, Tally, Totals, playout, scalar_playouts};
pub use registry::{Registry, SpecError};
pub use reserve::Reserve;
pub use role::{Role, RoleKind};
pub use seat::{Seat, Seated, Turn};
pub use seed::{PlayoutStream, Rng, Seed};
pub use spec::{Argument, Spec, SpecSyntaxError};
pub use structure::{Aim, Clock, FluentId, Part, Structure, Symmetry};
pub use thought::{Considered, Proven, States, Thought};
pub use walk::{Position, Walk};
