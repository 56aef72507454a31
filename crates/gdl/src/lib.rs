//! Rule-sheet text and terms.
//!
//! Text in one of two syntaxes, prefix (KIF) or infix (HRF), becomes one tree
//! ([`RuleSheet`]) with spans, and the tree becomes text again. This crate knows
//! nothing of what the words mean and reads no files; any byte sequence gives a
//! tree and a list of [`Diagnostic`]s, never a panic.
//!
//! ```
//! let parsed = gdl::parse_kif("(<= (goal ?p 100) (line ?p) (not open))");
//! assert!(!parsed.has_errors());
//! assert_eq!(gdl::to_hrf(&parsed.sheet), "goal(P,100) :-\n    line(P) &\n    ~open\n");
//! ```

mod bytes;
mod code;
mod depth;
mod diagnostic;
mod hrf;
mod kif;
mod lines;
mod names;
mod print;
mod report;
mod same;
mod sheet;
mod span;
mod syntax;
mod trivia;
mod wording;

pub use bytes::{decode, parse_bytes};
pub use code::{CODES, Code};
pub use diagnostic::{Diagnostic, Label, Severity};
pub use hrf::{parse_hrf, to_hrf};
pub use kif::{parse_kif, parse_term, to_kif};
pub use lines::{LineIndex, Position};
pub use report::MAX_DIAGNOSTICS;
pub use sheet::{Clause, Comment, Literal, LiteralKind, Name, RuleSheet, Term, TermKind};
pub use span::Span;
pub use syntax::{Syntax, parse};

/// What a parser returns: as much of the tree as could be read, and everything wrong with the text.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The clauses that could be read.
    pub sheet: RuleSheet,
    /// All diagnostics, in source order; at most [`MAX_DIAGNOSTICS`] and one that says how many were left out.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// Whether any diagnostic is an error, so that the tree is not all of what the text says.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// Terms nested deeper than this are refused with a diagnostic.
///
/// No public rule sheet nests deeper than a dozen; the limit keeps every
/// recursive walk over the tree within a small stack. What is counted is the
/// nesting of parentheses in the prefix form, that of a rule itself included.
pub const MAX_DEPTH: usize = 256;

/// A text of more words and comments than this is refused with a diagnostic,
/// which keeps the tree of a hostile text within some 2 GB.
pub const MAX_WORDS: usize = 1 << 24;
