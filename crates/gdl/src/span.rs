//! Locations in the text.

/// A half-open range of byte offsets in one rule sheet's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset one past the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the range from `start` to `end`. Offsets that do not fit into 32 bits are clipped.
    pub fn new(start: usize, end: usize) -> Span {
        let clip = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { start: clip(start), end: clip(end) }
    }

    /// Returns the smallest range that contains both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the range as indices into the text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}
