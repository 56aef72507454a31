//! The outcome of a part, and running a part.

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use analysis::LoadError;
use analysis::turns::TurnsError;
use game::{AnyGame, End, Fault, Game, Playouts, Role, Seed, Start};
use library::Library;
use rules::Strictness;
use serde::{Deserialize, Serialize};
use statistics::Mean;
use store::Store;
use tournament::{
    ArchiveError, Keep, OnProgress, Plan, Progress, Results, ResultsError, RunError, RunOptions, Score, run,
    score, series_of,
};

use super::call::CallError;
use super::spec::{Part, PartKind};
use super::turns::TurnsTable;

/// The outcome of a part.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// Matches.
    Tournament(Box<Plan>, Results),
    /// Random games.
    Playouts(PlayoutCounts),
    /// The answer to a question.
    Json(serde_json::Value),
    /// The cost of turns.
    Turns(TurnsTable),
}

/// The outcomes of all parts, in order; `None` for a part that has not been run.
pub type Outcomes = Vec<Option<Outcome>>;

/// Counts of random games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayoutCounts {
    /// The game.
    pub game: String,
    /// The seed.
    pub seed: u64,
    /// The roles, in order.
    pub roles: Vec<String>,
    /// The number of games.
    pub playouts: u64,
    /// How often each list of goals occurred; `None` if a game did not reach its end.
    pub results: Vec<(Option<Vec<i32>>, u64)>,
    /// The number of steps of all games together.
    pub steps: u64,
    /// The sum of the squares of their lengths.
    pub squares: u64,
    /// How often each length occurs, ascending; empty if that was not counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_length: Vec<(u64, u64)>,
    /// The score of each role.
    #[serde(skip)]
    pub scores: Vec<Score>,
    /// The lengths.
    #[serde(skip)]
    pub lengths: Mean,
}

/// Why an experiment could not be run.
#[derive(Debug, thiserror::Error)]
#[error("{part}: {cause}")]
pub struct ExperimentError {
    /// The part that failed.
    pub part: String,
    /// What went wrong.
    pub cause: Box<PartError>,
}

/// Why a part could not be run or read.
#[derive(Debug, thiserror::Error)]
pub enum PartError {
    /// Its matches could not be played.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Its game could not be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Its game failed.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Its turns could not be measured.
    #[error(transparent)]
    Turns(#[from] TurnsError),
    /// Its question has no answer.
    #[error(transparent)]
    Call(#[from] CallError),
    /// Its results do not belong to its plan.
    #[error("{place}: {cause}")]
    Results {
        /// The file.
        place: String,
        /// What is wrong with it.
        cause: ResultsError,
    },
    /// Its archive does not belong to its plan, or is damaged.
    #[error("{place}: {cause}")]
    Archive {
        /// The file.
        place: String,
        /// What is wrong with it.
        cause: ArchiveError,
    },
    /// A file cannot be read.
    #[error("{place}: {cause}")]
    Unreadable {
        /// The file.
        place: String,
        /// Why it cannot be read.
        cause: io::Error,
    },
    /// Its results are not valid JSON.
    #[error("{place}: {cause}.")]
    Json {
        /// The file.
        place: String,
        /// What is wrong with it.
        cause: serde_json::Error,
    },
    /// It panicked, which is a bug in the program.
    #[error("it panicked, which is a bug in tafl.")]
    Panicked,
}

/// How parts are run.
pub struct RunPart<'a> {
    /// Where games come from.
    pub library: &'a Library,
    /// Where matches are stored; `None` for nowhere.
    pub store: Option<Arc<Store>>,
    /// The number of cores to use, and the stop token.
    pub options: RunOptions,
    /// Called with the progress of a tournament.
    pub progress: &'a (dyn Fn(&Progress) + Sync),
    /// Called with what a measurement or a question is doing.
    pub tell: &'a (dyn Fn(&str) + Sync),
}

/// Runs a part. Returns `None` if it was interrupted, unless some matches of a tournament were played. A
/// panic is an error of this part alone.
pub fn run_part(part: &Part, how: &RunPart<'_>) -> Result<Option<Outcome>, ExperimentError> {
    let found = catch_unwind(AssertUnwindSafe(|| outcome_of(&part.kind, how)));
    found.unwrap_or(Err(PartError::Panicked)).map_err(|cause| part.failed(cause))
}

fn outcome_of(kind: &PartKind, how: &RunPart<'_>) -> Result<Option<Outcome>, PartError> {
    match kind {
        PartKind::Tournament(ready) => {
            let keep = match &how.store {
                None => Keep::Nothing,
                Some(store) => {
                    let series = series_of(store, ready.plan(), false).map_err(RunError::from)?;
                    Keep::Series(Arc::clone(store), series)
                }
            };
            let results = run(ready, &keep, &how.options, &OnProgress(how.progress))?;
            let some = results.complete || !results.matches.is_empty();
            Ok(some.then(|| Outcome::Tournament(Box::new(ready.plan().clone()), results)))
        }
        PartKind::Playouts { game, reasoner, count, seed, max_steps } => {
            let loaded = how.library.load(game, Strictness::Lenient).map_err(LoadError::from)?;
            let name = loaded.source.name.clone();
            let chosen = loaded.play_patiently(reasoner).map_err(LoadError::from)?;
            let many =
                Many { count: *count, seed: *seed, max_steps: *max_steps, name, options: &how.options };
            Ok(many.play(&chosen.game)?.map(Outcome::Playouts))
        }
        PartKind::Call(call) => Ok(call.ask(how)?.map(Outcome::Json)),
        PartKind::Turns(turns) => {
            Ok(turns.run(how.library, &how.options.stop, how.tell)?.map(Outcome::Turns))
        }
    }
}

impl Part {
    pub(super) fn failed(&self, cause: PartError) -> ExperimentError {
        ExperimentError { part: self.name.clone(), cause: Box::new(cause) }
    }
}

impl Outcome {
    /// Returns the outcome as text: full results as written by [`Results::write`], or JSON.
    pub fn write(&self) -> String {
        let line = |value: serde_json::Result<String>| {
            let mut text = value.expect("outcomes are made of texts and numbers");
            text.push('\n');
            text
        };
        match self {
            Outcome::Tournament(plan, results) => results.write(plan),
            Outcome::Playouts(counts) => line(serde_json::to_string(counts)),
            Outcome::Json(json) => line(serde_json::to_string(json)),
            Outcome::Turns(table) => line(serde_json::to_string(table)),
        }
    }

    /// Parses such a text. `place` is where it comes from, for messages.
    pub fn parse(part: &Part, text: &str, place: &str) -> Result<Outcome, ExperimentError> {
        outcome_in(&part.kind, text, place).map_err(|cause| part.failed(cause))
    }
}

fn outcome_in(kind: &PartKind, text: &str, place: &str) -> Result<Outcome, PartError> {
    let wrong = |cause: serde_json::Error| PartError::Json { place: place.to_string(), cause };
    Ok(match kind {
        PartKind::Tournament(ready) => {
            let results = Results::read(text, ready.plan())
                .map_err(|cause| PartError::Results { place: place.to_string(), cause })?;
            Outcome::Tournament(Box::new(ready.plan().clone()), results)
        }
        PartKind::Playouts { .. } => {
            Outcome::Playouts(serde_json::from_str::<PlayoutCounts>(text).map_err(wrong)?.summed())
        }
        PartKind::Call(_) => Outcome::Json(serde_json::from_str(text).map_err(wrong)?),
        PartKind::Turns(_) => Outcome::Turns(serde_json::from_str(text).map_err(wrong)?),
    })
}

impl PlayoutCounts {
    /// Returns `true` if both count the same games. Lengths are compared where both counted them.
    pub fn is_same_as(&self, other: &PlayoutCounts) -> bool {
        let counts = |of: &PlayoutCounts| (of.seed, of.playouts, of.steps, of.squares);
        let counted = !self.by_length.is_empty() && !other.by_length.is_empty();
        self.game == other.game
            && self.roles == other.roles
            && self.results == other.results
            && counts(self) == counts(other)
            && (!counted || self.by_length == other.by_length)
    }

    /// Fills in what follows from the counts.
    fn summed(mut self) -> PlayoutCounts {
        self.lengths = Mean::from_sums(self.playouts, self.steps, self.squares);
        let seats: Vec<usize> =
            (0..self.roles.len()).filter(|role| !Role::named(&*self.roles[*role]).is_chance()).collect();
        self.scores = vec![Score::default(); self.roles.len()];
        for (goals, count) in &self.results {
            let goals = goals.as_ref().map(|goals| seats.iter().map(|role| goals[*role]).collect::<Vec<_>>());
            let worth = match goals {
                Some(goals) => Some(score::of_goals(&goals)),
                None => score::without_end(seats.len()),
            };
            for (role, score) in seats.iter().zip(worth.into_iter().flatten()) {
                self.scores[*role].add_many(&score, *count);
            }
        }
        self
    }
}

/// The number of random games requested at a time.
const BATCH: u64 = 1 << 14;

struct Many<'a> {
    count: u64,
    seed: u64,
    max_steps: u32,
    name: String,
    options: &'a RunOptions,
}

impl Many<'_> {
    fn play(self, game: &AnyGame) -> Result<Option<PlayoutCounts>, PartError> {
        let next = AtomicU64::new(0);
        let sums = Mutex::new((BTreeMap::<Option<Vec<i32>>, u64>::new(), BTreeMap::<u64, u64>::new()));
        let work = || -> Result<(), PartError> {
            let mut scratch = game.scratch();
            loop {
                let first = next.fetch_add(BATCH, Ordering::Relaxed);
                if first >= self.count || self.options.stop.is_stopped() {
                    return Ok(());
                }
                let count = BATCH.min(self.count - first) as u32;
                let starts = [Start { state: game.initial(), first: None, count }];
                let request = Playouts {
                    first_index: first,
                    max_steps: self.max_steps,
                    ..Playouts::new(&starts, Seed(self.seed))
                };
                let found = game.playouts(&mut scratch, &request)?;
                let mut lengths = BTreeMap::<u64, u64>::new();
                for length in &found.lengths {
                    *lengths.entry(u64::from(*length)).or_default() += 1;
                }
                let mut sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
                for ((end, goals), count) in found.tally().results {
                    *sums.0.entry((end == End::Goals).then_some(goals)).or_default() += count;
                }
                for (length, times) in lengths {
                    *sums.1.entry(length).or_default() += times;
                }
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.options.jobs.max(1)).map(|_| scope.spawn(work)).collect();
            let broken = |_| Err(PartError::Panicked);
            threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(broken))
        })?;
        let (results, lengths) = sums.into_inner().unwrap_or_else(PoisonError::into_inner);
        let playouts = lengths.values().sum();
        let total = |of: fn(u64) -> u64| lengths.iter().map(|(length, times)| of(*length) * times).sum();
        let counts = PlayoutCounts {
            game: self.name,
            seed: self.seed,
            roles: Role::names(game.roles()),
            playouts,
            results: results.into_iter().collect(),
            steps: total(|length| length),
            squares: total(|length| length * length),
            by_length: lengths.into_iter().collect(),
            scores: Vec::new(),
            lengths: Mean::default(),
        };
        Ok((playouts == self.count).then(|| counts.summed()))
    }
}

#[cfg(test)]
mod tests {
    use super::PlayoutCounts;

    #[test]
    fn counts_without_lengths_are_compared_by_everything_else() {
        let read = |text: &str| serde_json::from_str::<PlayoutCounts>(text).expect("these are counts");
        let earlier = r#"{"game":"nim","seed":1,"roles":["a"],"playouts":3,"results":[[[100],3]],"steps":6,"squares":12}"#;
        let with = |lengths: &str| read(&earlier.replace("12}", &format!(r#"12,"by_length":{lengths}}}"#)));
        assert!(with("[[2,3]]").is_same_as(&read(earlier)));
        assert!(!with("[[2,3]]").is_same_as(&with("[[1,1],[2,2]]")));
        assert!(!read(earlier).is_same_as(&read(&earlier.replace("[100]", "[0]"))));
        assert!(!read(earlier).is_same_as(&read(&earlier.replace("\"steps\":6", "\"steps\":7"))));
    }
}
