//! The layout that both printers share: where lines break and where comments go.
//!
//! A fact takes one line, and a rule takes one line per literal. An `or` that is too wide or
//! contains comments takes one line per part. A comment stays between the literals or clauses
//! it stood between; one inside a sentence moves in front of it. Blank lines between clauses
//! are kept and collapsed into one.

use std::borrow::Cow;

use crate::{Clause, Comment, Literal, LiteralKind, RuleSheet, Term};

/// The line width; longer lines are broken where possible.
const WIDTH: usize = 100;

/// Parts indented by more than this are not broken any further.
const MAX_INDENT: usize = 32;

/// The spelling of one syntax.
pub(crate) trait Form {
    const MARKS: Marks;

    /// Prepares for printing a clause.
    fn begin(&mut self, clause: &Clause);

    /// Prints a term.
    fn term(&self, term: &Term, out: &mut String);

    /// Prints a fact.
    fn fact(&self, fact: &Term, out: &mut String) {
        self.term(fact, out);
    }

    /// Returns the text of a comment, without its mark.
    fn comment<'c>(&self, text: &'c str) -> Cow<'c, str>;
}

/// The fixed strings of a syntax.
pub(crate) struct Marks {
    pub comment: char,
    /// Before the head of a rule, after the head, after the head of a rule with no body, and after the body.
    pub rule: [&'static str; 4],
    /// Between the literals of a body.
    pub join: &'static str,
    /// Between the parts of `or` and `and`.
    pub part: &'static str,
    pub not: [&'static str; 2],
    pub or: [&'static str; 2],
    pub and: [&'static str; 2],
    /// Before, between and after the two terms.
    pub distinct: [&'static str; 3],
    /// Whether a rule with one literal is printed on one line if it fits.
    pub short_rules: bool,
}

/// Prints a whole sheet.
pub(crate) fn print<F: Form>(sheet: &RuleSheet, form: F) -> String {
    let mut printer = Printer {
        form,
        out: String::new(),
        commented: false,
        comments: &sheet.comments,
        blank_lines: &sheet.blank_lines,
        end: 0,
    };
    for clause in &sheet.clauses {
        printer.clause(clause);
    }
    printer.comments_before(u32::MAX, u32::MAX, None);
    if !printer.out.is_empty() {
        printer.out.push('\n');
    }
    printer.out
}

struct Printer<'s, F> {
    form: F,
    out: String,
    /// Whether the current line ends with a comment.
    commented: bool,
    /// The comments not yet printed.
    comments: &'s [Comment],
    blank_lines: &'s [u32],
    /// The end of the last clause or comment in the source.
    end: u32,
}

impl<F: Form> Printer<'_, F> {
    fn clause(&mut self, clause: &Clause) {
        self.form.begin(clause);
        self.comments_before(clause.span.start, clause.head.span.end, None);
        self.item(clause.span.start);
        if clause.is_rule {
            self.rule(clause)
        } else {
            self.form.fact(&clause.head, &mut self.out)
        }
        self.end = self.end.max(clause.span.end);
    }

    fn rule(&mut self, clause: &Clause) {
        let [open, arrow, no_body, close] = F::MARKS.rule;
        let line = self.out.len();
        self.out.push_str(open);
        self.form.term(&clause.head, &mut self.out);
        self.out.push_str(arrow);
        if clause.body.is_empty() {
            self.out.push_str(no_body);
        }
        if let [literal] = &clause.body[..]
            && F::MARKS.short_rules
            && !self.has_comment_inside(literal, 4)
        {
            let end = self.out.len();
            self.out.push(' ');
            if self.flat(literal, line + WIDTH) {
                return;
            }
            self.out.truncate(end);
        }
        self.parts(&clause.body, 4, F::MARKS.join, true);
        self.close(close, clause.span.end, 4);
    }

    /// Prints literals on lines of their own, including the first one if `first_line` is set.
    fn parts(&mut self, literals: &[Literal], indent: usize, join: &str, first_line: bool) {
        for (index, literal) in literals.iter().enumerate() {
            self.comments_before(literal.span.start, lead(literal, indent), Some(indent));
            if index > 0 || first_line || self.commented {
                self.new_line(indent);
            }
            self.literal(literal, indent);
            if index + 1 < literals.len() {
                self.out.push_str(join.trim_end());
            }
        }
    }

    fn literal(&mut self, literal: &Literal, indent: usize) {
        let start = self.out.len();
        let limit = if breaks(literal, indent) { start + WIDTH.saturating_sub(indent) } else { usize::MAX };
        if (limit == usize::MAX || !self.has_comment_inside(literal, indent)) && self.flat(literal, limit) {
            return;
        }
        self.out.truncate(start);
        let end = literal.span.end;
        match &literal.kind {
            LiteralKind::Not(inner) => {
                let [open, close] = F::MARKS.not;
                self.out.push_str(open);
                self.literal(inner, indent + open.len());
                self.close(close, end, indent + open.len());
            }
            LiteralKind::Or(parts) => self.group(parts, F::MARKS.or, end, indent),
            LiteralKind::And(parts) => self.group(parts, F::MARKS.and, end, indent),
            LiteralKind::Atom(_) | LiteralKind::Distinct(..) => {
                self.flat(literal, usize::MAX);
            }
        }
    }

    fn group(&mut self, parts: &[Literal], [open, close]: [&str; 2], end: u32, indent: usize) {
        self.out.push_str(open);
        self.parts(parts, indent + open.len(), F::MARKS.part, false);
        self.close(close, end, indent + open.len());
    }

    /// Prints the closing mark of a group whose source ends at `end`. If the only comment
    /// before `end` is a trailing one, it stays on the last line, after the closing mark.
    fn close(&mut self, close: &str, end: u32, indent: usize) {
        if close.is_empty() {
            return;
        }
        if self.has_comment_before(end) && !self.has_one_trailing_before(end) {
            self.comments_before(end, end, Some(indent));
            self.new_line(indent);
        }
        self.out.push_str(close);
    }

    /// Prints a literal on the current line. Returns `false` as soon as the output exceeds `limit`.
    fn flat(&mut self, literal: &Literal, limit: usize) -> bool {
        match &literal.kind {
            LiteralKind::Atom(term) => self.form.term(term, &mut self.out),
            LiteralKind::Not(inner) => {
                let [open, close] = F::MARKS.not;
                self.out.push_str(open);
                if !self.flat(inner, limit) {
                    return false;
                }
                self.out.push_str(close);
            }
            LiteralKind::Or(parts) => return self.flat_parts(parts, F::MARKS.or, limit),
            LiteralKind::And(parts) => return self.flat_parts(parts, F::MARKS.and, limit),
            LiteralKind::Distinct(one, other) => {
                let [open, between, close] = F::MARKS.distinct;
                self.out.push_str(open);
                self.form.term(one, &mut self.out);
                self.out.push_str(between);
                self.form.term(other, &mut self.out);
                self.out.push_str(close);
            }
        }
        self.out.len() <= limit
    }

    fn flat_parts(&mut self, parts: &[Literal], [open, close]: [&str; 2], limit: usize) -> bool {
        self.out.push_str(if parts.is_empty() { open.trim_end() } else { open });
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.out.push_str(F::MARKS.part);
            }
            if !self.flat(part, limit) {
                return false;
            }
        }
        self.out.push_str(close);
        self.out.len() <= limit
    }

    fn has_comment_before(&self, end: u32) -> bool {
        self.comments.first().is_some_and(|comment| comment.span.start < end)
    }

    fn has_one_trailing_before(&self, end: u32) -> bool {
        let inside = self.comments.iter().take(2).take_while(|comment| comment.span.start < end);
        inside.clone().count() == 1 && inside.clone().all(|comment| comment.trailing)
    }

    /// Returns `true` if comments prevent the parts of a literal from sharing one line.
    fn has_comment_inside(&self, literal: &Literal, indent: usize) -> bool {
        if let LiteralKind::Not(inner) = &literal.kind
            && F::MARKS.not[1].is_empty()
        {
            return self.has_comment_inside(inner, indent);
        }
        let end = literal.span.end;
        self.has_comment_before(tail(literal, indent))
            || (self.has_comment_before(end) && !self.has_one_trailing_before(end))
    }

    /// Prints the comments that begin before `start`, and those before `lead`, which stand
    /// inside the next item. Without an indent, they are printed as items of the sheet.
    fn comments_before(&mut self, start: u32, lead: u32, indent: Option<usize>) {
        while let Some((comment, rest)) = self.comments.split_first()
            && (comment.span.start < start.max(lead) || start == u32::MAX)
        {
            self.comments = rest;
            let trails = comment.trailing && comment.span.start < start;
            if trails && !self.commented && !self.out.is_empty() {
                self.out.push(' ');
            } else if let Some(indent) = indent {
                self.new_line(indent);
            } else {
                self.item(comment.span.start);
            }
            let text = self.form.comment(&comment.text);
            self.out.push(F::MARKS.comment);
            self.out.extend(text.chars().map(|char| if matches!(char, '\n' | '\r') { ' ' } else { char }));
            self.out.truncate(self.out.trim_end_matches([' ', '\t']).len());
            self.commented = true;
            self.end = self.end.max(comment.span.end);
        }
    }

    /// Starts the line of a clause, or of a comment between clauses.
    fn item(&mut self, start: u32) {
        if self.out.is_empty() {
            return;
        }
        let next = self.blank_lines.partition_point(|&line| line < self.end);
        if self.blank_lines.get(next).is_some_and(|&line| line < start) {
            self.out.push('\n');
        }
        self.new_line(0);
    }

    fn new_line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.commented = false;
    }
}

/// Returns `true` if a literal has parts that can be printed on lines of their own.
fn breaks(literal: &Literal, indent: usize) -> bool {
    match &literal.kind {
        LiteralKind::Not(inner) => breaks(inner, indent),
        LiteralKind::Or(parts) | LiteralKind::And(parts) => !parts.is_empty() && indent <= MAX_INDENT,
        LiteralKind::Atom(_) | LiteralKind::Distinct(..) => false,
    }
}

/// Returns the end of the last part of a literal.
fn tail(literal: &Literal, indent: usize) -> u32 {
    match &literal.kind {
        LiteralKind::Not(inner) if breaks(inner, indent) => tail(inner, indent),
        LiteralKind::Or(parts) | LiteralKind::And(parts) if breaks(literal, indent) => {
            tail(&parts[parts.len() - 1], indent)
        }
        _ => literal.span.end,
    }
}

/// Returns the offset before which comments cannot stand inside the literal as it will be laid out.
fn lead(literal: &Literal, indent: usize) -> u32 {
    match &literal.kind {
        LiteralKind::Not(inner) if breaks(inner, indent) => lead(inner, indent),
        LiteralKind::Or(parts) | LiteralKind::And(parts) if breaks(literal, indent) => {
            lead(&parts[0], indent)
        }
        _ => literal.span.end,
    }
}
