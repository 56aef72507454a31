//! Where names become games, reasoners and players.
//!
//! This crate knows all the others below it and is the only one that does: a
//! text such as `chess`, `interpreter` or `random` becomes a thing here and
//! nowhere else. What is done with a loaded game apart from playing matches is
//! here too: recording and replaying traces, checking by play, finding boards.

mod analyse;
mod ask;
pub mod bench;
pub mod board;
mod estimate;
pub mod experiment;
mod exploit;
mod folder;
mod hidden_kind;
mod host;
mod knowledge;
mod library;
mod loaded;
mod near;
mod perft;
pub mod picture;
mod possible;
pub mod profile;
mod reasoners;
mod remote;
pub mod report;
mod repository;
mod same;
mod sample;
mod side_by_side;
mod solve;
mod solve_hidden;
mod solve_puzzle;
mod spec_text;
mod state_text;
pub mod tournament;
pub mod trace;
mod trial;
pub mod turns;
pub mod verify;

pub use analyse::{
    AnalyseLimits, AnalyseProgress, Analysis, Average, Evaluated, FeatureWeight, Proven, Share, analyse,
};
pub use ask::{Answer, Answers, AskError, AskOptions, AskedSpeed, ask};
pub use estimate::{Estimate, Middle};
pub use exploit::{ExploitError, ExploitOptions, Exploitation, Exploited, exploit, visit_all};
pub use hidden_kind::{Hidden, HiddenKind, hidden_kinds};
pub use host::{host, host_of};
pub use knowledge::{Knowledge, KnowledgeLimits};
pub use library::{About, BoardHint, Library, Source, SourceError, from_bytes, read_path};
pub use loaded::{Loaded, PlayError};
pub use near::{did_you_mean, near_misses};
pub use perft::perft;
pub use players::Follow;
pub use players::belief::{Form, FormLimits, Regrets};
pub use possible::{PossibleStep, possible};
pub use reasoner::{Progress as CompileProgress, on_progress as on_compile_progress};
pub use reasoners::{Chosen, is_informed, player_list, reasoner_list, reasoners, seat};
pub use remote::remote_address;
pub use repository::Repository;
pub use same::{Differs, SameAs, same};
pub use sample::{SampleOptions, Sampled, SampledRound, sample};
pub use side_by_side::{Crowd, SideBySide};
pub use solve::{FirstMove, RoleValue, Solution, SolveLimits, SolveProgress, solve};
pub use solve_hidden::{Advice, HiddenLimits, Mixed, solve_hidden};
pub use spec_text::{At, BadSpec, Complaint};
pub use state_text::{read_state, write_state};
pub use trial::{Example, Finding, Trial, trial};
