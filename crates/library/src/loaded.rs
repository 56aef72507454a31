//! Rules that have been parsed and checked.

use std::sync::Arc;
use std::time::Duration;

use game::{Deadline, Fault, SpecError};
use gdl::{Diagnostic, LineIndex, RuleSheet, Severity};
use reasoner::{GroundLimits, Making, WORK_PER_SECOND};
use rules::{Rules, Strictness};

use crate::diagram::Diagrams;
use crate::languages::{Description, Language, Refusal, Wanted};
use crate::later::{Begun, Later};
use crate::reasoners::{Chosen, at_once, compiled};
use crate::source::Source;

/// The work for compiling in [`Loaded::play_patiently`].
const PATIENCE: u64 = 900 * WORK_PER_SECOND;

/// The limits of compiling in [`Loaded::play_quickly`].
const QUICK: GroundLimits = GroundLimits { work: WORK_PER_SECOND / 4, atoms: 20_000, instances: 20_000 };

/// How long a game that must answer at once waits for its circuit.
const AT_ONCE: Duration = Duration::from_millis(100);

/// Parsed and checked rules, from which games can be made.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// Where the rules come from.
    pub source: Source,
    /// How games are made: the limits, the deadline and the observer.
    pub making: Making,
    description: Arc<dyn Description>,
}

/// The reason why a game cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The sheet has errors.
    #[error("{place} has {count} and cannot be played. Run `tafl check {argument}` for details.")]
    Sheet {
        /// Where the sheet is.
        place: String,
        /// The argument that finds it again.
        argument: String,
        /// The number of errors: "1 error", "3 errors".
        count: String,
    },
    /// There is no such reasoner.
    #[error(transparent)]
    Reasoner(#[from] SpecError),
    /// The reasoner cannot handle the rules.
    #[error("{place} cannot be played. {fault}")]
    Fault {
        /// Where the sheet is.
        place: String,
        /// The reason.
        fault: Fault,
    },
}

impl Loaded {
    /// Parses and checks rules.
    pub fn new(source: Source, strictness: Strictness) -> Loaded {
        let description = source.language.describe(&source, strictness);
        Loaded { source, making: Making::default(), description }
    }

    /// Returns the language of the rules.
    pub fn language(&self) -> &'static dyn Language {
        self.source.language
    }

    /// Returns all diagnostics, in source order.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.description.diagnostics()
    }

    /// Returns the tree of a rule sheet, or `None` if the rules are something else.
    pub fn sheet(&self) -> Option<&RuleSheet> {
        self.description.sheet()
    }

    /// Returns the rules of a sheet, or `None` if it has errors or the rules are something else.
    pub fn rules(&self) -> Option<Arc<Rules>> {
        self.description.rules().cloned()
    }

    /// Returns the text that is sent to remote players, or `None` if the rules are not a rule sheet.
    pub fn wire_text(&self) -> Option<Arc<str>> {
        self.source.wire_text()
    }

    /// Returns the diagrams of states, if the language has them.
    pub fn diagrams(&self) -> Option<Arc<dyn Diagrams>> {
        self.description.diagrams()
    }

    /// Returns the number of errors.
    pub fn errors(&self) -> usize {
        self.diagnostics().iter().filter(|d| d.severity == Severity::Error).count()
    }

    /// Returns the number of warnings.
    pub fn warnings(&self) -> usize {
        self.diagnostics().len() - self.errors()
    }

    /// Returns the title of the game.
    pub fn title(&self) -> &str {
        let title = self.source.about.as_ref().map(|about| about.title.as_str());
        title.filter(|title| !title.is_empty()).unwrap_or(&self.source.name)
    }

    /// Makes a game with the reasoner named by the spec.
    pub fn play(&self, reasoner: &str) -> Result<Chosen, PlayError> {
        self.make(Wanted::Behind(reasoner), &self.making)
    }

    /// Makes a game for work that takes a long time anyway, so that compiling may take minutes.
    pub fn play_patiently(&self, reasoner: &str) -> Result<Chosen, PlayError> {
        if reasoner != "auto" {
            return self.play(reasoner);
        }
        let limits = GroundLimits { work: PATIENCE, ..self.making.limits };
        self.make(Wanted::Behind(reasoner), &Making { limits, ..self.making.clone() })
    }

    /// Makes a game from untrusted rules, with the fastest reasoner that can handle them. Neither
    /// compiling nor any later query exceeds the limits.
    pub fn play_within(&self, limits: GroundLimits) -> Result<Chosen, PlayError> {
        self.make(Wanted::Within(limits), &self.making)
    }

    /// Makes a game that is ready at once, to look at a few states. No query costs more than compiling
    /// may.
    pub fn play_uncompiled(&self, limits: GroundLimits) -> Result<Chosen, PlayError> {
        self.make(Wanted::AtOnce(limits), &self.making)
    }

    /// Makes a game for players that do not search. Rules that are large are not compiled, so that the first
    /// move can be made soon; which rules are depends on counted work.
    pub fn play_quickly(&self) -> Result<Chosen, PlayError> {
        let Some(rules) = self.rules() else { return self.play("auto") };
        let made = match compiled(&rules, &Making { limits: QUICK, ..self.making.clone() }) {
            Err(Fault::Budget(_) | Fault::Unsupported(_)) => {
                at_once(&rules, self.making.limits, "nobody searches, and the rules are large")
            }
            other => other,
        };
        made.map_err(|fault| PlayError::Fault { place: self.source.place.clone(), fault })
    }

    /// Makes a game that answers at once. With `auto`, the rules are compiled in the background meanwhile,
    /// unless that takes no longer than a moment. With limits that are tighter than usual, no query costs more
    /// than compiling may.
    pub fn begin(&self, reasoner: &str) -> Result<Begun, PlayError> {
        let Some(rules) = self.rules().filter(|_| reasoner == "auto") else {
            return Ok(Begun { now: self.play(reasoner)?, later: None });
        };
        let (making, own) = (self.making.clone(), Arc::clone(&rules));
        let later = Later::begin(move |stop| {
            let deadline = making.deadline.clone().with_stop(stop);
            compiled(&own, &Making { deadline, ..making })
        });
        if let Some(now) = later.wait(&Deadline::after(AT_ONCE)) {
            return Ok(Begun { now, later: None });
        }
        let now = at_once(&rules, self.making.limits, "until the rules are compiled");
        let now = now.map_err(|fault| PlayError::Fault { place: self.source.place.clone(), fault })?;
        Ok(Begun { now, later: Some(Arc::new(later)) })
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
            Refusal::Fault(Fault::Budget(text)) => {
                PlayError::Fault { place: place(), fault: Fault::Budget(self.with_lines(&text)) }
            }
            Refusal::Fault(fault) => PlayError::Fault { place: place(), fault },
        })
    }

    /// Returns the text of a fault with lines of the rule sheet in the place of clauses. Reasoners know clauses
    /// by number only; people look for lines.
    pub fn with_lines(&self, text: &str) -> String {
        const CLAUSE: &str = "(clause ";
        let Some((before, (number, after))) =
            text.split_once(CLAUSE).and_then(|(before, rest)| Some((before, rest.split_once(')')?)))
        else {
            return text.to_string();
        };
        let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let clause = index.and_then(|index| self.sheet()?.clauses.get(index));
        let place = clause.map_or(format!("{CLAUSE}{number})"), |clause| {
            let line = LineIndex::new(&self.source.text).position(clause.span.start as usize).line;
            format!("(line {line})")
        });
        format!("{before}{place}{}", self.with_lines(after))
    }
}
