//! Computation of argument domains by propagating values between positions.
//!
//! This is a fixpoint over argument positions rather than over whole sentences. A variable can
//! take the values that all its positions in positive literals have in common, and a head
//! passes the values of its terms to its positions. `true` receives the values of `init` and
//! `next`, and `does` those of `legal`. Rounds and work are bounded; positions that would take
//! longer are left open. (The model is the sentence-form domains of ggp-base and Sancho.)

use std::collections::VecDeque;

use gdl::Name;
use rustc_hash::FxHashMap;

use super::domains::{Domains, Node};
use super::{Functor, When};
use crate::{Atom, Keyword, Literal, Relation, Rule, Symbol, Term, Variable};

/// The maximum number of constants that are listed for one position.
const MAX_CONSTANTS: usize = 4096;
/// The nesting depth of terms beyond which positions are left open.
const MAX_TERM_DEPTH: u8 = 4;
const MAX_NODES: usize = 1 << 18;
/// The number of rounds after which a rule that still derives new values has its positions left open.
const MAX_ROUNDS: u8 = 40;
/// The total number of set elements that are processed before all positions are left open.
const MAX_WORK: usize = 20_000_000;

/// For each variable of a rule, the nodes of its positive positions, from which it gets its values.
type Sources = Vec<Vec<usize>>;

impl Domains {
    /// Computes the fixpoint over `rules`. The heads of `given` rules are assumed to derive anything.
    pub(crate) fn new<'r>(
        relations: &[Relation],
        rules: &[Rule],
        given: impl Iterator<Item = &'r Rule>,
        when: When,
    ) -> Domains {
        let mut domains = Domains { nodes: Vec::new(), arguments: Vec::new(), inner: FxHashMap::default() };
        for relation in relations {
            let first = domains.nodes.len();
            domains.nodes.resize(first + relation.arity, Node::default());
            domains.arguments.push((first..first + relation.arity).collect());
        }
        for keyword in [Keyword::Knows, Keyword::CommonKnowledge] {
            for node in domains.arguments[keyword.id().index()].clone() {
                domains.widen(node);
            }
        }
        for rule in given {
            let sources = vec![Vec::new(); rule.variables.len()];
            domains.give(&rule.head, &sources, &mut 0);
        }
        let bridges = bridges();
        let carried = if when == When::Start { &bridges[..1] } else { &bridges };
        let all: Vec<&Rule> = rules.iter().chain(carried).collect();
        domains.run(&all);
        domains
    }

    fn run(&mut self, rules: &[&Rule]) {
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); self.arguments.len()];
        for (number, rule) in rules.iter().enumerate() {
            for literal in &rule.body {
                if let Literal::Positive(atom) = literal {
                    readers[atom.relation.index()].push(number);
                }
            }
        }
        // Facts go first, so that rules see all of them at once.
        let (facts, others): (Vec<usize>, Vec<usize>) =
            (0..rules.len()).partition(|&n| rules[n].body.is_empty());
        let mut queue: VecDeque<usize> = facts.into_iter().chain(others).collect();
        let mut waiting = vec![true; rules.len()];
        let mut rounds = vec![0_u8; rules.len()];
        let mut work = 0;
        while let Some(number) = queue.pop_front() {
            waiting[number] = false;
            let rule = rules[number];
            let Ok(sources) = self.sources(rule, &mut work) else { continue };
            let mut changed = self.give(&rule.head, &sources, &mut work);
            if work > MAX_WORK {
                (0..self.nodes.len()).for_each(|node| {
                    self.widen(node);
                });
                return;
            }
            rounds[number] += 1;
            if changed && rounds[number] >= MAX_ROUNDS {
                for node in self.arguments[rule.head.relation.index()].clone() {
                    changed |= self.widen(node);
                }
            }
            if changed {
                for &reader in &readers[rule.head.relation.index()] {
                    if !waiting[reader] && rounds[reader] <= MAX_ROUNDS {
                        waiting[reader] = true;
                        queue.push_back(reader);
                    }
                }
            }
        }
    }

    /// Returns where the variables of a rule get their values. If a variable has no value, the
    /// error is that variable and a literal; it is `None` if a literal by itself cannot hold.
    pub(crate) fn sources(
        &self,
        rule: &Rule,
        work: &mut usize,
    ) -> Result<Sources, Option<(usize, Variable)>> {
        let mut sources: Sources = vec![Vec::new(); rule.variables.len()];
        let mut last = vec![0; rule.variables.len()];
        for (position, literal) in rule.body.iter().enumerate() {
            let Literal::Positive(atom) = literal else { continue };
            let nodes = &self.arguments[atom.relation.index()];
            for (term, &node) in atom.arguments.iter().zip(nodes) {
                if !self.admit(term, node, &mut |v, node| {
                    sources[v.0 as usize].push(node);
                    last[v.0 as usize] = position;
                }) {
                    return Err(None);
                }
            }
        }
        for (variable, nodes) in sources.iter_mut().enumerate() {
            nodes.sort_unstable();
            nodes.dedup();
            nodes.retain(|&n| !self.nodes[n].open);
            *work += nodes.len();
            if nodes.len() > 1 && !self.meet(nodes, work) {
                return Err(Some((last[variable], Variable(variable as u32))));
            }
        }
        Ok(sources)
    }

    /// Returns the constants that a variable of a rule can be; none if it is in open positions only.
    pub(crate) fn values(&self, rule: &Rule, variable: Variable) -> Vec<Symbol> {
        let Ok(sources) = self.sources(rule, &mut 0) else { return Vec::new() };
        let Some((first, others)) = sources[variable.0 as usize].split_first() else { return Vec::new() };
        let in_others = |c: &Symbol| others.iter().all(|&n| self.nodes[n].constants.binary_search(c).is_ok());
        self.nodes[*first].constants.iter().copied().filter(in_others).collect()
    }

    /// Returns `true` if the constants and functions of an atom can occur in their positions.
    pub(crate) fn admits(&self, atom: &Atom) -> bool {
        let nodes = &self.arguments[atom.relation.index()];
        atom.arguments.iter().zip(nodes).all(|(term, &node)| self.admit(term, node, &mut |_, _| {}))
    }

    fn admit(&self, term: &Term, at: usize, bind: &mut impl FnMut(Variable, usize)) -> bool {
        let node = &self.nodes[at];
        match term {
            Term::Variable(v) => {
                bind(*v, at);
                node.open || !node.constants.is_empty() || !node.functions.is_empty()
            }
            _ if node.open => {
                term.variables(&mut |v| bind(v, at));
                true
            }
            Term::Constant(c) => node.constants.binary_search(c).is_ok(),
            Term::Function(name, arguments) => {
                let functor = Functor { name: *name, arity: arguments.len() };
                self.child(at, functor).is_some_and(|children| {
                    arguments.iter().zip(children).all(|(term, child)| self.admit(term, child, bind))
                })
            }
        }
    }

    /// Returns `true` if positions, none of them open, have a constant or a function in common.
    fn meet(&self, nodes: &[usize], work: &mut usize) -> bool {
        let smallest = nodes.iter().min_by_key(|&&n| self.nodes[n].constants.len()).expect("there are nodes");
        let in_all = |c: &Symbol| nodes.iter().all(|&n| self.nodes[n].constants.binary_search(c).is_ok());
        let mut looked = 0;
        let found = self.nodes[*smallest].constants.iter().any(|c| {
            looked += nodes.len();
            in_all(c)
        });
        *work += looked;
        found
            || self.nodes[nodes[0]]
                .functions
                .iter()
                .any(|f| nodes.iter().all(|&n| self.child(n, *f).is_some()))
    }

    /// Passes values to the positions of a head. Returns `true` if any value is new.
    fn give(&mut self, head: &Atom, sources: &Sources, work: &mut usize) -> bool {
        let mut changed = false;
        for (index, term) in head.arguments.iter().enumerate() {
            let node = self.arguments[head.relation.index()][index];
            changed |= self.give_term(term, node, sources, work);
        }
        changed
    }

    fn give_term(&mut self, term: &Term, node: usize, sources: &Sources, work: &mut usize) -> bool {
        *work += 1;
        if self.nodes[node].open {
            return false;
        }
        match term {
            Term::Constant(c) => self.add(node, &[*c]),
            Term::Variable(v) => self.merge(node, &sources[v.0 as usize].clone(), work),
            Term::Function(name, arguments) => {
                let functor = Functor { name: *name, arity: arguments.len() };
                let (children, mut changed) = self.ensure(node, functor);
                for (term, child) in arguments.iter().zip(children) {
                    changed |= self.give_term(term, child, sources, work);
                }
                changed
            }
        }
    }

    /// Adds the values that all `sources` have in common; without sources, the position is left open.
    fn merge(&mut self, node: usize, sources: &[usize], work: &mut usize) -> bool {
        let closed: Vec<usize> = sources.iter().copied().filter(|&n| !self.nodes[n].open).collect();
        if self.nodes[node].open || closed.contains(&node) && closed.len() == 1 {
            return false;
        }
        let Some(&first) = closed.first() else { return self.widen(node) };
        let mut common = self.nodes[first].constants.clone();
        *work += common.len() * closed.len();
        common.retain(|c| closed[1..].iter().all(|&n| self.nodes[n].constants.binary_search(c).is_ok()));
        *work += common.len();
        let mut changed = self.add(node, &common);
        let functors: Vec<Functor> = self.nodes[first].functions.clone();
        for functor in functors {
            *work += 4;
            if self.nodes[node].open || !closed.iter().all(|&n| self.child(n, functor).is_some()) {
                continue;
            }
            let (children, new) = self.ensure(node, functor);
            changed |= new;
            for (index, child) in children.enumerate() {
                let inner: Vec<usize> =
                    closed.iter().filter_map(|&n| self.child(n, functor)?.nth(index)).collect();
                changed |= self.merge(child, &inner, work);
            }
        }
        changed
    }

    fn add(&mut self, node: usize, constants: &[Symbol]) -> bool {
        let before = self.nodes[node].constants.len();
        let slot = &mut self.nodes[node].constants;
        match constants {
            [one] => {
                if let Err(place) = slot.binary_search(one) {
                    slot.insert(place, *one);
                }
            }
            many if many.iter().all(|c| slot.binary_search(c).is_ok()) => {}
            many => {
                slot.extend(many);
                slot.sort_unstable();
                slot.dedup();
            }
        }
        if slot.len() > MAX_CONSTANTS {
            return self.widen(node);
        }
        slot.len() > before
    }

    /// Returns the positions inside a function at a position, which are created if necessary,
    /// and whether the domain changed.
    fn ensure(&mut self, node: usize, functor: Functor) -> (std::ops::Range<usize>, bool) {
        if let Some(children) = self.child(node, functor) {
            return (children, false);
        }
        if self.nodes.len() + functor.arity > MAX_NODES || self.nodes[node].functions.len() >= MAX_CONSTANTS {
            return (0..0, self.widen(node));
        }
        let first = self.nodes.len();
        let depth = self.nodes[node].depth + 1;
        let child = Node { depth, open: depth > MAX_TERM_DEPTH, ..Node::default() };
        self.nodes.resize(first + functor.arity, child);
        self.nodes[node].functions.push(functor);
        self.inner.insert((node, functor), first);
        (first..first + functor.arity, true)
    }

    /// Leaves a position open. Returns `true` if it was not open before.
    fn widen(&mut self, node: usize) -> bool {
        let slot = &mut self.nodes[node];
        slot.constants.clear();
        for functor in std::mem::take(&mut slot.functions) {
            self.inner.remove(&(node, functor));
        }
        let slot = &mut self.nodes[node];
        !std::mem::replace(&mut slot.open, true)
    }
}

/// Rules for what play carries over: the state from `init` and `next`, the moves from `legal`. In
/// the initial state only the first of them counts.
fn bridges() -> [Rule; 3] {
    [(Keyword::True, Keyword::Init), (Keyword::True, Keyword::Next), (Keyword::Does, Keyword::Legal)].map(
        |(to, from)| {
            let arguments: Vec<Term> = (0..to.arity()).map(|i| Term::Variable(Variable(i as u32))).collect();
            Rule {
                head: Atom { relation: to.id(), arguments: arguments.clone() },
                body: vec![Literal::Positive(Atom { relation: from.id(), arguments })],
                variables: vec![Name::from("x"); to.arity()],
                clause: 0,
                span: gdl::Span::default(),
            }
        },
    )
}
