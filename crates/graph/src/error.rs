//! What is wrong with a grammar, and where.

/// Something in a grammar that cannot be read, or that this program does not
/// support. It names the file, and the element and label where there are some.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}{}: {message}", element.as_ref().map(|e| format!(", {e}")).unwrap_or_default(), label.as_ref().map(|l| format!(", label `{l}`")).unwrap_or_default())]
pub struct GrammarError {
    /// The file within the grammar.
    pub file: String,
    /// The node, edge, line or property.
    pub element: Option<String>,
    /// The label as written.
    pub label: Option<String>,
    /// One sentence.
    pub message: String,
}

impl GrammarError {
    /// A complaint about a file.
    pub fn new(file: impl Into<String>, message: impl Into<String>) -> GrammarError {
        GrammarError { file: file.into(), element: None, label: None, message: message.into() }
    }

    /// The same about an element of it.
    pub fn at(mut self, element: impl Into<String>) -> GrammarError {
        self.element.get_or_insert(element.into());
        self
    }

    /// The same about a label.
    pub fn label(mut self, label: impl Into<String>) -> GrammarError {
        self.label.get_or_insert(label.into());
        self
    }
}
