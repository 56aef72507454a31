//! Experiments: published figures beside ours.
//!
//! A folder `experiments/<name>/` contains `experiment.toml`: what was published, what we play and ask to
//! get the same figures ([`Part`]s), in a quick and a full variant. Running it gives [`Outcomes`]. The
//! report compares both, with a verdict from a named test for each figure and for each [`Claim`] about
//! several figures. The text in `words.md` beside it begins the report, with figures and plots filled in.

mod call;
mod claim;
mod compare;
mod extent;
mod figure;
mod foresight;
mod kept;
mod measure;
mod origin;
mod outcome;
mod plots;
mod power;
mod report;
mod spec;
mod submit;
mod summary;
mod turns;
mod verdict;
mod words;

pub use call::{Call, CallError, Question, RepeatError, RepeatRequest};
pub use claim::{Claim, Says};
pub use figure::{Figure, PlotPoint, Published, Select};
pub use foresight::{Expected, Foreseen, Foresight};
pub use measure::{Measure, Measured};
pub use origin::{Expect, Origin};
pub use outcome::{ExperimentError, Outcome, Outcomes, PartError, PlayoutCounts, RunPart, run_part};
pub use plots::{ListLine, PlotForm};
pub use report::{files, report};
pub use spec::{Experiment, ExperimentFolder, Part, PartKind, Variant, list};
pub use submit::{Cluster, SbatchError, Submission, Task, submit};
pub use turns::{TurnsPart, TurnsTable};
pub use verdict::{Judged, Verdict, judge};
