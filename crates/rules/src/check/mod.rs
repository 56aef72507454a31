//! Diagnostics about the meaning of a rule sheet, one file per diagnostic.
//!
//! Each file documents what it reports and why, contains the check, and tests it with an
//! accepted and a rejected text. Checks examine the syntax tree where the text matters and the
//! normal form where the meaning matters. All are listed in [`CODES`] and in
//! `docs/diagnostics.md`.

mod near;
mod report;
mod survey;

mod capitalisation;
mod conjunction;
mod defines_given;
mod depends_on_does;
mod depends_on_sees;
mod derived_role;
mod domain_arity;
mod domain_depends_on_play;
mod double_goal;
mod empty_body;
mod goal_value;
mod impossible_move;
pub(crate) mod infix_variable;
mod init_depends_on_play;
mod keyword_arity;
mod keyword_as_constant;
mod keyword_as_function;
mod keyword_in_body;
mod knows_depends_on_does;
mod knows_in_head;
mod knows_what;
mod missing_init;
mod missing_part;
mod missing_role;
mod mixed_arity;
mod negated_compound;
mod nested_or;
mod never_fires;
mod no_first_move;
mod no_goal_for_role;
mod no_move_for_role;
pub(crate) mod no_move_while_waiting;
mod no_percept_for_role;
mod no_roles;
mod not_a_role;
mod operator_as_name;
mod relation_as_function;
mod sees_in_body;
pub(crate) mod too_many_alternatives;
mod undefined_relation;
mod unmatched_sentence;
mod unread_fluent;
mod unrestricted_recursion;
pub(crate) mod unsafe_negation;
pub(crate) mod unsafe_role;
pub(crate) mod unsafe_variable;
pub(crate) mod unstratified;
pub(crate) mod unstratified_by_name;
mod unused_relation;
mod unusual_character;
mod unwritten_fluent;
mod variable_in_fact;

pub use report::Code;
pub(crate) use report::Report;
pub(crate) use survey::Survey;

use crate::analysis::{Support, Unstarted, When};

/// All codes, in alphabetical order.
pub const CODES: &[Code] = &[
    capitalisation::CODE,
    conjunction::CODE,
    defines_given::CODE,
    depends_on_does::CODE,
    depends_on_sees::CODE,
    derived_role::CODE,
    domain_arity::CODE,
    domain_depends_on_play::CODE,
    double_goal::CODE,
    empty_body::CODE,
    goal_value::CODE,
    impossible_move::CODE,
    infix_variable::CODE,
    init_depends_on_play::CODE,
    keyword_arity::CODE,
    keyword_as_constant::CODE,
    keyword_as_function::CODE,
    keyword_in_body::CODE,
    knows_depends_on_does::CODE,
    knows_in_head::CODE,
    knows_what::CODE,
    missing_init::CODE,
    missing_part::CODE,
    missing_role::CODE,
    mixed_arity::CODE,
    negated_compound::CODE,
    nested_or::CODE,
    never_fires::CODE,
    no_first_move::CODE,
    no_goal_for_role::CODE,
    no_move_for_role::CODE,
    no_move_while_waiting::CODE,
    no_percept_for_role::CODE,
    no_roles::CODE,
    not_a_role::CODE,
    operator_as_name::CODE,
    relation_as_function::CODE,
    sees_in_body::CODE,
    too_many_alternatives::CODE,
    undefined_relation::CODE,
    unmatched_sentence::CODE,
    unread_fluent::CODE,
    unrestricted_recursion::CODE,
    unsafe_negation::CODE,
    unsafe_role::CODE,
    unsafe_variable::CODE,
    unstratified::CODE,
    unstratified_by_name::CODE,
    unused_relation::CODE,
    unusual_character::CODE,
    unwritten_fluent::CODE,
    variable_in_fact::CODE,
];

/// Runs all checks that are not part of normalisation and stratification.
pub(crate) fn all(survey: &Survey, report: &mut Report) {
    for check in TREE_CHECKS {
        check(survey, report);
    }
    let support = Support::new(survey.normal, survey.graph, When::Ever, &[]);
    let unstarted = Unstarted::new(survey.normal, survey.graph, &support);
    for check in [impossible_move::check, unmatched_sentence::check] {
        check(survey, &support, report);
    }
    for check in [missing_init::check, unwritten_fluent::check] {
        check(survey, &support, &unstarted, report);
    }
    // What only follows from a fluent that nothing starts needs no diagnostic of its own, so the
    // checks below assume that it is started.
    let starts = &unstarted.starts;
    let support = if starts.is_empty() {
        support
    } else {
        Support::new(survey.normal, survey.graph, When::Ever, starts)
    };
    missing_role::check(survey, &support, report);
    no_percept_for_role::check(survey, &support, report);
    let start = Support::new(survey.normal, survey.graph, When::Start, starts);
    no_first_move::check(survey, &support, &start, report);
    // This check goes last because it omits what another check has already explained.
    never_fires::check(survey, &support, report);
}

const TREE_CHECKS: &[fn(&Survey, &mut Report)] = &[
    capitalisation::check,
    conjunction::check,
    defines_given::check,
    depends_on_does::check,
    depends_on_sees::check,
    derived_role::check,
    domain_arity::check,
    domain_depends_on_play::check,
    double_goal::check,
    empty_body::check,
    goal_value::check,
    init_depends_on_play::check,
    keyword_arity::check,
    keyword_as_constant::check,
    keyword_as_function::check,
    keyword_in_body::check,
    knows_depends_on_does::check,
    knows_in_head::check,
    knows_what::check,
    missing_part::check,
    mixed_arity::check,
    negated_compound::check,
    nested_or::check,
    no_goal_for_role::check,
    no_move_for_role::check,
    no_roles::check,
    not_a_role::check,
    operator_as_name::check,
    relation_as_function::check,
    sees_in_body::check,
    undefined_relation::check,
    unread_fluent::check,
    unrestricted_recursion::check,
    unused_relation::check,
    unusual_character::check,
];

#[cfg(test)]
pub(crate) mod testing {
    use super::Code;
    use crate::{Rules, Strictness};

    /// Returns the findings of one code for a text, each as `line:column message`.
    pub(crate) fn findings(code: &Code, text: &str, strictness: Strictness) -> Vec<String> {
        let place = |offset: u32| {
            let before = &text[..offset as usize];
            let line_start = before.rfind('\n').map_or(0, |n| n + 1);
            format!("{}:{}", before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
        };
        let found = Rules::check(&gdl::parse_kif(text).sheet, strictness).diagnostics;
        let ours = found.iter().filter(|d| d.code == code.name);
        ours.map(|d| {
            assert_eq!(d.severity, code.severity(strictness));
            assert!(d.remedy.is_some(), "{} has no remedy", d.code);
            format!("{} {}", place(d.span.start), d.message)
        })
        .collect()
    }

    /// Asserts that one text has no finding with this code and the other exactly those expected.
    pub(crate) fn examples(code: &Code, accepted: &str, rejected: &str, expected: &[&str]) {
        assert_eq!(findings(code, accepted, Strictness::Lenient), Vec::<String>::new(), "accepted");
        assert_eq!(findings(code, rejected, Strictness::Lenient), expected, "rejected");
    }

    /// Returns the remedy of the first finding with this code.
    pub(crate) fn remedy(code: &Code, text: &str) -> String {
        let found = Rules::check(&gdl::parse_kif(text).sheet, Strictness::Lenient).diagnostics;
        let first = found.iter().find(|d| d.code == code.name).expect("a finding");
        first.remedy.clone().expect("a remedy")
    }
}
