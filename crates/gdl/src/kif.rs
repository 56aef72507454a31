//! The prefix form: lexer and parser with recovery.

use crate::{Clause, Comment, Diagnostic, Literal, LiteralKind, MAX_DEPTH, Name, Parsed, RuleSheet, Span, Term, TermKind};

/// Reads a rule sheet in prefix form.
pub fn parse_kif(text: &str) -> Parsed {
    let mut reader = Reader { text, at: 0, comments: Vec::new(), diagnostics: Vec::new() };
    let mut clauses = Vec::new();
    while let Some(node) = reader.node() {
        if let Some(clause) = clause(&node, &mut reader.diagnostics) {
            clauses.push(clause);
        }
    }
    let mut diagnostics = reader.diagnostics;
    diagnostics.sort_by_key(|d| d.span);
    Parsed { sheet: RuleSheet { clauses, comments: reader.comments }, diagnostics }
}

/// An s-expression: what the parentheses say before any word has a meaning.
enum Node {
    Word(Span, String),
    List(Span, Vec<Node>),
}

impl Node {
    fn span(&self) -> Span {
        match self {
            Node::Word(span, _) | Node::List(span, _) => *span,
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    comments: Vec<Comment>,
    diagnostics: Vec<Diagnostic>,
}

enum Token {
    Open,
    Close,
    Word(String),
}

impl Reader<'_> {
    fn token(&mut self) -> Option<(Token, Span)> {
        let bytes = self.text.as_bytes();
        loop {
            while self.at < bytes.len() && bytes[self.at].is_ascii_whitespace() {
                self.at += 1;
            }
            if self.at < bytes.len() && bytes[self.at] == b';' {
                let start = self.at;
                while self.at < bytes.len() && bytes[self.at] != b'\n' {
                    self.at += 1;
                }
                let text = self.text[start + 1..self.at].trim_end_matches('\r').to_string();
                self.comments.push(Comment { text, span: Span::new(start, self.at) });
                continue;
            }
            break;
        }
        let start = self.at;
        let token = match *bytes.get(self.at)? {
            b'(' => Token::Open,
            b')' => Token::Close,
            _ => {
                while self.at < bytes.len()
                    && !bytes[self.at].is_ascii_whitespace()
                    && !matches!(bytes[self.at], b'(' | b')' | b';')
                {
                    self.at += 1;
                }
                return Some((Token::Word(self.text[start..self.at].to_string()), Span::new(start, self.at)));
            }
        };
        self.at += 1;
        Some((token, Span::new(start, self.at)))
    }

    /// The next top-level expression, read without recursion.
    fn node(&mut self) -> Option<Node> {
        let mut open: Vec<(Span, Vec<Node>)> = Vec::new();
        loop {
            let Some((token, span)) = self.token() else {
                let (outer, _) = open.first()?;
                self.diagnostics.push(
                    Diagnostic::error("unclosed-parenthesis", *outer, "this parenthesis is never closed")
                        .remedy("add the missing `)`"),
                );
                return None;
            };
            let node = match token {
                Token::Word(word) => Node::Word(span, word),
                Token::Open => {
                    open.push((span, Vec::new()));
                    continue;
                }
                Token::Close => match open.pop() {
                    Some((start, nodes)) => Node::List(start.to(span), nodes),
                    None => {
                        self.diagnostics.push(
                            Diagnostic::error("unopened-parenthesis", span, "this parenthesis closes nothing")
                                .remedy("remove it"),
                        );
                        continue;
                    }
                },
            };
            match open.last_mut() {
                Some((_, nodes)) => nodes.push(node),
                None => return Some(node),
            }
            if open.len() > MAX_DEPTH {
                let span = open[0].0;
                self.diagnostics.push(Diagnostic::error("too-deep", span, "terms are nested too deeply"));
                return None;
            }
        }
    }
}

fn clause(node: &Node, diagnostics: &mut Vec<Diagnostic>) -> Option<Clause> {
    let span = node.span();
    if let Node::List(_, nodes) = node
        && let Some(Node::Word(_, word)) = nodes.first()
        && word == "<="
    {
        let Some(head) = nodes.get(1) else {
            diagnostics.push(Diagnostic::error("empty-rule", span, "this rule has no head"));
            return None;
        };
        let head = sentence(head, diagnostics)?;
        let mut body = Vec::new();
        for node in &nodes[2..] {
            body.push(literal(node, diagnostics)?);
        }
        return Some(Clause { head, body, is_rule: true, span });
    }
    Some(Clause { head: sentence(node, diagnostics)?, body: Vec::new(), is_rule: false, span })
}

fn literal(node: &Node, diagnostics: &mut Vec<Diagnostic>) -> Option<Literal> {
    let span = node.span();
    if let Node::List(_, nodes) = node
        && let Some(Node::Word(_, word)) = nodes.first()
    {
        let rest = &nodes[1..];
        let kind = match word.to_ascii_lowercase().as_str() {
            "not" if rest.len() == 1 => LiteralKind::Not(Box::new(literal(&rest[0], diagnostics)?)),
            "or" => LiteralKind::Or(rest.iter().map(|n| literal(n, diagnostics)).collect::<Option<_>>()?),
            "and" => LiteralKind::And(rest.iter().map(|n| literal(n, diagnostics)).collect::<Option<_>>()?),
            "distinct" if rest.len() == 2 => {
                LiteralKind::Distinct(term(&rest[0], diagnostics)?, term(&rest[1], diagnostics)?)
            }
            _ => LiteralKind::Atom(sentence(node, diagnostics)?),
        };
        return Some(Literal { kind, span });
    }
    Some(Literal { kind: LiteralKind::Atom(sentence(node, diagnostics)?), span })
}

fn sentence(node: &Node, diagnostics: &mut Vec<Diagnostic>) -> Option<Term> {
    let term = term(node, diagnostics)?;
    if matches!(term.kind, TermKind::Variable(_)) {
        diagnostics.push(Diagnostic::error("variable-sentence", term.span, "a variable cannot stand for a sentence"));
        return None;
    }
    Some(term)
}

fn term(node: &Node, diagnostics: &mut Vec<Diagnostic>) -> Option<Term> {
    let span = node.span();
    let kind = match node {
        Node::Word(_, word) => match word.strip_prefix('?') {
            Some(name) => TermKind::Variable(Name::from(name)),
            None => TermKind::Constant(fold(word)),
        },
        Node::List(_, nodes) => match nodes.first() {
            Some(Node::Word(_, word)) if !word.starts_with('?') => {
                let arguments = nodes[1..].iter().map(|n| term(n, diagnostics)).collect::<Option<_>>()?;
                TermKind::Compound(fold(word), arguments)
            }
            _ => {
                diagnostics.push(Diagnostic::error("no-name", span, "a term must begin with a name"));
                return None;
            }
        },
    };
    Some(Term { kind, span })
}

/// Keywords in any spelling are one word; all other names keep their case.
fn fold(word: &str) -> Name {
    const KEYWORDS: [&str; 13] = [
        "init", "true", "next", "role", "does", "goal", "legal", "terminal", "base", "input", "random", "sees", "knows",
    ];
    let lower = word.to_ascii_lowercase();
    if KEYWORDS.contains(&lower.as_str()) { Name::from(lower) } else { Name::from(word) }
}
