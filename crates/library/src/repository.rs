//! A checkout of the public game repository.
//!
//! Games are in `war/root/games/<key>/` (or `games/<key>/`), each with a `METADATA` file that names
//! its rule sheet. Later versions are in `v1/`, `v2/`, … and contain only the files that changed: a
//! file of version k is looked up in `vk/`, then in `v(k-1)/` and so on down to the folder itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use game::did_you_mean;
use serde::Deserialize;

use crate::library::read_path;
use crate::source::{About, Source, SourceError};
use crate::stylesheet::StylesheetText;

/// A bound on the search for versions; no game has nearly as many.
const MAX_VERSION: u32 = 1000;

#[derive(Debug, Deserialize)]
struct Metadata {
    rulesheet: String,
    #[serde(rename = "gameName", default)]
    game_name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    stylesheet: String,
}

/// A folder with the layout of the repository.
#[derive(Debug, Clone)]
pub struct Repository {
    games: PathBuf,
}

impl Repository {
    /// Opens the repository in this folder: its root, or the folder of its games.
    pub fn open(folder: impl AsRef<Path>) -> Repository {
        let folder = folder.as_ref();
        let inner = ["war/root/games", "root/games", "games/games", "games"].map(|inner| folder.join(inner));
        let games = inner.into_iter().find(|inner| inner.is_dir()).unwrap_or_else(|| folder.to_path_buf());
        Repository { games }
    }

    /// Returns the keys of its games, in alphabetical order.
    pub fn keys(&self) -> Result<Vec<String>, SourceError> {
        let place = self.games.display().to_string();
        let entries = fs::read_dir(&self.games).map_err(|e| SourceError::unreadable(place, &e))?;
        let mut keys: Vec<String> = entries
            .flatten()
            .filter(|entry| entry.path().join("METADATA").is_file())
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        keys.sort();
        Ok(keys)
    }

    /// Returns the newest version of a game, or a particular one if the key ends with it: `key/v1`.
    pub fn find(&self, key: &str) -> Result<Source, SourceError> {
        let (key, wanted) = match key.trim_end_matches('/').rsplit_once("/v") {
            Some((key, version)) if !version.is_empty() => (key, version.parse::<u32>().ok()),
            _ => (key.trim_end_matches('/'), None),
        };
        let folder = self.games.join(key);
        if key.is_empty() || key.contains("..") || !folder.is_dir() {
            let keys = self.keys()?;
            let hint = did_you_mean(key, keys.iter().map(String::as_str));
            let place = self.games.display().to_string();
            return Err(SourceError::NoKey { key: key.to_string(), place, hint });
        }
        let newest =
            (1..MAX_VERSION).take_while(|v| folder.join(format!("v{v}")).is_dir()).last().unwrap_or(0);
        let version = wanted.unwrap_or(newest);
        if version > newest {
            return Err(SourceError::NoVersion { key: key.to_string(), newest, version });
        }
        let metadata_path = resolve(&folder, version, "METADATA");
        let place = metadata_path.display().to_string();
        let text = fs::read_to_string(&metadata_path).map_err(|e| SourceError::unreadable(&place, &e))?;
        let metadata: Metadata = serde_json::from_str(&text)
            .map_err(|cause| SourceError::Metadata { place, cause: Arc::new(cause) })?;
        let description = fs::read_to_string(resolve(&folder, version, &metadata.description));
        let mut source = read_path(&resolve(&folder, version, &metadata.rulesheet))?;
        source.name = key.to_string();
        source.stylesheet = self.stylesheet(&resolve(&folder, version, &metadata.stylesheet), &metadata);
        source.about = Some(About {
            title: if metadata.game_name.is_empty() { key.to_string() } else { metadata.game_name },
            description: description.unwrap_or_default().trim().to_string(),
            source: format!("public game repository, {key}, version {version}"),
            ..About::default()
        });
        Ok(source)
    }
}

impl Repository {
    /// Reads the stylesheet of a game, if it has one. Images are in a folder next to that of the games.
    fn stylesheet(
        &self,
        path: &Path,
        metadata: &Metadata,
    ) -> Option<Result<Arc<StylesheetText>, SourceError>> {
        if metadata.stylesheet.is_empty() || metadata.stylesheet.contains("..") {
            return None;
        }
        let resources = self.games.parent().unwrap_or(&self.games).join("resources");
        let text = fs::read(path).map_err(|e| SourceError::unreadable(path.display().to_string(), &e));
        let text = text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Some(text.map(|text| Arc::new(StylesheetText { text, resources })))
    }
}

/// Returns the path of a file in this version: in its folder or in the latest earlier one that has it.
fn resolve(folder: &Path, version: u32, file: &str) -> PathBuf {
    let versions = (1..=version).rev().map(|v| folder.join(format!("v{v}")).join(file));
    versions.into_iter().find(|path| path.is_file()).unwrap_or_else(|| folder.join(file))
}
