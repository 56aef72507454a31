//! A collector of diagnostics, bounded in number, that returns them in source order.
//!
//! A hostile text can have as many errors as bytes. Only the first [`MAX_DIAGNOSTICS`] in
//! source order are kept; the others are counted without being built.

use crate::{Diagnostic, Severity, Span};

/// The maximum number of diagnostics that a parser reports; any others are only counted.
pub const MAX_DIAGNOSTICS: usize = 200;

/// The diagnostics of one parse.
#[derive(Default)]
pub(crate) struct Report {
    kept: Vec<Diagnostic>,
    /// Once some were left out, diagnostics after this location are not among the first.
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

    /// Sets whether added diagnostics are ignored. Returns the previous setting.
    pub fn mute(&mut self, muted: bool) -> bool {
        std::mem::replace(&mut self.muted, muted)
    }

    /// Returns all diagnostics in source order, with a final one that counts those left out.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.trim();
        if let Some(span) = self.first_left_out {
            let message = format!("{} more diagnostics are not shown", self.left_out);
            let mut last = Diagnostic::warning("too-many", span, message)
                .remedy("fix the reported ones, then check again");
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
        // Sorting only once twice the limit has accumulated keeps the amortised cost low.
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
