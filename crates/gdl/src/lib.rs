//! Parsing and printing of rule sheets.
//!
//! A text in either of two syntaxes, prefix (KIF) or infix (HRF), is parsed into one tree
//! ([`RuleSheet`]) with spans, and the tree can be printed in either. This crate does not
//! interpret the words and reads no files. Any byte sequence yields a tree and a list of
//! [`Diagnostic`]s, never a panic.
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

/// The result of parsing: as much of the tree as could be parsed, and everything wrong with the text.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The clauses that could be parsed.
    pub sheet: RuleSheet,
    /// All diagnostics in source order: at most [`MAX_DIAGNOSTICS`], and one more that counts any others.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// Returns `true` if any diagnostic is an error, in which case the tree may be incomplete.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// The maximum nesting depth. Terms nested more deeply are rejected with a diagnostic.
///
/// No public rule sheet nests more than a dozen levels deep; the limit keeps every recursive
/// walk over the tree within a small stack. It counts the nested parentheses of the prefix
/// form, including those of the rule itself.
pub const MAX_DEPTH: usize = 256;

/// The maximum number of words and comments in a text. Texts with more are rejected with a
/// diagnostic, which limits the tree of a hostile text to about 2 GB.
pub const MAX_WORDS: usize = 1 << 24;
