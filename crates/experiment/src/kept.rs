//! What came of a part as a file in a folder of results.
//!
//! Matches are kept as an [`Archive`], everything else as JSON. Full results of
//! matches (`PART.jsonl`, as `tafl tournament` writes them) are read where there
//! is no archive.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tournament::{Archive, Comparison, Plan};

use super::outcome::{ExperimentError, Outcome, PartError};
use super::spec::{Part, PartKind};

impl Outcome {
    /// The file that a part's outcome is kept in.
    pub fn file(part: &Part) -> String {
        match &part.kind {
            PartKind::Tournament(_) => format!("{}.results.gz", part.name),
            _ => format!("{}.json", part.name),
        }
    }

    /// The file in a folder that a part's outcome is read from, if there is one.
    pub fn path(part: &Part, folder: &Path) -> Option<PathBuf> {
        let kept = folder.join(Outcome::file(part));
        let full = || {
            let path = folder.join(format!("{}.jsonl", part.name));
            matches!(part.kind, PartKind::Tournament(_)).then_some(path).filter(|path| path.is_file())
        };
        Some(kept).filter(|path| path.is_file()).or_else(full)
    }

    /// Reads what is kept of a part in a folder; none where nothing is. Of matches
    /// from an archive the hash of moves is not known.
    pub fn read(part: &Part, folder: &Path) -> Result<Option<Outcome>, ExperimentError> {
        let Some(path) = Outcome::path(part, folder) else { return Ok(None) };
        if let PartKind::Tournament(ready) = &part.kind
            && path.extension().is_some_and(|extension| extension == "gz")
        {
            let archive = archive(part, ready.plan(), &path)?;
            return Ok(Some(Outcome::Tournament(Box::new(ready.plan().clone()), archive.results)));
        }
        let text = fs::read_to_string(&path).map_err(|error| unreadable(part, &path, error))?;
        Outcome::parse(part, &text, &path.display().to_string()).map(Some)
    }

    /// Writes it into a folder. Matches that come from an archive are refused: their
    /// digest cannot be told, and they are kept already.
    pub fn keep(&self, part: &Part, folder: &Path) -> io::Result<()> {
        let bytes = match self {
            Outcome::Tournament(plan, results) => {
                let archive = Archive::of(results, plan);
                let archive =
                    archive.ok_or_else(|| io::Error::other("the moves of its matches are not known"))?;
                archive.write(plan)
            }
            _ => self.write().into_bytes(),
        };
        fs::create_dir_all(folder)?;
        fs::write(folder.join(Outcome::file(part)), bytes)
    }

    /// Compares the outcome of another run with what is kept in a folder; none where
    /// nothing is.
    pub fn compare(&self, part: &Part, folder: &Path) -> Result<Option<Comparison>, ExperimentError> {
        let path = folder.join(Outcome::file(part));
        if !path.is_file() {
            return Ok(None);
        }
        if let Outcome::Tournament(plan, results) = self {
            return Ok(Some(archive(part, plan, &path)?.compare(results, plan)));
        }
        let kept = fs::read_to_string(&path).map_err(|error| unreadable(part, &path, error))?;
        let place = path.display().to_string();
        let same = match (self, Outcome::parse(part, &kept, &place)?) {
            (Outcome::Playouts(ours), Outcome::Playouts(theirs)) => ours.is_same_as(&theirs),
            _ => kept == self.write(),
        };
        Ok(Some(if same { Comparison::Same } else { Comparison::Differs { matches: Vec::new() } }))
    }
}

impl Part {
    /// Whether another run must come to the same: matches in which nobody thinks by the
    /// clock, and random games.
    pub fn is_repeatable(&self) -> bool {
        match &self.kind {
            PartKind::Tournament(ready) => ready.plan().repeatable,
            PartKind::Playouts { .. } => true,
            _ => false,
        }
    }
}

fn archive(part: &Part, plan: &Plan, path: &Path) -> Result<Archive, ExperimentError> {
    let bytes = fs::read(path).map_err(|cause| unreadable(part, path, cause))?;
    let place = path.display().to_string();
    Archive::read(&bytes, plan).map_err(|cause| part.failed(PartError::Archive { place, cause }))
}

fn unreadable(part: &Part, path: &Path, cause: io::Error) -> ExperimentError {
    part.failed(PartError::Unreadable { place: path.display().to_string(), cause })
}
