//! Codes of diagnostics, and the list of findings while a sheet is checked.

use std::collections::BTreeSet;

use gdl::{Diagnostic, Severity, Span};

use crate::Strictness;

/// One kind of diagnostic: its stable name, how bad it is, and what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    /// Stable name such as `unsafe-variable`.
    pub name: &'static str,
    /// How bad it is when what plays is accepted.
    pub lenient: Severity,
    /// How bad it is when the specification is the measure.
    pub strict: Severity,
    /// One line for the list of codes.
    pub about: &'static str,
}

impl Code {
    /// Never playable.
    pub(crate) const fn error(name: &'static str, about: &'static str) -> Code {
        Code { name, lenient: Severity::Error, strict: Severity::Error, about }
    }

    /// Plays, but the specification forbids it.
    pub(crate) const fn restriction(name: &'static str, about: &'static str) -> Code {
        Code { name, lenient: Severity::Warning, strict: Severity::Error, about }
    }

    /// Allowed, but probably not meant.
    pub(crate) const fn doubt(name: &'static str, about: &'static str) -> Code {
        Code { name, lenient: Severity::Warning, strict: Severity::Warning, about }
    }

    /// How bad it is under the given strictness.
    pub fn severity(&self, strictness: Strictness) -> Severity {
        match strictness {
            Strictness::Lenient => self.lenient,
            Strictness::Strict => self.strict,
        }
    }
}

/// The findings so far.
#[derive(Debug)]
pub(crate) struct Report {
    strictness: Strictness,
    diagnostics: Vec<Diagnostic>,
}

impl Report {
    pub fn new(strictness: Strictness) -> Report {
        Report { strictness, diagnostics: Vec::new() }
    }

    pub fn strictness(&self) -> Strictness {
        self.strictness
    }

    /// Adds a finding. The result takes labels.
    pub fn say(
        &mut self,
        code: &'static Code,
        span: Span,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> &mut Diagnostic {
        let mut diagnostic = Diagnostic::error(code.name, span, message).remedy(remedy);
        diagnostic.severity = code.severity(self.strictness);
        self.diagnostics.push(diagnostic);
        self.diagnostics.last_mut().expect("one was just added")
    }

    /// The places that findings under these codes are about.
    pub fn places(&self, codes: &[Code]) -> BTreeSet<Span> {
        let listed = |d: &&Diagnostic| codes.iter().any(|c| c.name == d.code);
        self.diagnostics.iter().filter(listed).map(|d| d.span).collect()
    }

    /// All findings in source order, each once.
    pub fn finish(self) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics;
        diagnostics.sort_by(|a, b| (a.span, a.code, &a.message).cmp(&(b.span, b.code, &b.message)));
        diagnostics.dedup_by(|a, b| a.span == b.span && a.code == b.code && a.message == b.message);
        diagnostics
    }
}
