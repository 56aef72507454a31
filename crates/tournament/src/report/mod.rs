//! What a tournament or an experiment found, for people and for programs.
//!
//! [`Analysis`] holds the numbers: scores with intervals, tests with their names
//! and corrected for their number, or the sequential test, power, ratings,
//! lengths. A [`Document`] says them in words, tables and plots, once for Markdown
//! and HTML. Everything here is a function of plan and results, so reports of the
//! same results have the same bytes.

mod analysis;
mod bundle;
mod document;
mod json;
mod plot;
mod significance;
mod tables;
mod words;

pub use analysis::{Analysis, BudgetRow, Lengths, PairRow, Rated, Row};
pub use bundle::{Bundle, bundle};
pub use document::{Block, Document};
pub use json::json;
pub use plot::{Bars, Heat, Lines, Point, Series};
pub use significance::{Power, TestRow};
pub use words::document;
pub use words::{chance, sections};
