//! The lexer of the infix form.

use std::borrow::Cow;

use crate::Span;
use crate::names::is_space;
use crate::report::Report;
use crate::trivia::Trivia;

/// The kinds of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Constant,
    Quoted,
    /// A quote that is not closed on its line.
    OpenQuote,
    Variable,
    /// `?x`, as in the prefix form.
    PrefixVariable,
    Open,
    Close,
    Comma,
    And,
    Or,
    Not,
    Differs,
    Period,
    Arrow,
    /// `::`, `==>` and the like: signs of a newer language.
    Dynamic,
    Unknown,
    End,
}

/// A token and its location.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Span,
    /// Whether it is the first token on its line.
    pub first: bool,
    /// Its offset within its line.
    pub column: usize,
}

impl Token {
    /// Returns `true` for words, the tokens that can begin a clause.
    pub fn is_word(self) -> bool {
        use Kind::{Constant, OpenQuote, PrefixVariable, Quoted, Variable};
        matches!(self.kind, Constant | Quoted | OpenQuote | Variable | PrefixVariable)
    }
}

/// Produces tokens; after the last one it returns `End` forever.
pub(super) struct Lexer<'t> {
    pub trivia: Trivia<'t>,
}

/// All signs. A sign precedes its own prefixes, so the longest match is found first.
const SIGNS: [(&str, Kind); 18] = [
    ("==>", Kind::Dynamic),
    ("=>", Kind::Dynamic),
    ("::", Kind::Dynamic),
    (":=", Kind::Dynamic),
    (":-", Kind::Arrow),
    ("<=", Kind::Arrow),
    ("!=", Kind::Differs),
    ("\\=", Kind::Differs),
    ("#", Kind::Differs),
    ("(", Kind::Open),
    (")", Kind::Close),
    (",", Kind::Comma),
    ("&&", Kind::And),
    ("&", Kind::And),
    ("||", Kind::Or),
    ("|", Kind::Or),
    ("~", Kind::Not),
    (".", Kind::Period),
];

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str) -> Lexer<'t> {
        Lexer { trivia: Trivia::new(text, b'%') }
    }

    pub fn next(&mut self, report: &mut Report) -> Token {
        let trivia = &mut self.trivia;
        let found = trivia.skip(report);
        let (first, column, start) = (trivia.fresh_line, trivia.column(), trivia.at);
        trivia.fresh_line = false;
        let (mut kind, length) = match found {
            true => scan(&trivia.text[start..]),
            false => (Kind::End, 0),
        };
        trivia.at += length;
        if matches!(kind, Kind::Constant | Kind::Quoted | Kind::Variable | Kind::PrefixVariable)
            && !trivia.count(report)
        {
            kind = Kind::End;
        }
        Token { kind, span: Span::new(start, trivia.at), first, column }
    }
}

/// Returns the kind and length of the token at the start of `text`.
fn scan(text: &str) -> (Kind, usize) {
    match text.chars().next() {
        Some('\'') => scan_quoted(text),
        Some('?') => (Kind::PrefixVariable, 1 + word_length(&text[1..])),
        Some(char) if char == '_' || char.is_uppercase() => (Kind::Variable, word_length(text)),
        Some(char) if is_word_char(char) => (Kind::Constant, constant_length(text)),
        char => match SIGNS.into_iter().find(|(sign, _)| text.starts_with(sign)) {
            Some((sign, kind)) => (kind, sign.len()),
            None => (Kind::Unknown, char.map_or(0, char::len_utf8)),
        },
    }
}

fn scan_quoted(text: &str) -> (Kind, usize) {
    let mut escaped = false;
    for (at, char) in text.char_indices().skip(1) {
        match char {
            '\n' | '\r' => return (Kind::OpenQuote, at),
            '\\' if !escaped => escaped = true,
            '\'' if !escaped => return (Kind::Quoted, at + 1),
            _ => escaped = false,
        }
    }
    (Kind::OpenQuote, text.len())
}

/// Returns the length of a constant. A number may contain a decimal point; other words may not.
fn constant_length(text: &str) -> usize {
    let length = word_length(text);
    let is_number = text[..length].trim_start_matches(['+', '-']).bytes().all(|byte| byte.is_ascii_digit());
    let fraction = text[length..].strip_prefix('.').unwrap_or_default();
    if is_number && fraction.starts_with(|char: char| char.is_ascii_digit()) {
        return length + 1 + word_length(fraction);
    }
    length
}

fn word_length(text: &str) -> usize {
    text.find(|char| !is_word_char(char)).unwrap_or(text.len())
}

/// Returns `true` for characters that words consist of.
pub(super) fn is_word_char(char: char) -> bool {
    if char.is_ascii() { char.is_ascii_alphanumeric() || "_+-*/^$@?".contains(char) } else { !is_space(char) }
}

/// Returns `true` if a constant with this name needs no quotes.
pub(super) fn is_plain_constant(name: &str) -> bool {
    let begins = |char: char| is_word_char(char) && char != '_' && char != '?' && !char.is_uppercase();
    name.starts_with(begins) && constant_length(name) == name.len()
}

/// Appends the name in quotes.
pub(super) fn quote(name: &str, out: &mut String) {
    out.push('\'');
    for char in name.chars() {
        if matches!(char, '\'' | '\\') {
            out.push('\\');
        }
        out.push(if matches!(char, '\n' | '\r') { ' ' } else { char });
    }
    out.push('\'');
}

/// Returns the name that a quoted constant, quotes included, denotes. A backslash that is not
/// followed by a quote or another backslash denotes itself.
pub(super) fn unquote(text: &str) -> Cow<'_, str> {
    let inner = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')).unwrap_or(text);
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut name = String::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(char) = chars.next() {
        match chars.peek() {
            Some(&next @ ('\'' | '\\')) if char == '\\' => {
                name.push(next);
                chars.next();
            }
            _ => name.push(char),
        }
    }
    Cow::Owned(name)
}
