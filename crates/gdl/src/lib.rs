//! Rule-sheet text and terms.
//!
//! Text in one of two syntaxes, prefix (KIF) or infix (HRF), becomes one tree
//! ([`RuleSheet`]) with spans, and the tree becomes text again. This crate knows
//! nothing of what the words mean and reads no files; any byte sequence gives a
//! tree and a list of [`Diagnostic`]s, never a panic.

mod diagnostic;
mod kif;
mod sheet;
mod span;

pub use diagnostic::{Diagnostic, Label, Severity};
pub use kif::parse_kif;
pub use sheet::{Clause, Comment, Literal, LiteralKind, Name, RuleSheet, Term, TermKind};
pub use span::Span;

/// What a parser returns: as much of the tree as could be read, and everything wrong with the text.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The clauses that could be read.
    pub sheet: RuleSheet,
    /// All diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Terms nested deeper than this are refused with a diagnostic.
///
/// No public rule sheet nests deeper than a dozen; the limit keeps every
/// recursive walk over the tree within a small stack.
pub const MAX_DEPTH: usize = 256;
