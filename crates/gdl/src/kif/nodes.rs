//! The structure that the parentheses define, before words are interpreted.
//!
//! Forms are read without recursion. A form that is never closed is cut where the next clause
//! evidently begins: at `(<=`, which never occurs inside another form, and at a parenthesis in
//! the first column. Balanced sheets that write their bodies in the first column are read
//! correctly, because the first column is considered only once a form is known to be broken.

use std::collections::VecDeque;

use super::lexer::{Lexer, Token};
use crate::report::Report;
use crate::{Diagnostic, MAX_DEPTH, Span};

/// A word, or a list of nodes in parentheses.
pub(super) enum Node {
    Word(Span),
    List(Span, Vec<Node>),
}

impl Node {
    pub fn span(&self) -> Span {
        match self {
            Node::Word(span) | Node::List(span, _) => *span,
        }
    }
}

/// A top-level node, and whether all its parentheses were present.
pub(super) struct Form {
    pub node: Node,
    pub whole: bool,
}

/// A list that has not been closed yet.
struct Frame {
    open: Span,
    nodes: Vec<Node>,
}

impl Frame {
    fn end(&self) -> Span {
        self.nodes.last().map_or(self.open, Node::span)
    }
}

/// Reads forms one by one.
pub(super) struct Reader<'t> {
    pub lexer: Lexer<'t>,
    frames: Vec<Frame>,
    /// The number of parentheses open beyond the deepest frame.
    beyond: usize,
    /// Whether the current form is nested too deeply to be used.
    spoiled: bool,
    /// The parenthesis around the whole sheet, if there is one.
    wrapper: Option<Span>,
    begun: bool,
    ready: VecDeque<Form>,
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t str) -> Reader<'t> {
        Reader {
            lexer: Lexer::new(text),
            frames: Vec::new(),
            beyond: 0,
            spoiled: false,
            wrapper: None,
            begun: false,
            ready: VecDeque::new(),
        }
    }

    /// Creates a reader for a text that should be one term, in which an outermost pair of
    /// parentheses is not a wrapper around a sheet.
    pub fn single(text: &'t str) -> Reader<'t> {
        Reader { begun: true, ..Reader::new(text) }
    }

    /// Returns the next form, or `None` at the end of the text.
    pub fn next(&mut self, report: &mut Report) -> Option<Form> {
        loop {
            if let Some(form) = self.ready.pop_front() {
                return Some(form);
            }
            match self.lexer.next(report) {
                Some((Token::Open, span)) => self.open(span, report),
                Some((Token::Close, span)) => self.close(span, report),
                Some((Token::Word, span)) => self.put(Node::Word(span)),
                None if !self.frames.is_empty() => self.cut(None, report),
                None => {
                    if let Some(span) = self.wrapper.take() {
                        unclosed(span, None, report);
                    }
                    return None;
                }
            }
            self.begun = true;
        }
    }

    fn open(&mut self, span: Span, report: &mut Report) {
        if !self.begun && self.lexer.open_follows() {
            report.warning(span, || {
                let message = "the whole sheet is inside one pair of parentheses";
                Diagnostic::warning("wrapped-sheet", span, message).remedy("remove the outermost pair")
            });
            self.wrapper = Some(span);
            return;
        }
        let lost = self.beyond > 0 && self.lexer.begins_line(span.start);
        if !self.frames.is_empty() && (lost || self.lexer.arrow_follows()) {
            self.cut(Some(span), report);
        }
        if self.frames.len() < MAX_DEPTH {
            self.frames.push(Frame { open: span, nodes: Vec::new() });
            return;
        }
        self.beyond += 1;
        if !self.spoiled {
            self.spoiled = true;
            too_deep(span, report);
        }
    }

    fn close(&mut self, span: Span, report: &mut Report) {
        if self.beyond > 0 {
            self.beyond -= 1;
        } else if let Some(frame) = self.frames.pop() {
            if self.frames.is_empty() && std::mem::take(&mut self.spoiled) {
                return;
            }
            self.put(Node::List(frame.open.to(span), frame.nodes));
        } else if self.wrapper.take().is_none() {
            report.error(span, || {
                let message = "this `)` has no matching `(`";
                Diagnostic::error("unopened-parenthesis", span, message)
                    .remedy("remove it, or look for an extra `)` before it")
            });
        }
    }

    fn put(&mut self, node: Node) {
        match self.frames.last_mut() {
            Some(_) if self.beyond > 0 => {}
            Some(frame) => frame.nodes.push(node),
            None => self.ready.push_back(Form { node, whole: true }),
        }
    }

    /// Closes all open frames, because the next clause begins at `next` or the text ends.
    ///
    /// Their content is one broken form up to the first list in the first column. From there
    /// on, each complete list is a form of its own, until the next open frame begins another
    /// broken form.
    fn cut(&mut self, next: Option<Span>, report: &mut Report) {
        self.beyond = 0;
        let spoiled = std::mem::take(&mut self.spoiled);
        let mut broken: Vec<Frame> = Vec::new();
        for Frame { open, nodes } in std::mem::take(&mut self.frames) {
            if self.lexer.begins_line(open.start) {
                self.end_broken(&mut broken, Some(open), report);
            }
            broken.push(Frame { open, nodes: Vec::new() });
            for node in nodes {
                if matches!(node, Node::List(..)) && self.lexer.begins_line(node.span().start) {
                    self.end_broken(&mut broken, Some(node.span()), report);
                }
                match broken.last_mut() {
                    Some(frame) => frame.nodes.push(node),
                    None if matches!(node, Node::List(..)) => {
                        self.ready.push_back(Form { node, whole: true })
                    }
                    None => {}
                }
            }
        }
        if spoiled && let Some(frame) = broken.first() {
            unclosed(frame.open, next, report);
        } else {
            self.end_broken(&mut broken, next, report);
        }
    }

    fn end_broken(&mut self, broken: &mut Vec<Frame>, next: Option<Span>, report: &mut Report) {
        while let Some(frame) = broken.pop() {
            let node = Node::List(frame.open.to(frame.end()), frame.nodes);
            match broken.last_mut() {
                Some(outer) => outer.nodes.push(node),
                None => {
                    unclosed(frame.open, next, report);
                    self.ready.push_back(Form { node, whole: false });
                }
            }
        }
    }
}

fn too_deep(span: Span, report: &mut Report) {
    report.error(span, || {
        let message = format!("parentheses are nested more than {MAX_DEPTH} levels deep");
        Diagnostic::error("too-deep", span, message).remedy("split the term or the rule into smaller ones")
    });
}

fn unclosed(open: Span, next: Option<Span>, report: &mut Report) {
    report.error(open, || {
        let diagnostic = Diagnostic::error("unclosed-parenthesis", open, "this parenthesis is never closed");
        match next {
            Some(next) => {
                diagnostic.label(next, "the next clause begins here").remedy("add the missing `)` before it")
            }
            None => diagnostic.remedy("add the missing `)`"),
        }
    });
}
