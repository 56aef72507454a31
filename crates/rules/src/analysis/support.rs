//! Which sentences can be derived by some rule, without playing.
//!
//! There are two questions about a sentence in a body. Does it match the head of any rule at
//! all? And does it match the head of a rule that can itself fire, counting up from the facts,
//! with values in the domains of its positions? A negative answer is certain. If the answer
//! would take too long to compute, it is positive.
//!
//! Some checks ask what would hold if more were given, to tell a cause from what follows from it.
//! The heads that are assumed can derive anything of their form. The same questions can be asked
//! about the initial state alone, in which only what `init` provides is true and nobody has moved.

use std::cell::Cell;
use std::collections::VecDeque;

use gdl::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Domains, Functor};
use crate::depend::Graph;
use crate::normalise::Normal;
use crate::unify::may_match;
use crate::{Atom, Keyword, Literal, RelationId, Rule, Symbol, Term, Variable};

/// Limits: heads compared with one sentence, comparisons in total, and how often a rule is reconsidered.
const MAX_HEADS: usize = 2048;
const MAX_COMPARISONS: usize = 20_000_000;
const MAX_LOOKS: u8 = 64;

/// The heads that can support the sentences of a sheet.
pub(crate) struct Support<'n> {
    normal: &'n Normal,
    when: When,
    domains: Domains,
    heads: Vec<Head<'n>>,
    by_relation: Vec<Vec<usize>>,
    by_shape: FxHashMap<(RelationId, Option<Functor>), Vec<usize>>,
    shapes: Vec<Vec<Symbol>>,
    written: FxHashSet<Symbol>,
    unmatched: Vec<Read<'n>>,
    left: Cell<usize>,
}

/// The states that answers are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// All states that can be reached.
    Ever,
    /// The initial state.
    Start,
}

struct Head<'n> {
    atom: &'n Atom,
    fires: bool,
}

/// A sentence in a body that matches no head.
pub(crate) struct Read<'n> {
    pub rule: &'n Rule,
    pub atom: &'n Atom,
    pub place: Span,
}

impl<'n> Support<'n> {
    /// Computes what can hold if `assumed` rules can fire besides those of the sheet.
    pub fn new(normal: &'n Normal, graph: &Graph, when: When, assumed: &'n [Rule]) -> Support<'n> {
        let count = normal.relations.len();
        let given = || normal.refused.iter().chain(assumed);
        let mut support = Support {
            normal,
            when,
            domains: Domains::new(&normal.relations, &normal.rules, given(), when),
            heads: Vec::new(),
            by_relation: vec![Vec::new(); count],
            by_shape: FxHashMap::default(),
            shapes: vec![Vec::new(); count],
            written: FxHashSet::default(),
            unmatched: Vec::new(),
            left: Cell::new(MAX_COMPARISONS),
        };
        let mut seen: FxHashSet<(RelationId, Symbol)> = FxHashSet::default();
        let given = given().map(|r| (&r.head, true));
        for (atom, fires) in normal.rules.iter().map(|r| (&r.head, false)).chain(given) {
            let number = support.heads.len();
            let shape = shape(atom);
            support.heads.push(Head { atom, fires });
            support.by_relation[atom.relation.index()].push(number);
            support.by_shape.entry((atom.relation, shape)).or_default().push(number);
            if let Some(functor) = shape
                && seen.insert((atom.relation, functor.name))
            {
                support.shapes[atom.relation.index()].push(functor.name);
                if atom.relation == Keyword::Init.id() || atom.relation == Keyword::Next.id() {
                    support.written.insert(functor.name);
                }
            }
        }
        support.fire(graph);
        for (rule, places) in normal.rules.iter().zip(&normal.places) {
            for (literal, place) in rule.body.iter().zip(&places.body) {
                if let Some(atom) = literal.atom().filter(|a| !support.matches(a)) {
                    support.unmatched.push(Read { rule, atom, place: *place });
                }
            }
        }
        support
    }

    /// Returns the sentences in bodies that match no head at all.
    pub fn unmatched(&self) -> &[Read<'n>] {
        &self.unmatched
    }

    /// Returns the names that the heads of a relation are about: fluents, moves or first arguments.
    pub fn shapes(&self, relation: RelationId) -> impl Iterator<Item = Symbol> {
        self.shapes[relation.index()].iter().copied()
    }

    /// Returns `true` if some `init` or `next` writes a fluent with this name.
    pub fn is_written(&self, name: Symbol) -> bool {
        self.written.contains(&name)
    }

    /// Returns `true` if a sentence matches some head.
    pub fn matches(&self, atom: &Atom) -> bool {
        self.any(atom, |_| true)
    }

    /// Returns `true` if a sentence matches the head of a rule that can fire, with values in its domains.
    pub fn can_hold(&self, atom: &Atom) -> bool {
        self.domains.admits(atom) && self.any(atom, |head| head.fires)
    }

    /// Returns `true` if a sentence can hold after the first step: if it is about a fluent, some
    /// `next` can write it.
    pub fn can_hold_later(&self, atom: &Atom) -> bool {
        let fluent = atom.relation == Keyword::True.id();
        self.can_hold(atom) && (!fluent || self.search(atom, &[Keyword::Next.id()], |head| head.fires))
    }

    /// Returns `true` if a rule of the sheet can fire.
    pub fn fires(&self, rule: usize) -> bool {
        self.heads[rule].fires
    }

    /// Returns the literal and the variable whose positions have no value in common, provided
    /// that each literal by itself can hold.
    pub fn clash(&self, rule: usize) -> Option<(usize, Variable)> {
        let rule = &self.normal.rules[rule];
        let alone = |l: &Literal| !matches!(l, Literal::Positive(atom) if !self.can_hold(atom));
        match self.domains.sources(rule, &mut 0) {
            Err(Some(clash)) if rule.body.iter().all(alone) => Some(clash),
            _ => None,
        }
    }

    /// Returns the constants that a variable of a rule that can fire can be; none if nothing is known.
    pub fn values(&self, rule: usize, variable: Variable) -> Vec<Symbol> {
        if !self.fires(rule) {
            return Vec::new();
        }
        self.domains.values(&self.normal.rules[rule], variable)
    }

    fn any(&self, atom: &Atom, accept: impl Fn(&Head) -> bool) -> bool {
        self.sources(atom.relation).is_none_or(|sources| self.search(atom, &sources, accept))
    }

    fn sources(&self, relation: RelationId) -> Option<Vec<RelationId>> {
        match (self.when, Keyword::of(relation)) {
            (When::Start, Some(Keyword::True)) => Some(vec![Keyword::Init.id()]),
            (When::Start, Some(Keyword::Does)) => Some(Vec::new()),
            _ => sources(relation),
        }
    }

    /// Returns `true` if a sentence matches an accepted head of these relations.
    fn search(&self, atom: &Atom, sources: &[RelationId], accept: impl Fn(&Head) -> bool) -> bool {
        let allowed = MAX_HEADS.min(self.left.get());
        let mut left = allowed;
        let found = self.compare(atom, sources, &accept, &mut left);
        self.left.set(self.left.get() - (allowed - left));
        found
    }

    fn compare(
        &self,
        atom: &Atom,
        sources: &[RelationId],
        accept: &impl Fn(&Head) -> bool,
        left: &mut usize,
    ) -> bool {
        for &source in sources {
            let lists = match shape(atom) {
                None => [Some(&self.by_relation[source.index()]), None],
                some => [self.by_shape.get(&(source, some)), self.by_shape.get(&(source, None))],
            };
            for &number in lists.into_iter().flatten().flatten() {
                let head = &self.heads[number];
                if *left == 0 || accept(head) && may_match(&atom.arguments, &head.atom.arguments) {
                    return true;
                }
                *left -= 1;
            }
        }
        false
    }

    /// Marks the rules that can fire, counting up from the facts.
    fn fire(&mut self, graph: &Graph) {
        let rules = &self.normal.rules;
        let mut order: Vec<usize> = (0..rules.len()).collect();
        order.sort_by_key(|&n| {
            (!rules[n].body.is_empty(), graph.component_of[rules[n].head.relation.index()])
        });
        let mut queue: VecDeque<usize> = order.into();
        let mut watchers: Vec<Vec<usize>> = vec![Vec::new(); self.by_relation.len()];
        let mut looks = vec![0_u8; rules.len()];
        while let Some(number) = queue.pop_front() {
            let rule = &rules[number];
            looks[number] += 1;
            if looks[number] < MAX_LOOKS {
                if self.domains.sources(rule, &mut 0).is_err() {
                    continue;
                }
                let missing = rule.body.iter().find_map(|l| match l {
                    Literal::Positive(atom) if !self.any(atom, |head| head.fires) => Some(atom),
                    _ => None,
                });
                if let Some(atom) = missing {
                    for source in self.sources(atom.relation).into_iter().flatten() {
                        watchers[source.index()].push(number);
                    }
                    continue;
                }
            }
            if !std::mem::replace(&mut self.heads[number].fires, true) {
                queue.extend(std::mem::take(&mut watchers[rule.head.relation.index()]));
            }
        }
    }
}

/// Returns the relations whose heads derive a sentence, or `None` if it does not follow from rules.
pub(crate) fn sources(relation: RelationId) -> Option<Vec<RelationId>> {
    match Keyword::of(relation) {
        Some(Keyword::True) => Some(vec![Keyword::Init.id(), Keyword::Next.id()]),
        Some(Keyword::Does) => Some(vec![Keyword::Legal.id()]),
        Some(Keyword::Knows | Keyword::CommonKnowledge) => None,
        _ => Some(vec![relation]),
    }
}

/// Returns the functor that a sentence is about: its move, its fluent or its first argument.
/// Returns `None` if that is a variable or missing.
fn shape(atom: &Atom) -> Option<Functor> {
    let role_first = Keyword::of(atom.relation).is_some_and(Keyword::has_role);
    let term: Option<&Term> = atom.arguments.get(usize::from(role_first));
    term.and_then(Functor::of)
}
