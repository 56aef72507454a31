//! The parser of the infix form: heads, bodies and literals.

use super::lexer::{Kind, unquote};
use super::parser::{Broken, Parser, Read};
use crate::names::Connective;
use crate::wording::{empty_connective, no_parts, wrong_distinct, wrong_not};
use crate::{Diagnostic, Literal, LiteralKind, MAX_DEPTH, Span, Term};

impl Parser<'_> {
    /// Parses the head of a clause, which is a sentence and not a connective.
    pub fn head(&mut self) -> Read<Term> {
        if let Some(connective) = self.connective() {
            let span = self.token.span;
            self.and_defined |= connective == Connective::And;
            self.report.error(span, || {
                let message = format!("`{}` cannot be the head of a clause", connective.word());
                Diagnostic::error("misplaced-connective", span, message).remedy(
                    "a fact or head is one sentence, as in `role(white)`; move this to the body of a rule",
                )
            });
            return Err(Broken);
        }
        if !self.token.is_word() {
            return Err(self.unexpected("a clause that begins with a name"));
        }
        let term = self.term()?;
        self.sentence(term)
    }

    /// Parses a body: a conjunction of literals.
    pub fn body(&mut self) -> Read<Vec<Literal>> {
        let mut choices = self.choices(true)?;
        if choices.len() == 1 {
            return Ok(choices.pop().unwrap_or_default());
        }
        Ok(vec![or(choices)])
    }

    /// Parses literals with the connectives between them, as one literal.
    fn expression(&mut self, comma_joins: bool) -> Read<Literal> {
        let mut choices = self.choices(comma_joins)?;
        match choices.len() {
            1 => Ok(joined(choices.pop().unwrap_or_default())),
            _ => Ok(or(choices)),
        }
    }

    /// Parses conjunctions separated by `|`. There is at least one, and none is empty.
    fn choices(&mut self, comma_joins: bool) -> Read<Vec<Vec<Literal>>> {
        let mut choices = vec![self.conjunction(comma_joins)?];
        while self.at(Kind::Or) || self.joined_by(Connective::Or) {
            self.bump();
            choices.push(self.conjunction(comma_joins)?);
        }
        Ok(choices)
    }

    fn conjunction(&mut self, comma_joins: bool) -> Read<Vec<Literal>> {
        let mut literals = Vec::new();
        loop {
            let grouped = self.at(Kind::Open);
            let literal = self.literal()?;
            match literal.kind {
                LiteralKind::And(parts) if grouped => literals.extend(parts),
                _ => literals.push(literal),
            }
            let joins = self.at(Kind::And)
                || (comma_joins && self.at(Kind::Comma))
                || self.joined_by(Connective::And);
            if !joins {
                return Ok(literals);
            }
            self.bump();
        }
    }

    fn literal(&mut self) -> Read<Literal> {
        let start = self.token.span;
        self.deeper()?;
        let kind = match (self.token.kind, self.connective()) {
            (Kind::Not, _) => {
                self.bump();
                LiteralKind::Not(Box::new(self.literal()?))
            }
            (Kind::Open, _) => {
                self.bump();
                let literal = self.expression(true)?;
                self.closing(start)?;
                self.depth -= 1;
                return Ok(literal);
            }
            (_, Some(connective)) => {
                self.bump();
                self.connected(connective, start)?
            }
            _ => {
                let term = self.term()?;
                if self.eat(Kind::Differs) {
                    LiteralKind::Distinct(term, self.term()?)
                } else {
                    LiteralKind::Atom(self.sentence(term)?)
                }
            }
        };
        self.depth -= 1;
        Ok(Literal { kind, span: start.to(self.end) })
    }

    /// Parses what follows the name of a connective.
    fn connected(&mut self, connective: Connective, start: Span) -> Read<LiteralKind> {
        if !self.at(Kind::Open) {
            return match connective {
                Connective::Not => Ok(LiteralKind::Not(Box::new(self.literal()?))),
                _ => {
                    self.report.error(start, || no_parts(start, connective));
                    Err(Broken)
                }
            };
        }
        if connective == Connective::Distinct {
            let terms = self.listed(Parser::term)?;
            let (count, span) = (terms.len(), start.to(self.end));
            return match <[Term; 2]>::try_from(terms) {
                Ok([one, other]) => Ok(LiteralKind::Distinct(one, other)),
                Err(_) => {
                    self.report.error(span, || wrong_distinct(span, count));
                    Err(Broken)
                }
            };
        }
        let mut parts = self.listed(|parser| parser.expression(false))?;
        let span = start.to(self.end);
        match connective {
            Connective::Not => {
                if parts.len() != 1 {
                    self.report.error(span, || wrong_not(span, parts.len()));
                }
                parts.truncate(1);
                Ok(LiteralKind::Not(Box::new(parts.pop().ok_or(Broken)?)))
            }
            _ => {
                if parts.is_empty() {
                    self.report.warning(span, || empty_connective(span, connective));
                }
                Ok(if connective == Connective::Or {
                    LiteralKind::Or(parts)
                } else {
                    LiteralKind::And(parts)
                })
            }
        }
    }

    /// Parses a comma-separated list in parentheses.
    pub fn listed<T>(&mut self, part: impl Fn(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let open = self.bump().span;
        let mut parts = Vec::new();
        if self.eat(Kind::Close) {
            return Ok(parts);
        }
        loop {
            parts.push(part(self)?);
            if !self.eat(Kind::Comma) {
                self.closing(open)?;
                return Ok(parts);
            }
        }
    }

    /// Consumes the parenthesis that closes the one at `open`.
    fn closing(&mut self, open: Span) -> Read<()> {
        if self.eat(Kind::Close) {
            return Ok(());
        }
        if matches!(self.token.kind, Kind::Dynamic | Kind::OpenQuote | Kind::Unknown) {
            return Err(self.unexpected("`)`"));
        }
        let next = self.token.span;
        self.report.error(open, || {
            Diagnostic::error(
                "unclosed-parenthesis",
                open,
                "this parenthesis is not closed where it should be",
            )
            .label(next, "expected `,` or `)` before this")
            .remedy("add the missing `)` or `,`")
        });
        Err(Broken)
    }

    /// Returns the connective that the next token denotes.
    fn connective(&self) -> Option<Connective> {
        match self.token.kind {
            Kind::Constant | Kind::Variable => Connective::of(&self.text[self.token.span.range()]),
            Kind::Quoted => Connective::of(&unquote(&self.text[self.token.span.range()])),
            _ => None,
        }
        .filter(|connective| self.and_joins || *connective != Connective::And)
    }

    /// Returns `true` if the next token is a connective between two literals rather than the
    /// beginning of the next clause.
    fn joined_by(&self, connective: Connective) -> bool {
        let begins = self.token.first && self.token.column <= self.column;
        !begins && self.connective() == Some(connective)
    }

    pub fn deeper(&mut self) -> Read<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH + 1 {
            return Err(self.too_deep(self.token.span));
        }
        Ok(())
    }
}

/// Combines several literals into one.
fn joined(mut literals: Vec<Literal>) -> Literal {
    if literals.len() == 1
        && let Some(literal) = literals.pop()
    {
        return literal;
    }
    let span = span_of(&literals);
    Literal { kind: LiteralKind::And(literals), span }
}

fn or(choices: Vec<Vec<Literal>>) -> Literal {
    let parts: Vec<_> = choices.into_iter().map(joined).collect();
    let span = span_of(&parts);
    Literal { kind: LiteralKind::Or(parts), span }
}

fn span_of(literals: &[Literal]) -> Span {
    match literals {
        [first, .., last] => first.span.to(last.span),
        [only] => only.span,
        [] => Span::default(),
    }
}
