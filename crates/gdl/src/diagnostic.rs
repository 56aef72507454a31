//! Diagnostics: what is wrong with a rule sheet, and what to do about it.

use crate::Span;

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The sheet can be played, but a reader or another program may misread it.
    Warning,
    /// The sheet cannot be used.
    Error,
}

/// A secondary location that helps to explain a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The location.
    pub span: Span,
    /// What is found there.
    pub text: String,
}

/// A finding: a stable code, a location, a one-line message, and a remedy if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// A stable name such as `unsafe-variable`, for suppressions and tests.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// The location of the finding.
    pub span: Span,
    /// A one-line description of what is wrong.
    pub message: String,
    /// Secondary locations.
    pub labels: Vec<Label>,
    /// How to fix it.
    pub remedy: Option<String>,
}

impl Diagnostic {
    /// Creates an error at `span`.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            span,
            message: message.into(),
            labels: Vec::new(),
            remedy: None,
        }
    }

    /// Creates a warning at `span`.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Adds a secondary location.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds a remedy.
    pub fn remedy(mut self, text: impl Into<String>) -> Diagnostic {
        self.remedy = Some(text.into());
        self
    }
}
