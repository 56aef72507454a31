//! Detection of control fluents, which say whose turn it is.
//!
//! A control fluent has one argument, a role, and exactly one instance of it is true in every
//! state. This is proven from the rules: `init` derives one instance, and whichever instance is
//! true, the rules for `next` derive exactly one, whatever else holds. That is the case if,
//! without the rules that read another instance, the remaining rules are unconditional or their
//! conditions split into a sentence and its negation. The moves of a role that is not in
//! control are analysed in the same way.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::{Functor, fluent_read};
use crate::{Atom, Keyword, Literal, Rule, Rules, Symbol, Term, Variable};

/// The maximum number of nested case distinctions on a condition.
const MAX_SPLITS: usize = 8;
/// The maximum number of instances of a rule by facts.
const MAX_INSTANCES: usize = 256;

/// A fluent that says whose turn it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// The fluent, which has one argument.
    pub fluent: Functor,
    /// The roles it can name, in the order of the roles.
    pub roles: Vec<Symbol>,
    /// The roles that have exactly one legal move while another role has control.
    pub passive: Vec<Passive>,
    /// The roles that have no legal move while another role has control, each with that role.
    pub stuck: Vec<(Symbol, Symbol)>,
}

/// A role that can only wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passive {
    /// The role that waits.
    pub role: Symbol,
    /// The role that has control meanwhile.
    pub control: Symbol,
    /// The only legal move of the waiting role.
    pub only: Term,
}

impl Control {
    /// Returns `true` if every role except the one in control can only wait.
    pub fn takes_turns(&self, roles: &[Symbol]) -> bool {
        self.roles.iter().all(|control| {
            let waits = |role: &Symbol| self.passive.iter().any(|p| p.role == *role && p.control == *control);
            roles.iter().all(|role| role == control || waits(role))
        })
    }
}

impl Rules {
    /// Returns the control fluents, in the order of their initial facts.
    pub fn control(&self) -> Vec<Control> {
        let mut order: Vec<Functor> = Vec::new();
        let mut writers: FxHashMap<Functor, [Vec<&Rule>; 2]> = FxHashMap::default();
        for (slot, keyword) in [Keyword::Init, Keyword::Next].into_iter().enumerate() {
            for (_, rule) in self.rules_for(keyword) {
                // If a rule can write any fluent at all, nothing can be proven.
                let Some(fluent) = Functor::of(&rule.head.arguments[0]) else { return Vec::new() };
                let rules = writers.entry(fluent).or_default();
                if fluent.arity == 1 && slot == 0 && rules[0].is_empty() {
                    order.push(fluent);
                }
                rules[slot].push(rule);
            }
        }
        let mut found = Vec::new();
        for fluent in order {
            let [starts, nexts] = &writers[&fluent];
            if let Some(roles) = self.turn_order(fluent, starts, nexts) {
                let mut control = Control { fluent, roles, passive: Vec::new(), stuck: Vec::new() };
                self.find_waiting(&mut control);
                found.push(control);
            }
        }
        found
    }

    /// Returns the roles that a fluent can name, if exactly one instance holds in every state.
    fn turn_order(&self, fluent: Functor, starts: &[&Rule], nexts: &[&Rule]) -> Option<Vec<Symbol>> {
        let [start] = starts else { return None };
        let first = constant(argument(&start.head.arguments[0])?).filter(|_| start.body.is_empty())?;
        if nexts.len() > MAX_INSTANCES {
            return None;
        }
        let mut reached = BTreeSet::from([first]);
        let mut work = vec![first];
        while let Some(role) = work.pop() {
            if !self.roles.contains(&role) || reached.len() > MAX_INSTANCES {
                return None;
            }
            let mut cases = Vec::new();
            for rule in nexts {
                for (head, rest) in self.cases(rule, fluent, role)? {
                    cases.push((constant(argument(&head.arguments[0])?)?, rest));
                }
            }
            let mut results = BTreeSet::new();
            if !exactly_one(&cases, MAX_SPLITS, &mut results) {
                return None;
            }
            work.extend(results.into_iter().filter(|r| reached.insert(*r)));
        }
        Some(self.roles.iter().copied().filter(|r| reached.contains(r)).collect())
    }

    /// Specialises a rule to the case that the fluent names `role`. Returns the heads with the
    /// remaining conditions, or `None` if there are too many cases.
    fn cases(&self, rule: &Rule, fluent: Functor, role: Symbol) -> Option<Vec<(Atom, Vec<Literal>)>> {
        let mut open = vec![(rule.head.clone(), Vec::new(), vec![None; rule.variables.len()], 0)];
        let mut done = Vec::new();
        while let Some((head, mut rest, bindings, position)) = open.pop() {
            if open.len() + done.len() > MAX_INSTANCES {
                return None;
            }
            let mut bindings: Vec<Option<Symbol>> = bindings;
            let ordered = order(rule);
            let Some(literal) = ordered.get(position) else {
                if let Some(rest) = settle(rest, &bindings) {
                    done.push((apply_atom(&head, &bindings), rest));
                }
                continue;
            };
            match literal {
                _ if fluent_read(literal).and_then(Functor::of) == Some(fluent) => {
                    let read = fluent_read(literal).and_then(argument)?;
                    if bind(read, role, &mut bindings) {
                        open.push((head, rest, bindings, position + 1));
                    }
                }
                Literal::Negative(atom)
                    if atom.relation == Keyword::True.id()
                        && Functor::of(&atom.arguments[0]) == Some(fluent) =>
                {
                    match apply(argument(&atom.arguments[0])?, &bindings) {
                        Term::Constant(c) if c == role => {}
                        Term::Constant(_) => open.push((head, rest, bindings, position + 1)),
                        _ => return None,
                    }
                }
                Literal::Positive(atom) if self.is_listed(atom) => {
                    for &fact in &self.relation(atom.relation).rules {
                        let mut bindings = bindings.clone();
                        let facts = self.rules[fact].head.arguments.iter();
                        let fits = atom.arguments.iter().zip(facts).all(|(pattern, value)| match value {
                            Term::Constant(value) => bind(pattern, *value, &mut bindings),
                            _ => false,
                        });
                        if fits {
                            open.push((head.clone(), rest.clone(), bindings, position + 1));
                        }
                        if open.len() > MAX_INSTANCES {
                            return None;
                        }
                    }
                }
                other => {
                    rest.push((*other).clone());
                    open.push((head, rest, bindings, position + 1));
                }
            }
        }
        done.reverse();
        Some(done)
    }

    /// Returns `true` if the relation of a sentence is defined by a few ground facts.
    fn is_listed(&self, atom: &Atom) -> bool {
        let rules = &self.relation(atom.relation).rules;
        let plain = |t: &Term| matches!(t, Term::Constant(_));
        let is_fact = |r: &Rule| r.body.is_empty() && r.head.arguments.iter().all(plain);
        self.relation(atom.relation).is_static()
            && (1..=MAX_INSTANCES).contains(&rules.len())
            && atom.arguments.iter().all(|t| !matches!(t, Term::Function(..)))
            && rules.iter().all(|&r| is_fact(&self.rules[r]))
    }

    /// Finds out which roles can only wait, or have no move at all, while which role is in control.
    fn find_waiting(&self, found: &mut Control) {
        if found.roles.len() > 16 || self.relation(Keyword::Legal.id()).rules.len() > 1000 {
            return;
        }
        for &control in &found.roles {
            for &role in self.roles.iter().filter(|r| **r != control).take(16) {
                match self.waiting(found.fluent, control, role) {
                    Some(Some(only)) => found.passive.push(Passive { role, control, only }),
                    Some(None) => found.stuck.push((role, control)),
                    None => {}
                }
            }
        }
    }

    /// Returns the only legal move of a role while another has control, or that it has none; the
    /// outer `None` if neither is certain.
    fn waiting(&self, fluent: Functor, control: Symbol, role: Symbol) -> Option<Option<Term>> {
        let (mut only, mut certain) = (None, false);
        for (_, rule) in self.rules_for(Keyword::Legal) {
            for (head, rest) in self.cases(rule, fluent, control)? {
                let mut bindings = vec![None; rule.variables.len()];
                if !bind(&head.arguments[0], role, &mut bindings) {
                    continue;
                }
                let Some(rest) = settle(rest, &bindings) else { continue };
                let action = apply(&head.arguments[1], &bindings);
                if !action.is_ground() || only.as_ref().is_some_and(|o| *o != action) {
                    return None;
                }
                certain |= rest.is_empty();
                only = Some(action);
            }
        }
        (certain || only.is_none()).then_some(only)
    }
}

/// Orders the literals so that those that bind variables to constants come first.
fn order(rule: &Rule) -> Vec<&Literal> {
    let mut literals: Vec<&Literal> = rule.body.iter().collect();
    literals.sort_by_key(|l| match l {
        Literal::Positive(atom) if atom.relation == Keyword::True.id() => 0,
        Literal::Positive(_) => 1,
        _ => 2,
    });
    literals
}

/// Substitutes the constants into the conditions. Returns `None` if a condition cannot be met.
fn settle(rest: Vec<Literal>, bindings: &[Option<Symbol>]) -> Option<Vec<Literal>> {
    let mut open = Vec::new();
    for literal in rest {
        match literal {
            Literal::Distinct(a, b) => {
                let (a, b) = (apply(&a, bindings), apply(&b, bindings));
                match (a.is_ground() && b.is_ground(), a == b) {
                    (_, true) => return None,
                    (true, false) => {}
                    (false, false) => open.push(Literal::Distinct(a, b)),
                }
            }
            Literal::Positive(atom) => open.push(Literal::Positive(apply_atom(&atom, bindings))),
            Literal::Negative(atom) => open.push(Literal::Negative(apply_atom(&atom, bindings))),
        }
    }
    Some(open)
}

/// Returns `true` if exactly one of the values is derived, however the conditions turn out.
/// Collects the values.
fn exactly_one(cases: &[(Symbol, Vec<Literal>)], splits: usize, results: &mut BTreeSet<Symbol>) -> bool {
    let Some((value, _)) = cases.first() else { return false };
    if cases.iter().any(|(_, rest)| rest.is_empty()) && cases.iter().all(|(v, _)| v == value) {
        results.insert(*value);
        return true;
    }
    let ground = |a: &Atom| a.arguments.iter().all(Term::is_ground);
    let negated = cases.iter().flat_map(|(_, rest)| rest).find_map(|l| match l {
        Literal::Negative(atom) if ground(atom) => Some(atom),
        _ => None,
    });
    let Some(atom) = negated.filter(|_| splits > 0) else { return false };
    let (yes, no) = (Literal::Positive(atom.clone()), Literal::Negative(atom.clone()));
    [(&yes, &no), (&no, &yes)].into_iter().all(|(holds, fails)| {
        let fitting = cases.iter().filter(|(_, rest)| !rest.contains(fails));
        let left: Vec<(Symbol, Vec<Literal>)> =
            fitting.map(|(v, rest)| (*v, rest.iter().filter(|l| *l != holds).cloned().collect())).collect();
        exactly_one(&left, splits - 1, results)
    })
}

fn argument(fluent: &Term) -> Option<&Term> {
    match fluent {
        Term::Function(_, arguments) => arguments.first(),
        _ => None,
    }
}

fn constant(term: &Term) -> Option<Symbol> {
    match term {
        Term::Constant(c) => Some(*c),
        _ => None,
    }
}

fn bind(pattern: &Term, value: Symbol, bindings: &mut [Option<Symbol>]) -> bool {
    match pattern {
        Term::Constant(c) => *c == value,
        Term::Variable(Variable(v)) => *bindings[*v as usize].get_or_insert(value) == value,
        Term::Function(..) => false,
    }
}

fn apply(term: &Term, bindings: &[Option<Symbol>]) -> Term {
    match term {
        Term::Variable(v) => bindings[v.0 as usize].map_or_else(|| term.clone(), Term::Constant),
        Term::Constant(_) => term.clone(),
        Term::Function(f, arguments) => {
            Term::Function(*f, arguments.iter().map(|t| apply(t, bindings)).collect())
        }
    }
}

fn apply_atom(atom: &Atom, bindings: &[Option<Symbol>]) -> Atom {
    Atom { relation: atom.relation, arguments: atom.arguments.iter().map(|t| apply(t, bindings)).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Strictness;

    fn control(sheet: &str) -> Vec<String> {
        let rules = Rules::check(&gdl::parse_kif(sheet).sheet, Strictness::Lenient).rules.expect("it plays");
        let show = |c: &Control| {
            let roles: Vec<&str> = c.roles.iter().map(|r| rules.name(*r)).collect();
            format!("{} {} {}", rules.name(c.fluent.name), roles.join(" "), c.takes_turns(&rules.roles))
        };
        rules.control().iter().map(show).collect()
    }

    const LEGAL: &str = "(role x) (role o) (init (turn x)) (init (cell 1))
        (<= (legal ?r (mark ?c)) (true (turn ?r)) (true (cell ?c)))
        (<= (legal ?r noop) (role ?r) (true (turn ?q)) (distinct ?r ?q))";

    #[test]
    fn players_that_take_turns() {
        let sheet =
            format!("{LEGAL} (<= (next (turn x)) (true (turn o))) (<= (next (turn o)) (true (turn x)))");
        assert_eq!(control(&sheet), ["turn x o true"]);
    }

    #[test]
    fn turns_along_a_relation() {
        let sheet =
            format!("{LEGAL} (after x o) (after o x) (<= (next (turn ?b)) (true (turn ?a)) (after ?a ?b))");
        assert_eq!(control(&sheet), ["turn x o true"]);
    }

    #[test]
    fn turns_that_can_be_kept() {
        let sheet = format!(
            "{LEGAL} (<= again (true (cell 1)))
             (<= (next (turn ?a)) (true (turn ?a)) again)
             (<= (next (turn x)) (true (turn o)) (not again))
             (<= (next (turn o)) (true (turn x)) (not again))"
        );
        assert_eq!(control(&sheet), ["turn x o true"]);
    }

    #[test]
    fn a_turn_that_can_be_lost_is_no_control() {
        let sheet = format!(
            "{LEGAL} (<= (next (turn x)) (true (turn o)) (true (cell 1))) (<= (next (turn o)) (true (turn x)))"
        );
        assert_eq!(control(&sheet), Vec::<String>::new());
    }
}
