//! The parser of the infix form: clauses, and recovery from errors.
//!
//! An error ends its clause. Parsing resumes after the next period, or at the next line that
//! begins with a word indented no further than the broken clause.

use super::lexer::{Kind, Lexer, Token};
use super::variables::name_anonymous;
use crate::names::Interner;
use crate::report::Report;
use crate::syntax::refuse_huge;
use crate::{Clause, Diagnostic, LiteralKind, MAX_DEPTH, Parsed, RuleSheet, Span, Term};

/// Parses a rule sheet in infix form.
///
/// ```
/// let parsed = gdl::parse_hrf("role(white)\nlegal(W,mark(X,Y)) :- true(cell(X,Y,b)) & true(control(W))");
/// assert!(parsed.diagnostics.is_empty());
/// assert_eq!(parsed.sheet.clauses[1].head.to_string(), "(legal ?w (mark ?x ?y))");
/// ```
pub fn parse_hrf(text: &str) -> Parsed {
    if let Some(refusal) = refuse_huge(text.len()) {
        return refusal;
    }
    let mut parser = Parser::new(text, true);
    let clauses = parser.sheet();
    if !parser.and_defined {
        return parser.finish(clauses);
    }
    // The language has no `and`, so a sheet that defines one means a relation of its own.
    let mut parser = Parser::new(text, false);
    let clauses = parser.sheet();
    parser.finish(clauses)
}

/// The current construct cannot be parsed; the diagnostic has already been reported.
pub(super) struct Broken;

/// The result of a parsing function.
pub(super) type Read<T> = Result<T, Broken>;

pub(super) struct Parser<'t> {
    pub text: &'t str,
    lexer: Lexer<'t>,
    pub report: Report,
    pub names: Interner,
    /// The next token.
    pub token: Token,
    /// The span of the last token consumed.
    pub end: Span,
    pub depth: usize,
    /// The column in which the current clause begins.
    pub column: usize,
    /// Whether `and` joins literals.
    pub and_joins: bool,
    /// Whether some clause has `and` as its head.
    pub and_defined: bool,
    /// Whether the current clause contains a `_`.
    pub anonymous: bool,
    /// Whether the other dialect has already been reported.
    dynamic_reported: bool,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, and_joins: bool) -> Parser<'t> {
        let mut report = Report::default();
        let mut lexer = Lexer::new(text);
        let token = lexer.next(&mut report);
        Parser {
            text,
            lexer,
            report,
            names: Interner::default(),
            token,
            end: Span::default(),
            depth: 0,
            column: 0,
            and_joins,
            and_defined: false,
            anonymous: false,
            dynamic_reported: false,
        }
    }

    fn finish(self, clauses: Vec<Clause>) -> Parsed {
        let trivia = self.lexer.trivia;
        let mut comments = trivia.comments;
        for comment in &mut comments {
            let rest = comment.text.trim_start_matches('%').len();
            let marks = comment.text.len() - rest;
            comment.text.replace_range(..marks, &";".repeat(marks));
        }
        let sheet = RuleSheet { clauses, comments, blank_lines: trivia.blank_lines };
        Parsed { sheet, diagnostics: self.report.finish() }
    }

    /// Consumes the next token and returns it.
    pub fn bump(&mut self) -> Token {
        let token = self.token;
        self.end = token.span;
        self.token = self.lexer.next(&mut self.report);
        token
    }

    pub fn at(&self, kind: Kind) -> bool {
        self.token.kind == kind
    }

    /// Consumes the next token if it is of this kind, and returns whether it was.
    pub fn eat(&mut self, kind: Kind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn sheet(&mut self) -> Vec<Clause> {
        let mut clauses = Vec::new();
        // The first token of the last clause, if that clause is a rule not ended by a period.
        let mut open_rule: Option<Token> = None;
        let mut head = None;
        while head.is_some() || !self.at(Kind::End) {
            if head.is_none() && self.eat(Kind::Period) {
                open_rule = None;
                continue;
            }
            let start = self.token;
            self.depth = 0;
            match self.clause(head.take()) {
                Ok((clause, next_head)) => {
                    if let Some(rule) = open_rule
                        && !clause.is_rule
                        && (!start.first || start.column > rule.column)
                    {
                        self.doubt(clause.span);
                    }
                    open_rule = (clause.is_rule && !self.at(Kind::Period)).then_some(start);
                    clauses.extend(self.checked(clause));
                    head = next_head;
                    if head.is_none() && !self.at_clause_end() {
                        self.unexpected("the next clause");
                        self.recover(start);
                    }
                }
                Err(Broken) => {
                    open_rule = None;
                    self.recover(start);
                }
            }
        }
        clauses
    }

    /// Parses a clause; its head is passed in if it has been parsed already. If the body runs
    /// into the head of the next rule, that head is returned as well.
    fn clause(&mut self, head: Option<Term>) -> Read<(Clause, Option<Term>)> {
        let head = match head {
            Some(head) => head,
            None => {
                self.anonymous = false;
                self.column = self.token.column;
                self.head()?
            }
        };
        let start = head.span;
        let mut clause = Clause { head, body: Vec::new(), is_rule: false, span: start };
        let mut next_head = None;
        if self.at(Kind::Arrow) {
            clause.is_rule = true;
            self.bump();
            if !matches!(self.token.kind, Kind::Period | Kind::End) {
                clause.body = self.body()?;
            }
            clause.span = start.to(self.end);
            if self.at(Kind::Arrow) {
                next_head = Some(self.second_arrow(&mut clause)?);
            }
        }
        if self.at(Kind::Dynamic) {
            return Err(self.unexpected("the next clause"));
        }
        Ok((clause, next_head))
    }

    fn at_clause_end(&self) -> bool {
        self.token.is_word() || matches!(self.token.kind, Kind::Period | Kind::End)
    }

    /// Handles a second arrow in one rule: the last literal is the head of another rule.
    fn second_arrow(&mut self, clause: &mut Clause) -> Read<Term> {
        match clause.body.pop().map(|literal| literal.kind) {
            Some(LiteralKind::Atom(head)) => {
                let arrow = self.token.span;
                self.report.error(head.span, || {
                    Diagnostic::error(
                        "misplaced-arrow",
                        head.span,
                        "the head of this rule is part of the previous rule",
                    )
                    .label(arrow, "the arrow")
                    .remedy("end the previous rule: remove the `&` or `,`")
                });
                Ok(head)
            }
            _ => Err(self.unexpected("the next clause")),
        }
    }

    /// Names the anonymous variables, and rejects a clause nested too deeply for the prefix form.
    fn checked(&mut self, mut clause: Clause) -> Option<Clause> {
        if clause.depth() > MAX_DEPTH {
            let _ = self.too_deep(clause.span);
            return None;
        }
        if self.anonymous {
            name_anonymous(&mut clause);
        }
        Some(clause)
    }

    /// Warns about a fact that looks like a literal of the rule before it.
    fn doubt(&mut self, span: Span) {
        self.report.warning(span, || {
            Diagnostic::warning("missing-and", span, "this is a separate fact, not part of the previous rule")
                .remedy("add `&` before it if it belongs to the rule; otherwise start a new line")
        });
    }

    /// Skips the rest of the clause that began at `start`.
    fn recover(&mut self, start: Token) {
        while !self.at(Kind::End) {
            let begins = self.token.is_word() && self.token.first && self.token.column <= start.column;
            if begins && self.token.span.start > start.span.start {
                return;
            }
            if self.bump().kind == Kind::Period {
                return;
            }
        }
    }

    /// Reports the next token, which was found where `wanted` was expected.
    pub fn unexpected(&mut self, wanted: &str) -> Broken {
        let Token { kind, span, .. } = self.token;
        let text = &self.text[span.range()];
        match kind {
            Kind::Dynamic => {
                if !std::mem::replace(&mut self.dynamic_reported, true) {
                    self.report.error(span, || {
                        let message =
                            "`::` and `==>` belong to a newer language than GDL, which is not supported";
                        Diagnostic::error("newer-dialect", span, message)
                            .remedy("write the game with `next`, `legal` and `does`")
                    });
                }
            }
            Kind::OpenQuote => self.report.error(span, || {
                Diagnostic::error("unclosed-quote", span, "this quote is not closed on its line")
                    .remedy("add `'`; inside quotes, write `\\'` for a quote")
            }),
            Kind::End => self.report.error(span, || {
                Diagnostic::error(
                    "unexpected-end",
                    span,
                    format!("unexpected end of text; expected {wanted}"),
                )
            }),
            Kind::Unknown => self.report.error(span, || {
                let diagnostic = Diagnostic::error(
                    "unexpected-sign",
                    span,
                    format!("`{}` has no meaning here", shortened(text)),
                );
                match text.starts_with(';') {
                    true => diagnostic.remedy("comments begin with `%` in this form"),
                    false => diagnostic.remedy("remove it, or quote the name that contains it, as in `'<'`"),
                }
            }),
            _ => self.report.error(span, || {
                let message = format!("expected {wanted}, found `{}`", shortened(text));
                Diagnostic::error("unexpected-word", span, message)
            }),
        }
        Broken
    }

    pub fn too_deep(&mut self, span: Span) -> Broken {
        self.report.error(span, || {
            let message = format!("terms or literals are nested more than {MAX_DEPTH} levels deep");
            Diagnostic::error("too-deep", span, message)
                .remedy("split the term or the rule into smaller ones")
        });
        Broken
    }
}

/// Truncates a text for use in a message.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
