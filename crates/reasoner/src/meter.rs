//! Budgets of evaluation: what ends rules that run away.

use std::time::{Duration, Instant};

use game::Fault;
use rules::{RelationId, Rules};

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

/// Counts work against [`Limits`] and knows which rule is at work.
#[derive(Debug)]
pub(crate) struct Meter {
    limits: Limits,
    started: Instant,
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

impl Meter {
    pub fn new(limits: Limits) -> Meter {
        let words = limits.atoms.saturating_mul(WORDS_PER_ATOM);
        let (relation, clause) = (RelationId(0), 0);
        Meter { limits, started: Instant::now(), ticks: 0, atoms: 0, stored: 0, words, relation, clause }
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
        self.ticks += 1;
        if self.ticks & 0xffff == 0 && self.started.elapsed() > self.limits.time {
            return Err(Blown::Time);
        }
        Ok(())
    }

    /// Counts one derived atom.
    #[inline]
    pub fn atom(&mut self) -> Result<(), Blown> {
        self.atoms += 1;
        if self.atoms > self.limits.atoms { Err(Blown::Atoms) } else { Ok(()) }
    }

    /// The fault to report for a blown limit.
    pub fn fault(&self, rules: &Rules, blown: Blown) -> Fault {
        let what = match blown {
            Blown::Time => format!("took longer than {:.0?}", self.limits.time),
            Blown::Atoms => format!("derived more than {} atoms", self.limits.atoms),
            Blown::Depth => format!("built a term nested deeper than {}", self.limits.depth),
            Blown::Memory => format!("needed more than {} MB of memory", self.words / 250_000),
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
    Instances,
}
