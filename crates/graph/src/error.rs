//! Errors in grammars, with their locations.

/// An error about something in a grammar that cannot be read or is not supported. It names the
/// file, and the element and label where applicable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}{}: {message}", element.as_ref().map(|e| format!(", {e}")).unwrap_or_default(), label.as_ref().map(|l| format!(", label `{l}`")).unwrap_or_default())]
pub struct GrammarError {
    /// The file within the grammar.
    pub file: String,
    /// The node, edge, line or property, if any.
    pub element: Option<String>,
    /// The label as written, if any.
    pub label: Option<String>,
    /// The description, one sentence.
    pub message: String,
}

impl GrammarError {
    /// Creates an error about a file.
    pub fn new(file: impl Into<String>, message: impl Into<String>) -> GrammarError {
        GrammarError { file: file.into(), element: None, label: None, message: message.into() }
    }

    /// Adds the element, unless there is one already.
    pub fn at(mut self, element: impl Into<String>) -> GrammarError {
        self.element.get_or_insert(element.into());
        self
    }

    /// Adds the label, unless there is one already.
    pub fn label(mut self, label: impl Into<String>) -> GrammarError {
        self.label.get_or_insert(label.into());
        self
    }
}
