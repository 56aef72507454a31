//! Budgets of evaluation, which stop rules that run away.
//!
//! Budgets count work, never time, so that the same query is answered, or refused, on every machine and under
//! every load.

use game::Fault;
use rules::{RelationId, Rules};

use crate::making::{Making, Progress, Stopped};

/// The work of about a second: the number of candidates that reasoners visit in that time on a quiet machine.
///
/// It converts a time in seconds into a counted limit.
pub const WORK_PER_SECOND: u64 = 10_000_000;

/// Limits for one query to a reasoner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of candidates visited, accurate to a few thousand.
    pub work: u64,
    /// The maximum number of atoms derived.
    pub atoms: usize,
    /// The maximum nesting of functions in derived terms.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { work: 20 * WORK_PER_SECOND, atoms: 20_000_000, depth: 100 }
    }
}

/// The maximum number of conditions of one rule: evaluation recurses once per condition.
const MOST_CONDITIONS: usize = 2000;

/// Rejects rules that are too long to be evaluated.
pub(crate) fn check_length(rules: &Rules) -> Result<(), Fault> {
    let Some(long) = rules.rules.iter().find(|rule| rule.body.len() > MOST_CONDITIONS) else { return Ok(()) };
    let name = &rules.relation(long.head.relation).name;
    let (clause, count) = (long.clause + 1, long.body.len());
    Err(Fault::Budget(format!(
        "The rule for `{name}` (clause {clause}) has {count} conditions, more than the {MOST_CONDITIONS} that can be \
         evaluated. Move parts of it into separate rules."
    )))
}

/// Counts work against [`Limits`], and knows which rule is being evaluated.
#[derive(Debug, Clone)]
pub(crate) struct Meter {
    limits: Limits,
    /// The making of a game that this is part of, with its deadline and observer.
    making: Option<Making>,
    /// Whether instances of rules are being counted, not atoms.
    is_instantiating: bool,
    /// The number of candidates visited by all queries together, and by those before the current one.
    work: u64,
    before: u64,
    /// The amount of work after which all queries fail, if it is limited.
    most_work: Option<u64>,
    atoms: usize,
    /// The memory of rows and terms, in words of four bytes, and its limit.
    stored: usize,
    words: usize,
    relation: RelationId,
    clause: usize,
}

/// The number of words allowed for each atom that may be derived.
const WORDS_PER_ATOM: usize = 10;
/// The maximum number of terms in the answer to one query. Nobody can play with more moves, and each is
/// created, written out and sorted.
const MOST_ANSWERS: usize = 1_000_000;
/// The limits of work, the deadline and the observer are checked whenever these bits of the work counter are
/// all zero.
const LOOK: u64 = 0xfff;

impl Meter {
    pub fn new(limits: Limits) -> Meter {
        let words = limits.atoms.saturating_mul(WORDS_PER_ATOM);
        let (relation, clause) = (RelationId(0), 0);
        Meter {
            limits,
            making: None,
            is_instantiating: false,
            work: 0,
            before: 0,
            most_work: None,
            atoms: 0,
            stored: 0,
            words,
            relation,
            clause,
        }
    }

    /// Restarts the count for a new query.
    pub fn restart(&mut self) {
        self.atoms = 0;
        self.before = self.work;
    }

    /// Restarts the count with this limit of work.
    pub fn set_work(&mut self, work: u64) {
        self.limits.work = work;
        self.restart();
    }

    /// Returns the number of candidates visited by all queries together.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Sets the maximum number of atoms for each query. Returns the previous value.
    pub fn set_atoms(&mut self, atoms: usize) -> usize {
        std::mem::replace(&mut self.limits.atoms, atoms)
    }

    /// Limits the work of all following queries together, or removes that limit.
    pub fn set_together(&mut self, work: Option<u64>) {
        self.most_work = work.map(|work| self.work.saturating_add(work));
    }

    /// Returns `true` if the work for all queries together is used up.
    pub fn is_exhausted(&self) -> bool {
        self.most_work.is_some_and(|most| self.work > most)
    }

    /// Makes what is counted from here on part of making a game.
    pub fn watch(&mut self, making: Making) {
        self.making = Some(making);
    }

    /// Switches from counting atoms to counting instances of rules.
    pub fn instances_follow(&mut self) {
        self.is_instantiating = true;
    }

    /// Fails if this many terms are too many for an answer.
    pub fn answers(&self, count: usize) -> Result<(), Blown> {
        if count > MOST_ANSWERS { Err(Blown::Answers) } else { Ok(()) }
    }

    /// Sets the limit of memory, in words of four bytes.
    pub fn set_words(&mut self, words: usize) {
        self.words = words;
    }

    /// Sets the amount of memory in use.
    pub fn set_stored(&mut self, words: usize) {
        self.stored = words;
    }

    /// Returns the amount of memory in use.
    pub fn stored(&self) -> usize {
        self.stored
    }

    /// Counts the memory of one row.
    #[inline]
    pub fn store(&mut self, words: usize) -> Result<(), Blown> {
        self.stored += words;
        if self.stored > self.words { Err(Blown::Memory) } else { Ok(()) }
    }

    /// Fails if terms need more memory than the limit.
    #[inline]
    pub fn terms(&self, words: usize) -> Result<(), Blown> {
        if words > self.words { Err(Blown::Memory) } else { Ok(()) }
    }

    /// Returns the number of atoms derived for this query, including repeated ones.
    pub fn derived(&self) -> usize {
        self.atoms
    }

    /// Returns the clause that is being evaluated.
    pub fn clause(&self) -> usize {
        self.clause
    }

    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Sets the rule that is being evaluated.
    pub fn at(&mut self, relation: RelationId, clause: usize) {
        self.relation = relation;
        self.clause = clause;
    }

    /// Counts one visited candidate, and checks the limits from time to time.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Blown> {
        self.work += 1;
        if self.work & LOOK == 0 { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&self) -> Result<(), Blown> {
        if let Some(making) = &self.making {
            let found = if self.is_instantiating { Progress::Instances } else { Progress::Atoms };
            making.look(found(self.atoms))?;
        }
        let over = self.work - self.before > self.limits.work || self.is_exhausted();
        if over { Err(Blown::Work) } else { Ok(()) }
    }

    /// Counts one derived atom.
    #[inline]
    pub fn atom(&mut self) -> Result<(), Blown> {
        self.atoms += 1;
        if self.atoms > self.limits.atoms { Err(Blown::Atoms) } else { self.tick() }
    }

    /// Returns the fault to report for an exceeded limit.
    pub fn fault(&self, rules: &Rules, blown: Blown) -> Fault {
        let what = match blown {
            Blown::Stopped => return Fault::Stopped,
            Blown::Work if self.most_work.is_some() => "looked at too many candidates".to_string(),
            Blown::Work => format!("looked at more than {} candidates", self.limits.work),
            Blown::Atoms => format!("derived more than {} atoms", self.limits.atoms),
            Blown::Depth => format!("built a term nested deeper than {}", self.limits.depth),
            Blown::Memory => format!("needed more than {} MB of memory", self.words / 250_000),
            Blown::Answers => format!("found more than {MOST_ANSWERS} answers to one question,"),
            Blown::Instances => "found too many instances".to_string(),
        };
        let name = &rules.relation(self.relation).name;
        let clause = self.clause + 1;
        Fault::Budget(format!(
            "The rules run away: evaluation {what} in the rule for `{name}` (clause {clause})."
        ))
    }
}

/// The limit that was exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blown {
    /// The deadline of the making has passed, or its stop token was set.
    Stopped,
    Work,
    Atoms,
    Depth,
    Memory,
    Answers,
    Instances,
}

impl From<Stopped> for Blown {
    fn from(_: Stopped) -> Blown {
        Blown::Stopped
    }
}
