//! The library: finding rules by name.
//!
//! A game argument is a name in the library, a path, or `folder:key` for a checkout of the public
//! game repository. The library is embedded in the binary; a folder of games can replace it, and
//! other folders can be opened in addition.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use game::did_you_mean;
use reasoner::{Making, Observer};
use rules::Strictness;

use crate::folder::Folder;
use crate::languages::{Language, languages, lies, own_file, reader_of};
use crate::loaded::Loaded;
use crate::repository::Repository;
use crate::source::{Source, SourceError};
use crate::style::Style;

/// A game of the embedded library.
struct Embedded {
    name: &'static str,
    /// The names and texts of the files that contain the rules: `rules.kif`, `rules.gps/start.gst`.
    rules: &'static [(&'static str, &'static str)],
    about: &'static str,
    board: &'static str,
}

impl Embedded {
    /// Returns the rules of the game in a language, if there are any.
    fn written_in(&self, language: &'static dyn Language) -> Option<Source> {
        let file = own_file(language);
        let mut source = Source::new(language, self.name, format!("games/{}/{file}", self.name));
        if language.is_folder() {
            let inside = |name: &str| Some(name.strip_prefix(&file)?.strip_prefix('/')?.to_string());
            let files = self.rules.iter().filter_map(|&(name, text)| Some((inside(name)?, text.to_string())));
            source.files = Arc::new(files.collect());
            return (!source.files.is_empty()).then_some(source);
        }
        let (_, text) = self.rules.iter().find(|(name, _)| *name == file)?;
        source.text = Arc::from(*text);
        Some(source)
    }
}

static EMBEDDED: &[Embedded] = include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// The games that are known by name.
#[derive(Debug, Clone, Default)]
pub struct Library {
    folder: Option<Folder>,
    /// Additional folders, each with the prefix of its games' names.
    opened: Vec<(String, Folder)>,
    /// How games are made.
    making: Making,
}

impl Library {
    /// Returns the library embedded in this program.
    pub fn embedded() -> Library {
        Library::default()
    }

    /// Returns the library in a folder, which contains one folder per game, a checkout of the public
    /// game repository, or rule sheets side by side.
    pub fn folder(folder: impl Into<PathBuf>) -> Library {
        Library { folder: Some(Folder::new(folder)), ..Library::default() }
    }

    /// Opens an additional folder of games. Its games are called `label:name`, where the label is the
    /// name of the folder, with a number if that is taken.
    pub fn with(mut self, folder: impl Into<PathBuf>) -> Library {
        let folder = Folder::new(folder);
        let label = folder.label();
        let taken = |label: &String| self.opened.iter().any(|(known, _)| known == label);
        let numbered = (2..).map(|number| format!("{label}-{number}"));
        let label = std::iter::once(label.clone()).chain(numbered).find(|label| !taken(label));
        self.opened.extend(label.map(|label| (label, folder)));
        self
    }

    /// Sets the observer that is called with the progress of making a game.
    pub fn watched_by(self, observer: Observer) -> Library {
        Library { making: Making { observer: Some(observer), ..self.making }, ..self }
    }

    /// Finds, parses and checks a game.
    pub fn load(&self, argument: &str, strictness: Strictness) -> Result<Loaded, SourceError> {
        let mut loaded = Loaded::new(self.find(argument)?, strictness);
        loaded.making = self.making.clone();
        Ok(loaded)
    }

    /// Returns `true` if names without a label refer to the embedded library.
    pub fn is_embedded(&self) -> bool {
        self.folder.is_none()
    }

    /// Returns the names in alphabetical order, followed by those of additional folders.
    pub fn names(&self) -> Result<Vec<String>, SourceError> {
        let mut names = match &self.folder {
            None => {
                let playable = |game: &&Embedded| {
                    languages().iter().any(|language| game.written_in(*language).is_some())
                };
                EMBEDDED.iter().filter(playable).map(|game| game.name.to_string()).collect()
            }
            Some(folder) => folder.names()?,
        };
        for (label, folder) in &self.opened {
            names.extend(folder.names()?.into_iter().map(|name| format!("{label}:{name}")));
        }
        Ok(names)
    }

    /// Finds the rules that a game argument refers to.
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
            && let Some(rules) = rules_in(path)
        {
            return from_folder(path, &rules);
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
            // A path may name a folder, even one that does not exist, so it is not looked up as a name.
            return if name.contains(['/', '\\']) { Ok(None) } else { folder.find(name) };
        }
        if name.contains(['/', '\\', '.']) {
            return Ok(None);
        }
        let Some(game) = EMBEDDED.iter().find(|game| game.name == name) else { return Ok(None) };
        let Some(source) = languages().iter().find_map(|language| game.written_in(*language)) else {
            return Ok(None);
        };
        Ok(Some(Source {
            argument: name.to_string(),
            about: toml::from_str(game.about).ok(),
            style: Style::read(game.board).ok(),
            ..source
        }))
    }
}

/// Reads rules from a path; its extension determines the language.
pub fn read_path(path: &Path) -> Result<Source, SourceError> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    reader_of(&extension.to_ascii_lowercase()).read(path)
}

/// Returns the path of the rules in a game's own folder.
pub(crate) fn rules_in(folder: &Path) -> Option<PathBuf> {
    let in_language = |language: &&dyn Language| {
        Some(folder.join(own_file(*language))).filter(|path| lies(*language, path))
    };
    languages().iter().find_map(in_language)
}

pub(crate) fn from_folder(folder: &Path, rules: &Path) -> Result<Source, SourceError> {
    let mut source = read_path(rules)?;
    if let Some(name) = folder.file_name().and_then(|name| name.to_str()) {
        source.name = name.to_string();
    }
    if let Ok(about) = fs::read_to_string(folder.join("about.toml")) {
        source.about = toml::from_str(&about).ok();
    }
    if let Ok(board) = fs::read_to_string(folder.join("board.toml")) {
        source.style = Some(Style::read(&board)?);
    }
    Ok(source)
}
