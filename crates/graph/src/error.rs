//! Errors in grammars, with their locations.
//!
//! Labels and expressions can be wrong in many ways that nobody needs to tell apart, so their
//! errors hold the sentence for the user. Whoever knows the location makes a [`GrammarError`] of
//! them.

use std::borrow::Cow;

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

/// An error in a label.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LabelError(Cow<'static, str>);

/// An error in a regular expression over labels.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RegexpError(Cow<'static, str>);

/// An error in an expression over data values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ExprError(Cow<'static, str>);

/// An error in a control program that only shows when a location is derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ControlError {
    /// The program has more locations than are supported.
    #[error("the control program has too many locations; a procedure may call itself forever.")]
    TooManyLocations,
    /// A procedure or loop recurs without a step.
    #[error("a procedure or loop repeats forever without taking a step.")]
    Endless,
}

/// Makes an error type from a sentence.
macro_rules! from_sentence {
    ($($error:ident),*) => {$(
        impl From<&'static str> for $error {
            fn from(sentence: &'static str) -> $error {
                $error(Cow::Borrowed(sentence))
            }
        }

        impl From<String> for $error {
            fn from(sentence: String) -> $error {
                $error(Cow::Owned(sentence))
            }
        }
    )*};
}

from_sentence!(LabelError, RegexpError, ExprError);
