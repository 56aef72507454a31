//! Rules that were read and checked.

use std::sync::Arc;

use game::{Fault, SpecError};
use gdl::{Diagnostic, RuleSheet, Severity};
use reasoner::{GroundLimits, Making, WORK_PER_SECOND};
use rules::{Rules, Strictness};

use crate::diagram::Diagrams;
use crate::languages::{Description, Language, Refusal, Wanted};
use crate::reasoners::Chosen;
use crate::source::Source;

/// Work for compiling where nobody waits.
const PATIENCE: u64 = 900 * WORK_PER_SECOND;

/// Rules, all there is to say about them, and games of them.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// Where they come from.
    pub source: Source,
    /// How games are made of them: what that may cost, and who watches.
    pub making: Making,
    description: Arc<dyn Description>,
}

/// Why a game cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The sheet has errors.
    #[error("{place} has {count} and cannot be played. `tafl check {argument}` shows where.")]
    Sheet {
        /// Where the sheet is.
        place: String,
        /// How it can be asked for again.
        argument: String,
        /// "1 error", "3 errors".
        count: String,
    },
    /// There is no such reasoner.
    #[error(transparent)]
    Reasoner(#[from] SpecError),
    /// The reasoner cannot take these rules.
    #[error("{place} cannot be played. {fault}")]
    Fault {
        /// Where the sheet is.
        place: String,
        /// Why.
        fault: Fault,
    },
}

impl Loaded {
    /// Parses and checks.
    pub fn new(source: Source, strictness: Strictness) -> Loaded {
        let description = source.language.describe(&source, strictness);
        Loaded { source, making: Making::default(), description }
    }

    /// The language that the rules are written in.
    pub fn language(&self) -> &'static dyn Language {
        self.source.language
    }

    /// Everything that was found, in source order.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.description.diagnostics()
    }

    /// The tree of a rule sheet; none if the rules are something else.
    pub fn sheet(&self) -> Option<&RuleSheet> {
        self.description.sheet()
    }

    /// The meaning of a rule sheet; none if it has errors, or if the rules are something else.
    pub fn rules(&self) -> Option<Arc<Rules>> {
        self.description.rules().cloned()
    }

    /// The text that remote players get; none if the rules are no rule sheet.
    pub fn wire_text(&self) -> Option<Arc<str>> {
        self.source.wire_text()
    }

    /// States as diagrams, if that is how they are drawn.
    pub fn diagrams(&self) -> Option<Arc<dyn Diagrams>> {
        self.description.diagrams()
    }

    /// How many errors there are.
    pub fn errors(&self) -> usize {
        self.diagnostics().iter().filter(|d| d.severity == Severity::Error).count()
    }

    /// How many warnings there are.
    pub fn warnings(&self) -> usize {
        self.diagnostics().len() - self.errors()
    }

    /// The game's name for people.
    pub fn title(&self) -> &str {
        let title = self.source.about.as_ref().map(|about| about.title.as_str());
        title.filter(|title| !title.is_empty()).unwrap_or(&self.source.name)
    }

    /// The rules behind the reasoner that the spec names.
    pub fn play(&self, reasoner: &str) -> Result<Chosen, PlayError> {
        self.make(Wanted::Behind(reasoner), &self.making)
    }

    /// The same for work that takes its time anyway: compiling may take minutes, as it
    /// does on a machine that is busy.
    pub fn play_patiently(&self, reasoner: &str) -> Result<Chosen, PlayError> {
        if reasoner != "auto" {
            return self.play(reasoner);
        }
        let limits = GroundLimits { work: PATIENCE, ..self.making.limits };
        self.make(Wanted::Behind(reasoner), &Making { limits, ..self.making.clone() })
    }

    /// The rules of a stranger behind the fastest reasoner that takes them: neither compiling
    /// nor any question afterwards costs more than the limits.
    pub fn play_within(&self, limits: GroundLimits) -> Result<Chosen, PlayError> {
        self.make(Wanted::Within(limits), &self.making)
    }

    /// The rules behind a reasoner that is ready at once, for a look at a few states: no
    /// question costs more than compiling may.
    pub fn play_uncompiled(&self, limits: GroundLimits) -> Result<Chosen, PlayError> {
        self.make(Wanted::AtOnce(limits), &self.making)
    }

    fn make(&self, wanted: Wanted<'_>, making: &Making) -> Result<Chosen, PlayError> {
        let place = || self.source.place.clone();
        self.description.play(wanted, making).map_err(|refusal| match refusal {
            Refusal::Errors => {
                let errors = self.errors().max(1);
                let count = format!("{errors} error{}", if errors == 1 { "" } else { "s" });
                PlayError::Sheet { place: place(), argument: self.source.argument.clone(), count }
            }
            Refusal::Reasoner(error) => PlayError::Reasoner(error),
            Refusal::Fault(fault) => PlayError::Fault { place: place(), fault },
        })
    }
}
