//! The diagnostics that both syntaxes share, so that both use the same wording.

use crate::names::Connective;
use crate::{Diagnostic, Span};

pub(crate) fn wrong_not(span: Span, parts: usize) -> Diagnostic {
    Diagnostic::error("wrong-not", span, format!("`not` takes one literal, not {parts}"))
        .remedy("negate each literal by itself")
}

pub(crate) fn wrong_distinct(span: Span, parts: usize) -> Diagnostic {
    Diagnostic::error("wrong-distinct", span, format!("`distinct` takes two terms, not {parts}"))
        .remedy("compare two terms at a time")
}

pub(crate) fn empty_connective(span: Span, connective: Connective) -> Diagnostic {
    let (code, message) = match connective {
        Connective::Or => ("empty-or", "an `or` of nothing never holds"),
        _ => ("empty-and", "an `and` of nothing always holds"),
    };
    Diagnostic::warning(code, span, message).remedy("remove it, or write literals into it")
}

pub(crate) fn variable_sentence(span: Span) -> Diagnostic {
    Diagnostic::error("variable-sentence", span, "a variable cannot stand for a sentence")
        .remedy("a sentence begins with the name of a relation")
}

pub(crate) fn empty_parentheses(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning("empty-parentheses", span, format!("`{name}` has parentheses but no arguments"))
        .remedy(format!("write plain `{name}`, which is the same"))
}

pub(crate) fn no_parts(span: Span, connective: Connective) -> Diagnostic {
    let word = connective.word();
    Diagnostic::error("no-parts", span, format!("`{word}` has nothing in parentheses after it"))
        .remedy(format!("write `{word}(…)`; a relation of your own cannot have this name"))
}
