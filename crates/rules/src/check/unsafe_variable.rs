//! An unbound variable.
//!
//! Every variable of a head and of `distinct` must occur in a positive sentence of the body (in
//! every alternative of an `or`); otherwise the rule would hold for anything. Negated sentences
//! are checked by [`super::unsafe_negation`].

use gdl::Clause;

use super::survey::variable_place;
use super::{Code, Report, variable_in_fact};
use crate::normalise::Places;
use crate::{Literal, Rule};

pub(crate) const CODE: Code = Code::error(
    "unsafe-variable",
    "a variable of a head or of `distinct` does not occur in a positive sentence of the body",
);

/// Returns `true` if a rule whose positive literals bind `bound` is safe. Reports unsafe variables.
pub(crate) fn check(
    rule: &Rule,
    places: &Places,
    clause: &Clause,
    bound: &[bool],
    lenient: bool,
    report: &mut Report,
) -> bool {
    let mut safe = true;
    let mut loose = |variable: crate::Variable, place: gdl::Span, code: &'static Code, what: &str| {
        safe = false;
        let name = &rule.variables[variable.0 as usize];
        let span = variable_place(clause, place, name).unwrap_or(place);
        if clause.is_rule {
            let message = format!("`?{name}` of {what} does not occur in a positive sentence of the body");
            let remedy = format!("add a positive sentence that says which values `?{name}` can take");
            report.say(code, span, message, remedy);
        } else {
            variable_in_fact::report(report, span, name);
        }
    };
    rule.head.variables(&mut |v| {
        if !bound[v.0 as usize] {
            loose(v, places.head, &CODE, "the head");
        }
    });
    for (literal, place) in rule.body.iter().zip(&places.body) {
        let (what, code) = match literal {
            Literal::Positive(_) => continue,
            Literal::Negative(_) if lenient => continue,
            Literal::Negative(_) => ("a negated sentence", &super::unsafe_negation::CODE),
            Literal::Distinct(..) => ("`distinct`", &CODE),
        };
        literal.variables(&mut |v| {
            if !bound[v.0 as usize] {
                loose(v, *place, code, what);
            }
        });
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::super::testing::{examples, findings};
    use super::*;
    use crate::Strictness;

    #[test]
    fn head_variables_are_bound() {
        let accepted = "(<= (next (score ?s)) (true (score ?s)) (not explodes))";
        let rejected = "(<= (next (score ?s))\n (not explodes))";
        examples(
            &CODE,
            accepted,
            rejected,
            &["1:18 `?s` of the head does not occur in a positive sentence of the body"],
        );
    }

    #[test]
    fn an_or_binds_what_all_its_alternatives_bind() {
        let accepted = "(<= (p ?x) (or (q ?x) (r ?x)))";
        let rejected = "(<= (p ?x) (or (q ?x) (r ?y)) (distinct ?y a))";
        let expected = [
            "1:8 `?x` of the head does not occur in a positive sentence of the body",
            "1:41 `?y` of `distinct` does not occur in a positive sentence of the body",
        ];
        examples(&CODE, accepted, rejected, &expected);
    }

    #[test]
    fn the_specification_wants_negated_variables_bound() {
        let found = findings(&super::super::unsafe_negation::CODE, "(<= p (not (q ?x)))", Strictness::Strict);
        assert_eq!(
            found,
            ["1:15 `?x` of a negated sentence does not occur in a positive sentence of the body"]
        );
    }
}
