//! The outcome of a part as a file in a folder of results.
//!
//! Matches are stored as an [`Archive`], everything else as JSON. If there is no archive, full results of
//! matches (`PART.jsonl`, as written by `tafl tournament`) are read instead. Beside it, `PART.expected` says
//! what was expected when the part was run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tournament::{Archive, Comparison, Plan};

use super::foresight::Expected;
use super::outcome::{ExperimentError, Outcome, PartError};
use super::spec::{Part, PartKind};

impl Outcome {
    /// Returns the name of the file for the outcome of a part.
    pub fn file(part: &Part) -> String {
        match &part.kind {
            PartKind::Tournament(_) => format!("{}.results.gz", part.name),
            _ => format!("{}.json", part.name),
        }
    }

    /// Returns the file in a folder from which the outcome of a part is read, if there is one.
    pub fn path(part: &Part, folder: &Path) -> Option<PathBuf> {
        let kept = folder.join(Outcome::file(part));
        let full = || {
            let path = folder.join(format!("{}.jsonl", part.name));
            matches!(part.kind, PartKind::Tournament(_)).then_some(path).filter(|path| path.is_file())
        };
        Some(kept).filter(|path| path.is_file()).or_else(full)
    }

    /// Reads the stored outcome of a part from a folder, or `None` if there is none. Matches from an
    /// archive have no hashes of moves.
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

    /// Writes the outcome into a folder, and beside it what was expected of it when the part was run, if
    /// that is known. Matches that come from an archive are refused: their digest is
    /// unknown, and they are already stored.
    pub fn keep(&self, part: &Part, expected: Option<&Expected>, folder: &Path) -> io::Result<()> {
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
        Expected::keep(expected, part, self, folder)?;
        fs::write(folder.join(Outcome::file(part)), bytes)
    }

    /// Compares the outcome of another run with the one stored in a folder. Returns `None` if there is
    /// none.
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
    /// Returns `true` if another run must give the same outcome: for matches in which nobody thinks by the
    /// clock, and for random games.
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
