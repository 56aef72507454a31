//! How fast games are played.
//!
//! [`measure`] plays one game at random for a while and reports speed, results
//! and what the reasoner cost; [`compare`] sets it against hand-written code;
//! [`sheet`] and [`Watch`] do the first for a whole folder of sheets, each in
//! a process of its own, so that a sheet that runs away takes nothing with it.

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

/// The games that have hand-written playouts to be compared with.
pub fn baselines() -> &'static [&'static str] {
    &baseline::NAMES
}
