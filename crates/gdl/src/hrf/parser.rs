//! Clauses of the infix form, and how to go on after a broken one.
//!
//! An error ends its clause. Reading goes on after the next period, or at the
//! next line that begins with a word no further to the right than the broken
//! clause does.

use super::lexer::{Kind, Lexer, Token};
use super::variables::name_anonymous;
use crate::names::Interner;
use crate::report::Report;
use crate::syntax::refuse_huge;
use crate::{Clause, Diagnostic, LiteralKind, MAX_DEPTH, Parsed, RuleSheet, Span, Term};

/// Reads a rule sheet in infix form.
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
    // The language has no `and`: a sheet that defines one means its own relation.
    let mut parser = Parser::new(text, false);
    let clauses = parser.sheet();
    parser.finish(clauses)
}

/// The present part cannot be read; the diagnostic has been reported.
pub(super) struct Broken;

/// What a function of the parser returns.
pub(super) type Read<T> = Result<T, Broken>;

pub(super) struct Parser<'t> {
    pub text: &'t str,
    lexer: Lexer<'t>,
    pub report: Report,
    pub names: Interner,
    /// The token that comes next.
    pub token: Token,
    /// Where the last token ended.
    pub end: Span,
    pub depth: usize,
    /// The column in which the present clause begins.
    pub column: usize,
    /// Whether `and` joins literals.
    pub and_joins: bool,
    /// Whether some clause states an `and`.
    pub and_defined: bool,
    /// Whether the present clause has a `_`.
    pub anonymous: bool,
    /// Whether the other dialect has been pointed out.
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

    /// Steps to the next token and gives the one passed.
    pub fn bump(&mut self) -> Token {
        let token = self.token;
        self.end = token.span;
        self.token = self.lexer.next(&mut self.report);
        token
    }

    pub fn at(&self, kind: Kind) -> bool {
        self.token.kind == kind
    }

    /// Steps over a token of this kind if one comes next.
    pub fn eat(&mut self, kind: Kind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn sheet(&mut self) -> Vec<Clause> {
        let mut clauses = Vec::new();
        // The last clause was a rule that no period ended: where it began.
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

    /// Reads a clause whose head may have been read already. Where the body runs
    /// into the head of the next rule, that head comes back as well.
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

    /// Two arrows in one rule: the last literal is the head of another one.
    fn second_arrow(&mut self, clause: &mut Clause) -> Read<Term> {
        match clause.body.pop().map(|literal| literal.kind) {
            Some(LiteralKind::Atom(head)) => {
                let arrow = self.token.span;
                self.report.error(head.span, || {
                    Diagnostic::error(
                        "misplaced-arrow",
                        head.span,
                        "this head of a rule is joined to the rule before it",
                    )
                    .label(arrow, "the arrow")
                    .remedy("end the rule before it: remove the `&` or `,`")
                });
                Ok(head)
            }
            _ => Err(self.unexpected("the next clause")),
        }
    }

    /// Names what is anonymous, and refuses a clause that the prefix form could not write.
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

    /// A fact that looks like a literal of the rule before it.
    fn doubt(&mut self, span: Span) {
        self.report.warning(span, || {
            Diagnostic::warning(
                "missing-and",
                span,
                "this is a fact of its own, not a part of the rule before it",
            )
            .remedy("put `&` before it if it belongs to the rule, else begin a line with it")
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

    /// Reports the token that comes next, where `wanted` should have come.
    pub fn unexpected(&mut self, wanted: &str) -> Broken {
        let Token { kind, span, .. } = self.token;
        let text = &self.text[span.range()];
        match kind {
            Kind::Dynamic => {
                if !std::mem::replace(&mut self.dynamic_reported, true) {
                    self.report.error(span, || {
                        let message =
                            "`::` and `==>` belong to a newer language than GDL, which is not read here";
                        Diagnostic::error("newer-dialect", span, message)
                            .remedy("write the game with `next`, `legal` and `does`")
                    });
                }
            }
            Kind::OpenQuote => self.report.error(span, || {
                Diagnostic::error("unclosed-quote", span, "this quote has no end on its line")
                    .remedy("add `'`; inside quotes, write `\\'` for a quote")
            }),
            Kind::End => self.report.error(span, || {
                Diagnostic::error("unexpected-end", span, format!("the text ends where {wanted} should come"))
            }),
            Kind::Unknown => self.report.error(span, || {
                let diagnostic = Diagnostic::error(
                    "unexpected-sign",
                    span,
                    format!("`{}` has no meaning here", shortened(text)),
                );
                match text.starts_with(';') {
                    true => diagnostic.remedy("comments begin with `%` in this form"),
                    false => {
                        diagnostic.remedy("remove it; a name that holds it must stand in quotes, as in `'<'`")
                    }
                }
            }),
            _ => self.report.error(span, || {
                let message = format!("`{}` stands where {wanted} should come", shortened(text));
                Diagnostic::error("unexpected-word", span, message)
            }),
        }
        Broken
    }

    pub fn too_deep(&mut self, span: Span) -> Broken {
        self.report.error(span, || {
            let message = format!("terms or literals are nested more than {MAX_DEPTH} deep");
            Diagnostic::error("too-deep", span, message)
                .remedy("split the term or the rule into smaller ones")
        });
        Broken
    }
}

/// A text short enough for a message.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
