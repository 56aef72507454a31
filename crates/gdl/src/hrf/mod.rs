//! The infix form: `legal(P,noop) :- role(P) & ~true(control(P))`.
//!
//! Variables begin with a capital letter or `_`; all other names are constants. Any text in
//! single quotes is a constant. Clauses are separated by white space, a period or both. The
//! arrows are `:-` and `<=`. Literals are joined by `&`, `,` or `and`. Disjunction is `|` or
//! `or` and binds less tightly. Negation is `~` or `not`, inequality is `#`, `!=` or
//! `distinct(a,b)`, and `%` begins a comment.

mod lexer;
mod literals;
mod parser;
mod printer;
mod terms;
mod variables;

pub use parser::parse_hrf;
pub use printer::to_hrf;
