//! The two syntaxes of rule sheets, and how to tell them apart.

use crate::{Diagnostic, Parsed, RuleSheet, Span, parse_hrf, parse_kif, to_hrf, to_kif};

/// A syntax of rule sheets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Syntax {
    /// The prefix form, `(<= (goal ?p 100) (line ?p))`.
    Kif,
    /// The infix form, `goal(P,100) :- line(P)`.
    Hrf,
}

/// Parses a rule sheet.
///
/// ```
/// use gdl::{Syntax, parse};
/// let prefix = parse("(<= terminal (line x) (not open))", Syntax::Kif);
/// let infix = parse("terminal :- line(x) & ~open", Syntax::Hrf);
/// assert!(prefix.sheet.same(&infix.sheet));
/// ```
pub fn parse(text: &str, syntax: Syntax) -> Parsed {
    match syntax {
        Syntax::Kif => parse_kif(text),
        Syntax::Hrf => parse_hrf(text),
    }
}

impl Syntax {
    /// Guesses the syntax from how the text begins. If that is inconclusive, uses the file extension.
    ///
    /// The text takes precedence because some public infix sheets have names that end in `.kif`.
    ///
    /// ```
    /// use gdl::Syntax;
    /// assert_eq!(Syntax::guess("; chess\n(role white)", Some("kif")), Syntax::Kif);
    /// assert_eq!(Syntax::guess("role(white)\nrole(black)", Some("kif")), Syntax::Hrf);
    /// assert_eq!(Syntax::guess("", Some("hrf")), Syntax::Hrf);
    /// ```
    pub fn guess(text: &str, extension: Option<&str>) -> Syntax {
        let text = text.trim_start_matches(|char: char| char.is_whitespace() || char == '\u{feff}');
        if text.starts_with(['(', ';']) {
            return Syntax::Kif;
        }
        if text.starts_with(['%', '\'']) {
            return Syntax::Hrf;
        }
        let word =
            text.find(|char: char| char.is_whitespace() || "():%;&.".contains(char)).unwrap_or(text.len());
        let (word, rest) = text.split_at(word);
        let after = rest.trim_start();
        let applied = !word.is_empty() && !word.starts_with('<') && rest.starts_with('(');
        if applied || after.starts_with(":-") || (!word.is_empty() && rest.starts_with('.')) {
            return Syntax::Hrf;
        }
        extension.and_then(Syntax::of_extension).unwrap_or(Syntax::Kif)
    }

    /// Returns the usual syntax of files with this extension (given without the dot).
    pub fn of_extension(extension: &str) -> Option<Syntax> {
        match extension.to_ascii_lowercase().as_str() {
            "kif" | "gdl" => Some(Syntax::Kif),
            "hrf" => Some(Syntax::Hrf),
            _ => None,
        }
    }

    /// Returns the usual extension of files in this syntax.
    pub fn extension(self) -> &'static str {
        match self {
            Syntax::Kif => "kif",
            Syntax::Hrf => "hrf",
        }
    }

    /// Prints a rule sheet in this syntax.
    pub fn print(self, sheet: &RuleSheet) -> String {
        match self {
            Syntax::Kif => to_kif(sheet),
            Syntax::Hrf => to_hrf(sheet),
        }
    }
}

/// Returns the refusal of a text whose offsets do not fit into a [`Span`].
pub(crate) fn refuse_huge(length: usize) -> Option<Parsed> {
    if u32::try_from(length).is_ok() {
        return None;
    }
    let message = format!("the text has {length} bytes; the limit is {}", u32::MAX);
    let diagnostic = Diagnostic::error("too-long", Span::default(), message).remedy("split the text");
    Some(Parsed { sheet: RuleSheet::default(), diagnostics: vec![diagnostic] })
}

#[cfg(test)]
mod tests {
    use super::refuse_huge;

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn more_than_four_gigabytes_are_refused() {
        assert!(refuse_huge(u32::MAX as usize).is_none());
        let refusal = refuse_huge(1 << 32).unwrap();
        assert_eq!(refusal.diagnostics[0].code, "too-long");
        assert!(refusal.sheet.clauses.is_empty());
    }
}
