//! Estimates of the number of answers of a literal, and of their cost.
//!
//! Before anything has run, the sizes of derived relations are estimated from the facts of the sheet and the
//! initial state, as in a query optimiser: the size of a join is the product of the sizes of its parts,
//! divided by the numbers of distinct values in the shared columns. After a few steps have been played, the
//! observed answers and costs of calls replace the estimates. Wrong estimates cost time, never answers.

use std::sync::Arc;

use rules::{Atom, Keyword, Literal, RelationId, Rules, Symbol, Term, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

use super::extension::{Extensions, is_given};
use super::order::{Body, cheapest};
use super::pattern::{Pattern, ask, is_known};
use crate::{TermId, TermPool};

/// The upper bound of all estimated sizes.
const HUGE: f64 = 1e60;
/// The weight of the cost of a static call, whose answers are kept.
const KEPT: f64 = 0.05;

/// The observed answers and costs of the calls of one pattern.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Observed {
    pub calls: u64,
    pub answers: u64,
    pub work: u64,
}

/// The size of a relation and the number of distinct terms in each column.
#[derive(Debug, Clone)]
struct Profile {
    rows: f64,
    spread: Vec<f64>,
    /// The cost of deriving all of it.
    cost: f64,
}

/// The expected behaviour of a literal for one binding of its known variables.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expectation {
    /// The number of solutions.
    pub solutions: f64,
    /// The cost of finding them the first time.
    pub work: f64,
    /// The maximum number of distinct calls, each of which has that cost once.
    pub calls: f64,
}

/// The estimates for every relation.
#[derive(Debug, Clone)]
pub(crate) struct Estimates {
    rules: Arc<Rules>,
    relations: Vec<Profile>,
    fluents: FxHashMap<(Symbol, usize), Profile>,
    state: Profile,
    moves: Profile,
    observed: FxHashMap<Pattern, Observed>,
    extensional: Vec<bool>,
}

impl Estimates {
    /// Makes estimates from the facts of the sheet, some states, and observations.
    pub fn new(
        rules: &Arc<Rules>,
        extensions: &Extensions,
        pool: &TermPool,
        samples: &[Arc<[TermId]>],
        observed: FxHashMap<Pattern, Observed>,
    ) -> Estimates {
        let roles = rules.roles.len().max(1) as f64;
        let relations = rules.relations.iter().enumerate().map(|(number, relation)| {
            let facts = extensions.facts(RelationId(number as u32)).map(|id| extensions.get(id));
            let rows = facts.map_or(0.0, |f| f.len() as f64);
            let spread =
                facts.map_or(vec![1.0; relation.arity], |f| f.spread().iter().map(|&s| s as f64).collect());
            Profile { rows, spread, cost: 1.0 }
        });
        let mut this = Estimates {
            rules: rules.clone(),
            relations: relations.collect(),
            fluents: FxHashMap::default(),
            state: Profile { rows: 10.0, spread: vec![20.0], cost: 1.0 },
            moves: Profile { rows: roles, spread: vec![roles, 10.0], cost: 1.0 },
            observed,
            extensional: (0..rules.relations.len() as u32)
                .map(|r| has_only_facts(rules, RelationId(r)))
                .collect(),
        };
        this.sample(pool, samples);
        for component in &rules.components {
            this.derive(component);
        }
        this
    }

    fn sample(&mut self, pool: &TermPool, samples: &[Arc<[TermId]>]) {
        let count = samples.len().max(1) as f64;
        let mut rows: FxHashMap<(Symbol, usize), f64> = FxHashMap::default();
        let mut values: FxHashMap<(Symbol, usize), Vec<FxHashSet<TermId>>> = FxHashMap::default();
        let mut all = FxHashSet::default();
        for &fact in samples.iter().flat_map(|s| s.iter()) {
            all.insert(fact);
            let arguments = pool.arguments(fact);
            let key = (pool.functor(fact), arguments.len());
            *rows.entry(key).or_default() += 1.0 / count;
            let columns = values.entry(key).or_insert_with(|| vec![FxHashSet::default(); arguments.len()]);
            for (column, &argument) in columns.iter_mut().zip(arguments) {
                column.insert(argument);
            }
        }
        if !all.is_empty() {
            let rows = samples.iter().map(|s| s.len() as f64).sum::<f64>() / count;
            self.state = Profile { rows, spread: vec![all.len() as f64], cost: 1.0 };
        }
        for (key, columns) in values {
            let spread = columns.iter().map(|s| s.len().max(1) as f64).collect();
            self.fluents.insert(key, Profile { rows: rows[&key], spread, cost: 1.0 });
        }
    }

    /// Estimates the relations of a component from those before it.
    fn derive(&mut self, component: &rules::Component) {
        let rules = self.rules.clone();
        let within = |l: &Literal| l.atom().is_some_and(|a| component.relations.contains(&a.relation));
        let given: Vec<Profile> =
            component.relations.iter().map(|r| self.relations[r.index()].clone()).collect();
        for round in 0..if component.recursive { 3 } else { 1 } {
            for (relation, given) in component.relations.iter().zip(&given) {
                let mut total = given.clone();
                for rule in rules.relation(*relation).rules.iter().map(|&r| &rules.rules[r]) {
                    let is_open = component.recursive && rule.body.iter().any(within);
                    if rule.body.is_empty() || (round == 0 && is_open) {
                        continue;
                    }
                    let body = Body { literals: &rule.body, variables: rule.variables.len(), exact: 0 };
                    let (_, cost, rows) = cheapest(self, &body, &|_| false);
                    let domains = self.domains(&rule.body, rule.variables.len());
                    total.cost = (total.cost + cost).min(HUGE);
                    let mut most = 1.0;
                    for (column, term) in rule.head.arguments.iter().enumerate() {
                        let domain = domain(term, &domains);
                        most = f64::min(most * domain, HUGE);
                        let spread = &mut total.spread[column];
                        *spread = if term.is_ground() { *spread + 1.0 } else { spread.max(domain) };
                    }
                    total.rows = (total.rows + rows.min(most)).min(HUGE);
                }
                if round > 0 {
                    total.rows = total.rows.max(self.relations[relation.index()].rows);
                    total.cost = total.cost.max(self.relations[relation.index()].cost);
                }
                self.relations[relation.index()] = total;
            }
        }
    }

    /// Returns the number of terms that each variable of a body can have as its value.
    fn domains(&self, body: &[Literal], variables: usize) -> Vec<f64> {
        let mut domains = vec![HUGE; variables];
        for literal in body {
            let Literal::Positive(atom) = literal else { continue };
            let (profile, columns) = self.profile(atom);
            for (column, term) in columns.iter().enumerate() {
                let spread = profile.as_ref().map_or(4.0, |p| p.spread[column]).max(1.0);
                term.variables(&mut |v| domains[v.0 as usize] = domains[v.0 as usize].min(spread));
            }
        }
        domains
    }

    fn profile<'a>(&'a self, atom: &'a Atom) -> (Option<&'a Profile>, &'a [Term]) {
        if atom.relation == Keyword::True.id() {
            return match &atom.arguments[0] {
                Term::Function(name, parts) => (self.fluents.get(&(*name, parts.len())), parts),
                Term::Constant(name) => (self.fluents.get(&(*name, 0)), &[]),
                Term::Variable(_) => (Some(&self.state), &atom.arguments),
            };
        }
        if atom.relation == Keyword::Does.id() {
            return (Some(&self.moves), &atom.arguments);
        }
        (Some(&self.relations[atom.relation.index()]), &atom.arguments)
    }

    /// Returns `true` if a relation consists only of given facts.
    pub fn is_extensional(&self, relation: RelationId) -> bool {
        self.extensional[relation.index()]
    }

    /// Returns what is expected of an atom if these variables are bound.
    pub fn atom(&self, atom: &Atom, is_bound: &dyn Fn(Variable) -> bool) -> Expectation {
        let (profile, columns) = self.profile(atom);
        let rows = profile.map_or(4.0, |p| p.rows);
        let (mut keys, mut all_known) = (1.0, true);
        for (column, term) in columns.iter().enumerate() {
            let spread = profile.map_or(4.0, |p| p.spread[column]).max(1.0);
            if is_known(term, is_bound) {
                keys *= spread;
            } else {
                all_known = false;
                if !matches!(term, Term::Variable(_)) {
                    keys *= spread.sqrt();
                }
            }
        }
        let mut solutions = rows / keys;
        if all_known {
            solutions = solutions.min(0.9);
        }
        if self.is_extensional(atom.relation) {
            return Expectation { solutions, work: 0.0, calls: 0.0 };
        }
        let relation = self.rules.relation(atom.relation);
        let mut work = profile.map_or(1.0, |p| p.cost) / keys + 2.0 + relation.rules.len() as f64;
        let asked = ask(atom.relation, columns, is_bound, &|_| true);
        if let Some(seen) = self.observed.get(&asked.pattern) {
            solutions = seen.answers as f64 / seen.calls as f64;
            work = seen.work as f64 / seen.calls as f64 + 2.0;
        }
        if relation.is_static() {
            work *= KEPT;
        }
        Expectation { solutions: solutions.max(1e-3), work, calls: keys }
    }
}

fn has_only_facts(rules: &Rules, relation: RelationId) -> bool {
    let mut stated = rules.relation(relation).rules.iter().map(|&r| &rules.rules[r]);
    if is_given(relation) { stated.next().is_none() } else { stated.all(|r| r.body.is_empty()) }
}

/// Returns the number of possible values of a term.
fn domain(term: &Term, domains: &[f64]) -> f64 {
    let mut product = 1.0;
    term.variables(&mut |v| product = f64::min(product * domains[v.0 as usize], HUGE));
    product
}
