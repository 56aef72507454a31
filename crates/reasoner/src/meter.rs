//! Budgets of evaluation: what ends rules that run away.

use std::time::{Duration, Instant};

use game::Fault;
use rules::{RelationId, Rules};

use crate::progress;

/// What one question to a reasoner may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Time for one question.
    pub time: Duration,
    /// Atoms derived for one question.
    pub atoms: usize,
    /// How deep functions may be nested in derived terms.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(20), atoms: 20_000_000, depth: 100 }
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
    started: Instant,
    /// When all questions together must be answered, where that is limited.
    deadline: Option<Instant>,
    ticks: u32,
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
/// The clock is looked at whenever the count of ticks has these bits all zero.
const LOOK: u32 = 0xfff;

impl Meter {
    pub fn new(limits: Limits) -> Meter {
        let words = limits.atoms.saturating_mul(WORDS_PER_ATOM);
        let (relation, clause) = (RelationId(0), 0);
        Meter {
            limits,
            started: Instant::now(),
            deadline: None,
            ticks: 0,
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
        self.ticks = 0;
        self.started = Instant::now();
    }

    /// Starts again with this much time.
    pub fn set_time(&mut self, time: Duration) {
        self.limits.time = time;
        self.restart();
    }

    /// Allows so many atoms for each question; gives how many it was before.
    pub fn set_atoms(&mut self, atoms: usize) -> usize {
        std::mem::replace(&mut self.limits.atoms, atoms)
    }

    /// Gives all questions from here on so much time together, or ends that.
    pub fn set_deadline(&mut self, time: Option<Duration>) {
        self.deadline = time.and_then(|time| Instant::now().checked_add(time));
    }

    /// Whether the time for all questions together is over.
    pub fn is_overdue(&self) -> bool {
        self.deadline.is_some_and(|at| Instant::now() > at)
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

    /// Counts one candidate looked at; looks at the clock now and then.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Blown> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks & LOOK == 0 { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&self) -> Result<(), Blown> {
        progress::found(self.atoms);
        let over = self.started.elapsed() > self.limits.time || self.is_overdue();
        if over { Err(Blown::Time) } else { Ok(()) }
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
            Blown::Time if self.deadline.is_some() => "took too long".to_string(),
            Blown::Time => format!("took longer than {:.0?}", self.limits.time),
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
    Time,
    Atoms,
    Depth,
    Memory,
    Answers,
    Instances,
}
