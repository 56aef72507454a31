//! SVG as text, with everything that comes from a rule sheet escaped and truncated.

use std::fmt::{self, Write};

/// The maximum length of a word.
const LONGEST_WORD: usize = 60;

/// A number in a short form: at most two decimals, no trailing zeros.
pub(crate) struct N(pub(crate) f64);

impl fmt::Display for N {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = (self.0 * 100.0).round() / 100.0;
        // No negative zero.
        write!(out, "{}", if rounded == 0.0 { 0.0 } else { rounded })
    }
}

/// Escapes text for an element or an attribute. Replaces control characters and truncates long text.
pub(crate) fn escaped(text: &str) -> String {
    escaped_to(text, LONGEST_WORD)
}

/// Does the same as [`escaped`] with another maximum length.
pub(crate) fn escaped_to(text: &str, longest: usize) -> String {
    let mut out = String::with_capacity(text.len().min(longest) + 8);
    for (count, c) in text.chars().enumerate() {
        if count >= longest {
            out.push('…');
            break;
        }
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if is_odd(c) => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

/// Returns `true` for characters that XML forbids or that change the direction of the text around them.
fn is_odd(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FFFE}' | '\u{FFFF}')
}

/// Escapes an attribute with a larger maximum length, so that names of squares stay intact.
pub(crate) fn whole(text: &str) -> String {
    escaped_to(text, 4 * LONGEST_WORD)
}

/// Converts a word to a part of a CSS class: letters, digits and hyphens.
pub(crate) fn class(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().take(40) {
        match c {
            c if c.is_ascii_alphanumeric() => out.push(c.to_ascii_lowercase()),
            _ if out.ends_with('-') || out.is_empty() => {}
            _ => out.push('-'),
        }
    }
    let end = out.trim_end_matches('-').len();
    out.truncate(end);
    if out.is_empty() { "thing".to_string() } else { out }
}

/// Writes text centred at a point.
pub(crate) fn label(out: &mut String, (x, y): (f64, f64), size: f64, attributes: &str, text: &str) {
    let _ = write!(
        out,
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"middle\" {attributes}>{}</text>",
        N(x),
        N(y + size * 0.35),
        N(size),
        escaped(text)
    );
}

/// Returns the approximate width of a text.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let count = text.chars().count().min(LONGEST_WORD + 1) as f64;
    count * size * 0.6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_control_characters_are_harmless() {
        assert_eq!(escaped("<script>\"'&\u{0}\u{202e}"), "&lt;script&gt;&quot;&#39;&amp;\u{FFFD}\u{FFFD}");
        assert_eq!(escaped(&"x".repeat(100)).chars().count(), LONGEST_WORD + 1);
        assert_eq!(class("White King!"), "white-king");
        assert_eq!(class("<>\""), "thing");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(format!("{} {} {}", N(1.0), N(-0.001), N(2.126)), "1 0 2.13");
    }
}
