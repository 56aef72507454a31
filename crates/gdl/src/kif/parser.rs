//! The parser of the prefix form: clauses, literals and terms.
//!
//! It is recursive, which is safe because the reader bounds the depth of nodes. Invalid parts
//! are left out of the tree; everything around them is kept.

use super::nodes::{Node, Reader};
use crate::names::{Connective, Interner, is_arrow, is_markup};
use crate::report::Report;
use crate::syntax::refuse_huge;
use crate::wording::{empty_connective, empty_parentheses, variable_sentence, wrong_distinct, wrong_not};
use crate::{Clause, Diagnostic, Literal, LiteralKind, Parsed, RuleSheet, Severity, Span, Term, TermKind};

/// Parses a rule sheet in prefix form.
///
/// ```
/// let parsed = gdl::parse_kif("(role white) (role black) (init (control white)");
/// assert_eq!(parsed.sheet.clauses.len(), 3);
/// assert_eq!(parsed.diagnostics[0].code, "unclosed-parenthesis");
/// ```
pub fn parse_kif(text: &str) -> Parsed {
    if let Some(refusal) = refuse_huge(text.len()) {
        return refusal;
    }
    let mut parser = Parser::new(text);
    let parsed = parser.sheet();
    if !parser.and_defined {
        return parsed;
    }
    // The language has no `and`, so a sheet that defines one means a relation of its own.
    Parser { and_joins: false, ..Parser::new(text) }.sheet()
}

/// Parses one term in prefix form, such as a move that a user typed or a player sent.
///
/// ```
/// assert_eq!(gdl::parse_term("( mark 1 ( f ?x ) )").unwrap().to_string(), "(mark 1 (f ?x))");
/// assert_eq!(gdl::parse_term("(mark 1").unwrap_err().code, "unclosed-parenthesis");
/// ```
pub fn parse_term(text: &str) -> Result<Term, Diagnostic> {
    if let Some(refusal) = refuse_huge(text.len()) {
        return Err(refusal.diagnostics.into_iter().next().expect("a refusal says why"));
    }
    let mut report = Report::default();
    let mut reader = Reader::single(text);
    let mut parser = Parser::new(text);
    let term = reader.next(&mut report).and_then(|form| parser.term(&form.node, &mut report));
    let rest = reader.next(&mut report).map(|form| form.node.span());
    let errors = report.finish().into_iter();
    if let Some(error) = errors.into_iter().find(|diagnostic| diagnostic.severity == Severity::Error) {
        return Err(error);
    }
    match (term, rest) {
        (Some(term), None) => Ok(term),
        (_, Some(span)) => {
            Err(Diagnostic::error("more-than-a-term", span, "there is text after the end of the term")
                .remedy("give one term, with parentheses around its parts, as in `(mark 1 2)`"))
        }
        (None, None) => Err(Diagnostic::error("no-term", Span::new(0, text.len()), "expected a term")
            .remedy("give one term, as in `noop` or `(mark 1 2)`")),
    }
}

struct Parser<'t> {
    text: &'t str,
    names: Interner,
    /// Whether `and` joins literals.
    and_joins: bool,
    /// Whether some clause has `and` as its head.
    and_defined: bool,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Parser<'t> {
        Parser { text, names: Interner::default(), and_joins: true, and_defined: false }
    }

    fn sheet(&mut self) -> Parsed {
        let mut report = Report::default();
        let mut reader = Reader::new(self.text);
        let mut clauses = Vec::new();
        while let Some(form) = reader.next(&mut report) {
            // A truncated form has been reported already; errors that follow from the truncation are noise.
            let muted = if form.whole { None } else { Some(report.mute(true)) };
            clauses.extend(self.clause(&form.node, &mut report));
            if let Some(muted) = muted {
                report.mute(muted);
            }
        }
        let trivia = reader.lexer.trivia;
        let sheet = RuleSheet { clauses, comments: trivia.comments, blank_lines: trivia.blank_lines };
        Parsed { sheet, diagnostics: report.finish() }
    }

    fn word(&self, span: Span) -> &'t str {
        &self.text[span.range()]
    }

    /// Returns the word that begins a list.
    fn first(&self, nodes: &[Node]) -> Option<&'t str> {
        match nodes.first() {
            Some(Node::Word(span)) => Some(self.word(*span)),
            _ => None,
        }
    }

    fn clause(&mut self, node: &Node, report: &mut Report) -> Option<Clause> {
        let span = node.span();
        match node {
            Node::List(_, nodes) if self.first(nodes) == Some("<=") => {
                return self.rule(span, &nodes[1..], report);
            }
            Node::List(_, nodes) if self.first(nodes) == Some(":-") => {
                report.error(nodes[0].span(), || {
                    Diagnostic::error("misplaced-arrow", span, "`:-` is the arrow of the infix form")
                        .remedy("write `<=`")
                });
                return self.rule(span, &nodes[1..], report);
            }
            Node::Word(_) if is_markup(self.word(span)) => {
                report.warning(span, || {
                    Diagnostic::warning("markup", span, "this looks like HTML markup and is ignored")
                        .remedy("remove it")
                });
                return None;
            }
            _ => {}
        }
        let head = self.head(node, report)?;
        Some(Clause { head, body: Vec::new(), is_rule: false, span })
    }

    fn rule(&mut self, span: Span, nodes: &[Node], report: &mut Report) -> Option<Clause> {
        let Some((head, body)) = nodes.split_first() else {
            report.error(span, || {
                Diagnostic::error("empty-rule", span, "this rule has no head")
                    .remedy("write the head after `<=`, as in `(<= terminal (line x))`")
            });
            return None;
        };
        let head = self.head(head, report);
        let body = body.iter().filter_map(|node| self.literal(node, report)).collect();
        Some(Clause { head: head?, body, is_rule: true, span })
    }

    fn head(&mut self, node: &Node, report: &mut Report) -> Option<Term> {
        if let Some(connective) = self.connective(node) {
            self.and_defined |= connective == Connective::And;
            let span = node.span();
            report.error(span, || {
                let message = format!("`{}` cannot be the head of a clause", connective.word());
                Diagnostic::error("misplaced-connective", span, message).remedy(
                    "a fact or head is one sentence, as in `(role white)`; move this to the body of a rule",
                )
            });
            return None;
        }
        self.sentence(node, report)
    }

    /// Returns the connective that a node is or begins with.
    fn connective(&self, node: &Node) -> Option<Connective> {
        let word = match node {
            Node::Word(span) => Some(self.word(*span)),
            Node::List(_, nodes) => self.first(nodes),
        };
        word.and_then(Connective::of).filter(|connective| self.and_joins || *connective != Connective::And)
    }

    fn literal(&mut self, node: &Node, report: &mut Report) -> Option<Literal> {
        let span = node.span();
        let parts = match node {
            Node::List(_, nodes) => nodes.get(1..).unwrap_or_default(),
            Node::Word(_) => &[],
        };
        let kind = match self.connective(node) {
            None => LiteralKind::Atom(self.sentence(node, report)?),
            Some(Connective::Distinct) => {
                let mut terms =
                    parts.iter().map(|part| self.term(part, report)).collect::<Vec<_>>().into_iter();
                if parts.len() != 2 {
                    report.error(span, || wrong_distinct(span, parts.len()));
                }
                match (terms.next(), terms.next()) {
                    (Some(one), Some(other)) => LiteralKind::Distinct(one?, other?),
                    _ => return None,
                }
            }
            Some(connective) => {
                let mut literals: Vec<_> =
                    parts.iter().filter_map(|part| self.literal(part, report)).collect();
                match connective {
                    Connective::Not => {
                        if parts.len() != 1 {
                            report.error(span, || wrong_not(span, parts.len()));
                        }
                        literals.truncate(1);
                        LiteralKind::Not(Box::new(literals.pop()?))
                    }
                    _ => {
                        if parts.is_empty() {
                            report.warning(span, || empty_connective(span, connective));
                        }
                        if connective == Connective::Or {
                            LiteralKind::Or(literals)
                        } else {
                            LiteralKind::And(literals)
                        }
                    }
                }
            }
        };
        Some(Literal { kind, span })
    }

    fn sentence(&mut self, node: &Node, report: &mut Report) -> Option<Term> {
        let term = self.term(node, report)?;
        if matches!(term.kind, TermKind::Variable(_)) {
            report.error(term.span, || variable_sentence(term.span));
            return None;
        }
        Some(term)
    }

    fn term(&mut self, node: &Node, report: &mut Report) -> Option<Term> {
        match node {
            Node::Word(span) => self.simple(*span, report),
            Node::List(span, nodes) => self.compound(*span, nodes, report),
        }
    }

    fn simple(&mut self, span: Span, report: &mut Report) -> Option<Term> {
        let word = self.word(span);
        let kind = match word.strip_prefix('?') {
            Some("") => {
                report.error(span, || {
                    Diagnostic::error("no-name", span, "this `?` has no name after it")
                        .remedy("name the variable, as in `?x`")
                });
                return None;
            }
            Some(name) => TermKind::Variable(self.names.exact(name)),
            None if is_arrow(word) => {
                report.error(span, || {
                    Diagnostic::error(
                        "misplaced-arrow",
                        span,
                        format!("the arrow `{word}` cannot be used here"),
                    )
                    .remedy("write the rule as `(<= head body…)`")
                });
                return None;
            }
            None => TermKind::Constant(self.names.symbol(word)),
        };
        Some(Term { kind, span })
    }

    fn compound(&mut self, span: Span, nodes: &[Node], report: &mut Report) -> Option<Term> {
        let name = match nodes.first() {
            Some(Node::Word(first)) if !self.word(*first).starts_with('?') => self.simple(*first, report),
            Some(Node::Word(first)) => {
                report.error(*first, || {
                    Diagnostic::error("no-name", *first, "a variable cannot be used as a name")
                        .remedy("start the term with a name, as in `(cell ?x ?y)`")
                });
                None
            }
            Some(list) => {
                report.error(list.span(), || {
                    Diagnostic::error(
                        "no-name",
                        list.span(),
                        "a term begins with a name, not with a parenthesis",
                    )
                    .remedy("remove a parenthesis, or put a name before this one")
                });
                self.term(list, report);
                None
            }
            None => {
                report.error(span, || {
                    Diagnostic::error("no-name", span, "these parentheses are empty")
                        .remedy("remove them, or put a term inside")
                });
                None
            }
        };
        let rest = nodes.get(1..).unwrap_or_default();
        let arguments: Vec<_> = rest.iter().map(|node| self.term(node, report)).collect();
        let TermKind::Constant(name) = name?.kind else { return None };
        if rest.is_empty() {
            report.warning(span, || empty_parentheses(span, &name));
            return Some(Term { kind: TermKind::Constant(name), span });
        }
        let arguments = arguments.into_iter().collect::<Option<_>>()?;
        Some(Term { kind: TermKind::Compound(name, arguments), span })
    }
}
