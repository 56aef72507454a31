//! One pass over the syntax tree that collects every sentence with its place, for use by the checks.

use gdl::{Clause, Literal, LiteralKind, Name, RuleSheet, Span, Term, TermKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Keyword;
use crate::depend::Graph;
use crate::normalise::Normal;

/// The input of the checks.
pub(crate) struct Survey<'s> {
    pub sheet: &'s RuleSheet,
    pub normal: &'s Normal,
    pub graph: &'s Graph,
    /// Every sentence, in source order.
    pub sentences: Vec<Sentence<'s>>,
    /// The names and arities of all heads.
    pub defined: FxHashSet<(&'s Name, usize)>,
    /// For each name of a head, its arity at the first occurrence.
    pub arities: FxHashMap<&'s Name, usize>,
    /// The roles given as facts.
    pub roles: FxHashSet<&'s Name>,
}

/// A sentence in a head or body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sentence<'s> {
    pub term: &'s Term,
    pub name: &'s Name,
    pub keyword: Option<Keyword>,
    pub place: Place,
    pub clause: usize,
}

impl Sentence<'_> {
    pub fn arity(&self) -> usize {
        self.term.arguments().len()
    }

    pub fn span(&self) -> Span {
        self.term.span
    }

    /// Returns `true` if it occurs in a body, possibly under `knows`.
    pub fn is_read(&self) -> bool {
        matches!(self.place, Place::Body | Place::Known)
    }
}

/// Where a sentence occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A fact.
    Fact,
    /// The head of a rule.
    Head,
    /// A body, negated or not.
    Body,
    /// The sentence that a `knows` in a body is about.
    Known,
}

impl<'s> Survey<'s> {
    pub fn new(sheet: &'s RuleSheet, normal: &'s Normal, graph: &'s Graph) -> Survey<'s> {
        let mut sentences = Vec::new();
        let mut defined = FxHashSet::default();
        let mut arities = FxHashMap::default();
        let mut roles = FxHashSet::default();
        for (clause, tree) in sheet.clauses.iter().enumerate() {
            let place = if tree.is_rule { Place::Head } else { Place::Fact };
            add(&tree.head, place, clause, &mut sentences);
            if let Some(head) = sentences.last().filter(|s| s.clause == clause) {
                defined.insert((head.name, head.arity()));
                arities.entry(head.name).or_insert(head.arity());
                if head.keyword == Some(Keyword::Role)
                    && tree.body.is_empty()
                    && let Some(role) = constant(&tree.head.arguments()[0])
                {
                    roles.insert(role);
                }
            }
            tree.body.iter().for_each(|l| read(l, clause, &mut sentences));
        }
        Survey { sheet, normal, graph, sentences, defined, arities, roles }
    }

    pub fn clause(&self, sentence: &Sentence) -> &'s Clause {
        &self.sheet.clauses[sentence.clause]
    }

    /// Calls `visit` with every term inside sentences, outermost first, and its sentence.
    pub fn terms(&self, mut visit: impl FnMut(&Sentence<'s>, &'s Term)) {
        for sentence in self.sentences.iter().filter(|s| s.place != Place::Known) {
            sentence.term.arguments().iter().for_each(|t| walk(t, &mut |t| visit(sentence, t)));
        }
    }

    /// Calls `visit` with every literal, outer before inner.
    pub fn literals(&self, mut visit: impl FnMut(&'s Literal)) {
        for clause in &self.sheet.clauses {
            clause.body.iter().for_each(|l| each_literal(l, &mut visit));
        }
    }
}

fn add<'s>(term: &'s Term, place: Place, clause: usize, sentences: &mut Vec<Sentence<'s>>) {
    if let Some(name) = term.name() {
        let keyword = Keyword::find(name, term.arguments().len());
        sentences.push(Sentence { term, name, keyword, place, clause });
        if matches!(keyword, Some(Keyword::Knows | Keyword::CommonKnowledge))
            && place == Place::Body
            && let Some(known) = term.arguments().last()
        {
            add(known, Place::Known, clause, sentences);
        }
    }
}

fn read<'s>(literal: &'s Literal, clause: usize, sentences: &mut Vec<Sentence<'s>>) {
    each_literal(literal, &mut |l| {
        if let LiteralKind::Atom(term) = &l.kind {
            add(term, Place::Body, clause, sentences);
        }
    });
}

pub(crate) fn each_literal<'s>(literal: &'s Literal, visit: &mut impl FnMut(&'s Literal)) {
    visit(literal);
    match &literal.kind {
        LiteralKind::Not(inner) => each_literal(inner, visit),
        LiteralKind::Or(parts) | LiteralKind::And(parts) => parts.iter().for_each(|l| each_literal(l, visit)),
        LiteralKind::Atom(_) | LiteralKind::Distinct(..) => {}
    }
}

/// Returns the name of a constant, whether or not it is in parentheses.
pub(crate) fn constant(term: &Term) -> Option<&Name> {
    term.name().filter(|_| term.arguments().is_empty())
}

/// Calls `visit` with a term and all its subterms.
pub(crate) fn walk<'s>(term: &'s Term, visit: &mut impl FnMut(&'s Term)) {
    visit(term);
    term.arguments().iter().for_each(|t| walk(t, visit));
}

/// Returns the first occurrence of a variable in the part of a clause that lies within `within`.
pub(crate) fn variable_place(clause: &Clause, within: Span, name: &str) -> Option<Span> {
    let mut found = None;
    let mut look = |term: &Term| {
        walk(term, &mut |t| {
            let inside = within.start <= t.span.start && t.span.end <= within.end;
            if found.is_none() && inside && matches!(&t.kind, TermKind::Variable(v) if &**v == name) {
                found = Some(t.span);
            }
        });
    };
    if within.start <= clause.head.span.end {
        look(&clause.head);
    }
    // Literals are in source order, so only those that overlap the part need to be examined.
    let first = clause.body.partition_point(|l| l.span.end <= within.start);
    for literal in clause.body[first..].iter().take_while(|l| l.span.start < within.end) {
        each_literal(literal, &mut |l| match &l.kind {
            LiteralKind::Atom(term) => look(term),
            LiteralKind::Distinct(a, b) => {
                look(a);
                look(b);
            }
            _ => {}
        });
    }
    found
}
