//! Calls whose answers are contained in those of a complete call.

use rustc_hash::FxHashSet;

use super::answers::{Answers, Status};
use super::extension::NONE;
use super::plan::QueryId;
use super::program::{Life, Place, Program, Wider};
use crate::TermId;
use crate::meter::{Blown, Meter};

/// The complete calls that have been projected to the narrower calls within them, by their lifetime.
#[derive(Debug, Clone, Default)]
pub(crate) struct Projected {
    done: [FxHashSet<(QueryId, QueryId, u32)>; 3],
}

impl Projected {
    /// Forgets the projections of answers that are forgotten.
    pub fn clear(&mut self, life: Life) {
        self.done[life as usize].clear();
    }
}

/// Returns the call with this key. A new call is complete at once if a complete wider call contains it.
#[inline]
pub(crate) fn reach(
    program: &Program,
    answers: &mut [Answers],
    projected: &mut Projected,
    meter: &mut Meter,
    query: QueryId,
    key: &[TermId],
) -> Result<u32, Blown> {
    match answers[query.index()].find(key) {
        Some(call) => Ok(call),
        None => {
            meter.atom()?;
            Ok(reach_first(program, answers, projected, query, key))
        }
    }
}

fn reach_first(
    program: &Program,
    answers: &mut [Answers],
    projected: &mut Projected,
    query: QueryId,
    key: &[TermId],
) -> u32 {
    let about = program.query(query);
    let mut wide_key = Vec::new();
    for wider in &about.wider {
        let Some(wide) = answers.get(wider.query.index()) else { continue };
        if wide.call_count() == 0 {
            continue;
        }
        wide_key.clear();
        wide_key.extend(wider.key.iter().map(|&k| key[k]));
        let Some(call) = wide.find(&wide_key) else { continue };
        if wide.call(call).status != Status::Complete {
            continue;
        }
        if projected.done[about.life as usize].insert((query, wider.query, call)) {
            project(answers, query, wider, call);
            if let Some(call) = answers[query.index()].find(key) {
                return call;
            }
        }
        let call = answers[query.index()].add(key);
        answers[query.index()].call_mut(call).status = Status::Complete;
        return call;
    }
    answers[query.index()].add(key)
}

/// Adds all calls of `query` that are contained in a complete wider call and have an answer there.
fn project(answers: &mut [Answers], query: QueryId, wider: &Wider, wide_call: u32) {
    let known = answers[query.index()].call_count();
    let (mut key, mut row) = (Vec::new(), Vec::new());
    let mut at = answers[wider.query.index()].call(wide_call).first;
    while at != NONE {
        let wide = &answers[wider.query.index()];
        key.clear();
        key.extend(wider.inputs.iter().map(|place| match *place {
            Place::Key(column) => wide.key(wide_call)[column],
            Place::Answer(column) => wide.row(at)[column],
        }));
        row.clear();
        row.extend(wider.outputs.iter().map(|&column| wide.row(at)[column]));
        at = wide.next(at);
        let narrow = &mut answers[query.index()];
        let call = match narrow.find(&key) {
            // A call that existed before is evaluated on its own.
            Some(call) if call < known => continue,
            Some(call) => call,
            None => narrow.add(&key),
        };
        narrow.call_mut(call).status = Status::Complete;
        narrow.insert(call, &row);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rules::{RelationId, Rules, Strictness};

    use super::super::engine::Engine;
    use super::super::pattern::{Pattern, Shape};
    use super::*;
    use crate::Limits;

    #[test]
    fn calls_within_a_complete_call_are_answered_without_running_a_rule() {
        let text =
            "(role r) (e a b) (e b c) (e a c) (<= (p ?x ?y) (e ?x ?y)) (<= (p ?y ?x) (e ?x ?y) (e a ?x))
                    (<= (legal r ?x) (p ?x ?y)) (<= terminal (p a a)) (goal r 0)";
        let rules = Rules::check(&gdl::parse_kif(text).sheet, Strictness::Lenient).rules.unwrap();
        let place = rules.relations.iter().position(|r| &*r.name == "p").unwrap();
        let relation = RelationId(place as u32);
        let term = |name: &str| rules.symbols.find(name).unwrap();
        let (a, b, c) = (term("a"), term("b"), term("c"));
        let machine = &mut Engine::new(Arc::new(rules.clone()), Limits::default()).machine;
        let [a, b, c] = [a, b, c].map(|t| machine.pool.intern(t, &[]));
        let mut ask = |shapes: [Shape; 2], inputs, outputs, key: &[TermId]| {
            let query = machine.program.ask(Pattern { relation, shapes: shapes.into(), inputs, outputs });
            let call = machine.solve(query, key).unwrap();
            let mut rows: Vec<TermId> =
                machine.answers[query.index()].rows(call).flatten().copied().collect();
            rows.sort_unstable();
            let count = machine.answers[query.index()].call(call).count;
            (rows, count, machine.program.query(query).plans.is_some())
        };
        assert_eq!(ask([Shape::Free(0), Shape::Free(1)], 0, 2, &[]).1, 4);
        assert_eq!(ask([Shape::Bound, Shape::Free(0)], 1, 1, &[a]), (vec![b, c], 2, false));
        assert_eq!(ask([Shape::Bound, Shape::Free(0)], 1, 1, &[c]), (vec![b], 1, false));
        assert_eq!(ask([Shape::Free(0), Shape::Bound], 1, 1, &[c]), (vec![a, b], 2, false));
        assert_eq!(ask([Shape::Any, Shape::Bound], 1, 0, &[a]), (vec![], 0, false));
        assert_eq!(ask([Shape::Bound, Shape::Bound], 2, 0, &[c, b]), (vec![], 1, false));
        assert_eq!(ask([Shape::Bound, Shape::Any], 1, 0, &[b]), (vec![], 1, false));
    }
}
