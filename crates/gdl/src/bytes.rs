//! Decoding of bytes that should be UTF-8 text.

use std::borrow::Cow;

use crate::syntax::refuse_huge;
use crate::{Diagnostic, Parsed, Severity, Span, Syntax, parse};

/// The maximum number of invalid sequences that are remembered. Those beyond it are never an
/// error, so a text whose first thousand are all inside comments gets only a warning.
const MAX_PLACES: usize = 1000;

/// Decodes bytes as UTF-8. Each invalid sequence becomes `U+FFFD`, and the first one is
/// reported as an `invalid-utf8` error whose message contains its offset in the bytes. The span
/// of that error refers to the returned text, like the spans of all diagnostics from
/// [`parse_bytes`].
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

/// Parses a rule sheet from bytes. Invalid UTF-8 is replaced as in [`decode`]; it is a warning
/// inside comments and an error elsewhere.
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

/// A sequence of bytes that is not valid UTF-8.
struct Place {
    /// Its replacement in the text.
    span: Span,
    /// Its offset in the bytes.
    offset: usize,
    byte: u8,
}

impl Place {
    fn diagnostic(&self, severity: Severity) -> Diagnostic {
        let message = format!("the byte {:#04x} at offset {} is not valid UTF-8", self.byte, self.offset);
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
