//! The languages in which rules can be written.
//!
//! A [`Language`] knows which files contain its rules, and reads them into a [`Description`], which
//! answers everything else: its diagnostics, a game, and what only some languages have (a rule
//! sheet, diagrams of states). To add a language, write a crate that makes a [`game::Game`] from
//! its rules, and add one file here and one line to [`LANGUAGES`].

mod gdl;
#[cfg(feature = "graph")]
mod graph;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use ::gdl::{Diagnostic, RuleSheet, Syntax};
use ::rules::{Rules, Strictness};
use game::{Fault, SpecError};
use reasoner::{GroundLimits, Making};

use crate::diagram::Diagrams;
use crate::reasoners::Chosen;
use crate::source::{Source, SourceError};

pub use self::gdl::from_bytes;

/// All languages. If a folder contains a game in several of them, the first one is used.
static LANGUAGES: &[&dyn Language] = &[
    &gdl::Gdl(Syntax::Kif),
    &gdl::Gdl(Syntax::Hrf),
    #[cfg(feature = "graph")]
    &graph::GraphGrammar,
];

/// A language in which rules are written.
pub trait Language: fmt::Debug + Send + Sync {
    /// Returns its name in plans, listings and pages: `kif`, `hrf`, `graph`.
    fn name(&self) -> &'static str;

    /// Returns the noun for its rules: `rule sheet`, `graph grammar`.
    fn noun(&self) -> &'static str;

    /// Returns the extensions of its files. In a game's own folder, the rules are in `rules.*` with the
    /// first extension.
    fn extensions(&self) -> &'static [&'static str];

    /// Returns further extensions that can be read but are not listed among the games of a folder.
    fn other_extensions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns `true` if rules are a folder of files instead of one file.
    fn is_folder(&self) -> bool {
        false
    }

    /// Reads the rules at a path.
    fn read(&self, path: &Path) -> Result<Source, SourceError>;

    /// Parses and checks rules. Errors in them are part of the result.
    fn describe(&self, source: &Source, strictness: Strictness) -> Arc<dyn Description>;

    /// Returns the syntax of GDL, if its rules are rule sheets.
    fn syntax(&self) -> Option<Syntax> {
        None
    }

    /// Returns the text that is sent to remote players. The GGP protocol supports only rule sheets.
    fn wire_text(&self, _source: &Source) -> Option<Arc<str>> {
        None
    }

    /// Returns the command that checks its rules, if it is not `tafl check`.
    fn checked_by(&self) -> Option<&'static str> {
        None
    }
}

/// Parsed and checked rules.
pub trait Description: fmt::Debug + Send + Sync {
    /// Makes a game.
    fn play(&self, wanted: Wanted<'_>, making: &Making) -> Result<Chosen, Refusal>;

    /// Returns all diagnostics, in source order.
    fn diagnostics(&self) -> &[Diagnostic] {
        &[]
    }

    /// Returns the tree of a rule sheet, if it is one.
    fn sheet(&self) -> Option<&RuleSheet> {
        None
    }

    /// Returns the rules of a sheet, if it is one without errors.
    fn rules(&self) -> Option<&Arc<Rules>> {
        None
    }

    /// Returns the diagrams of states, if the language has them.
    fn diagrams(&self) -> Option<Arc<dyn Diagrams>> {
        None
    }
}

/// The kind of game to make from a description.
#[derive(Debug, Clone, Copy)]
pub enum Wanted<'a> {
    /// With the reasoner named by a spec. Every language supports `auto`.
    Behind(&'a str),
    /// With the fastest reasoner for which neither making the game nor any query exceeds the limits.
    Within(GroundLimits),
    /// With a reasoner that is ready at once; no query exceeds the limits.
    AtOnce(GroundLimits),
}

/// The reason why a description cannot be made into a game.
#[derive(Debug, Clone)]
pub enum Refusal {
    /// It has errors; they are among its diagnostics.
    Errors,
    /// There is no such reasoner.
    Reasoner(SpecError),
    /// The reasoner cannot handle the rules.
    Fault(Fault),
}

impl From<SpecError> for Refusal {
    fn from(error: SpecError) -> Refusal {
        Refusal::Reasoner(error)
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Refusal {
        Refusal::Fault(fault)
    }
}

/// Returns all languages.
pub fn languages() -> &'static [&'static dyn Language] {
    LANGUAGES
}

/// Returns the language with this name.
pub fn language(name: &str) -> Option<&'static dyn Language> {
    LANGUAGES.iter().copied().find(|language| language.name() == name)
}

/// Returns the language of rule sheets in a syntax.
pub fn language_of(syntax: Syntax) -> &'static dyn Language {
    LANGUAGES.iter().copied().find(|language| language.syntax() == Some(syntax)).unwrap_or(LANGUAGES[0])
}

/// Returns the language for files with this extension; the first one if the extension is unknown.
pub(crate) fn reader_of(extension: &str) -> &'static dyn Language {
    let reads = |language: &&dyn Language| {
        language.extensions().contains(&extension) || language.other_extensions().contains(&extension)
    };
    LANGUAGES.iter().copied().find(reads).unwrap_or(LANGUAGES[0])
}

/// Returns `true` if the path is listed as a game.
pub(crate) fn is_listed(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let fits = |language: &dyn Language| language.extensions().contains(&extension) && lies(language, path);
    LANGUAGES.iter().copied().any(fits)
}

/// Returns `true` if the path is a file, or a folder if the language uses folders.
pub(crate) fn lies(language: &dyn Language, path: &Path) -> bool {
    if language.is_folder() { path.is_dir() } else { path.is_file() }
}

/// Returns all listed extensions, in the order of the languages.
pub(crate) fn extensions() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().copied().flat_map(|language| language.extensions()).copied()
}

/// Returns the name of the rules in a game's own folder: `rules.kif`.
pub(crate) fn own_file(language: &dyn Language) -> String {
    format!("rules.{}", language.extensions()[0])
}
