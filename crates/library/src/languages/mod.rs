//! The languages that rules can be written in.
//!
//! A [`Language`] tells which files hold its rules and reads them into a [`Description`], of
//! which everything else is asked: what is wrong with it, a game, and what only some languages
//! have (a rule sheet, pictures of states as diagrams). Adding a language takes a crate that
//! makes a [`game::Game`] of its rules, and one file here with one line in [`LANGUAGES`].

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

/// All languages. Where a folder holds the rules of one game in several of them, the first counts.
static LANGUAGES: &[&dyn Language] = &[
    &gdl::Gdl(Syntax::Kif),
    &gdl::Gdl(Syntax::Hrf),
    #[cfg(feature = "graph")]
    &graph::GraphGrammar,
];

/// A language that rules are written in.
pub trait Language: fmt::Debug + Send + Sync {
    /// The word for it in plans, in listings and on pages: `kif`, `hrf`, `graph`.
    fn name(&self) -> &'static str;

    /// What rules written in it are called: `rule sheet`, `graph grammar`.
    fn noun(&self) -> &'static str;

    /// The extensions of its rules. A game with a folder of its own has them in `rules.*` with
    /// the first extension.
    fn extensions(&self) -> &'static [&'static str];

    /// Further extensions that are read, but not listed among the games of a folder.
    fn other_extensions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns `true` if rules are a folder of files, not one file.
    fn is_folder(&self) -> bool {
        false
    }

    /// Reads the rules at a path.
    fn read(&self, path: &Path) -> Result<Source, SourceError>;

    /// Parses and checks rules. Whatever is wrong with them is part of the result.
    fn describe(&self, source: &Source, strictness: Strictness) -> Arc<dyn Description>;

    /// The syntax of GDL that it is, if its rules are rule sheets.
    fn syntax(&self) -> Option<Syntax> {
        None
    }

    /// The text that remote players get: the protocol of the field knows rule sheets only.
    fn wire_text(&self, _source: &Source) -> Option<Arc<str>> {
        None
    }

    /// The command that checks its rules, if `tafl check` does not.
    fn checked_by(&self) -> Option<&'static str> {
        None
    }
}

/// Rules that were parsed and checked.
pub trait Description: fmt::Debug + Send + Sync {
    /// Makes a game.
    fn play(&self, wanted: Wanted<'_>, making: &Making) -> Result<Chosen, Refusal>;

    /// Everything that was found, in source order.
    fn diagnostics(&self) -> &[Diagnostic] {
        &[]
    }

    /// The tree of a rule sheet, if it is one.
    fn sheet(&self) -> Option<&RuleSheet> {
        None
    }

    /// The meaning of a rule sheet, if it is one without errors.
    fn rules(&self) -> Option<&Arc<Rules>> {
        None
    }

    /// States as diagrams, if that is how they are drawn.
    fn diagrams(&self) -> Option<Arc<dyn Diagrams>> {
        None
    }
}

/// The game that is wanted of a description.
#[derive(Debug, Clone, Copy)]
pub enum Wanted<'a> {
    /// Behind the reasoner that a spec names; `auto` is known to every language.
    Behind(&'a str),
    /// Behind the fastest reasoner for which neither making the game nor any question costs more
    /// than the limits.
    Within(GroundLimits),
    /// Behind a reasoner that is ready at once; no question costs more than the limits.
    AtOnce(GroundLimits),
}

/// Why a description gives no game.
#[derive(Debug, Clone)]
pub enum Refusal {
    /// It has errors, which are among its diagnostics.
    Errors,
    /// There is no such reasoner.
    Reasoner(SpecError),
    /// The reasoner cannot take it.
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

/// All languages.
pub fn languages() -> &'static [&'static dyn Language] {
    LANGUAGES
}

/// The language with this name.
pub fn language(name: &str) -> Option<&'static dyn Language> {
    LANGUAGES.iter().copied().find(|language| language.name() == name)
}

/// The language of rule sheets in a syntax.
pub fn language_of(syntax: Syntax) -> &'static dyn Language {
    LANGUAGES.iter().copied().find(|language| language.syntax() == Some(syntax)).unwrap_or(LANGUAGES[0])
}

/// The language that reads files with this extension; the first reads what nobody knows.
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

/// Returns `true` if there is a file, or a folder where the language wants one.
pub(crate) fn lies(language: &dyn Language, path: &Path) -> bool {
    if language.is_folder() { path.is_dir() } else { path.is_file() }
}

/// All listed extensions in the order of the languages.
pub(crate) fn extensions() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().copied().flat_map(|language| language.extensions()).copied()
}

/// The name of the rules in a game's own folder: `rules.kif`.
pub(crate) fn own_file(language: &dyn Language) -> String {
    format!("rules.{}", language.extensions()[0])
}
