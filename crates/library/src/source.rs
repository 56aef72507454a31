//! Rules as found, before they are parsed.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use gdl::Syntax;
use serde::{Deserialize, Serialize};

use crate::languages::{Language, extensions};
use crate::style::{Style, StyleError};
use crate::stylesheet::StylesheetText;

/// Information about a game besides its rules (`about.toml`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// The title of the game.
    pub title: String,
    /// A description for people.
    pub description: String,
    /// Where the rules come from.
    pub source: String,
    /// The roles in order.
    pub roles: Vec<String>,
    /// Tags such as `two-player`, `simultaneous`, `puzzle`.
    pub kind: Vec<String>,
    /// How the board should be drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<BoardHint>,
    /// The game of the library of which this is another form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<SameAs>,
}

/// Another form of the same game, and the names of its moves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SameAs {
    /// The other game of the library.
    pub game: String,
    /// The moves here and their names there, where they differ.
    pub moves: BTreeMap<String, String>,
}

/// How the board should be drawn, where the sheet does not show it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BoardHint {
    /// Where the first row is: `top` or `bottom`.
    pub first_row: Option<String>,
}

/// Rules with their name and origin.
#[derive(Debug, Clone)]
pub struct Source {
    /// The name of the game, without folders: `chess`, `mygame`.
    pub name: String,
    /// The argument that finds it again: a name, a path, `folder:key`, `-`.
    pub argument: String,
    /// Where it is, for messages: a path, or `games/chess/rules.kif` if it is built into the program.
    pub place: String,
    /// The language that the rules are written in.
    pub language: &'static dyn Language,
    /// The rules, if they are a single text.
    pub text: Arc<str>,
    /// The original bytes of the text, if they are not UTF-8.
    pub bytes: Option<Arc<[u8]>>,
    /// The rules by file name, if they are several files.
    pub files: Arc<BTreeMap<String, String>>,
    /// Information about the game, if there is any.
    pub about: Option<About>,
    /// How the board is drawn (`board.toml`).
    pub style: Option<Style>,
    /// The stylesheet of a game of the public game repository, or why it cannot be read.
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

    /// Creates a source without text and files for the rules at a path, named after the file.
    pub(crate) fn at(language: &'static dyn Language, path: &Path) -> Source {
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or("game");
        Source::new(language, name, path.display().to_string())
    }

    /// Returns the text that is sent to remote players, or `None` if the rules are not a rule sheet.
    pub fn wire_text(&self) -> Option<Arc<str>> {
        self.language.wire_text(self)
    }

    /// Returns the syntax of a rule sheet. Fails if the rules are something else.
    pub fn sheet_syntax(&self) -> Result<Syntax, SourceError> {
        self.language.syntax().ok_or_else(|| SourceError::NoSheet {
            place: self.place.clone(),
            noun: self.language.noun(),
            checked_by: self.language.checked_by(),
        })
    }
}

/// The reason why rules cannot be found or read.
#[derive(Debug, Clone, thiserror::Error)]
pub enum SourceError {
    /// There is no game with this name.
    #[error(
        "There is no game `{name}` in the library.{hint} `tafl games` lists them; a path must end in {}.",
        endings()
    )]
    Unknown {
        /// The requested name.
        name: String,
        /// A suggestion, or empty.
        hint: String,
    },
    /// The file cannot be read.
    #[error("Cannot read {place}: {cause}.")]
    Unreadable {
        /// The path.
        place: String,
        /// The reason.
        cause: String,
    },
    /// The language cannot read its files.
    #[error(transparent)]
    Language(LanguageError),
    /// A rule sheet is needed, but the rules are something else.
    #[error("{place} is a {noun}, not a rule sheet.{}", checked_by.map(|c| format!(" Use `{c}` instead.")).unwrap_or_default())]
    NoSheet {
        /// Where the rules are.
        place: String,
        /// What they are instead.
        noun: &'static str,
        /// The command that checks them.
        checked_by: Option<&'static str>,
    },
    /// The `board.toml` is invalid.
    #[error(transparent)]
    Style(#[from] StyleError),
    /// There is no game with this key in the public game repository.
    #[error("There is no game `{key}` in {place}.{hint}")]
    NoKey {
        /// The requested key.
        key: String,
        /// The folder of the games.
        place: String,
        /// A suggestion, or empty.
        hint: String,
    },
    /// The game of the public game repository has no such version.
    #[error("The newest version of `{key}` is {newest}; there is no version {version}.")]
    NoVersion {
        /// The game.
        key: String,
        /// Its newest version.
        newest: u32,
        /// The requested version.
        version: u32,
    },
    /// A `METADATA` file of the public game repository is invalid.
    #[error("{place} does not name a rule sheet: {cause}.")]
    Metadata {
        /// Its path.
        place: String,
        /// The error.
        cause: Arc<serde_json::Error>,
    },
}

/// The error of a language that cannot read its files.
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

/// Returns the extensions that a path can have: `.kif, .gdl, .hrf or .gps`.
fn endings() -> String {
    let mut endings: Vec<String> = extensions().map(|extension| format!(".{extension}")).collect();
    let last = endings.pop().unwrap_or_default();
    format!("{} or {last}", endings.join(", "))
}
