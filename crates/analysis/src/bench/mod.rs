//! Benchmarks: how fast games are played.
//!
//! [`measure`] plays random games for a while and reports the speed, the results and the cost of loading.
//! [`compare`] compares the speed with hand-written code. [`sheet`] and [`Watch`] measure a whole folder of
//! sheets, each in a process of its own, so that a sheet that runs away does no harm.

mod compare;
mod measure;
mod one_by_one;
pub mod process;
mod quartiles;
mod sheet;
mod watch;

pub use compare::{Compared, Slices, compare, has_baseline};
pub use measure::{CircuitSize, Measured, Pace, ResultShare, StartUp, measure};
pub(crate) use one_by_one::play as play_one_by_one;
pub use quartiles::Quartiles;
pub use sheet::{COLUMNS, SheetReport, sheet};
pub use watch::{Ended, Watch};

/// Returns the games with hand-written playouts to compare with.
pub fn baselines() -> &'static [&'static str] {
    &baseline::NAMES
}
