//! Diagnostic codes, and the collection of findings while a sheet is checked.

use std::collections::BTreeSet;

use gdl::{Diagnostic, Severity, Span};

use crate::Strictness;

/// A kind of diagnostic: its stable name, its severities, and what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    /// A stable name such as `unsafe-variable`.
    pub name: &'static str,
    /// The severity under [`Strictness::Lenient`].
    pub lenient: Severity,
    /// The severity under [`Strictness::Strict`].
    pub strict: Severity,
    /// A one-line description for the list of codes.
    pub about: &'static str,
}

impl Code {
    /// Creates a code for sheets that can never be played.
    pub(crate) const fn error(name: &'static str, about: &'static str) -> Code {
        Code { name, lenient: Severity::Error, strict: Severity::Error, about }
    }

    /// Creates a code for what can be played although the specification forbids it.
    pub(crate) const fn restriction(name: &'static str, about: &'static str) -> Code {
        Code { name, lenient: Severity::Warning, strict: Severity::Error, about }
    }

    /// Creates a code for what is allowed but probably unintended.
    pub(crate) const fn doubt(name: &'static str, about: &'static str) -> Code {
        Code { name, lenient: Severity::Warning, strict: Severity::Warning, about }
    }

    /// Returns the severity under the given strictness.
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

    /// Adds a finding and returns it, so that labels can be added.
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

    /// Adds findings of another report.
    pub fn add(&mut self, found: impl Iterator<Item = Diagnostic>) {
        self.diagnostics.extend(found);
    }

    /// Returns the locations of the findings with these codes.
    pub fn places(&self, codes: &[Code]) -> BTreeSet<Span> {
        let listed = |d: &&Diagnostic| codes.iter().any(|c| c.name == d.code);
        self.diagnostics.iter().filter(listed).map(|d| d.span).collect()
    }

    /// Returns all findings in source order, without duplicates.
    pub fn finish(self) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics;
        diagnostics.sort_by(|a, b| (a.span, a.code, &a.message).cmp(&(b.span, b.code, &b.message)));
        diagnostics.dedup_by(|a, b| a.span == b.span && a.code == b.code && a.message == b.message);
        diagnostics
    }
}
