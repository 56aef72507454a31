//! The infix form: `legal(P,noop) :- role(P) & ~true(control(P))`.
//!
//! Variables begin with a capital or `_`, all other names are constants, and
//! `'…'` makes a constant of anything. Clauses are separated by white space, a
//! period or both. `:-` and `<=` are arrows; `&`, `,` and `and` join literals;
//! `|` and `or` give a choice and bind less; `~` and `not` negate; `#`, `!=` and
//! `distinct(a,b)` tell apart; `%` begins a comment.

mod lexer;
mod literals;
mod parser;
mod printer;
mod terms;
mod variables;

pub use parser::parse_hrf;
pub use printer::to_hrf;
