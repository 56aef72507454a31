//! Budgets of evaluation: what ends rules that run away.
//!
//! Budgets count work, never time, so that the same question is answered, or
//! refused, on every machine and under every load.

use game::Fault;
use rules::{RelationId, Rules};

use crate::making::{Making, Progress, Stopped};

/// The work of about a second: candidates that reasoners look at in that time on a quiet machine.
///
/// It turns a wish in seconds into a limit that is counted.
pub const WORK_PER_SECOND: u64 = 10_000_000;

/// What one question to a reasoner may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Candidates looked at for one question, give or take a few thousand.
    pub work: u64,
    /// Atoms derived for one question.
    pub atoms: usize,
    /// How deep functions may be nested in derived terms.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { work: 20 * WORK_PER_SECOND, atoms: 20_000_000, depth: 100 }
    }
}

/// Conditions of one rule, at most: rules are evaluated by a recursion as deep as they are long.
const MOST_CONDITIONS: usize = 2000;

/// Refuses rules that are too long to be evaluated.
pub(crate) fn check_length(rules: &Rules) -> Result<(), Fault> {
    let Some(long) = rules.rules.iter().find(|rule| rule.body.len() > MOST_CONDITIONS) else { return Ok(()) };
    let name = &rules.relation(long.head.relation).name;
    let (clause, count) = (long.clause + 1, long.body.len());
    Err(Fault::Budget(format!(
        "The rule for `{name}` (clause {clause}) has {count} conditions, more than the {MOST_CONDITIONS} that can be \
         evaluated. Put parts of it into rules of their own."
    )))
}

/// Counts work against [`Limits`] and knows which rule is at work.
#[derive(Debug)]
pub(crate) struct Meter {
    limits: Limits,
    /// The making of a game that this is part of: whose deadline counts, and who is told.
    making: Option<Making>,
    /// Whether what is found are instances of rules, not atoms.
    is_instantiating: bool,
    /// Candidates looked at by all questions together, and by those before this one.
    work: u64,
    before: u64,
    /// The work after which no question is answered any more, where that is limited.
    most_work: Option<u64>,
    atoms: usize,
    /// Memory of rows and terms, in words of four bytes, and how much there may be.
    stored: usize,
    words: usize,
    relation: RelationId,
    clause: usize,
}

/// Words for each atom that may be derived.
const WORDS_PER_ATOM: usize = 10;
/// Terms that one question may be answered with: nobody can play with more moves, and
/// each is made, written out and sorted.
const MOST_ANSWERS: usize = 1_000_000;
/// Limits of work, the deadline and the observer are looked at whenever the count of work
/// has these bits all zero.
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

    /// Starts the count for a new question.
    pub fn restart(&mut self) {
        self.atoms = 0;
        self.before = self.work;
    }

    /// Starts again with this much work.
    pub fn set_work(&mut self, work: u64) {
        self.limits.work = work;
        self.restart();
    }

    /// Candidates looked at by all questions together.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Allows so many atoms for each question; gives how many it was before.
    pub fn set_atoms(&mut self, atoms: usize) -> usize {
        std::mem::replace(&mut self.limits.atoms, atoms)
    }

    /// Gives all questions from here on so much work together, or ends that.
    pub fn set_together(&mut self, work: Option<u64>) {
        self.most_work = work.map(|work| self.work.saturating_add(work));
    }

    /// Whether the work for all questions together is done.
    pub fn is_exhausted(&self) -> bool {
        self.most_work.is_some_and(|most| self.work > most)
    }

    /// What is counted from here on is part of making a game.
    pub fn watch(&mut self, making: Making) {
        self.making = Some(making);
    }

    /// From here on what is found are instances of rules.
    pub fn instances_follow(&mut self) {
        self.is_instantiating = true;
    }

    /// Whether so many terms are too many for an answer.
    pub fn answers(&self, count: usize) -> Result<(), Blown> {
        if count > MOST_ANSWERS { Err(Blown::Answers) } else { Ok(()) }
    }

    /// Allows so much memory, in words of four bytes.
    pub fn set_words(&mut self, words: usize) {
        self.words = words;
    }

    /// Says how much memory is in use.
    pub fn set_stored(&mut self, words: usize) {
        self.stored = words;
    }

    /// How much memory is in use.
    pub fn stored(&self) -> usize {
        self.stored
    }

    /// Counts the memory of one row.
    #[inline]
    pub fn store(&mut self, words: usize) -> Result<(), Blown> {
        self.stored += words;
        if self.stored > self.words { Err(Blown::Memory) } else { Ok(()) }
    }

    /// Whether terms need more memory than there may be.
    #[inline]
    pub fn terms(&self, words: usize) -> Result<(), Blown> {
        if words > self.words { Err(Blown::Memory) } else { Ok(()) }
    }

    /// Atoms derived for this question, those that were there before included.
    pub fn derived(&self) -> usize {
        self.atoms
    }

    /// The clause at work.
    pub fn clause(&self) -> usize {
        self.clause
    }

    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Says which rule is at work from here on.
    pub fn at(&mut self, relation: RelationId, clause: usize) {
        self.relation = relation;
        self.clause = clause;
    }

    /// Counts one candidate looked at; compares with the limits now and then.
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

    /// The fault to report for a blown limit.
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

/// Which limit was passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blown {
    /// The deadline of whoever waits is over, or its stop token was raised.
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
