//! Shards put together.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use super::plan::Plan;
use super::result::{MatchResult, Results, line};
use super::shard::whole_lines;

/// What was found in a folder.
#[derive(Debug, Clone, Default)]
pub struct Collected {
    /// The results, by number.
    pub results: Results,
    /// Files of results that were read.
    pub files: usize,
    /// Matches that were found more than once.
    pub duplicates: u64,
    /// Matches found more than once with different results, as can be where players
    /// think by the clock. The one that is first as text is taken.
    pub conflicts: u64,
}

/// Merges all results of a plan in a folder by the numbers of matches; which
/// files they are in, and how often, makes no difference.
pub fn collect(plan: &Plan, folder: &Path) -> io::Result<Collected> {
    let begin = format!("shard-{}-", plan.digest());
    let mut names: Vec<_> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    names.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&begin)));
    names.sort();
    let planned = plan.matches();
    let mut found: BTreeMap<u64, (MatchResult, String)> = BTreeMap::new();
    let mut collected = Collected::default();
    for path in names {
        collected.files += 1;
        for result in whole_lines(&fs::read_to_string(&path)?, plan, &planned) {
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
    let complete = found.len() == planned.len();
    let matches = found.into_values().map(|(result, _)| result).collect();
    collected.results = Results { matches, complete };
    Ok(collected)
}
