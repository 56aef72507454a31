//! Compact storage of results.
//!
//! An archive is gzipped JSON lines: a head, then one line for each cell of the plan, with columns for
//! goals, lengths and states. Everything that follows from the plan (numbers, games, players, seeds) is
//! left out. So are the hashes of moves, which do not compress. Instead, the head contains the digest of
//! the full results, so that a second run of the plan can be compared move by move.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use arena::Ending;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

use super::faults::Cause;
use super::plan::{Plan, Planned, digest};
use super::result::{MatchResult, Results, line};

const FORMAT: &str = "tafl-archive";
const VERSION: u32 = 1;

/// The maximum size of an unpacked archive, in bytes per match of the plan.
const LARGEST: u64 = 4096;

/// Results without the hashes of moves, and the digest of the full results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    /// The results, without the hashes of moves.
    pub results: Results,
    /// The digest of the full results as written by [`Results::write`].
    pub digest: String,
}

/// The result of comparing another run with an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparison {
    /// All matches are the same, move by move.
    Same,
    /// Only some matches are in both. Those agree in everything but their moves, which cannot be compared.
    Alike {
        /// The number of matches in both.
        matches: u64,
    },
    /// They differ.
    Differs {
        /// The numbers of the matches that differ in more than their moves; empty if only moves differ.
        matches: Vec<u64>,
    },
}

/// Why an archive cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    /// The file is not an archive.
    #[error("It is not an archive of results that this version of tafl can read.")]
    Unreadable,
    /// The archive belongs to another plan.
    #[error("It holds results of another plan.")]
    OtherPlan,
    /// The content does not match the head.
    #[error("It is damaged.")]
    Damaged,
}

#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    version: u32,
    name: String,
    plan: String,
    matches: u64,
    complete: bool,
    /// The digest of the full results.
    results: String,
}

/// The matches of a cell, in the order of the plan.
#[derive(Serialize, Deserialize)]
struct CellColumns {
    cell: usize,
    /// The indices of the matches within the cell; `None` if all of them are present.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    rounds: Option<Vec<usize>>,
    /// By match and role.
    goals: Vec<Vec<Option<i32>>>,
    /// By match.
    steps: Vec<u64>,
    /// By seat and match; empty if no player counts states.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    states: Vec<Vec<u64>>,
    /// The endings other than terminal states, by index in the columns.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    endings: BTreeMap<usize, Ending>,
    /// The number of replaced moves, in total and by seat, by index in the columns.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    replaced: BTreeMap<usize, (u64, Vec<u64>)>,
    /// Why they were replaced, by seat, by index in the columns.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    causes: BTreeMap<usize, Vec<BTreeMap<Cause, u64>>>,
}

impl Archive {
    /// Creates the archive of some results. Returns `None` if they come from an archive themselves, because
    /// their digest is then unknown.
    pub fn of(results: &Results, plan: &Plan) -> Option<Archive> {
        let full = results.matches.iter().all(|result| result.moves.is_some());
        full.then(|| Archive { results: results.clone(), digest: digest(&results.write(plan)) })
    }

    /// Returns the bytes of the file.
    pub fn write(&self, plan: &Plan) -> Vec<u8> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        let written = packed.write_all(self.text(plan).as_bytes());
        written.and_then(|()| packed.finish()).expect("memory takes whatever is written")
    }

    fn text(&self, plan: &Plan) -> String {
        let mut text = line(&Head {
            format: FORMAT.to_string(),
            version: VERSION,
            name: plan.name.clone(),
            plan: plan.digest(),
            matches: self.results.matches.len() as u64,
            complete: self.results.complete,
            results: self.digest.clone(),
        });
        for (cell, planned) in by_cell(plan).iter().enumerate() {
            let found = planned.iter().enumerate();
            let found: Vec<(usize, &MatchResult)> = found
                .filter_map(|(round, planned)| Some((round, match_of(&self.results, planned.number)?)))
                .collect();
            if !found.is_empty() {
                text.push_str(&line(&CellColumns::of(cell, planned.len(), &found)));
            }
        }
        text
    }

    /// Reads an archive of the given plan.
    pub fn read(bytes: &[u8], plan: &Plan) -> Result<Archive, ArchiveError> {
        let mut text = String::new();
        let largest = LARGEST.saturating_mul(plan.len() + 1);
        let unpacked = GzDecoder::new(bytes).take(largest).read_to_string(&mut text);
        let mut lines = text.lines();
        let head: Option<Head> = lines.next().and_then(|line| serde_json::from_str(line).ok());
        let head = head.filter(|head| head.format == FORMAT && head.version == VERSION);
        let head = head.ok_or(ArchiveError::Unreadable)?;
        unpacked.map_err(|_| ArchiveError::Damaged)?;
        if head.plan != plan.digest() {
            return Err(ArchiveError::OtherPlan);
        }
        let cells = by_cell(plan);
        let mut matches: Vec<MatchResult> = Vec::new();
        for line in lines {
            let columns: CellColumns = serde_json::from_str(line).map_err(|_| ArchiveError::Damaged)?;
            let planned = cells.get(columns.cell).ok_or(ArchiveError::Damaged)?;
            matches.extend(columns.matches(plan, planned).ok_or(ArchiveError::Damaged)?);
        }
        matches.sort_by_key(|result| result.number);
        let twice = matches.windows(2).any(|pair| pair[0].number == pair[1].number);
        if twice || matches.len() as u64 != head.matches {
            return Err(ArchiveError::Damaged);
        }
        Ok(Archive { results: Results { matches, complete: head.complete }, digest: head.results })
    }

    /// Compares these full results of the same plan with those that were archived.
    pub fn compare(&self, fresh: &Results, plan: &Plan) -> Comparison {
        if digest(&fresh.write(plan)) == self.digest {
            return Comparison::Same;
        }
        let both =
            || fresh.matches.iter().filter_map(|new| Some((new, match_of(&self.results, new.number)?)));
        let is_other = |new: &MatchResult, old: &MatchResult| {
            MatchResult { moves: None, ..new.clone() } != MatchResult { moves: None, ..old.clone() }
        };
        let differing = both().filter(|(new, old)| is_other(new, old)).map(|(new, _)| new.number);
        let differing: Vec<u64> = differing.collect();
        let partial = fresh.complete != self.results.complete
            || both().count() != fresh.matches.len()
            || fresh.matches.len() != self.results.matches.len();
        match differing.is_empty() && partial {
            true => Comparison::Alike { matches: both().count() as u64 },
            false => Comparison::Differs { matches: differing },
        }
    }
}

impl CellColumns {
    /// Creates the columns of a cell with `matches` matches. Each found result comes with its index in the
    /// cell.
    fn of(cell: usize, matches: usize, found: &[(usize, &MatchResult)]) -> CellColumns {
        let results = || found.iter().map(|(_, result)| *result);
        let seats = results().map(|result| result.states.len()).max().unwrap_or(0);
        let states = |seat: usize| results().map(|of| of.states.get(seat).copied().unwrap_or(0)).collect();
        let other = results().enumerate().filter(|(_, result)| result.ending != Ending::Terminal);
        let late = || results().enumerate().filter(|(_, result)| result.replaced > 0);
        CellColumns {
            cell,
            rounds: (found.len() < matches).then(|| found.iter().map(|(round, _)| *round).collect()),
            goals: results().map(|result| result.goals.clone()).collect(),
            steps: results().map(|result| result.steps).collect(),
            states: (0..seats).map(states).collect(),
            endings: other.map(|(at, result)| (at, result.ending.clone())).collect(),
            replaced: late()
                .map(|(at, result)| (at, (result.replaced, result.replaced_by_seat.clone())))
                .collect(),
            causes: late()
                .filter(|(_, result)| !result.causes.is_empty())
                .map(|(at, result)| (at, result.causes.clone()))
                .collect(),
        }
    }

    /// Restores the results, with everything that follows from the plan. Returns `None` if they do not fit
    /// the cell.
    fn matches(self, plan: &Plan, planned: &[Planned]) -> Option<Vec<MatchResult>> {
        let rounds = self.rounds.unwrap_or_else(|| (0..planned.len()).collect());
        let columns = [self.goals.len(), self.steps.len()];
        let mut lengths = columns.into_iter().chain(self.states.iter().map(Vec::len));
        if lengths.any(|length| length != rounds.len()) {
            return None;
        }
        let places = rounds.iter().zip(self.goals).enumerate();
        let one = |(at, (round, goals)): (usize, (&usize, Vec<Option<i32>>))| {
            let planned = *planned.get(*round)?;
            let states: Vec<u64> = self.states.iter().map(|seat| seat[at]).collect();
            let (replaced, replaced_by_seat) = self.replaced.get(&at).cloned().unwrap_or_default();
            let result = MatchResult {
                ending: self.endings.get(&at).cloned().unwrap_or(Ending::Terminal),
                goals,
                steps: self.steps[at],
                replaced,
                replaced_by_seat,
                causes: self.causes.get(&at).cloned().unwrap_or_default(),
                // Full results have no states either if no player visited any.
                states: if states.iter().any(|count| *count > 0) { states } else { Vec::new() },
                ..MatchResult::planned(plan, planned)
            };
            let cell = &plan.cells[planned.cell];
            (result.goals.len() == plan.games[cell.game].roles.len()).then_some(result)
        };
        places.map(one).collect()
    }
}

/// Returns the matches of each cell, in the order of the plan.
fn by_cell(plan: &Plan) -> Vec<Vec<Planned>> {
    let mut cells = vec![Vec::new(); plan.cells.len()];
    for planned in plan.matches() {
        cells[planned.cell].push(planned);
    }
    cells
}

/// Returns the result of a match, if there is one.
fn match_of(results: &Results, number: u64) -> Option<&MatchResult> {
    let at = results.matches.binary_search_by_key(&number, |result| result.number).ok()?;
    results.matches.get(at)
}
