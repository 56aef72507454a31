//! Control programs, which determine when actions may be done.
//!
//! A program is a term, and a term is final, dead or on trial. A term on trial has calls to
//! try, each with the term that follows, and two verdicts: the term that holds in the same
//! state if one of the calls could be done, and if none could. Terms are interned, so equal
//! control locations have equal numbers.

mod compile;
mod derive;
mod parse;
mod terms;

pub use compile::{Actions, Control, compile};
pub use derive::{Binding, Cont, Derived, Enter, Exit, Kind, Trial};
pub use parse::{Program, parse};
pub use terms::{CallId, TermId};
