//! The files of a grammar, read from a folder or a zip file.
//!
//! Reading is bounded by the number of files, the size of each file, their total size, and the
//! depth of folders. Names are relative paths with `/`, in alphabetical order.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;

use crate::GrammarError;

/// The files of a grammar, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bundle {
    /// The name of the grammar.
    pub name: String,
    /// File contents by name, such as `win/row.gpr`.
    pub files: BTreeMap<String, String>,
}

/// The maximum number of files in a grammar.
const MAX_FILES: usize = 5_000;
/// The maximum size of one file in bytes.
const MAX_FILE: u64 = 256 << 20;
/// The maximum total size of all files in bytes.
const MAX_TOTAL: u64 = 512 << 20;
/// The maximum nesting depth of folders.
const MAX_DEPTH: usize = 16;

/// Returns `true` if a file with this name is part of a grammar.
fn is_part(name: &str) -> bool {
    let ending = name.rsplit('.').next().unwrap_or_default();
    matches!(ending, "gst" | "gpr" | "gty" | "gcp") || name.ends_with("system.properties")
}

impl Bundle {
    /// Reads a folder or a zip file.
    pub fn read(path: &Path) -> Result<Bundle, GrammarError> {
        let place = path.display().to_string();
        let mut bundle = if path.is_dir() {
            let mut bundle = Bundle::default();
            let mut total = 0;
            bundle.folder(path, "", 0, &mut total)?;
            bundle
        } else {
            let missing =
                |e: std::io::Error| GrammarError::new(&place, format!("cannot read the graph grammar: {e}."));
            let size = fs::metadata(path).map_err(missing)?.len();
            if size > MAX_FILE {
                return Err(GrammarError::new(place, "the file is too large for a grammar."));
            }
            let bytes = fs::read(path).map_err(|e| GrammarError::new(&place, format!("{e}.")))?;
            Bundle::packed(&place, &bytes)?
        };
        if bundle.files.is_empty() {
            let text = "this is not a grammar: a grammar is a folder or zip file with .gst and .gpr files.";
            return Err(GrammarError::new(place, text));
        }
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or("grammar");
        bundle.name = name.trim_end_matches(".gps").to_string();
        Ok(bundle)
    }

    fn folder(
        &mut self,
        path: &Path,
        prefix: &str,
        depth: usize,
        total: &mut u64,
    ) -> Result<(), GrammarError> {
        let place = path.display().to_string();
        let wrong = |e: std::io::Error| GrammarError::new(&place, format!("{e}."));
        if depth > MAX_DEPTH {
            return Err(GrammarError::new(&place, "folders are nested too deeply."));
        }
        let mut entries: Vec<_> = fs::read_dir(path).map_err(wrong)?.flatten().map(|e| e.path()).collect();
        entries.sort();
        for entry in entries {
            let Some(name) = entry.file_name().and_then(|name| name.to_str()) else { continue };
            let full = format!("{prefix}{name}");
            if entry.is_dir() {
                self.folder(&entry, &format!("{full}/"), depth + 1, total)?;
            } else if is_part(&full) {
                let size = fs::metadata(&entry).map_err(wrong)?.len();
                *total += size;
                if size > MAX_FILE || *total > MAX_TOTAL || self.files.len() >= MAX_FILES {
                    return Err(GrammarError::new(full, "the grammar is too large."));
                }
                let bytes = fs::read(&entry).map_err(wrong)?;
                self.files.insert(full, String::from_utf8_lossy(&bytes).into_owned());
            }
        }
        Ok(())
    }

    /// Unpacks a zip file. If all files are in one folder, that folder is left out of their names.
    pub fn packed(place: &str, bytes: &[u8]) -> Result<Bundle, GrammarError> {
        let wrong = |text: String| GrammarError::new(place, text);
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|e| {
            wrong(format!("a graph grammar is a folder or a zip file, and this is not a zip file: {e}."))
        })?;
        let mut files = BTreeMap::new();
        let mut total = 0;
        if archive.len() > 4 * MAX_FILES {
            return Err(wrong("too many files.".to_string()));
        }
        for index in 0..archive.len() {
            let entry = archive.by_index(index).map_err(|e| wrong(format!("entry {index}: {e}.")))?;
            let name = entry.name().map_err(|e| wrong(format!("entry {index}: {e}.")))?;
            let name = name.replace('\\', "/").trim_start_matches("./").to_string();
            if entry.is_dir() || !is_part(&name) {
                continue;
            }
            let mut content = Vec::new();
            let left = MAX_FILE.min(MAX_TOTAL - total);
            let read = entry.take(left + 1).read_to_end(&mut content);
            read.map_err(|e| wrong(format!("{name}: {e}.")))?;
            total += content.len() as u64;
            if content.len() as u64 > left || files.len() >= MAX_FILES {
                return Err(wrong(format!("{name}: the unpacked grammar is too large.")));
            }
            files.insert(name, String::from_utf8_lossy(&content).into_owned());
        }
        let name =
            Path::new(place).file_stem().and_then(|name| name.to_str()).unwrap_or("grammar").to_string();
        Ok(Bundle { name, files: without_common_folder(files) })
    }

    /// Creates a bundle from files in memory.
    pub fn of<'a>(name: &str, files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Bundle {
        let files = files.into_iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
        Bundle { name: name.to_string(), files }
    }

    /// Returns the files with this extension: qualified name, file name and text.
    pub(crate) fn with_ending(&self, ending: &str) -> impl Iterator<Item = (String, &str, &str)> {
        let ending = format!(".{ending}");
        self.files.iter().filter_map(move |(file, text)| {
            let name = file.strip_suffix(&ending)?;
            Some((name.replace('/', "."), file.as_str(), text.as_str()))
        })
    }
}

fn without_common_folder(files: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let Some(folder) =
        files.keys().next().and_then(|name| name.split_once('/')).map(|(f, _)| format!("{f}/"))
    else {
        return files;
    };
    let root_file = files.keys().any(|name| name.strip_prefix(&folder).is_none());
    if root_file {
        return files;
    }
    let strip = |name: String| name[folder.len()..].to_string();
    files.into_iter().map(|(name, text)| (strip(name), text)).collect()
}
