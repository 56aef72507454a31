//! What both syntaxes allow between words: white space and comments.

use crate::names::is_space;
use crate::report::Report;
use crate::{Comment, Diagnostic, MAX_WORDS, Span};

/// Walks over a text, collects comments and blank lines, and counts words.
pub(crate) struct Trivia<'t> {
    pub text: &'t str,
    /// The current offset.
    pub at: usize,
    /// Whether only white space precedes `at` on its line.
    pub fresh_line: bool,
    /// The offset of the start of that line.
    pub line_start: usize,
    pub comments: Vec<Comment>,
    pub blank_lines: Vec<u32>,
    mark: u8,
    words: usize,
}

impl<'t> Trivia<'t> {
    /// Starts at the beginning of `text`, in which `mark` begins a comment.
    pub fn new(text: &'t str, mark: u8) -> Trivia<'t> {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Trivia {
            text,
            at,
            fresh_line: true,
            line_start: at,
            comments: Vec::new(),
            blank_lines: Vec::new(),
            mark,
            words: 0,
        }
    }

    /// Skips white space and comments. Returns `false` at the end of the text.
    pub fn skip(&mut self, report: &mut Report) -> bool {
        let bytes = self.text.as_bytes();
        let mut line_ends = 0;
        while let Some(&byte) = bytes.get(self.at) {
            if matches!(byte, b'\n' | b'\r') {
                line_ends += 1;
                if line_ends == 2 {
                    self.blank_lines.push(self.at as u32);
                }
                self.at += if bytes[self.at..].starts_with(b"\r\n") { 2 } else { 1 };
                self.fresh_line = true;
                self.line_start = self.at;
            } else if matches!(byte, b' ' | b'\t' | 0x0b | 0x0c) {
                self.at += 1;
            } else if byte == self.mark {
                if !self.count(report) {
                    return false;
                }
                self.comment();
                line_ends = 0;
            } else if byte >= 0x80 && self.char().is_some_and(is_space) {
                self.unusual_space(report);
            } else {
                return true;
            }
        }
        false
    }

    /// Returns the character at the current offset.
    pub fn char(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Returns the current offset within its line.
    pub fn column(&self) -> usize {
        self.at - self.line_start
    }

    fn comment(&mut self) {
        let start = self.at;
        let rest = &self.text.as_bytes()[start..];
        self.at += rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        let text = self.text[start + 1..self.at].to_string();
        self.comments.push(Comment { text, span: Span::new(start, self.at), trailing: !self.fresh_line });
    }

    fn unusual_space(&mut self, report: &mut Report) {
        let start = self.at;
        while let Some(char) = self.char().filter(|char| !char.is_ascii() && is_space(*char)) {
            self.at += char.len_utf8();
        }
        let span = Span::new(start, self.at);
        report.warning(span, || {
            Diagnostic::warning("unusual-space", span, "this white space is not an ordinary space")
                .remedy("replace it with a space; other programs treat it as part of a name")
        });
    }

    /// Counts one word or comment. Beyond the limit it reports a final error, skips the rest of
    /// the text and returns `false`.
    pub fn count(&mut self, report: &mut Report) -> bool {
        self.words += 1;
        if self.words <= MAX_WORDS {
            return true;
        }
        let span = Span::new(self.at, self.at);
        report.error(span, || {
            Diagnostic::error("too-large", span, format!("the text has more than {MAX_WORDS} words"))
                .remedy("the rest is ignored; make the text smaller")
        });
        report.mute(true);
        self.at = self.text.len();
        false
    }
}
