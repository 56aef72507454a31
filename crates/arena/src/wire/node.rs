//! Messages as trees of words and lists.
//!
//! Parsing is a loop, so nesting costs no stack. Nesting is bounded by the length of the text and
//! [`MAX_DEPTH`].

use std::fmt::Write;

/// The maximum nesting of lists.
pub const MAX_DEPTH: usize = 256;

/// A word or a list.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// A word, or a quoted text with its quotes.
    Word(String),
    /// A list in parentheses.
    List(Vec<Node>),
}

/// Why a text is not a list of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NodeError {
    /// A list is not closed.
    #[error("a closing parenthesis is missing")]
    Open,
    /// A closing parenthesis has no opening one.
    #[error("there is an extra closing parenthesis")]
    Closed,
    /// The lists are nested too deeply.
    #[error("the lists are nested too deeply")]
    Deep,
}

impl Node {
    /// Reads all nodes of a text. Comments begin with `;` and end with the line.
    pub fn read_all(text: &str) -> Result<Vec<Node>, NodeError> {
        let mut open: Vec<Vec<Node>> = vec![Vec::new()];
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                ';' => rest.find(['\n', '\r']).unwrap_or(rest.len()),
                '(' => {
                    if open.len() > MAX_DEPTH {
                        return Err(NodeError::Deep);
                    }
                    open.push(Vec::new());
                    1
                }
                ')' => {
                    let list = open.pop().filter(|_| !open.is_empty()).ok_or(NodeError::Closed)?;
                    open.last_mut().expect("the outermost list stays open").push(Node::List(list));
                    1
                }
                '"' => {
                    let length = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
                    let word = Node::Word(rest[..length].to_string());
                    open.last_mut().expect("the outermost list stays open").push(word);
                    length
                }
                c if c.is_whitespace() || c.is_control() => c.len_utf8(),
                _ => {
                    let ends = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '(' | ')' | ';');
                    let length = rest.find(ends).unwrap_or(rest.len());
                    let word = Node::Word(rest[..length].to_string());
                    open.last_mut().expect("the outermost list stays open").push(word);
                    length
                }
            };
            rest = &rest[length..];
        }
        match open.pop() {
            Some(nodes) if open.is_empty() => Ok(nodes),
            _ => Err(NodeError::Open),
        }
    }

    /// Returns the word, if it is one.
    pub fn word(&self) -> Option<&str> {
        match self {
            Node::Word(word) => Some(word),
            Node::List(_) => None,
        }
    }

    /// Returns the same tree with every word replaced.
    pub fn map(&self, change: &mut impl FnMut(&str) -> String) -> Node {
        match self {
            Node::Word(word) => Node::Word(change(word)),
            Node::List(nodes) => Node::List(nodes.iter().map(|node| node.map(change)).collect()),
        }
    }

    /// Calls `visit` with every word.
    pub fn for_each_word(&self, visit: &mut impl FnMut(&str)) {
        match self {
            Node::Word(word) => visit(word),
            Node::List(nodes) => nodes.iter().for_each(|node| node.for_each_word(visit)),
        }
    }

    /// Returns canonical text: `(mark 1 1)`.
    pub fn compact(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, "");
        text
    }

    /// Returns text with spaces inside the parentheses, as ggp-base writes it: `( mark 1 1 )`.
    pub fn spaced(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, " ");
        text
    }

    fn write(&self, out: &mut String, inside: &str) {
        match self {
            Node::Word(word) => out.push_str(word),
            Node::List(nodes) => {
                let _ = write!(out, "({inside}");
                for (number, node) in nodes.iter().enumerate() {
                    if number > 0 {
                        out.push(' ');
                    }
                    node.write(out, inside);
                }
                let _ = write!(out, "{inside})");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_read_and_written() {
        let nodes = Node::read_all("( mark 1 ( f x ) ) noop ; a comment\n(say \"two words\")").unwrap();
        let texts: Vec<String> = nodes.iter().map(Node::compact).collect();
        assert_eq!(texts, ["(mark 1 (f x))", "noop", "(say \"two words\")"]);
        assert_eq!(nodes[0].spaced(), "( mark 1 ( f x ) )");
    }

    #[test]
    fn broken_texts_are_refused() {
        assert_eq!(Node::read_all("(a"), Err(NodeError::Open));
        assert_eq!(Node::read_all("a)"), Err(NodeError::Closed));
        assert_eq!(Node::read_all(&"(".repeat(1_000_000)), Err(NodeError::Deep));
    }
}
