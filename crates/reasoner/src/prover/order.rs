//! The order in which the literals of a body are solved.

use rules::{Literal, Variable};
use rustc_hash::FxHashMap;

use super::estimate::{Estimates, Expectation};
use super::program::{Program, Strategy};
use super::specialise::Clause;

/// Bodies with more literals than this are ordered greedily.
const MAX_EXACT: usize = 9;

/// Bodies with more literals than this are left in source order.
const MAX_ORDERED: usize = 64;

/// A body to be ordered.
pub(crate) struct Body<'a> {
    pub literals: &'a [Literal],
    pub variables: usize,
    /// The largest number of literals for which all orders are considered.
    pub exact: usize,
}

/// Returns the order for a clause in which these variables are bound.
pub(crate) fn order(program: &Program, clause: &Clause, bound: &[bool]) -> Vec<usize> {
    let body = Body { literals: &clause.body, variables: clause.variables, exact: MAX_EXACT };
    match program.strategy {
        Strategy::Cost => cheapest(&program.estimates, &body, &|v| bound[v.0 as usize]).0,
        Strategy::Source => as_written(&body, bound),
    }
}

/// Returns the positive literals in source order, with each test as soon as its variables are bound.
fn as_written(body: &Body<'_>, bound: &[bool]) -> Vec<usize> {
    let mut bound = bound.to_vec();
    let mut left: Vec<usize> = (0..body.literals.len()).collect();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let is_ready = |l: &usize| {
            let mut ready = !matches!(body.literals[*l], Literal::Positive(_));
            body.literals[*l].variables(&mut |v| ready &= bound[v.0 as usize]);
            ready
        };
        let is_positive = |l: &usize| matches!(body.literals[*l], Literal::Positive(_));
        let place = left.iter().position(is_ready).or_else(|| left.iter().position(is_positive));
        let next = left.remove(place.expect("tests are ready once all positive literals are solved"));
        body.literals[next].variables(&mut |v| bound[v.0 as usize] = true);
        order.push(next);
    }
    order
}

/// Returns the order with the lowest expected cost, that cost, and the expected number of solutions of the
/// body.
pub(crate) fn cheapest(
    estimates: &Estimates,
    body: &Body<'_>,
    is_bound: &dyn Fn(Variable) -> bool,
) -> (Vec<usize>, f64, f64) {
    if body.variables > 128 || body.literals.len() > MAX_ORDERED {
        let bound: Vec<bool> = (0..body.variables as u32).map(|v| is_bound(Variable(v))).collect();
        return (as_written(body, &bound), 1.0, 1.0);
    }
    let own = body.literals.iter().map(|l| variables(l, is_bound)).collect();
    let mut search =
        Search { estimates, literals: body.literals, own, is_bound, known: FxHashMap::default() };
    if body.literals.len() <= body.exact { search.exact() } else { search.greedy() }
}

/// Returns the variables of a literal that are not bound from the start.
fn variables(literal: &Literal, is_bound: &dyn Fn(Variable) -> bool) -> u128 {
    let mut set = 0;
    literal.variables(&mut |v| {
        if v.0 < 128 && !is_bound(v) {
            set |= 1 << v.0;
        }
    });
    set
}

/// The cost, rows and bound variables of a partial order.
#[derive(Clone, Copy)]
struct Reached {
    cost: f64,
    rows: f64,
    bound: u128,
    last: usize,
}

struct Search<'a> {
    estimates: &'a Estimates,
    literals: &'a [Literal],
    own: Vec<u128>,
    is_bound: &'a dyn Fn(Variable) -> bool,
    known: FxHashMap<(usize, u128), Expectation>,
}

impl Search<'_> {
    fn start() -> Reached {
        Reached { cost: 0.0, rows: 1.0, bound: 0, last: 0 }
    }

    /// Finds the best order by dynamic programming over the sets of literals solved so far.
    fn exact(&mut self) -> (Vec<usize>, f64, f64) {
        let count = self.literals.len();
        let mut best: Vec<Option<Reached>> = vec![None; 1 << count];
        best[0] = Some(Search::start());
        for done in 0..best.len() {
            let Some(from) = best[done] else { continue };
            for literal in (0..count).filter(|l| done & (1 << l) == 0) {
                let Some(to) = self.step(&from, literal) else { continue };
                let slot = &mut best[done | (1 << literal)];
                if slot.is_none_or(|s| to.cost < s.cost * (1.0 - 1e-9)) {
                    *slot = Some(to);
                }
            }
        }
        let mut order = vec![0; count];
        let mut done = best.len() - 1;
        let end = best[done].expect("tests are ready once all positive literals are solved");
        for place in (0..count).rev() {
            order[place] = best[done].expect("reached on the way").last;
            done &= !(1 << order[place]);
        }
        (order, end.cost, end.rows)
    }

    /// Always chooses the literal that leaves the least to do.
    fn greedy(&mut self) -> (Vec<usize>, f64, f64) {
        let mut left: Vec<usize> = (0..self.literals.len()).collect();
        let mut order = Vec::with_capacity(left.len());
        let mut at = Search::start();
        while !left.is_empty() {
            let mut best: Option<(f64, Reached)> = None;
            for &literal in &left {
                let Some(to) = self.step(&at, literal) else { continue };
                let rank = to.cost - at.cost + 4.0 * to.rows;
                if best.is_none_or(|(r, _)| rank < r) {
                    best = Some((rank, to));
                }
            }
            at = best.expect("tests are ready once all positive literals are solved").1;
            left.retain(|&l| l != at.last);
            order.push(at.last);
        }
        (order, at.cost, at.rows)
    }

    /// Solves one more literal, if it can be solved here.
    fn step(&mut self, from: &Reached, literal: usize) -> Option<Reached> {
        let own = self.own[literal];
        let is_positive = matches!(self.literals[literal], Literal::Positive(_));
        if !is_positive && own & !from.bound != 0 {
            return None;
        }
        let expected = self.expect(literal, own & from.bound);
        let solutions = match self.literals[literal] {
            Literal::Negative(_) => 1.0 - expected.solutions.min(0.9),
            _ => expected.solutions,
        };
        let cost = from.cost + from.rows.min(expected.calls) * expected.work + from.rows * (1.0 + solutions);
        let rows = (from.rows * solutions).clamp(1e-6, 1e60);
        Some(Reached { cost: cost.min(1e80), rows, bound: from.bound | own, last: literal })
    }

    fn expect(&mut self, literal: usize, bound: u128) -> Expectation {
        if let Some(known) = self.known.get(&(literal, bound)) {
            return *known;
        }
        let is_bound = |v: Variable| (self.is_bound)(v) || (v.0 < 128 && bound & (1 << v.0) != 0);
        let expected = match &self.literals[literal] {
            Literal::Distinct(..) => Expectation { solutions: 0.9, work: 0.0, calls: 0.0 },
            Literal::Positive(atom) | Literal::Negative(atom) => self.estimates.atom(atom, &is_bound),
        };
        self.known.insert((literal, bound), expected);
        expected
    }
}
