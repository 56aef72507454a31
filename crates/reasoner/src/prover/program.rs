//! The queries that can occur and their plans, which are made on first use.

use std::sync::Arc;

use rules::{Literal, RelationId, Rule, Rules, Term, Variable};
use rustc_hash::FxHashMap;

use super::compile::compile;
use super::estimate::{Estimates, Observed};
use super::extension::{Extensions, is_given};
use super::pattern::{Pattern, Shape};
use super::plan::{Plan, QueryId};
use super::specialise::specialise;
use crate::TermPool;

/// How long the answers of a query stay valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Life {
    Always,
    State,
    Joint,
}

/// A relation with a pattern.
#[derive(Debug, Clone)]
pub(crate) struct Query {
    pub pattern: Pattern,
    pub life: Life,
    /// Whether calls can depend on calls of the same component.
    pub recursive: bool,
    /// Made at the first call.
    pub plans: Option<Box<[Plan]>>,
    /// Queries whose answers contain the answers to this one.
    pub wider: Vec<Wider>,
    pub observed: Observed,
}

/// How the calls of a query are contained in those of a wider one.
#[derive(Debug, Clone)]
pub(crate) struct Wider {
    pub query: QueryId,
    /// The inputs of the narrow call that form the key of the wide call.
    pub key: Vec<usize>,
    /// For each input of the narrow call, its place in the wide call.
    pub inputs: Vec<Place>,
    /// For each answer column of the narrow call, the column of the wide call.
    pub outputs: Vec<usize>,
}

/// The place of a term in a wide call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Key(usize),
    Answer(usize),
}

/// How the order of the literals of a body is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// By expected cost.
    Cost,
    /// In source order, with tests as soon as possible.
    Source,
}

/// All queries that occur.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    rules: Arc<Rules>,
    pub strategy: Strategy,
    /// Whether calls within a recursive component are made without building terms for them.
    pub lifted: bool,
    pub estimates: Estimates,
    queries: Vec<Query>,
    numbers: FxHashMap<Pattern, QueryId>,
    of_relation: Vec<Vec<QueryId>>,
    component: Vec<usize>,
}

impl Program {
    pub fn new(rules: Arc<Rules>, strategy: Strategy, lifted: bool, estimates: Estimates) -> Program {
        let mut component = vec![0; rules.relations.len()];
        for (number, group) in rules.components.iter().enumerate() {
            group.relations.iter().for_each(|r| component[r.index()] = number);
        }
        let of_relation = vec![Vec::new(); rules.relations.len()];
        let (queries, numbers) = (Vec::new(), FxHashMap::default());
        Program { rules, strategy, lifted, estimates, queries, numbers, of_relation, component }
    }

    #[inline]
    pub fn query(&self, id: QueryId) -> &Query {
        &self.queries[id.index()]
    }

    #[inline]
    pub fn query_mut(&mut self, id: QueryId) -> &mut Query {
        &mut self.queries[id.index()]
    }

    pub fn queries(&self) -> impl Iterator<Item = &Query> {
        self.queries.iter()
    }

    /// Returns `true` if calls of the two relations can depend on each other.
    pub fn is_inside(&self, one: RelationId, other: RelationId) -> bool {
        self.component[one.index()] == self.component[other.index()]
            && self.rules.components[self.component[one.index()]].recursive
    }

    /// Returns the query with this pattern.
    pub fn ask(&mut self, pattern: Pattern) -> QueryId {
        if let Some(&id) = self.numbers.get(&pattern) {
            return id;
        }
        let id = QueryId(self.queries.len() as u32);
        let relation = self.rules.relation(pattern.relation);
        let life = match (relation.depends_on_does, relation.depends_on_true) {
            (true, _) => Life::Joint,
            (false, true) => Life::State,
            (false, false) => Life::Always,
        };
        let recursive = self.is_inside(pattern.relation, pattern.relation);
        let mut wider = Vec::new();
        for &other in &self.of_relation[pattern.relation.index()] {
            let theirs = &self.queries[other.index()].pattern;
            wider.extend(within(&pattern, theirs, other));
            if let Some(this) = within(theirs, &pattern, id) {
                self.queries[other.index()].wider.push(this);
            }
        }
        self.of_relation[pattern.relation.index()].push(id);
        self.numbers.insert(pattern.clone(), id);
        let observed = Observed::default();
        self.queries.push(Query { pattern, life, recursive, plans: None, wider, observed });
        id
    }

    /// Makes the plans of a query, unless they exist.
    pub fn prepare(&mut self, id: QueryId, extensions: &mut Extensions, pool: &mut TermPool) {
        if self.query(id).plans.is_some() {
            return;
        }
        let rules = self.rules.clone();
        let pattern = self.query(id).pattern.clone();
        let relation = rules.relation(pattern.relation);
        let mut plans = Vec::new();
        let given = extensions.facts(pattern.relation).is_some() || is_given(pattern.relation);
        if given {
            let rule = given_rule(&rules, pattern.relation);
            plans.extend(
                specialise(&rule, &pattern)
                    .map(|c| compile(self, extensions, pool, &pattern, &rule, &c, true)),
            );
        }
        for &number in &relation.rules {
            let rule = &rules.rules[number];
            // Facts are in the extension, except for relations whose extension is the state or the moves.
            if !rule.body.is_empty() || is_given(pattern.relation) {
                plans.extend(
                    specialise(rule, &pattern)
                        .map(|c| compile(self, extensions, pool, &pattern, rule, &c, false)),
                );
            }
        }
        self.query_mut(id).plans = Some(plans.into());
    }
}

/// Returns the rule that makes the given facts of a relation part of it.
fn given_rule(rules: &Rules, relation: RelationId) -> Rule {
    let about = rules.relation(relation);
    let arguments = (0..about.arity as u32).map(|v| Term::Variable(Variable(v))).collect();
    let head = rules::Atom { relation, arguments };
    let fact = about.rules.iter().map(|&r| &rules.rules[r]).find(|r| r.body.is_empty());
    Rule {
        body: vec![Literal::Positive(head.clone())],
        head,
        variables: vec![gdl::Name::from("given"); about.arity],
        clause: fact.map_or(0, |r| r.clause),
        span: about.first,
    }
}

/// Returns how the calls of one pattern are contained in those of another, if they are in a simple way.
fn within(narrow: &Pattern, wide: &Pattern, query: QueryId) -> Option<Wider> {
    if !narrow.is_plain() || !wide.is_plain() {
        return None;
    }
    let (mut key, mut inputs, mut outputs) = (Vec::new(), Vec::new(), vec![0; narrow.outputs]);
    let mut wide_key = 0;
    for (n, w) in narrow.shapes.iter().zip(&wide.shapes) {
        match (n, w) {
            (Shape::Bound, Shape::Bound) => {
                key.push(inputs.len());
                inputs.push(Place::Key(wide_key));
                wide_key += 1;
            }
            (Shape::Bound, Shape::Free(column)) => inputs.push(Place::Answer(*column as usize)),
            (Shape::Free(mine), Shape::Free(theirs)) => outputs[*mine as usize] = *theirs as usize,
            (Shape::Any, Shape::Free(_) | Shape::Any) => {}
            _ => return None,
        }
    }
    (narrow != wide).then_some(Wider { query, key, inputs, outputs })
}
