//! Analyses of games and of the players that play them.
//!
//! - Exact values ([`solve`], [`solve_hidden`]) and exploitability ([`exploit`]).
//! - Properties proven from the rules or found in random games ([`analyse`], [`trial`]).
//! - What a role can know ([`possible`], [`Knowledge`], [`hidden_kinds`]).
//! - What players think of their moves ([`ask`]), and the quality of their samples ([`sample`]).
//! - Recordings and their replay ([`trace`], [`verify`]).
//! - The cost of rules, playouts and turns ([`profile`], [`mod@bench`], [`turns`]).
//!
//! Questions that both the command line and experiments ask are request types ([`SolveRequest`],
//! [`ExploitRequest`], [`AskRequest`], [`SampleRequest`], [`PossibleRequest`]). Each names its game and
//! holds the defaults that both share.

mod analyse;
mod ask;
pub mod bench;
mod estimate;
mod exploit;
mod hidden_kind;
mod knowledge;
mod load;
mod perft;
mod possible;
pub mod profile;
mod same;
mod sample;
mod solve;
mod solve_hidden;
mod solve_puzzle;
mod solve_request;
pub mod trace;
mod trial;
pub mod turns;
pub mod verify;

pub use analyse::{
    AnalyseLimits, AnalyseProgress, Analysis, Average, Evaluated, FeatureWeight, Proven, Share, analyse,
};
pub use ask::{Answer, Answers, AskError, AskRequest, AskedSpeed, Disagreement, RoleError, ask};
pub use belief::{Form, FormLimits, Regrets};
pub use estimate::{Estimate, Gauge, Middle};
pub use exploit::{
    ExploitError, ExploitOptions, ExploitProgress, ExploitReport, ExploitRequest, Exploitation, Exploited,
    exploit, exploit_player, visit_all,
};
pub use hidden_kind::{Hidden, HiddenKind, hidden_kinds};
pub use knowledge::{Knowledge, KnowledgeLimits};
pub use library::{After, AfterError};
pub use load::{LoadError, StateError, load, state_of};
pub use perft::perft;
pub use possible::{PossibleError, PossibleRequest, PossibleStep, PossibleSteps, possible};
pub use same::{Differs, same};
pub use sample::{SampleError, SampleRequest, Sampled, SampledRound, Samples, sample};
pub use solve::{FirstMove, RoleValue, Solution, SolveLimits, SolveProgress, solve};
pub use solve_hidden::{Advice, HiddenLimits, Mixed, solve_hidden};
pub use solve_request::{SolveError, SolveRequest};
pub use trial::{Example, Finding, Trial, trial};
