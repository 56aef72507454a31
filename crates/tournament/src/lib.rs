//! Tournaments: many matches by a plan.
//!
//! A person writes a [`TournamentSpec`]; checked against the games it becomes a
//! [`Plan`], a list of matches each with its players, seats and seed. Playing a
//! plan ([`run`], [`start`]) gives one [`MatchResult`] for each match, in the
//! order of the plan, whatever the number of matches played side by side and
//! however often it was interrupted. A [`Shard`] of a plan can be played by
//! itself, anywhere, and [`collect`] puts shards together. An [`Archive`] keeps
//! results in little room, and tells whether another run is the same.

mod archive;
mod collect;
mod entrants;
mod pairing;
mod plan;
mod ready;
pub mod report;
mod result;
mod run;
mod running;
mod sequence;
mod shard;
mod side_by_side;
mod spec;
pub mod spec_text;
mod standing;
mod tables;

pub use archive::{Archive, ArchiveError, Comparison};
pub use collect::{Collected, Damaged, collect};
pub use pairing::{Schedule, Seatings};
pub use plan::{Budget, Cell, Plan, PlanError, PlanGame, PlanPlayer, Planned};
pub use ready::Games;
pub use ready::Ready;
pub use result::{MatchResult, Results};
pub use run::{Keep, Progress, RunError, RunOptions, cores, plan_of_series, run, series_of, series_with};
pub use running::{Running, start};
pub use sequence::SequentialTest;
pub use shard::{Shard, WorkError, work};
pub use side_by_side::{Crowd, SideBySide};
pub use spec::KEYS as SPEC_KEYS;
pub use spec::{BudgetSpec, GameSpec, PlayerSpec, TournamentSpec};
pub use spec_text::{At, BadSpec, Complaint};
pub use standing::{PairCount, PlayerCount, SeatCount, Standings, Tally};
