//! The prefix form: `(<= (legal ?p noop) (role ?p) (not (true (control ?p))))`.
//!
//! Only white space and parentheses separate words. A `;` begins a comment wherever it stands.
//! There is no quoting.

mod lexer;
mod nodes;
mod parser;
mod printer;

pub use parser::{parse_kif, parse_term};
pub use printer::to_kif;
