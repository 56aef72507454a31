//! Where rule sheets come from.
//!
//! A game argument is a name of the library, a path, or `folder:key` for a
//! checkout of the public game repository. The library is part of the binary;
//! a folder of games can stand in its place, and others can be opened beside it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use gdl::Syntax;
use reasoner::{Making, Observer};
use rules::Strictness;
use serde::{Deserialize, Serialize};

use crate::folder::Folder;
use crate::grammar::{self, Bundle};
use crate::loaded::Loaded;
use crate::near::did_you_mean;
use crate::repository::Repository;
use crate::style::Style;
use crate::stylesheet::StylesheetText;

/// A game of the library as it was when this program was built.
struct Embedded {
    name: &'static str,
    infix: bool,
    sheet: &'static str,
    about: &'static str,
    board: &'static str,
    /// Names and texts of the files of a graph grammar.
    grammar: &'static [(&'static str, &'static str)],
}

static EMBEDDED: &[Embedded] = include!(concat!(env!("OUT_DIR"), "/library.rs"));

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

/// A rule sheet with its name and origin.
#[derive(Debug, Clone)]
pub struct Source {
    /// As it was asked for, without folders: `chess`, `mygame`.
    pub name: String,
    /// As it can be asked for again: a name, a path, `folder:key`, `-`.
    pub argument: String,
    /// Where it is, for messages: a path, or `games/chess/rules.kif` within this program.
    pub place: String,
    /// Prefix or infix.
    pub syntax: Syntax,
    /// The sheet.
    pub text: Arc<str>,
    /// The bytes as they were, where they are not UTF-8 text.
    pub bytes: Option<Arc<[u8]>>,
    /// What is told of it.
    pub about: Option<About>,
    /// How its board is drawn (`board.toml`).
    pub style: Option<Style>,
    /// The stylesheet that a game of the public repository carries, or why it cannot be read.
    pub stylesheet: Option<Result<Arc<StylesheetText>, String>>,
    /// The files, if it is a graph grammar; there is no sheet then.
    pub grammar: Option<Arc<Bundle>>,
}

/// Why there is no rule sheet.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// No game of this name.
    #[error(
        "There is no game `{name}` in the library.{hint} `tafl games` lists them; a path must end in .kif, .gdl, .hrf or .gps."
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
    /// A file this version cannot use.
    #[error("{0}")]
    Unsupported(String),
}

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
}

/// The games that are known by name.
#[derive(Debug, Clone, Default)]
pub struct Library {
    folder: Option<Folder>,
    /// Folders that were opened beside it, each with what its games' names begin with.
    opened: Vec<(String, Folder)>,
    /// How games of it are made.
    making: Making,
}

impl Library {
    /// The library in this program.
    pub fn embedded() -> Library {
        Library::default()
    }

    /// A folder of games: one folder for each, a checkout of the public
    /// repository, or rule sheets side by side.
    pub fn folder(folder: impl Into<PathBuf>) -> Library {
        Library { folder: Some(Folder::new(folder)), ..Library::default() }
    }

    /// With another folder of games beside it. Its games are called `label:name`,
    /// where the label is the name of the folder.
    pub fn with(mut self, folder: impl Into<PathBuf>) -> Library {
        let folder = Folder::new(folder);
        let label = folder.label();
        let taken = |label: &String| self.opened.iter().any(|(known, _)| known == label);
        let numbered = (2..).map(|number| format!("{label}-{number}"));
        let label = std::iter::once(label.clone()).chain(numbered).find(|label| !taken(label));
        self.opened.extend(label.map(|label| (label, folder)));
        self
    }

    /// With somebody who is told how far the making of a game has come.
    pub fn watched_by(self, observer: Observer) -> Library {
        Library { making: Making { observer: Some(observer), ..self.making }, ..self }
    }

    /// Finds, parses and checks a game.
    pub fn load(&self, argument: &str, strictness: Strictness) -> Result<Loaded, SourceError> {
        let loaded = Loaded::new(self.find(argument)?, strictness);
        Ok(Loaded { making: self.making.clone(), ..loaded })
    }

    /// Whether names without a label are those of the library in this program.
    pub fn is_embedded(&self) -> bool {
        self.folder.is_none()
    }

    /// The names, in alphabetical order; those of folders opened beside it come after.
    pub fn names(&self) -> Result<Vec<String>, SourceError> {
        let mut names = match &self.folder {
            None => {
                let playable = |game: &&Embedded| cfg!(feature = "graph") || game.grammar.is_empty();
                EMBEDDED.iter().filter(playable).map(|game| game.name.to_string()).collect()
            }
            Some(folder) => folder.names()?,
        };
        for (label, folder) in &self.opened {
            names.extend(folder.names()?.into_iter().map(|name| format!("{label}:{name}")));
        }
        Ok(names)
    }

    /// Finds what a game argument means.
    pub fn find(&self, argument: &str) -> Result<Source, SourceError> {
        Ok(Source { argument: argument.to_string(), ..self.look_up(argument)? })
    }

    fn look_up(&self, argument: &str) -> Result<Source, SourceError> {
        if let Some(source) = self.named(argument)? {
            return Ok(source);
        }
        let path = Path::new(argument);
        if let Some((folder, key)) = argument.rsplit_once(':')
            && Path::new(folder).is_dir()
        {
            return Repository::open(folder).find(key);
        }
        if path.is_dir()
            && let Some(sheet) = sheet_in(path)
        {
            return from_folder(path, &sheet);
        }
        let looks_like_path = argument.contains(['/', '\\']) || path.extension().is_some() || path.is_file();
        if looks_like_path {
            return read_path(path);
        }
        let names = self.names()?;
        let hint = did_you_mean(argument, names.iter().map(String::as_str));
        Err(SourceError::Unknown { name: argument.to_string(), hint })
    }

    fn named(&self, name: &str) -> Result<Option<Source>, SourceError> {
        if let Some((label, key)) = name.split_once(':')
            && let Some((_, folder)) = self.opened.iter().find(|(known, _)| known == label)
        {
            return folder.find(key);
        }
        if let Some(folder) = &self.folder {
            // What looks like a path is one, as a folder that is not there may be named by it.
            return if name.contains(['/', '\\']) { Ok(None) } else { folder.find(name) };
        }
        if name.contains(['/', '\\', '.']) {
            return Ok(None);
        }
        let Some(game) = EMBEDDED.iter().find(|game| game.name == name) else { return Ok(None) };
        let (syntax, file) = match game {
            Embedded { grammar: [_, ..], .. } => (Syntax::Kif, "rules.gps"),
            Embedded { infix: true, .. } => (Syntax::Hrf, "rules.hrf"),
            _ => (Syntax::Kif, "rules.kif"),
        };
        Ok(Some(Source {
            name: name.to_string(),
            argument: name.to_string(),
            place: format!("games/{name}/{file}"),
            syntax,
            text: Arc::from(game.sheet),
            bytes: None,
            about: toml::from_str(game.about).ok(),
            style: Style::read(game.board).ok(),
            stylesheet: None,
            grammar: match game.grammar {
                [] => None,
                files => Some(grammar::embedded(name, files)?),
            },
        }))
    }
}

/// Reads a rule sheet from a path; the ending tells the syntax.
pub fn read_path(path: &Path) -> Result<Source, SourceError> {
    let place = path.display().to_string();
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or("game").to_string();
    if ending == "gps" || ending == "zip" {
        let mut source = from_bytes(name, place, None, Vec::new());
        source.grammar = Some(grammar::read(path)?);
        return Ok(source);
    }
    let bytes = fs::read(path).map_err(|e| SourceError::unreadable(&place, &e))?;
    Ok(from_bytes(name, place, Some(&ending), bytes))
}

/// A rule sheet from bytes, which need not be proper text; how it begins and
/// the extension of its file tell the syntax.
pub fn from_bytes(name: String, place: String, extension: Option<&str>, bytes: Vec<u8>) -> Source {
    let broken = std::str::from_utf8(&bytes).is_err();
    let (text, _) = gdl::decode(&bytes);
    let syntax = Syntax::guess(&text, extension);
    let text: Arc<str> = Arc::from(&*text);
    let bytes = broken.then(|| Arc::from(bytes));
    Source {
        name,
        argument: place.clone(),
        place,
        syntax,
        text,
        bytes,
        about: None,
        style: None,
        stylesheet: None,
        grammar: None,
    }
}

pub(crate) fn sheet_in(folder: &Path) -> Option<PathBuf> {
    let sheets = ["rules.kif", "rules.hrf"].map(|file| folder.join(file));
    let grammar = folder.join("rules.gps");
    sheets.into_iter().find(|path| path.is_file()).or_else(|| grammar.is_dir().then_some(grammar))
}

pub(crate) fn from_folder(folder: &Path, sheet: &Path) -> Result<Source, SourceError> {
    let mut source = read_path(sheet)?;
    if let Some(name) = folder.file_name().and_then(|name| name.to_str()) {
        source.name = name.to_string();
    }
    if let Ok(about) = fs::read_to_string(folder.join("about.toml")) {
        source.about = toml::from_str(&about).ok();
    }
    if let Ok(board) = fs::read_to_string(folder.join("board.toml")) {
        source.style =
            Some(Style::read(&board).map_err(|error| SourceError::Unsupported(error.to_string()))?);
    }
    Ok(source)
}
