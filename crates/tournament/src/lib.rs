//! Tournaments: many matches by a plan.
//!
//! A [`TournamentSpec`] is what a person writes. Checked against the games, it becomes a [`Plan`]: a list
//! of matches with players, seats and seeds. Playing a plan ([`run`], [`start`]) gives one [`MatchResult`]
//! per match, in the order of the plan. Neither the number of concurrent matches nor interruptions change
//! the results. A [`Shard`] of a plan can be played separately, on any machine, and [`collect`] merges
//! shards. Repeated matches between the same players ([`repeat`]) are a plan too, made from a
//! [`MatchSpec`].
//!
//! All matches are played by one loop (`engine`), and scored in one place ([`score`]). An [`Archive`]
//! stores results compactly, and shows whether another run gave the same results.

mod archive;
mod collect;
mod conditions;
mod engine;
mod entrants;
mod faults;
mod kept;
mod match_spec;
mod opening;
mod pairing;
mod plan;
mod ready;
mod repeated;
mod replies;
pub mod report;
mod result;
mod run;
mod running;
pub mod score;
mod sequence;
mod shard;
mod side_by_side;
mod spec;
pub mod spec_text;
mod standing;
mod tables;

pub use archive::{Archive, ArchiveError, Comparison};
pub use collect::{Collected, Damaged, collect};
pub use conditions::{Clocks, Conditions, Refereeing, UnfitClocks};
pub use engine::{OnProgress, Played, Quiet, Watcher};
pub use faults::{Cause, FaultRow, FaultsTold, faults};
pub use kept::{Keep, KeptError, Single};
pub use match_spec::{MatchSpec, MatchSpecError};
pub use opening::{Opening, OpeningError, OpeningSpec};
pub use pairing::{Schedule, Seatings};
pub use plan::{Budget, Cell, Plan, PlanError, PlanGame, PlanPlayer, Planned, Seeding, Unplayable};
pub use ready::{GameError, Games, Ready};
pub use repeated::{Repeated, RepliesOf, SeatRow, repeat};
pub use replies::Replies;
pub use result::{MatchResult, Results, ResultsError};
pub use run::{Progress, RunError, RunOptions, cores, plan_of_series, run, series_of, series_with};
pub use running::{Running, start};
pub use score::{Score, SeatScore, Wdl};
pub use sequence::{EloScale, SequentialTest};
pub use shard::{Shard, ShardError, WorkError, work};
pub use spec::KEYS as SPEC_KEYS;
pub use spec::{BudgetSpec, GameSpec, PlayerSpec, TournamentSpec};
pub use spec_text::{At, BadSpec, Complaint};
pub use standing::{PairCount, PlayerCount, SeatCount, Standings};
