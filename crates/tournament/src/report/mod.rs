//! The results of a tournament or an experiment, for people and for programs.
//!
//! [`Analysis`] contains the numbers: scores with intervals, named tests corrected for multiple comparisons
//! or the sequential test, power, ratings and lengths. A [`Document`] presents them as text, tables and
//! plots, for both Markdown and HTML. Everything here is a function of plan and results, so the same
//! results give the same bytes.

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
