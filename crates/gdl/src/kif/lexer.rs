//! Words and parentheses of the prefix form.

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

/// Hands out tokens with their places.
pub(super) struct Lexer<'t> {
    pub trivia: Trivia<'t>,
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str) -> Lexer<'t> {
        Lexer { trivia: Trivia::new(text, b';') }
    }

    /// The next token, or none at the end of the text.
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

    /// Whether the next token, comments aside, is the word `<=`.
    pub fn arrow_follows(&self) -> bool {
        let rest = self.rest();
        rest.starts_with("<=") && word_end(rest, 0) == 2
    }

    /// Whether the next token, comments aside, is an opening parenthesis.
    pub fn open_follows(&self) -> bool {
        self.rest().starts_with('(')
    }

    /// Whether `offset` is the first of its line.
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

/// Where the word that begins at `start` ends.
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
