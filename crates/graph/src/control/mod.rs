//! Control programs: which actions may be done when.
//!
//! A program is a term; a term is final, dead or on trial. On trial it has
//! calls to try, each with the term that follows, and two verdicts: the term
//! that holds in the same state when one of the calls could be done, and when
//! none could. Terms are kept once each, so equal control locations are equal
//! numbers.

mod compile;
mod derive;
mod parse;
mod terms;

pub use compile::{Actions, Control, compile};
pub use derive::{Binding, Cont, Derived, Enter, Exit, Kind, Trial};
pub use parse::{Program, parse};
pub use terms::{CallId, TermId};
