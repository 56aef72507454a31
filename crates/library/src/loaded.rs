//! A rule sheet that was read and checked.

use std::sync::Arc;

use game::{Fault, SpecError};
use gdl::{Diagnostic, RuleSheet, Severity};
use reasoner::{GroundLimits, Making, WORK_PER_SECOND};
use rules::{Rules, Strictness};

use crate::grammar::{self, GraphGame};
use crate::library::Source;
use crate::reasoners::{Chosen, Order, bounded, fastest, reasoners, uncompiled};

/// Work for compiling where nobody waits.
const PATIENCE: u64 = 900 * WORK_PER_SECOND;

/// A sheet, all there is to say about it, and its rules if it can be played.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// Where it comes from.
    pub source: Source,
    /// As parsed.
    pub sheet: RuleSheet,
    /// Everything that was found, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// What it means; none if there was an error.
    pub rules: Option<Arc<Rules>>,
    /// The game of a graph grammar, or what is wrong with it.
    pub graph: Option<Result<Arc<GraphGame>, String>>,
    /// How games are made of it: what that may cost, and who watches.
    pub making: Making,
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
        let graph = source.grammar.as_ref().map(|bundle| grammar::game(bundle));
        if graph.is_some() {
            let sheet = gdl::parse("", source.syntax).sheet;
            return Loaded {
                source,
                sheet,
                diagnostics: Vec::new(),
                rules: None,
                graph,
                making: Making::default(),
            };
        }
        let parsed = match &source.bytes {
            None => gdl::parse(&source.text, source.syntax),
            Some(bytes) => gdl::parse_bytes(bytes, source.syntax),
        };
        let mut diagnostics = parsed.diagnostics;
        let checked = Rules::check(&parsed.sheet, strictness);
        diagnostics.extend(checked.diagnostics);
        diagnostics.sort_by_key(|d| d.span);
        diagnostics.dedup();
        let failed = diagnostics.iter().any(|d| d.severity == Severity::Error);
        let rules = checked.rules.filter(|_| !failed).map(Arc::new);
        Loaded { source, sheet: parsed.sheet, diagnostics, rules, graph, making: Making::default() }
    }

    /// How many errors there are.
    pub fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
    }

    /// How many warnings there are.
    pub fn warnings(&self) -> usize {
        self.diagnostics.len() - self.errors()
    }

    /// The game's name for people.
    pub fn title(&self) -> &str {
        let title = self.source.about.as_ref().map(|about| about.title.as_str());
        title.filter(|title| !title.is_empty()).unwrap_or(&self.source.name)
    }

    /// The rules behind the reasoner that the spec names.
    pub fn play(&self, reasoner: &str) -> Result<Chosen, PlayError> {
        if let Some(graph) = &self.graph {
            return self.play_graph(graph, reasoner);
        }
        let Some(rules) = &self.rules else {
            let errors = self.errors().max(1);
            let count = format!("{errors} error{}", if errors == 1 { "" } else { "s" });
            let (place, argument) = (self.source.place.clone(), self.source.argument.clone());
            return Err(PlayError::Sheet { place, argument, count });
        };
        let order = Order { rules: Arc::clone(rules), making: self.making.clone() };
        let made = reasoners().make(reasoner, &order)?;
        made.map_err(|fault| PlayError::Fault { place: self.source.place.clone(), fault })
    }

    /// The same for work that takes its time anyway: compiling may take minutes, as it
    /// does on a machine that is busy.
    pub fn play_patiently(&self, reasoner: &str) -> Result<Chosen, PlayError> {
        let limits = GroundLimits { work: PATIENCE, ..self.making.limits };
        match &self.rules {
            Some(rules) if reasoner == "auto" => fastest(rules, &Making { limits, ..self.making.clone() })
                .map_err(|fault| PlayError::Fault { place: self.source.place.clone(), fault }),
            _ => self.play(reasoner),
        }
    }

    /// The rules of a stranger behind the fastest reasoner that takes them: neither compiling
    /// nor any question afterwards costs more than the limits.
    pub fn play_within(&self, limits: GroundLimits) -> Result<Chosen, PlayError> {
        match &self.rules {
            Some(rules) => bounded(rules, limits)
                .map_err(|fault| PlayError::Fault { place: self.source.place.clone(), fault }),
            None => self.play("auto"),
        }
    }

    /// The rules behind a reasoner that is ready at once, for a look at a few states: no
    /// question costs more than compiling may.
    pub fn play_uncompiled(&self, limits: GroundLimits) -> Result<Chosen, PlayError> {
        match &self.rules {
            Some(rules) => uncompiled(rules, limits, "to be ready at once")
                .map_err(|fault| PlayError::Fault { place: self.source.place.clone(), fault }),
            None => self.play("auto"),
        }
    }

    /// A grammar is its own reasoner.
    fn play_graph(
        &self,
        graph: &Result<Arc<GraphGame>, String>,
        reasoner: &str,
    ) -> Result<Chosen, PlayError> {
        let fault = |text: String| PlayError::Fault {
            place: self.source.place.clone(),
            fault: Fault::Unsupported(text),
        };
        if !matches!(reasoner, "auto" | "graph") {
            let text = format!(
                "It is a graph grammar, and `{reasoner}` evaluates rule sheets; leave --reasoner out."
            );
            return Err(fault(text));
        }
        match graph {
            Ok(game) => {
                Ok(Chosen { game: grammar::any(game), name: "graph", why: "a graph grammar".to_string() })
            }
            Err(text) => Err(fault(text.clone())),
        }
    }
}
