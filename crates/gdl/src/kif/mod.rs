//! The prefix form: `(<= (legal ?p noop) (role ?p) (not (true (control ?p))))`.
//!
//! Words are separated by white space and parentheses alone; `;` begins a
//! comment wherever it stands; there is no quoting.

mod lexer;
mod nodes;
mod parser;
mod printer;

pub use parser::{parse_kif, parse_term};
pub use printer::to_kif;
