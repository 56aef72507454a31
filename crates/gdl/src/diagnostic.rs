//! What is wrong with a rule sheet, and what to do about it.

use crate::Span;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The sheet plays, but a reader or another program may stumble.
    Warning,
    /// The sheet cannot be used.
    Error,
}

/// A second place in the text that explains a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub text: String,
}

/// One finding: a stable code, a place, one line, and a remedy where there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable name such as `unsafe-variable`, for suppressions and tests.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// The place it is about.
    pub span: Span,
    /// One line that says what is wrong.
    pub message: String,
    /// Other places that matter.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub remedy: Option<String>,
}

impl Diagnostic {
    /// An error at `span`.
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

    /// A warning at `span`.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// The same with a second place.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// The same with a remedy.
    pub fn remedy(mut self, text: impl Into<String>) -> Diagnostic {
        self.remedy = Some(text.into());
        self
    }
}
