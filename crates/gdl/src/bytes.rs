//! Bytes that should be UTF-8 text.

use std::borrow::Cow;

use crate::syntax::refuse_huge;
use crate::{Diagnostic, Parsed, Severity, Span, Syntax, parse};

/// How many places are remembered to tell comments from clauses; beyond them the first counts.
const MAX_PLACES: usize = 1000;

/// Turns bytes into text. Each sequence that is not UTF-8 becomes `U+FFFD`, and
/// the first of them is told as an `invalid-utf8` error whose message gives its
/// offset in the bytes; its span is a place in the returned text, as are those
/// of all diagnostics of [`parse_bytes`].
///
/// ```
/// let (text, error) = gdl::decode(b"(role caf\xe9)");
/// assert_eq!(text, "(role caf\u{fffd})");
/// assert_eq!(error.unwrap().span.start, 9);
/// ```
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, Option<Diagnostic>) {
    let (text, places) = replace_invalid(bytes);
    let error = places.first().map(|place| place.diagnostic(Severity::Error));
    (text, error)
}

/// Reads a rule sheet from bytes. What is not UTF-8 is replaced as [`decode`]
/// does; inside comments that is a warning, elsewhere an error.
pub fn parse_bytes(bytes: &[u8], syntax: Syntax) -> Parsed {
    if let Some(refusal) = refuse_huge(bytes.len()) {
        return refusal;
    }
    let (text, places) = replace_invalid(bytes);
    let mut parsed = parse(&text, syntax);
    let comments = &parsed.sheet.comments;
    let in_comment = |place: &Place| {
        let after = comments.partition_point(|comment| comment.span.start <= place.span.start);
        after > 0 && place.span.start < comments[after - 1].span.end
    };
    let serious = places.iter().find(|place| !in_comment(place));
    let diagnostic = match (serious, places.first()) {
        (Some(place), _) => place.diagnostic(Severity::Error),
        (None, Some(place)) => place.diagnostic(Severity::Warning),
        (None, None) => return parsed,
    };
    let at = parsed.diagnostics.partition_point(|other| other.span < diagnostic.span);
    parsed.diagnostics.insert(at, diagnostic);
    parsed
}

/// A sequence of bytes that is not UTF-8.
struct Place {
    /// Its replacement in the text.
    span: Span,
    /// Its offset in the bytes.
    offset: usize,
    byte: u8,
}

impl Place {
    fn diagnostic(&self, severity: Severity) -> Diagnostic {
        let message = format!("the byte {:#04x} at offset {} is not UTF-8 text", self.byte, self.offset);
        let diagnostic =
            Diagnostic::error("invalid-utf8", self.span, message).remedy("save the file as UTF-8");
        Diagnostic { severity, ..diagnostic }
    }
}

fn replace_invalid(bytes: &[u8]) -> (Cow<'_, str>, Vec<Place>) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (Cow::Borrowed(text), Vec::new());
    }
    let mut text = String::with_capacity(bytes.len() + 16);
    let mut places = Vec::new();
    let mut offset = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        offset += chunk.valid().len();
        if let Some(&byte) = chunk.invalid().first() {
            let start = text.len();
            text.push(char::REPLACEMENT_CHARACTER);
            if places.len() < MAX_PLACES {
                places.push(Place { span: Span::new(start, text.len()), offset, byte });
            }
        }
        offset += chunk.invalid().len();
    }
    (Cow::Owned(text), places)
}
