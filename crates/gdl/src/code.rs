//! The codes of all diagnostics in this crate, as listed in `docs/diagnostics.md`.

use crate::Severity;

/// A kind of diagnostic: its stable name, its usual severity, and what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    /// A stable name such as `unclosed-parenthesis`.
    pub name: &'static str,
    /// The usual severity; if it varies, `about` says so.
    pub severity: Severity,
    /// A one-line description for the list of codes.
    pub about: &'static str,
}

impl Code {
    const fn error(name: &'static str, about: &'static str) -> Code {
        Code { name, severity: Severity::Error, about }
    }

    const fn warning(name: &'static str, about: &'static str) -> Code {
        Code { name, severity: Severity::Warning, about }
    }
}

/// All codes, in alphabetical order.
pub const CODES: &[Code] = &[
    Code::warning("changed-name", "a quoted name cannot be written in prefix form and is changed"),
    Code::warning("empty-and", "an empty `and` always holds"),
    Code::warning("empty-or", "an empty `or` never holds"),
    Code::warning("empty-parentheses", "a name has parentheses but no arguments"),
    Code::error("empty-rule", "a rule has no head"),
    Code::error("invalid-utf8", "a byte is not valid UTF-8; a warning if it is inside a comment"),
    Code::warning("markup", "the text contains HTML markup, which is ignored"),
    Code::error("misplaced-arrow", "`<=` or `:-` is misplaced or belongs to the other form"),
    Code::error("misplaced-connective", "`not`, `or`, `and` or `distinct` is used as a fact or head"),
    Code::warning("missing-and", "a fact looks like part of the previous rule"),
    Code::error("more-than-a-term", "there is text after the end of a single term, such as a move"),
    Code::error("newer-dialect", "`::` or `==>` belongs to a newer language than GDL"),
    Code::error("no-name", "a term or variable has no name"),
    Code::error("no-parts", "`or`, `and` or `distinct` is not followed by parentheses"),
    Code::error("no-term", "a single term, such as a move, is empty"),
    Code::warning("prefix-variable", "a variable of the infix form begins with `?`"),
    Code::error("too-deep", "parentheses, terms or literals are nested too deeply"),
    Code::error("too-large", "the text has too many words; the rest is ignored"),
    Code::error("too-long", "the text has too many bytes"),
    Code::warning("too-many", "not all diagnostics are shown; an error if one of the omitted ones is"),
    Code::error("unclosed-parenthesis", "a parenthesis is never closed"),
    Code::error("unclosed-quote", "a quote is not closed on its line"),
    Code::error("unexpected-end", "the text ends in the middle of a clause"),
    Code::error("unexpected-sign", "unexpected character"),
    Code::error("unexpected-word", "unexpected word or sign"),
    Code::error("unopened-parenthesis", "a `)` has no matching `(`"),
    Code::warning("unusual-space", "a white-space character is not an ordinary space"),
    Code::error("variable-sentence", "a variable is used as a sentence"),
    Code::warning("wrapped-sheet", "the whole sheet is inside one pair of parentheses"),
    Code::error("wrong-distinct", "`distinct` does not have exactly two terms"),
    Code::error("wrong-not", "`not` does not have exactly one literal"),
];
