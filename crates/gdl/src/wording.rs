//! The diagnostics that both syntaxes share, so that both use the same wording.

use crate::names::Connective;
use crate::{Diagnostic, Span};

pub(crate) fn wrong_not(span: Span, parts: usize) -> Diagnostic {
    Diagnostic::error("wrong-not", span, format!("`not` takes one literal, not {parts}"))
        .remedy("negate each literal separately")
}

pub(crate) fn wrong_distinct(span: Span, parts: usize) -> Diagnostic {
    Diagnostic::error("wrong-distinct", span, format!("`distinct` takes two terms, not {parts}"))
        .remedy("compare two terms at a time")
}

pub(crate) fn empty_connective(span: Span, connective: Connective) -> Diagnostic {
    let (code, message) = match connective {
        Connective::Or => ("empty-or", "an empty `or` never holds"),
        _ => ("empty-and", "an empty `and` always holds"),
    };
    Diagnostic::warning(code, span, message).remedy("remove it, or add literals to it")
}

pub(crate) fn variable_sentence(span: Span) -> Diagnostic {
    Diagnostic::error("variable-sentence", span, "a variable cannot be used as a sentence")
        .remedy("a sentence begins with the name of a relation")
}

pub(crate) fn empty_parentheses(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning("empty-parentheses", span, format!("`{name}` has parentheses but no arguments"))
        .remedy(format!("write just `{name}`, which means the same"))
}

pub(crate) fn no_parts(span: Span, connective: Connective) -> Diagnostic {
    let word = connective.word();
    Diagnostic::error("no-parts", span, format!("`{word}` is not followed by parentheses"))
        .remedy(format!("write `{word}(…)`; a relation of your own cannot have this name"))
}
