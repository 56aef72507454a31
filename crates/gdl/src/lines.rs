//! From offsets to lines and columns, for those who show diagnostics.

/// Where lines begin in a text.
///
/// ```
/// let index = gdl::LineIndex::new("(role x)\n(röle y)");
/// let position = index.position(14);
/// assert_eq!((position.line, position.column), (2, 5));
/// assert_eq!(index.line(2), "(röle y)");
/// ```
#[derive(Debug, Clone)]
pub struct LineIndex<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

/// A line and a column in it, both counted from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl<'t> LineIndex<'t> {
    /// Finds the lines of `text`, which end with LF, CR LF or CR.
    pub fn new(text: &'t str) -> LineIndex<'t> {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, &byte) in bytes.iter().enumerate() {
            if byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
                starts.push(at + 1);
            }
        }
        LineIndex { text, starts }
    }

    /// How many lines there are; a text has at least one.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// The line and column of a byte offset. Offsets inside a character belong
    /// to that character, offsets beyond the end to the end.
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1];
        Position { line, column: self.text[start..offset].chars().count() + 1 }
    }

    /// The byte offset at which a line (counted from 1) begins; the end of the text for lines beyond the last.
    pub fn line_start(&self, line: usize) -> usize {
        self.starts.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len())
    }

    /// The text of a line (counted from 1) without its end; empty for lines beyond the last.
    pub fn line(&self, line: usize) -> &'t str {
        let start = self.line_start(line);
        let end = self.line_start(line.max(1) + 1);
        self.text[start..end].trim_end_matches(['\r', '\n'])
    }
}
