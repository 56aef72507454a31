//! A fluent that nothing starts.
//!
//! No `init` provides it, and every rule for `next` that would write it needs it to hold
//! already: a turn that is passed on but that nobody has at first, a counter that counts up from
//! nothing. Much of the sheet can then never happen. This is the cause, which is reported once;
//! [`super::never_fires`] and [`super::unwritten_fluent`] leave out what only follows from it.

use gdl::Label;

use super::{Code, Report, Survey};
use crate::analysis::{Functor, Support, Unstarted};
use crate::text::{Writer, brief};
use crate::{Atom, Keyword, Literal};

pub(crate) const CODE: Code =
    Code::doubt("missing-init", "a fluent has no `init`, and every `next` for it requires it already");

/// The maximum number of fluents that are named in one message.
const MAX_NAMED: usize = 3;

pub(super) fn check(survey: &Survey, support: &Support, unstarted: &Unstarted, report: &mut Report) {
    let normal = survey.normal;
    for fluents in &unstarted.causes {
        let Some(&first) = fluents.first() else { continue };
        let names: Vec<String> =
            fluents.iter().take(MAX_NAMED).map(|f| format!("`{}`", normal.symbols.name(f.name))).collect();
        let (them, one) = match fluents.len() {
            1 => ("it", "it"),
            _ => ("them", "one of them"),
        };
        let names = names.join(" or ");
        let message = format!(
            "nothing starts {names}: there is no `init` for {them}, and every `next` for {them} requires {one} to hold already"
        );
        let remedy = format!("add an `init`, for example `(init {})`", example(survey, support, first));
        let write = [Keyword::Init.id(), Keyword::Next.id()];
        let writes =
            |head: &Atom| write.contains(&head.relation) && Functor::of(&head.arguments[0]) == Some(first);
        let Some(rule) = normal.rules.iter().position(|rule| writes(&rule.head)) else { continue };
        let places = &normal.places[rule];
        let never = |literal: &Literal| matches!(literal, Literal::Positive(a) if !support.can_hold(a));
        let blocked = normal.rules[rule].body.iter().position(never).map(|position| places.body[position]);
        let label = blocked.map(|span| Label { span, text: "this never holds".to_string() });
        report.say(&CODE, places.head, message, remedy).labels.extend(label);
    }
}

/// Returns an instance of a fluent that is read, best one that no `next` writes, or else its form.
fn example(survey: &Survey, support: &Support, fluent: Functor) -> String {
    let normal = survey.normal;
    let ground = |atom: &Atom| {
        let term = Some(&atom.arguments).filter(|_| atom.relation == Keyword::True.id())?.first()?;
        (Functor::of(term) == Some(fluent) && term.is_ground()).then(|| term.clone())
    };
    let unwritten = support.unmatched().iter().find_map(|read| ground(read.atom));
    let mut reads = normal.rules.iter().flat_map(|rule| &rule.body).filter_map(Literal::atom);
    let writer = Writer { symbols: &normal.symbols, relations: &normal.relations, variables: &[] };
    match unwritten.or_else(|| reads.find_map(ground)) {
        Some(term) => brief(writer.term(&term)),
        None => brief(format!("({}{})", normal.symbols.name(fluent.name), " …".repeat(fluent.arity.min(8)))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{examples, findings, remedy};
    use super::super::{never_fires, unwritten_fluent};
    use super::*;
    use crate::Strictness;

    const SHEET: &str = "(role x) (role o) (index 1) (index 2)
        (<= (legal ?p (mark ?c)) (true (control ?p)) (index ?c) (not (taken ?c)))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= (taken ?c) (true (cell ?c ?p)))
        (<= (next (cell ?c ?p)) (does ?p (mark ?c)))
        (<= (next (cell ?c ?p)) (true (cell ?c ?p)))
        (<= (goal ?p 100) (true (cell 1 ?p)))
        (<= terminal (true (cell 2 ?p)))
        (<= (next (control o)) (true (control x)))
        (<= (next (control x)) (true (control o)))\n";

    #[test]
    fn a_turn_that_nobody_has_at_first_is_reported_once() {
        let accepted = format!("{SHEET} (init (control x))");
        let expected = "9:13 nothing starts `control`: there is no `init` for it, and every `next` for it \
                        requires it to hold already";
        examples(&CODE, &accepted, SHEET, &[expected]);
        assert_eq!(remedy(&CODE, SHEET), "add an `init`, for example `(init (control x))`");
        assert_eq!(findings(&never_fires::CODE, SHEET, Strictness::Lenient), Vec::<String>::new());
    }

    #[test]
    fn a_counter_starts_somewhere() {
        let rules = "(role r) (succ 1 2) (<= (more ?n) (true (step ?m)) (succ ?m ?n))
            (<= (next (step ?n)) (more ?n)) (<= terminal (true (step ?n)) (succ ?m ?n))";
        let expected = "2:17 nothing starts `step`: there is no `init` for it, and every `next` for it \
             requires it to hold already";
        examples(&CODE, &format!("{rules} (init (step 1))"), rules, &[expected]);
        assert_eq!(remedy(&CODE, rules), "add an `init`, for example `(init (step …))`");
    }

    #[test]
    fn the_stage_that_nothing_writes_is_the_first() {
        let rules = "(role r) (<= (next (stage play)) (true (stage deal)))
            (<= (next (stage show)) (true (stage play))) (<= terminal (true (stage show)))";
        let expected = "1:14 nothing starts `stage`: there is no `init` for it, and every `next` for it \
             requires it to hold already";
        examples(&CODE, &format!("{rules} (init (stage deal))"), rules, &[expected]);
        assert_eq!(remedy(&CODE, rules), "add an `init`, for example `(init (stage deal))`");
        assert_eq!(findings(&unwritten_fluent::CODE, rules, Strictness::Lenient), Vec::<String>::new());
    }

    #[test]
    fn of_fluents_that_start_each_other_one_is_enough() {
        let rules = "(role r) (<= (next odd) (true even))\n(<= (next even) (true odd))";
        let expected = "1:14 nothing starts `odd` or `even`: there is no `init` for them, and every `next` for \
                        them requires one of them to hold already";
        examples(&CODE, &format!("{rules} (init even)"), rules, &[expected]);
    }

    #[test]
    fn the_turn_is_named_and_not_what_is_moved_in_it() {
        let rules = "(role x) (role o) (index 1) (index 2)
            (<= (legal ?p (drop 1)) (true (control ?p)))
            (<= (legal ?p (drop 2)) (true (control ?p)) (true (cell 1 ?q)))
            (<= (next (cell ?c ?p)) (does ?p (drop ?c)))
            (<= (next (control x)) (true (control o)) (does o (drop ?c)))
            (<= (next (control o)) (true (control x)) (does x (drop ?c)))\n";
        let expected = "5:17 nothing starts `control`: there is no `init` for it, and every `next` for it \
             requires it to hold already";
        examples(&CODE, &format!("{rules} (init (control x))"), rules, &[expected]);
    }

    #[test]
    fn another_cause_is_left_to_its_own_diagnostic() {
        let rules = "(role r) (<= (next on) (true on)) (<= (next on) undefined) (<= terminal (true on))";
        assert_eq!(findings(&CODE, rules, Strictness::Lenient), Vec::<String>::new());
        assert_eq!(findings(&never_fires::CODE, rules, Strictness::Lenient).len(), 2);
    }
}
