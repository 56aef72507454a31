//! Merging shards.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use super::plan::Plan;
use super::result::{MatchResult, Results, line};
use super::sequence::Sequence;
use super::shard::{Shard, whole_lines};

/// What was found in a folder.
#[derive(Debug, Clone, Default)]
pub struct Collected {
    /// The results, by number; for a sequential test, only those up to its end.
    pub results: Results,
    /// The number of result files read.
    pub files: usize,
    /// The number of duplicate results.
    pub duplicates: u64,
    /// The number of duplicates that differ, as they may if players think by the clock. The result that
    /// sorts first as text is used.
    pub conflicts: u64,
    /// Files of finished shards that are incomplete. Their valid results were used.
    pub damaged: Vec<Damaged>,
    /// Shards without a file of which matches are missing; none if no further matches are needed. They are as
    /// many parts as those that were found.
    pub missing: Vec<Shard>,
}

/// A file that should contain all matches of a shard but does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damaged {
    /// The name of the file.
    pub file: String,
    /// The shard.
    pub shard: Shard,
    /// The number of matches of the shard found in it.
    pub found: u64,
    /// The number of matches of the shard.
    pub planned: u64,
}

/// Merges all results of a plan in a folder by match number. It makes no difference which files they are
/// in, or how often.
pub fn collect(plan: &Plan, folder: &Path) -> io::Result<Collected> {
    let digest = plan.digest();
    let begin = format!("shard-{digest}-");
    let mut names: Vec<_> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    names.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&begin)));
    names.sort();
    let planned = plan.matches();
    let mut found: BTreeMap<u64, (MatchResult, String)> = BTreeMap::new();
    let mut collected = Collected::default();
    let mut shards: Vec<Shard> = Vec::new();
    for path in names {
        collected.files += 1;
        let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
        let results = whole_lines(&text, plan, &planned);
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let shard = Shard::of_file(&file, &digest);
        shards.extend(shard);
        if let Some(shard) = shard
            && !shard.is_whole(&text, &results, plan)
        {
            let (found, planned) = (shard.found(&results), shard.matches_of(plan.len()));
            collected.damaged.push(Damaged { file: file.into_owned(), shard, found, planned });
        }
        for result in results {
            let text = line(&result);
            match found.get_mut(&result.number) {
                None => {
                    found.insert(result.number, (result, text));
                }
                Some(other) => {
                    collected.duplicates += 1;
                    collected.conflicts += u64::from(other.1 != text);
                    if text < other.1 {
                        *other = (result, text);
                    }
                }
            }
        }
    }
    let mut all: Vec<Option<MatchResult>> = vec![None; planned.len()];
    for (number, (result, _)) in found {
        all[number as usize] = Some(result);
    }
    let mut sequence = Sequence::new(plan);
    if let Some(sequence) = &mut sequence {
        sequence.look(plan, &all);
    }
    collected.results = Sequence::results(sequence.as_ref(), all);
    if !collected.results.complete {
        collected.missing = missing(&shards, &collected.results, plan);
    }
    Ok(collected)
}

/// Returns the shards that have no file and of which matches are missing.
fn missing(shards: &[Shard], results: &Results, plan: &Plan) -> Vec<Shard> {
    let counts: BTreeSet<u64> = shards.iter().map(|shard| shard.count).collect();
    let all = counts.into_iter().flat_map(|count| {
        // More parts than matches are empty.
        (0..count.min(plan.len())).map(move |index| Shard { index, count })
    });
    let lacks = |shard: &Shard| {
        !shards.contains(shard) && shard.found(&results.matches) < shard.matches_of(plan.len())
    };
    all.filter(lacks).collect()
}
