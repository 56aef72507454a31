//! Facts proven by induction.
//!
//! A set of facts holds in all reachable states if each fact holds initially, and after any step from a state
//! in which all of them hold. The candidates hold initially, because one of the samples is the initial state.
//! Each is proven for the step under the assumption of the others. A fact that cannot be proven is dropped,
//! and the facts whose proofs used it are tried again.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::candidates::{Samples, candidates};
use super::facts::{Fact, Facts};
use super::window::{Made, Window};
use super::{Allowed, Circuit, Lit};
use crate::ground::Ground;
use crate::making::Stopped;

/// The maximum number of nodes of a window.
const WINDOW: usize = 6_000;
/// The maximum number of conflicts of one query.
const CONFLICTS: u32 = 300;
/// The number of literals that all queries together may visit, for each node of the graph and in total.
const WORK_PER_NODE: u64 = 3_000;
pub(crate) const WORK: u64 = 40_000_000;
/// The number of fluents above which no facts are searched for.
const MOST_FLUENTS: usize = 5_000;
/// The number of nodes above which no facts are searched for.
const MOST_NODES: usize = 400_000;

/// Returns facts that hold in every reachable state.
///
/// The budget is counted in literals that the solver visits, so the same facts are found on every machine.
/// Once the deadline has passed, the result is an error and no facts are returned.
pub(crate) fn facts(
    ground: &Ground,
    circuit: &Circuit,
    known: &[Option<bool>],
    work: u64,
    allowed: Allowed<'_>,
) -> Result<Facts, Stopped> {
    if known.len() > MOST_FLUENTS || circuit.aig.len() > MOST_NODES {
        return Ok(Facts::default());
    }
    let samples = Samples::new(circuit, &ground.initial);
    if samples.is_empty() {
        return Ok(Facts::default());
    }
    let mut induction = Induction {
        ground,
        circuit,
        allowed,
        made: Made::new(&circuit.aig, &circuit.outputs.legal, circuit.outputs.terminal),
        facts: Facts::default(),
        window: Window::default(),
        helps: Vec::new(),
        proven: Vec::new(),
        queues: Default::default(),
    };
    induction.window.solver.deadline = allowed.deadline();
    // Likely facts are proven on their own first, so that they do not fail together with unlikely ones. Those
    // that fail may still be proven with the help of the others.
    let [likely, others] = candidates(ground, known, &samples);
    induction.run(likely.clone(), work)?;
    if !others.is_empty() {
        let held: FxHashSet<Vec<u32>> = induction.facts.iter().map(Fact::members).collect();
        let is_group = |fact: &Fact| matches!(fact, Fact::AtMostOne(_) | Fact::Some(_));
        let failed = likely.into_iter().filter(|fact| is_group(fact) && !held.contains(&fact.members()));
        induction.run(others.into_iter().chain(failed).collect(), work)?;
    }
    Ok(Facts::new(induction.facts.iter().cloned().collect()))
}

struct Induction<'a> {
    ground: &'a Ground,
    circuit: &'a Circuit,
    allowed: Allowed<'a>,
    made: Made,
    facts: Facts,
    window: Window,
    /// For each fact, the facts whose proofs use it.
    helps: Vec<Vec<u32>>,
    proven: Vec<bool>,
    /// The facts to be proven: first those about one or two fluents, then groups. Many facts about one fluent
    /// fail, together with the proofs that use them, so they come first.
    queues: [VecDeque<u32>; 2],
}

impl Induction<'_> {
    /// Proves as many of these facts as possible, with the help of the facts proven before.
    fn run(&mut self, list: Vec<Fact>, work: u64) -> Result<(), Stopped> {
        list.into_iter().for_each(|fact| self.enter(fact));
        let most = (self.circuit.aig.len() as u64 * WORK_PER_NODE).min(work);
        self.window.solver.most_work = Some(most);
        while let Some(number) = self.queues.iter_mut().find_map(VecDeque::pop_front) {
            let Some(fact) = self.facts.get(number).filter(|_| !self.proven[number as usize]).cloned() else {
                continue;
            };
            if self.window.solver.work > most {
                break;
            }
            self.allowed.look(self.circuit.aig.len())?;
            // The first half of the budget is for facts about one or two fluents, the rest for groups.
            let is_group = matches!(fact, Fact::AtMostOne(_) | Fact::Some(_));
            if !is_group && self.window.solver.work > most / 2 {
                self.drop(number);
                continue;
            }
            if self.holds_next(&fact) {
                self.proven[number as usize] = true;
                for &used in &self.window.used {
                    self.helps[used as usize].push(number);
                }
            } else {
                self.drop(number);
                self.finer(&fact);
            }
        }
        // Queries return early once the deadline has passed, so their results must not be used.
        self.allowed.look(self.circuit.aig.len())?;
        // Facts that were not reached are dropped, together with all that depend on them.
        let mut open: Vec<u32> = (0..self.facts.len() as u32).filter(|&n| !self.proven[n as usize]).collect();
        while let Some(number) = open.pop() {
            if self.facts.get(number).is_some() {
                self.facts.kill(number);
                open.append(&mut self.helps[number as usize]);
            }
        }
        Ok(())
    }

    /// Adds a fact to be proven.
    fn enter(&mut self, fact: Fact) {
        let number = self.facts.push(fact);
        self.proven.push(false);
        self.helps.push(Vec::new());
        self.queue(number);
    }

    fn queue(&mut self, number: u32) {
        let group = matches!(self.facts.get(number), Some(Fact::AtMostOne(_) | Fact::Some(_)));
        self.queues[usize::from(group)].push_back(number);
    }

    /// Drops a fact. The facts whose proofs used it are tried again.
    fn drop(&mut self, number: u32) {
        self.facts.kill(number);
        for helped in std::mem::take(&mut self.helps[number as usize]) {
            if self.facts.get(helped).is_some() && std::mem::take(&mut self.proven[helped as usize]) {
                self.queue(helped);
            }
        }
    }

    /// Tries the parts of a group that agree in one more argument.
    fn finer(&mut self, fact: &Fact) {
        let Fact::AtMostOne(members) = fact else { return };
        let arguments = |f: u32| self.ground.pool.arguments(self.ground.fluents[f as usize]);
        let functor = |f: u32| self.ground.pool.functor(self.ground.fluents[f as usize]);
        let arity = arguments(members[0]).len();
        let mut parts: Vec<Vec<u32>> = Vec::new();
        for place in 0..arity {
            let mut by_term = std::collections::BTreeMap::<_, Vec<u32>>::new();
            for &f in members.iter().filter(|f| functor(**f) == functor(members[0])) {
                if let Some(term) = arguments(f).get(place) {
                    by_term.entry(term.index()).or_default().push(f);
                }
            }
            parts.extend(by_term.into_values().filter(|p| p.len() > 1 && p.len() < members.len()));
        }
        for part in parts {
            let within = |number: &u32| match self.facts.get(*number) {
                Some(Fact::AtMostOne(all)) => part.iter().all(|f| all.contains(f)),
                _ => false,
            };
            if self.facts.about(part[0]).iter().any(within) {
                continue;
            }
            self.enter(Fact::AtMostOne(part));
        }
    }

    /// Returns `true` if a fact holds after any step from a state in which all facts hold.
    fn holds_next(&mut self, fact: &Fact) -> bool {
        let next = |f: &u32| self.circuit.outputs.next[*f as usize];
        let roots: Vec<Lit> = match fact {
            Fact::AtMostOne(members) => members.iter().map(next).filter(|l| *l != Lit::FALSE).collect(),
            _ => fact.members().iter().map(next).collect(),
        };
        self.window.open(&self.circuit.aig, &self.facts, Some(&self.made), &roots, WINDOW);
        let window = &mut self.window;
        match fact {
            Fact::AtMostOne(_) => window.exclusive(&roots, CONFLICTS),
            Fact::Some(_) => {
                let none: Vec<Lit> = roots.iter().map(|&lit| !lit).collect();
                window.refute(&none, CONFLICTS)
            }
            Fact::Same(_, _, inverted) => {
                let (a, b) = (roots[0], roots[1].invert_if(*inverted));
                window.refute(&[a, !b], CONFLICTS) && window.refute(&[!a, b], CONFLICTS)
            }
            Fact::Constant(_, value) => window.refute(&[roots[0].invert_if(*value)], CONFLICTS),
        }
    }
}
