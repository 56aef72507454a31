//! The meaning of rule sheets: normal form, checks and analyses.
//!
//! A parsed [`gdl::RuleSheet`] is converted to [`Rules`]: relations and rules in normal form
//! (conjunctions of positive, negative and `distinct` literals, every variable bound by a
//! positive literal), stratified so that negation only ever applies to completely evaluated
//! relations. In the process, everything wrong or doubtful is reported ([`check`]). The module
//! [`analysis`] derives properties of a game from its rules alone, for players and reasoners.
//! This crate does not know how rules are evaluated or what a state is.
//!
//! Reasoners can rely on the following properties of all [`Rules`], however lenient the check was:
//!
//! - Every rule is safe.
//! - Negation is stratified by relation.
//! - `legal`, `goal` and `terminal` do not depend on `does`.
//! - `init` depends on neither `true` nor `does`.
//! - `true`, `does` and `knows` have no rules.
//!
//! Relations created in the process have names that contain a space ([`Relation::is_auxiliary`]).

mod alternatives;
pub mod analysis;
mod before;
pub mod check;
mod depend;
mod normalise;
mod relation;
mod rule;
mod split;
mod symbol;
mod text;
mod unify;

use gdl::{Diagnostic, RuleSheet, Severity};

use check::infix_variable::InfixVariables;
use check::{Report, Survey, no_move_while_waiting, unstratified, unstratified_by_name};
use depend::Graph;
pub use depend::{Component, Dependence};
pub use relation::{Keyword, Relation, RelationId};
pub use rule::{Atom, Literal, Rule, Term, Variable};
pub use symbol::{Symbol, Symbols};

/// How strictly a sheet is held to the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// Sheets that can be played are accepted, with warnings.
    #[default]
    Lenient,
    /// The specification's restrictions are errors.
    Strict,
}

/// The result of checking a sheet: the rules if it can be played, and all diagnostics.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The rules; `None` if there was an error.
    pub rules: Option<Rules>,
    /// All diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// A checked rule sheet, the input of every reasoner.
#[derive(Debug, Clone)]
pub struct Rules {
    /// The names of constants and functions.
    pub symbols: Symbols,
    /// All relations; the keywords come first, see [`Keyword::id`].
    pub relations: Vec<Relation>,
    /// Facts and rules in source order.
    pub rules: Vec<Rule>,
    /// The roles, in the order of their facts.
    pub roles: Vec<Symbol>,
    /// The strongly connected components of the dependence graph, each after all those it depends on.
    pub components: Vec<Component>,
}

impl Rules {
    /// Checks a sheet.
    pub fn check(sheet: &RuleSheet, strictness: Strictness) -> Checked {
        let mut checked = Rules::check_as_written(sheet, strictness);
        if let Some(variables) = InfixVariables::find(sheet) {
            let meant = Rules::check_as_written(&variables.meant(sheet), strictness);
            let mut report = Report::new(strictness);
            variables.report(checked.diagnostics, meant.diagnostics, &mut report);
            checked.diagnostics = report.finish();
        }
        checked
    }

    fn check_as_written(sheet: &RuleSheet, strictness: Strictness) -> Checked {
        let mut report = Report::new(strictness);
        let mut normal = normalise::normalise(sheet, &mut report);
        let mut graph = Graph::new(&normal);
        if !graph.negative_cycles().is_empty() {
            if let Some(split) = split::split(&normal, &graph) {
                let (code, remedy) = (&unstratified_by_name::CODE, unstratified_by_name::REMEDY);
                unstratified::report(&normal, &graph, code, remedy, &mut report);
                (normal, graph) = split;
            } else {
                let remedy = "break the cycle: no relation may depend on its own negation";
                unstratified::report(&normal, &graph, &unstratified::CODE, remedy, &mut report);
            }
        }
        check::all(&Survey::new(sheet, &normal, &graph), &mut report);
        if let Some(cut) = before::cut(&normal, &graph) {
            (normal, graph) = cut;
        }
        graph.mark(&mut normal.relations);
        let rules = Rules {
            symbols: normal.symbols,
            relations: normal.relations,
            rules: normal.rules,
            roles: normal.roles,
            components: graph.components,
        };
        no_move_while_waiting::check(sheet, &rules, &mut report);
        let diagnostics = report.finish();
        let failed = diagnostics.iter().any(|d| d.severity == Severity::Error);
        Checked { rules: (!failed).then_some(rules), diagnostics }
    }

    /// Returns the relation with this number.
    pub fn relation(&self, id: RelationId) -> &Relation {
        &self.relations[id.index()]
    }

    /// Returns `true` if the sheet defines what players see (GDL-II).
    pub fn has_percepts(&self) -> bool {
        !self.relation(Keyword::Sees.id()).rules.is_empty()
    }

    /// Returns `true` if some rule reads knowledge (GDL-III).
    pub fn reads_knowledge(&self) -> bool {
        let knowledge = [Keyword::Knows.id(), Keyword::CommonKnowledge.id()];
        let mut atoms = self.rules.iter().flat_map(|rule| &rule.body).filter_map(Literal::atom);
        atoms.any(|atom| knowledge.contains(&atom.relation))
    }

    /// Returns the relation that a clause of the sheet defines.
    pub fn relation_of_clause(&self, clause: usize) -> RelationId {
        self.rules.iter().find(|r| r.clause == clause).map_or(RelationId(0), |r| r.head.relation)
    }

    /// Returns the name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.name(symbol)
    }
}
