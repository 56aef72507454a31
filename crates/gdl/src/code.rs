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
    Code::warning(
        "changed-name",
        "a quoted name cannot be written in the prefix form and is read as another",
    ),
    Code::warning("empty-and", "an `and` of nothing always holds"),
    Code::warning("empty-or", "an `or` of nothing never holds"),
    Code::warning("empty-parentheses", "a name has parentheses but no arguments"),
    Code::error("empty-rule", "a rule has no head"),
    Code::error("invalid-utf8", "a byte is not UTF-8 text; inside a comment a warning"),
    Code::warning("markup", "a piece of a web page stands in the text and is left out"),
    Code::error("misplaced-arrow", "`<=` or `:-` stands where no rule begins, or belongs to the other form"),
    Code::error(
        "misplaced-connective",
        "`not`, `or`, `and` or `distinct` stands where a fact or a head must",
    ),
    Code::warning("missing-and", "a fact looks like a part of the rule before it"),
    Code::error("more-than-a-term", "a move or another single term goes on after its end"),
    Code::error("newer-dialect", "`::` or `==>` belongs to a newer language than GDL"),
    Code::error("no-name", "a term or variable has no name where it needs one"),
    Code::error("no-parts", "`or`, `and` or `distinct` has nothing in parentheses after it"),
    Code::error("no-term", "a move or another single term is empty"),
    Code::warning("prefix-variable", "a variable of the infix form begins with `?`"),
    Code::error("too-deep", "parentheses, terms or literals are nested too deep"),
    Code::error("too-large", "the text has too many words; it is read up to there"),
    Code::error("too-long", "the text has more bytes than are read"),
    Code::warning("too-many", "there are more diagnostics than are shown; an error if one of the rest is"),
    Code::error("unclosed-parenthesis", "a parenthesis is never closed"),
    Code::error("unclosed-quote", "a quote has no end on its line"),
    Code::error("unexpected-end", "the text ends in the middle of a clause"),
    Code::error("unexpected-sign", "a sign has no meaning where it stands"),
    Code::error("unexpected-word", "a word or sign stands where something else must come"),
    Code::error("unopened-parenthesis", "a parenthesis closes nothing"),
    Code::warning("unusual-space", "a blank is not a plain space"),
    Code::error("variable-sentence", "a variable stands where a sentence must"),
    Code::warning("wrapped-sheet", "the whole sheet stands in one pair of parentheses"),
    Code::error("wrong-distinct", "`distinct` has not two terms"),
    Code::error("wrong-not", "`not` has not one literal"),
];
