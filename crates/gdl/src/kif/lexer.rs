//! The lexer of the prefix form.

use crate::Span;
use crate::names::ends_word;
use crate::report::Report;
use crate::trivia::Trivia;

/// A word or a parenthesis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Open,
    Close,
    Word,
}

/// Produces tokens with their spans.
pub(super) struct Lexer<'t> {
    pub trivia: Trivia<'t>,
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str) -> Lexer<'t> {
        Lexer { trivia: Trivia::new(text, b';') }
    }

    /// Returns the next token, or `None` at the end of the text.
    pub fn next(&mut self, report: &mut Report) -> Option<(Token, Span)> {
        let trivia = &mut self.trivia;
        if !trivia.skip(report) {
            return None;
        }
        trivia.fresh_line = false;
        let start = trivia.at;
        let token = match trivia.text.as_bytes()[start] {
            b'(' => Token::Open,
            b')' => Token::Close,
            _ => Token::Word,
        };
        if token != Token::Word {
            trivia.at += 1;
        } else if trivia.count(report) {
            trivia.at = word_end(trivia.text, start);
        } else {
            return None;
        }
        Some((token, Span::new(start, trivia.at)))
    }

    /// Returns `true` if the next token is the word `<=` and no comment precedes it.
    pub fn arrow_follows(&self) -> bool {
        let rest = self.rest();
        rest.starts_with("<=") && word_end(rest, 0) == 2
    }

    /// Returns `true` if the next token is an opening parenthesis and no comment precedes it.
    pub fn open_follows(&self) -> bool {
        self.rest().starts_with('(')
    }

    /// Returns `true` if `offset` is at the beginning of a line.
    pub fn begins_line(&self, offset: u32) -> bool {
        match self.trivia.text.as_bytes()[..offset as usize].last() {
            Some(byte) => matches!(byte, b'\n' | b'\r'),
            None => true,
        }
    }

    fn rest(&self) -> &'t str {
        let text = self.trivia.text;
        text[self.trivia.at..].trim_ascii_start()
    }
}

/// Returns the end of the word that begins at `start`.
fn word_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        if byte < 0x80 {
            if ends_word(byte as char) {
                break;
            }
            at += 1;
        } else {
            match text[at..].chars().next() {
                Some(char) if !ends_word(char) => at += char.len_utf8(),
                _ => break,
            }
        }
    }
    at
}
