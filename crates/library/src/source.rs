//! Rules as they were found, before they are read.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use gdl::Syntax;
use serde::{Deserialize, Serialize};

use crate::languages::{Language, extensions};
use crate::style::{Style, StyleError};
use crate::stylesheet::StylesheetText;

/// What is told of a game beside its rules (`about.toml`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// The game's name for people.
    pub title: String,
    /// What it is about.
    pub description: String,
    /// Where the rules come from.
    pub source: String,
    /// The roles in order.
    pub roles: Vec<String>,
    /// Tags such as `two-player`, `simultaneous`, `puzzle`.
    pub kind: Vec<String>,
    /// How its board is best drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<BoardHint>,
    /// The game of the library that it is another form of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<SameAs>,
}

/// Which game another one is the same as, and how moves are called there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SameAs {
    /// The other game of the library.
    pub game: String,
    /// Moves here and there, where they differ.
    pub moves: BTreeMap<String, String>,
}

/// How a board is best drawn, where the sheet does not show it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BoardHint {
    /// Where the first row is: `top` or `bottom`.
    pub first_row: Option<String>,
}

/// Rules with their name and origin.
#[derive(Debug, Clone)]
pub struct Source {
    /// As it was asked for, without folders: `chess`, `mygame`.
    pub name: String,
    /// As it can be asked for again: a name, a path, `folder:key`, `-`.
    pub argument: String,
    /// Where it is, for messages: a path, or `games/chess/rules.kif` within this program.
    pub place: String,
    /// The language that the rules are written in.
    pub language: &'static dyn Language,
    /// The rules, if they are one text.
    pub text: Arc<str>,
    /// The bytes of the text as they were, where they are not UTF-8.
    pub bytes: Option<Arc<[u8]>>,
    /// The rules by the names of their files, if they are several.
    pub files: Arc<BTreeMap<String, String>>,
    /// What is told of it.
    pub about: Option<About>,
    /// How its board is drawn (`board.toml`).
    pub style: Option<Style>,
    /// The stylesheet that a game of the public repository carries, or why it cannot be read.
    pub stylesheet: Option<Result<Arc<StylesheetText>, SourceError>>,
}

impl Source {
    /// Creates a source without text and files.
    pub fn new(language: &'static dyn Language, name: impl Into<String>, place: impl Into<String>) -> Source {
        let place = place.into();
        Source {
            name: name.into(),
            argument: place.clone(),
            place,
            language,
            text: Arc::from(""),
            bytes: None,
            files: Arc::default(),
            about: None,
            style: None,
            stylesheet: None,
        }
    }

    /// The same for what lies at a path, named after its file.
    pub(crate) fn at(language: &'static dyn Language, path: &Path) -> Source {
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or("game");
        Source::new(language, name, path.display().to_string())
    }

    /// The text that remote players get; none if the rules are no rule sheet.
    pub fn wire_text(&self) -> Option<Arc<str>> {
        self.language.wire_text(self)
    }

    /// The syntax of a rule sheet; an error tells what the rules are instead.
    pub fn sheet_syntax(&self) -> Result<Syntax, SourceError> {
        self.language.syntax().ok_or_else(|| SourceError::NoSheet {
            place: self.place.clone(),
            noun: self.language.noun(),
            checked_by: self.language.checked_by(),
        })
    }
}

/// Why there are no rules.
#[derive(Debug, Clone, thiserror::Error)]
pub enum SourceError {
    /// No game of this name.
    #[error(
        "There is no game `{name}` in the library.{hint} `tafl games` lists them; a path must end in {}.",
        endings()
    )]
    Unknown {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// No file.
    #[error("Cannot read {place}: {cause}.")]
    Unreadable {
        /// The path.
        place: String,
        /// Why not.
        cause: String,
    },
    /// Files that the language cannot use.
    #[error(transparent)]
    Language(LanguageError),
    /// A rule sheet is needed, and the rules are something else.
    #[error("{place} is a {noun}, not a rule sheet.{}", checked_by.map(|c| format!(" `{c}` looks at those.")).unwrap_or_default())]
    NoSheet {
        /// Where the rules are.
        place: String,
        /// What they are.
        noun: &'static str,
        /// The command that checks them.
        checked_by: Option<&'static str>,
    },
    /// A `board.toml` with a mistake.
    #[error(transparent)]
    Style(#[from] StyleError),
    /// No game of this key in the public repository.
    #[error("There is no game `{key}` in {place}.{hint}")]
    NoKey {
        /// What was asked for.
        key: String,
        /// The folder of the games.
        place: String,
        /// What may have been meant.
        hint: String,
    },
    /// The game of the public repository is not as new as that.
    #[error("The newest version of `{key}` is {newest}; there is no version {version}.")]
    NoVersion {
        /// The game.
        key: String,
        /// Its newest version.
        newest: u32,
        /// What was asked for.
        version: u32,
    },
    /// A file `METADATA` of the public repository with a mistake.
    #[error("{place} does not name a rule sheet: {cause}.")]
    Metadata {
        /// Its path.
        place: String,
        /// The mistake.
        cause: Arc<serde_json::Error>,
    },
}

/// What a language says of files that it cannot use.
#[derive(Debug, Clone, thiserror::Error)]
#[error(transparent)]
pub struct LanguageError(Arc<dyn std::error::Error + Send + Sync>);

impl SourceError {
    pub(crate) fn unreadable(place: impl Into<String>, cause: &io::Error) -> SourceError {
        let cause = match cause.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_string(),
            io::ErrorKind::PermissionDenied => "permission denied".to_string(),
            io::ErrorKind::IsADirectory => "it is a folder".to_string(),
            _ => cause.to_string(),
        };
        SourceError::Unreadable { place: place.into(), cause }
    }

    #[cfg(feature = "graph")]
    pub(crate) fn language(error: impl std::error::Error + Send + Sync + 'static) -> SourceError {
        SourceError::Language(LanguageError(Arc::new(error)))
    }
}

/// The extensions that a path can have: `.kif, .gdl, .hrf or .gps`.
fn endings() -> String {
    let mut endings: Vec<String> = extensions().map(|extension| format!(".{extension}")).collect();
    let last = endings.pop().unwrap_or_default();
    format!("{} or {last}", endings.join(", "))
}
