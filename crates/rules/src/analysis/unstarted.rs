//! Fluents that nothing starts: the cause behind rules that can never fire.
//!
//! A fluent is dead if no `init` and no rule for `next` that can fire provides it. A dead fluent
//! is a cause, not a consequence, if it stays dead whatever else is started, while all rules that
//! write it could fire if it were started itself. Two fluents that only write each other are a
//! cause together: starting one of them is enough. All of this is found by asking [`Support`]
//! what would hold if certain fluents were started. The number of such questions is bounded; a
//! sheet that needs more has no answer.

use rustc_hash::FxHashSet;

use super::{Functor, Support, When};
use crate::depend::Graph;
use crate::normalise::Normal;
use crate::{Atom, Keyword, Rule, Term, Variable};

/// The maximum number of dead fluents; the causes of more are not looked for.
const MAX_FLUENTS: usize = 64;
/// The maximum number of rules that are looked at, for all questions together.
const MAX_WORK: usize = 200_000;

/// Fluents that nothing starts.
#[derive(Debug, Default)]
pub(crate) struct Unstarted {
    /// The causes: of each list one fluent must be started. Fluents are in the order of their
    /// first rules.
    pub causes: Vec<Vec<Functor>>,
    /// Rules that would start them, and the fluents that are read but that no rule writes.
    pub starts: Vec<Rule>,
}

impl Unstarted {
    /// Finds the causes, given what can hold without any assumption.
    pub fn new(normal: &Normal, graph: &Graph, support: &Support) -> Unstarted {
        let search = Search::new(normal, graph, support);
        let causes = search.causes();
        let fluents = causes.iter().flatten().chain(&search.unwritten);
        Unstarted { starts: fluents.map(|f| start(*f)).collect(), causes }
    }

    /// Returns `true` if a fluent is among the causes.
    pub fn is_cause(&self, fluent: Functor) -> bool {
        self.causes.iter().flatten().any(|f| *f == fluent)
    }
}

struct Search<'n> {
    normal: &'n Normal,
    graph: &'n Graph,
    /// The dead fluents that have rules.
    dead: Vec<Functor>,
    /// The fluents that no rule writes.
    unwritten: Vec<Functor>,
    /// Rules for other sentences that match no head; these have diagnostics of their own.
    others: Vec<Rule>,
}

impl<'n> Search<'n> {
    fn new(normal: &'n Normal, graph: &'n Graph, support: &Support) -> Search<'n> {
        let mut written = FxHashSet::default();
        let mut dead = Vec::new();
        for (_, fluent) in writers(normal) {
            if written.insert(fluent) && !support.can_hold(&read(fluent)) {
                dead.push(fluent);
            }
        }
        if dead.len() > MAX_FLUENTS {
            dead.clear();
        }
        let mut unwritten = Vec::new();
        let mut others = Vec::new();
        for unmatched in support.unmatched() {
            let fluent = Some(unmatched.atom).filter(|a| a.relation == Keyword::True.id());
            match fluent.and_then(|a| Functor::of(&a.arguments[0])) {
                Some(fluent) if written.insert(fluent) => unwritten.push(fluent),
                Some(fluent) if dead.contains(&fluent) => {}
                _ => others.push(provide(unmatched.atom, unmatched.rule)),
            }
        }
        Search { normal, graph, dead, unwritten, others }
    }

    fn causes(&self) -> Vec<Vec<Functor>> {
        let count = self.dead.len();
        let size = self.normal.rules.len() + self.others.len();
        let work = size.saturating_mul(2 * count + 2);
        if count == 0 || work > MAX_WORK {
            return Vec::new();
        }
        let able = self.able();
        let lasting: Vec<Functor> =
            able.iter().copied().filter(|f| !self.revived(|g| g != *f).contains(f)).collect();
        let revived = self.revived(|f| lasting.contains(&f));
        let rest: Vec<Functor> = able.iter().copied().filter(|f| !revived.contains(f)).collect();
        // What each of the rest brings to life, itself included.
        let reach: Vec<FxHashSet<Functor>> =
            rest.iter().map(|f| self.revived(|g| g == *f || lasting.contains(&g))).collect();
        let mut causes: Vec<Vec<Functor>> = lasting.iter().map(|f| vec![*f]).collect();
        for (place, fluent) in rest.iter().enumerate() {
            let starters: Vec<usize> = (0..rest.len()).filter(|&n| reach[n].contains(fluent)).collect();
            let mutual = starters.iter().all(|&n| reach[place].contains(&rest[n]));
            if mutual && starters.first() == Some(&place) {
                causes.push(starters.into_iter().map(|n| rest[n]).collect());
            }
        }
        causes.sort_by_key(|fluents| fluents.first().and_then(|f| self.dead.iter().position(|d| d == f)));
        causes
    }

    /// Returns the dead fluents all of whose rules can fire once everything is started.
    fn able(&self) -> Vec<Functor> {
        let starts = self.starts(|_| true);
        let support = Support::new(self.normal, self.graph, When::Ever, &starts);
        let unable: FxHashSet<Functor> = writers(self.normal)
            .filter(|(rule, _)| !support.fires(*rule))
            .map(|(_, fluent)| fluent)
            .collect();
        self.dead.iter().copied().filter(|fluent| !unable.contains(fluent)).collect()
    }

    /// Returns the dead fluents that hold sooner or later if some of them are started.
    fn revived(&self, started: impl Fn(Functor) -> bool) -> FxHashSet<Functor> {
        let starts = self.starts(started);
        let support = Support::new(self.normal, self.graph, When::Ever, &starts);
        self.dead.iter().copied().filter(|f| support.can_hold(&read(*f))).collect()
    }

    fn starts(&self, started: impl Fn(Functor) -> bool) -> Vec<Rule> {
        let fluents = self.dead.iter().filter(|f| started(**f)).chain(&self.unwritten);
        fluents.map(|f| start(*f)).chain(self.others.iter().cloned()).collect()
    }
}

/// Returns the rules for `init` and `next`, each with the fluent it writes.
fn writers(normal: &Normal) -> impl Iterator<Item = (usize, Functor)> {
    let write = [Keyword::Init.id(), Keyword::Next.id()];
    let rules = normal.rules.iter().enumerate().filter(move |(_, rule)| write.contains(&rule.head.relation));
    rules.filter_map(|(number, rule)| Some((number, Functor::of(&rule.head.arguments[0])?)))
}

/// Returns any instance of a fluent as it is read.
fn read(fluent: Functor) -> Atom {
    sentence(Keyword::True, fluent)
}

/// Returns a rule that starts any instance of a fluent.
fn start(fluent: Functor) -> Rule {
    let variables = vec![gdl::Name::from("x"); fluent.arity];
    given(sentence(Keyword::Init, fluent), variables)
}

/// Returns a rule that provides a sentence of the body of another rule.
fn provide(atom: &Atom, reader: &Rule) -> Rule {
    let relation = match Keyword::of(atom.relation) {
        Some(Keyword::True) => Keyword::Init.id(),
        Some(Keyword::Does) => Keyword::Legal.id(),
        _ => atom.relation,
    };
    given(Atom { relation, arguments: atom.arguments.clone() }, reader.variables.clone())
}

fn sentence(keyword: Keyword, fluent: Functor) -> Atom {
    let arguments: Vec<Term> = (0..fluent.arity).map(|n| Term::Variable(Variable(n as u32))).collect();
    let term = match fluent.arity {
        0 => Term::Constant(fluent.name),
        _ => Term::Function(fluent.name, arguments),
    };
    Atom { relation: keyword.id(), arguments: vec![term] }
}

fn given(head: Atom, variables: Vec<gdl::Name>) -> Rule {
    Rule { head, body: Vec::new(), variables, clause: 0, span: gdl::Span::default() }
}
