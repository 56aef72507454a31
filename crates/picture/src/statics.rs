//! What a rule sheet says about its board in every state: which squares exist and which are
//! neighbours.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use game::Game;
use gdl::{Clause, Literal, LiteralKind, RuleSheet};
use reasoner::{Interpreter, Limits, WORK_PER_SECOND};
use rules::{Rules, Strictness};

use crate::board::fluent::split;

/// The maximum number of relations of one arity that are examined.
const MOST_RELATIONS: usize = 12;
/// The limits for deriving a relation.
const LIMITS: Limits = Limits { work: WORK_PER_SECOND, atoms: 30_000, depth: 10 };

/// The static relations, by name and arity.
pub(crate) struct Statics<'a> {
    sheet: &'a RuleSheet,
    names: Vec<(String, usize)>,
}

impl<'a> Statics<'a> {
    pub(crate) fn of(sheet: &'a RuleSheet, rules: &Rules) -> Statics<'a> {
        let relations = rules.relations.iter().filter(|relation| {
            relation.is_static()
                && !relation.is_auxiliary()
                && !relation.rules.is_empty()
                && rules::Keyword::named(&relation.name).is_none()
        });
        Statics {
            sheet,
            names: relations.map(|relation| (relation.name.to_string(), relation.arity)).collect(),
        }
    }

    /// Returns the facts of the relations with this arity, except those that exceed the limits.
    pub(crate) fn facts(&self, arity: usize) -> Vec<Vec<Vec<String>>> {
        let names = self.names.iter().filter(|(_, found)| *found == arity).take(MOST_RELATIONS);
        names.filter_map(|(name, _)| self.derive(name, arity)).collect()
    }

    /// Derives a relation by making its facts the initial state of a game of its own.
    fn derive(&self, name: &str, arity: usize) -> Option<Vec<Vec<String>>> {
        let wanted = self.needed(name);
        let variables: String = (0..arity).map(|number| format!(" ?v{number}")).collect();
        let own = format!("(role nobody) (<= (init (found{variables})) ({name}{variables}))");
        let mut sheet = gdl::parse_kif(&own).sheet;
        let clauses = self.sheet.clauses.iter();
        sheet.clauses.extend(clauses.filter(|clause| wanted.contains(&key(clause))).cloned());
        let rules = Rules::check(&sheet, Strictness::Lenient).rules?;
        let game = Interpreter::with_limits(Arc::new(rules), LIMITS).ok()?;
        let facts = game.facts(&game.initial());
        let arguments = |fact: &String| {
            let (name, arguments) = split(fact);
            (name == "found" && arguments.len() == arity)
                .then(|| arguments.iter().map(|argument| argument.to_string()).collect())
        };
        Some(facts.iter().filter_map(arguments).collect())
    }

    /// Returns the relations that a relation depends on, including itself.
    fn needed(&self, name: &str) -> BTreeSet<String> {
        let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for clause in &self.sheet.clauses {
            let used = uses.entry(key(clause)).or_default();
            clause.body.iter().for_each(|literal| atoms(literal, used));
        }
        let (mut needed, mut open) = (BTreeSet::new(), vec![name.to_string()]);
        while let Some(next) = open.pop() {
            if needed.insert(next.clone()) {
                open.extend(uses.get(&next).into_iter().flatten().cloned());
            }
        }
        needed
    }
}

fn key(clause: &Clause) -> String {
    clause.head.name().map(ToString::to_string).unwrap_or_else(|| clause.head.to_string())
}

fn atoms(literal: &Literal, found: &mut BTreeSet<String>) {
    match &literal.kind {
        LiteralKind::Atom(term) => {
            found.insert(term.name().map(ToString::to_string).unwrap_or_else(|| term.to_string()));
        }
        LiteralKind::Not(inner) => atoms(inner, found),
        LiteralKind::Or(all) | LiteralKind::And(all) => all.iter().for_each(|literal| atoms(literal, found)),
        LiteralKind::Distinct(..) => {}
    }
}
