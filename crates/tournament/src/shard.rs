//! A part of a plan that is played separately.
//!
//! A worker is a pure function of plan and shard: it plays the matches whose number modulo the shard count
//! is the shard's index, and writes them into a file that appears only when it is complete. It may be run
//! twice, killed at any moment, or run at the same time elsewhere: it reuses the results that it finds, and
//! files of the same shard contain the same matches.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use arena::NoJournal;

use super::engine::{Begun, Played, Quiet, play_all};
use super::plan::{Plan, Planned};
use super::ready::Ready;
use super::result::{MatchResult, line};
use super::run::{RunError, RunOptions};

/// The `index`-th of `count` parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// The index, from 0.
    pub index: u64,
    /// The number of parts.
    pub count: u64,
}

/// A text that is not a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it must be i/N with i from 0 to N-1, such as 0/10")]
pub struct ShardError;

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let (index, count) = text.split_once('/').ok_or(ShardError)?;
        let shard = Shard {
            index: index.trim().parse().map_err(|_| ShardError)?,
            count: count.trim().parse().map_err(|_| ShardError)?,
        };
        (shard.index < shard.count).then_some(shard).ok_or(ShardError)
    }
}

impl Shard {
    /// Returns its matches.
    pub fn matches(self, plan: &Plan) -> Vec<Planned> {
        plan.matches().into_iter().filter(|planned| planned.number % self.count == self.index).collect()
    }

    /// Returns the name of its file.
    pub fn file(self, plan: &Plan) -> String {
        format!("{}.jsonl", self.stem(plan))
    }

    /// Returns the shard whose file has this name, if it belongs to the plan with this digest.
    pub(crate) fn of_file(name: &str, digest: &str) -> Option<Shard> {
        let rest = name.strip_prefix("shard-")?.strip_prefix(digest)?.strip_prefix('-')?;
        let (index, count) = rest.strip_suffix(".jsonl")?.split_once("-of-")?;
        format!("{index}/{count}").parse().ok()
    }

    /// Returns how many of its matches are among these results.
    pub(crate) fn found(self, results: &[MatchResult]) -> u64 {
        let own = results.iter().map(|result| result.number).filter(|n| n % self.count == self.index);
        own.collect::<BTreeSet<u64>>().len() as u64
    }

    /// Returns the number of its matches in a plan with `total` matches.
    pub(crate) fn matches_of(self, total: u64) -> u64 {
        total / self.count + u64::from(total % self.count > self.index)
    }

    /// Returns `true` if a text, with these valid results, contains all its matches and nothing else.
    pub(crate) fn is_whole(self, text: &str, results: &[MatchResult], plan: &Plan) -> bool {
        let planned = self.matches_of(plan.len());
        text.lines().count() as u64 == planned && self.found(results) == planned
    }

    fn stem(self, plan: &Plan) -> String {
        format!("shard-{}-{:05}-of-{:05}", plan.digest(), self.index, self.count)
    }
}

/// Plays a shard and writes its file into `folder`. Returns the file, or `None` if it was interrupted. An
/// existing file is used if it is complete. Otherwise its valid results are kept, and the rest is played
/// again.
pub fn work(
    ready: &Ready,
    shard: Shard,
    folder: &Path,
    options: &RunOptions,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Option<PathBuf>, WorkError> {
    let plan = ready.plan();
    let target = folder.join(shard.file(plan));
    let failed = |path: &Path, error: io::Error| WorkError::File(path.display().to_string(), error);
    let planned = shard.matches(plan);
    let text = text_of(&target);
    let mut results = whole_lines(&text, plan, &planned);
    if target.is_file() && shard.is_whole(&text, &results, plan) {
        return Ok(Some(target));
    }
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    for part in parts(folder, &shard.stem(plan)).map_err(|error| failed(folder, error))? {
        results.extend(whole_lines(&text_of(&part), plan, &planned));
    }
    let mut done: BTreeMap<u64, String> = BTreeMap::new();
    for result in results {
        done.entry(result.number).or_insert_with(|| line(&result));
    }
    let part = folder.join(format!("{}.part-{}", shard.stem(plan), unique()));
    let mut file = File::create(&part).map_err(|error| failed(&part, error))?;
    for text in done.values() {
        file.write_all(text.as_bytes()).map_err(|error| failed(&part, error))?;
    }
    let open: Vec<Planned> = planned.iter().filter(|p| !done.contains_key(&p.number)).copied().collect();
    let desk = Mutex::new((file, done));
    let begin = |_| Ok(Begun { past: Vec::new(), journal: Box::new(NoJournal) });
    let take = |played: Played| {
        if let Some(result) = MatchResult::of(plan, played.planned, &played.record) {
            let text = line(&result);
            let mut desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
            desk.0.write_all(text.as_bytes()).map_err(|error| failed(&part, error))?;
            desk.1.insert(result.number, text);
            progress(desk.1.len() as u64, shard.matches_of(plan.len()));
        }
        Ok(ControlFlow::Continue(()))
    };
    play_all::<WorkError>(ready, &open, options, &Quiet, &begin, &take)?;
    let (file, done) = desk.into_inner().unwrap_or_else(PoisonError::into_inner);
    drop(file);
    if done.len() != planned.len() {
        return Ok(None);
    }
    let text: String = done.into_values().collect();
    settle(&part, &text).map_err(|error| failed(&part, error))?;
    fs::rename(&part, &target).map_err(|error| failed(&target, error))?;
    // Partial files are no longer needed, but another worker may still be writing one. Only old ones are
    // removed.
    for part in parts(folder, &shard.stem(plan)).unwrap_or_default() {
        let old = fs::metadata(&part).and_then(|found| found.modified()).ok();
        if old.and_then(|at| at.elapsed().ok()).is_some_and(|age| age.as_secs() > 3600) {
            let _ = fs::remove_file(part);
        }
    }
    Ok(Some(target))
}

/// Why a shard could not be played.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// A match could not be played.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A file could not be written or read.
    #[error("{0}: {1}.")]
    File(String, io::Error),
}

/// Writes a file and waits until it is on disk.
fn settle(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Returns what can be read of a file.
fn text_of(path: &Path) -> String {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// Returns the partial files of a shard from earlier or other workers.
fn parts(folder: &Path, stem: &str) -> io::Result<Vec<PathBuf>> {
    let begin = format!("{stem}.part-");
    let is_part =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&begin));
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder)?.flatten().map(|entry| entry.path()).filter(is_part).collect();
    found.sort();
    Ok(found)
}

/// Returns the valid results in a text whose last line may be cut off. What does not belong to the plan is
/// left out.
pub(crate) fn whole_lines(text: &str, plan: &Plan, planned: &[Planned]) -> Vec<MatchResult> {
    let fits = |result: &MatchResult| {
        let found = planned.binary_search_by_key(&result.number, |planned| planned.number);
        found.is_ok_and(|at| result.fits(plan, planned[at]))
    };
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).filter(fits).collect()
}

/// Returns a name that no other worker uses.
fn unique() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host: String = host.trim().chars().filter(char::is_ascii_alphanumeric).collect();
    format!("{host}-{}-{now}", std::process::id())
}
