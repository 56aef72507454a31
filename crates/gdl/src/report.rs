//! Collects diagnostics: bounded in number, handed out in source order.
//!
//! A hostile text has as many errors as bytes. Only the first
//! [`MAX_DIAGNOSTICS`] in source order are kept; those beyond them are counted
//! without being built.

use crate::{Diagnostic, Severity, Span};

/// How many diagnostics a parser reports before it only counts.
pub const MAX_DIAGNOSTICS: usize = 200;

/// The diagnostics of one parse.
#[derive(Default)]
pub(crate) struct Report {
    kept: Vec<Diagnostic>,
    /// Diagnostics after this place are not among the first; known once some were left out.
    last: Option<Span>,
    left_out: usize,
    first_left_out: Option<Span>,
    error_left_out: bool,
    muted: bool,
}

impl Report {
    /// Adds an error at `span`.
    pub fn error(&mut self, span: Span, make: impl FnOnce() -> Diagnostic) {
        self.add(Severity::Error, span, make);
    }

    /// Adds a warning at `span`.
    pub fn warning(&mut self, span: Span, make: impl FnOnce() -> Diagnostic) {
        self.add(Severity::Warning, span, make);
    }

    /// Ignores (or no longer ignores) what is added; gives what was so before.
    pub fn mute(&mut self, muted: bool) -> bool {
        std::mem::replace(&mut self.muted, muted)
    }

    /// Everything in source order, with a last word on what was left out.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.trim();
        if let Some(span) = self.first_left_out {
            let message = format!("{} more diagnostics are left out", self.left_out);
            let mut last = Diagnostic::warning("too-many", span, message)
                .remedy("mend the first ones, then check again");
            if self.error_left_out {
                last.severity = Severity::Error;
            }
            self.kept.push(last);
        }
        self.kept
    }

    fn add(&mut self, severity: Severity, span: Span, make: impl FnOnce() -> Diagnostic) {
        if self.muted {
            return;
        }
        if self.last.is_some_and(|last| span > last) {
            return self.leave_out(severity, span);
        }
        let mut diagnostic = make();
        diagnostic.severity = severity;
        diagnostic.span = span;
        self.kept.push(diagnostic);
        if self.kept.len() >= 2 * MAX_DIAGNOSTICS {
            self.trim();
        }
    }

    fn trim(&mut self) {
        self.kept.sort_by_key(|diagnostic| diagnostic.span);
        if self.kept.len() > MAX_DIAGNOSTICS {
            for diagnostic in self.kept.split_off(MAX_DIAGNOSTICS) {
                self.leave_out(diagnostic.severity, diagnostic.span);
            }
            self.last = self.kept.last().map(|diagnostic| diagnostic.span);
        }
    }

    fn leave_out(&mut self, severity: Severity, span: Span) {
        self.left_out += 1;
        self.error_left_out |= severity == Severity::Error;
        self.first_left_out = Some(self.first_left_out.map_or(span, |first| first.min(span)));
    }
}
