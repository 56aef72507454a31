//! Splits rules into smaller ones, so that there are few instances.
//!
//! A variable that does not occur in the head is eliminated: the literals that contain it become the body of
//! an auxiliary relation over their other variables. With `n` values for each of `k` variables the cost is
//! then a sum of small products instead of `n^k`, and equal parts of different instances are shared. This is
//! bucket elimination in a greedy min-degree order, applied only if the auxiliary rule has fewer variables
//! than the rule it is split from.

use rules::{Atom, Keyword, Literal, RelationId, Rule, Rules, Term, Variable};

/// A rule whose number of literals times number of variables exceeds this is left unchanged.
const LONGEST: usize = 250_000;

/// Rules, with auxiliary relations.
pub(crate) struct Program {
    /// All rules that depend on the state or the moves, including auxiliary ones.
    pub rules: Vec<Rule>,
    /// For each relation, including auxiliary ones, whether it is dynamic.
    pub dynamic: Vec<bool>,
    /// The rules of static auxiliary relations, each after those it reads.
    pub fixed: Vec<Rule>,
}

pub(crate) fn decompose(rules: &Rules) -> Program {
    let mut dynamic: Vec<bool> = rules.relations.iter().map(|r| !r.is_static()).collect();
    // The relations that a game is queried for are instantiated even if they are static.
    for keyword in [Keyword::Next, Keyword::Legal, Keyword::Goal, Keyword::Terminal, Keyword::Sees] {
        dynamic[keyword.id().index()] = true;
    }
    let mut program = Program { rules: Vec::new(), dynamic, fixed: Vec::new() };
    for rule in &rules.rules {
        if program.dynamic[rule.head.relation.index()] {
            let mut rule = rule.clone();
            while let Some(variable) = candidate(&rule) {
                eliminate(&mut rule, variable, &mut program);
            }
            program.rules.push(rule);
        }
    }
    program
}

fn literals_with(rule: &Rule, variable: Variable) -> Vec<usize> {
    let has = |l: &Literal| {
        let mut found = false;
        l.variables(&mut |v| found |= v == variable);
        found
    };
    (0..rule.body.len()).filter(|&i| has(&rule.body[i])).collect()
}

fn variables_of<'a>(literals: impl Iterator<Item = &'a Literal>) -> Vec<Variable> {
    let mut all = Vec::new();
    for literal in literals {
        literal.variables(&mut |v| {
            if !all.contains(&v) {
                all.push(v);
            }
        });
    }
    all
}

/// Returns the variable whose elimination yields the smallest auxiliary rule, if one helps.
fn candidate(rule: &Rule) -> Option<Variable> {
    if rule.body.len() < 2 || rule.body.len() * rule.variables.len() > LONGEST {
        return None;
    }
    let mut head = Vec::new();
    rule.head.variables(&mut |v| head.push(v));
    let all = variables_of(rule.body.iter());
    let mut best: Option<(usize, Variable)> = None;
    for &variable in all.iter().filter(|v| !head.contains(v)) {
        let chosen = literals_with(rule, variable);
        if chosen.len() == rule.body.len() {
            continue;
        }
        let vars = variables_of(chosen.iter().map(|&i| &rule.body[i]));
        let positive = |i: &&usize| matches!(rule.body[**i], Literal::Positive(_));
        let bound = variables_of(chosen.iter().filter(positive).map(|&i| &rule.body[i]));
        if vars.len() >= all.len() || bound.len() < vars.len() {
            continue;
        }
        if best.is_none_or(|(size, _)| vars.len() < size) {
            best = Some((vars.len(), variable));
        }
    }
    best.map(|(_, variable)| variable)
}

fn eliminate(rule: &mut Rule, variable: Variable, program: &mut Program) {
    let chosen = literals_with(rule, variable);
    let mut kept = variables_of(chosen.iter().map(|&i| &rule.body[i]));
    kept.retain(|v| *v != variable);
    // Variables that occur nowhere else are eliminated as well.
    let others: Vec<&Literal> =
        (0..rule.body.len()).filter(|i| !chosen.contains(i)).map(|i| &rule.body[i]).collect();
    let mut needed = variables_of(others.into_iter());
    rule.head.variables(&mut |v| needed.push(v));
    kept.retain(|v| needed.contains(v));
    let relation = RelationId(program.dynamic.len() as u32);
    let body: Vec<Literal> = chosen.iter().map(|&i| rule.body[i].clone()).collect();
    let is_dynamic = body.iter().filter_map(Literal::atom).any(|a| program.dynamic[a.relation.index()]);
    program.dynamic.push(is_dynamic);
    let head = Atom { relation, arguments: kept.into_iter().map(Term::Variable).collect() };
    let mut position = 0;
    rule.body.retain(|_| {
        position += 1;
        !chosen.contains(&(position - 1))
    });
    rule.body.push(Literal::Positive(head.clone()));
    let part = Rule { head, body, variables: rule.variables.clone(), clause: rule.clause, span: rule.span };
    if is_dynamic { program.rules.push(part) } else { program.fixed.push(part) }
}
