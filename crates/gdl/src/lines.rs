//! Conversion of byte offsets to lines and columns, for showing diagnostics.

/// An index of where the lines of a text begin.
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

/// A line and a column, both counted from 1; the column counts characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line number.
    pub line: usize,
    /// The position of the character within the line.
    pub column: usize,
}

impl<'t> LineIndex<'t> {
    /// Indexes the lines of `text`, which end with LF, CR LF or CR.
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

    /// Returns the number of lines, which is at least one.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the line and column of a byte offset. An offset inside a character is rounded
    /// down to its start; an offset beyond the end is treated as the end.
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1];
        Position { line, column: self.text[start..offset].chars().count() + 1 }
    }

    /// Returns the byte offset of the start of a line (counted from 1), or the end of the text
    /// beyond the last.
    pub fn line_start(&self, line: usize) -> usize {
        self.starts.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len())
    }

    /// Returns a line (counted from 1) without its line ending; empty beyond the last line.
    pub fn line(&self, line: usize) -> &'t str {
        let start = self.line_start(line);
        let end = self.line_start(line.max(1) + 1);
        self.text[start..end].trim_end_matches(['\r', '\n'])
    }
}
