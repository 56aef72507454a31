//! The parser of the infix form: terms.

use std::borrow::Cow;

use super::lexer::{Kind, Token, unquote};
use super::parser::{Broken, Parser, Read};
use super::variables::{ANONYMOUS, name_of};
use crate::names::{keyword, writable_symbol};
use crate::wording::{empty_parentheses, variable_sentence};
use crate::{Diagnostic, Name, Term, TermKind};

impl Parser<'_> {
    pub fn term(&mut self) -> Read<Term> {
        let token = self.token;
        let name = match token.kind {
            Kind::Constant | Kind::Quoted => self.symbol(),
            Kind::Variable | Kind::PrefixVariable => match self.variable()? {
                Ok(name) => name,
                Err(variable) => return Ok(variable),
            },
            _ => return Err(self.unexpected("a term")),
        };
        if !self.at(Kind::Open) {
            return Ok(Term { kind: TermKind::Constant(name), span: token.span });
        }
        self.deeper()?;
        let arguments = self.listed(Parser::term)?;
        self.depth -= 1;
        let span = token.span.to(self.end);
        if arguments.is_empty() {
            self.report.warning(span, || empty_parentheses(span, &name));
            return Ok(Term { kind: TermKind::Constant(name), span });
        }
        Ok(Term { kind: TermKind::Compound(name, arguments), span })
    }

    /// Parses the name of a constant.
    fn symbol(&mut self) -> Name {
        let Token { kind, span, .. } = self.bump();
        let text = &self.text[span.range()];
        if kind == Kind::Constant {
            return self.names.symbol(text);
        }
        let written = unquote(text);
        let name = writable_symbol(&written);
        if name != written {
            self.report.warning(span, || {
                let message =
                    format!("this name cannot be written in prefix form; it is changed to `{name}`");
                Diagnostic::warning("changed-name", span, message)
                    .remedy("avoid white space, parentheses, `;` and a leading `?`")
            });
        }
        self.names.symbol(&name)
    }

    /// Parses a variable, or the name of a sentence whose keyword is written in capitals.
    fn variable(&mut self) -> Read<Result<Name, Term>> {
        let Token { kind, span, .. } = self.bump();
        let text = &self.text[span.range()];
        if kind == Kind::PrefixVariable {
            self.report.warning(span, || {
                Diagnostic::warning("prefix-variable", span, "variables have no `?` in this form")
                    .remedy("start the variable with a capital letter instead")
            });
        }
        if self.at(Kind::Open) {
            if let Some(name) = keyword(text) {
                return Ok(Ok(self.names.exact(name)));
            }
            self.report.error(span, || {
                Diagnostic::error("no-name", span, "a variable cannot be used as a name")
                    .remedy("start the name with a lower-case letter, or quote it, as in `'Cell'(1,2)`")
            });
            return Err(Broken);
        }
        let name = match text.strip_prefix('?') {
            Some("") => return Err(self.unexpected("the name of a variable")),
            Some(name) => Cow::Borrowed(name),
            None => name_of(text),
        };
        self.anonymous |= name == ANONYMOUS;
        let name = self.names.exact(&name);
        Ok(Err(Term { kind: TermKind::Variable(name), span }))
    }

    /// Checks a term that stands where a sentence is required.
    pub fn sentence(&mut self, term: Term) -> Read<Term> {
        if !matches!(term.kind, TermKind::Variable(_)) {
            return Ok(term);
        }
        if let Some(name) = keyword(&self.text[term.span.range()]) {
            return Ok(Term { kind: TermKind::Constant(self.names.exact(name)), span: term.span });
        }
        self.report.error(term.span, || variable_sentence(term.span));
        Err(Broken)
    }
}
