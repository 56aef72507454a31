//! A folder of games in any of three layouts.
//!
//! The layouts are: one folder per game, as in our own library (`<name>/rules.kif`); a checkout
//! of the public game repository, where `METADATA` files name the rule sheets; and rules side by
//! side. A folder may mix them. A name must be a single path component, so it cannot lead out of
//! the folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use crate::languages::{extensions, is_listed};
use crate::library::{from_folder, read_path, rules_in};
use crate::repository::Repository;
use crate::source::{Source, SourceError};

/// The maximum number of games that are listed.
const MOST: usize = 20_000;
/// Where the games of a checkout are.
const INNER: [&str; 4] = ["war/root/games", "root/games", "games/games", "games"];

/// A folder of games.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    root: PathBuf,
    /// Where its games are; found on first use.
    place: OnceLock<PathBuf>,
}

/// The layout of one game.
enum Entry {
    /// A folder with these rules.
    Own(PathBuf),
    /// A folder of the public game repository.
    Published,
    /// Rules without a folder of their own.
    Loose(PathBuf),
}

impl Folder {
    pub(crate) fn new(root: impl Into<PathBuf>) -> Folder {
        Folder { root: root.into(), place: OnceLock::new() }
    }

    /// Returns the name of the folder.
    pub(crate) fn label(&self) -> String {
        let whole = fs::canonicalize(&self.root).unwrap_or_else(|_| self.root.clone());
        let name = whole.file_name().map(|name| name.to_string_lossy().into_owned());
        // In `folder:game`, the colon ends the name of the folder.
        name.unwrap_or_else(|| "folder".to_string()).replace(':', "_")
    }

    /// Finds the folder that contains the games: the folder itself, or an inner one in a checkout.
    fn games(&self) -> Result<PathBuf, SourceError> {
        if !entries(&self.root)?.is_empty() {
            return Ok(self.root.clone());
        }
        let inner = INNER.map(|inner| self.root.join(inner));
        let found = inner.into_iter().find(|inner| entries(inner).is_ok_and(|found| !found.is_empty()));
        Ok(found.unwrap_or_else(|| self.root.clone()))
    }

    fn place(&self) -> Result<&Path, SourceError> {
        if self.place.get().is_none() {
            let _ = self.place.set(self.games()?);
        }
        Ok(self.place.get().unwrap_or(&self.root))
    }

    /// Returns the names of the games, in alphabetical order.
    pub(crate) fn names(&self) -> Result<Vec<String>, SourceError> {
        Ok(entries(self.place()?)?.into_keys().collect())
    }

    /// Returns the game with this name, if there is one.
    pub(crate) fn find(&self, name: &str) -> Result<Option<Source>, SourceError> {
        let place = self.place()?;
        let parts: Vec<Component<'_>> = Path::new(name).components().collect();
        if !matches!(parts[..], [Component::Normal(only)] if only == name) {
            return Ok(None);
        }
        // The same order as in `entries`.
        let mut endings: Vec<&str> = extensions().collect();
        endings.sort_unstable();
        let endings = endings.into_iter().map(|ending| place.join(format!("{name}.{ending}")));
        let mut files = std::iter::once(place.join(name)).chain(endings);
        Ok(Some(match files.find_map(|path| entry(&path)) {
            None => return Ok(None),
            Some(Entry::Own(rules)) => from_folder(&place.join(name), &rules)?,
            Some(Entry::Published) => Repository::open(place).find(name)?,
            Some(Entry::Loose(path)) => Source { name: name.to_string(), ..read_path(&path)? },
        }))
    }
}

/// Returns the games in a folder, by name.
fn entries(folder: &Path) -> Result<BTreeMap<String, Entry>, SourceError> {
    let place = folder.display().to_string();
    let listed = fs::read_dir(folder).map_err(|e| SourceError::unreadable(place, &e))?;
    let mut paths: Vec<PathBuf> = listed.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut found = BTreeMap::new();
    for path in paths {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if name.starts_with('.') || found.len() >= MOST {
            continue;
        }
        match entry(&path) {
            None => {}
            Some(entry @ Entry::Loose(_)) => {
                let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
                let name = if found.contains_key(stem) { name } else { stem };
                found.insert(name.to_string(), entry);
            }
            Some(entry) => {
                found.insert(name.to_string(), entry);
            }
        }
    }
    Ok(found)
}

/// Returns the game at a path, if it is one.
fn entry(path: &Path) -> Option<Entry> {
    if is_listed(path) {
        return Some(Entry::Loose(path.to_path_buf()));
    }
    let published = || path.join("METADATA").is_file().then_some(Entry::Published);
    rules_in(path).map(Entry::Own).or_else(published)
}
