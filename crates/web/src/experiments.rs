//! Experiments: published figures beside ours, run in the background.
//!
//! Experiments are in a folder given when the service is started, and are known by the names of its
//! subfolders. Their tournaments are stored like all others, so matches played earlier or from the
//! command line count; other outcomes are kept in the [`Diary`]. An experiment started here is resumed
//! after a restart.

mod told;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use experiment::{
    Experiment, ExperimentError, ExperimentFolder, Foresight, Outcome, PartKind, RunPart, Variant, list,
    run_part,
};
use game::StopToken;
use library::Library;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::Store;
use tokio::sync::watch;
use tournament::{RunOptions, series_with};

use crate::diary::{Diary, Note, State, Subject};
use crate::problem::Problem;
use crate::recent::Recent;
use crate::tournaments::Tournaments;

/// The variant of an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Size {
    Quick,
    Full,
}

impl From<Size> for Variant {
    fn from(size: Size) -> Variant {
        match size {
            Size::Quick => Variant::Quick,
            Size::Full => Variant::Full,
        }
    }
}

/// An experiment and its variant.
type Key = (String, Size);

/// All experiments.
pub(crate) struct Experiments {
    folder: Option<PathBuf>,
    library: Library,
    diary: Arc<Diary>,
    tournaments: Arc<Tournaments>,
    under_way: Mutex<BTreeMap<Key, Arc<Underway>>>,
    /// Parsed experiments, with the modification times of their files.
    read: Recent<Key, (Option<SystemTime>, Arc<Experiment>)>,
}

/// An experiment started here.
struct Underway {
    stop: StopToken,
    changes: watch::Sender<u64>,
    course: Mutex<Course>,
    over: AtomicBool,
}

/// The progress of an experiment.
#[derive(Default)]
struct Course {
    /// The index of the current part.
    part: usize,
    /// The number of finished matches and of all matches of the part.
    done: u64,
    total: u64,
    /// Outcomes that are stored nowhere else, by part.
    outcomes: BTreeMap<String, String>,
    trouble: Option<String>,
}

impl Underway {
    fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    fn touch(&self) {
        self.changes.send_modify(|count| *count += 1);
    }
}

impl Experiments {
    pub(crate) fn new(
        folder: Option<PathBuf>,
        library: Library,
        diary: Arc<Diary>,
        tournaments: Arc<Tournaments>,
    ) -> Experiments {
        Experiments { folder, library, diary, tournaments, under_way: Mutex::default(), read: Recent::new(8) }
    }

    fn under_way(&self) -> MutexGuard<'_, BTreeMap<Key, Arc<Underway>>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self, key: &Key) -> Option<Arc<Underway>> {
        self.under_way().get(key).filter(|underway| !underway.is_over()).cloned()
    }

    /// Returns the folders of the experiments, by name.
    fn folders(&self) -> Vec<ExperimentFolder> {
        // If the folder is gone, there are no experiments.
        self.folder.as_ref().and_then(|folder| list(folder).ok()).unwrap_or_default()
    }

    fn folder(&self, name: &str) -> Result<ExperimentFolder, Problem> {
        let folders = self.folders();
        let hint = library::did_you_mean(name, folders.iter().map(|found| found.name.as_str()));
        folders.into_iter().find(|found| found.name == name).ok_or_else(|| {
            let name: String = name.chars().take(80).collect();
            Problem::missing("unknown-experiment", format!("There is no experiment `{name}`.{hint}"))
        })
    }

    /// Reads an experiment and finds its games, or returns the cached one.
    fn experiment(&self, folder: &ExperimentFolder, size: Size) -> Result<Arc<Experiment>, Problem> {
        let key = (folder.name.clone(), size);
        let time = folder.path.join("experiment.toml").metadata().and_then(|file| file.modified()).ok();
        if let Some((read, experiment)) = self.read.get(&key)
            && read == time
        {
            return Ok(experiment);
        }
        let bad =
            |cause: String| Problem::useless("bad-experiment", cause.chars().take(2000).collect::<String>());
        let experiment = Experiment::read(&folder.path, size.into(), &self.library);
        let experiment = Arc::new(experiment.map_err(|error| bad(error.to_string()))?);
        self.read.put(key, (time, Arc::clone(&experiment)));
        Ok(experiment)
    }

    /// Starts or resumes an experiment.
    pub(crate) fn run(&self, name: &str, size: Size) -> Result<(), Problem> {
        let store = Arc::clone(self.tournaments.store()?);
        let folder = self.folder(name)?;
        let key = (name.to_string(), size);
        let experiment = self.experiment(&folder, size)?;
        let mut under_way = self.under_way();
        if let Some(((other, _), _)) = under_way.iter().find(|(_, underway)| !underway.is_over()) {
            let text = match other == name {
                true => "This experiment is running.".to_string(),
                false => format!("The experiment {other} is running. Stop it, or wait."),
            };
            return Err(Problem::conflict("running", text));
        }
        let id = note_id(&key);
        let mut note = Note::new(Subject::Experiment, &id, State::Running);
        if let Some(before) = self.diary.last(Subject::Experiment)?.remove(&id)
            && before.state != State::Done
        {
            note.outcomes = before.outcomes;
        }
        self.diary.write(&note)?;
        let course = Course { outcomes: note.outcomes.clone(), ..Course::default() };
        let underway = Arc::new(Underway {
            stop: StopToken::default(),
            changes: watch::channel(0).0,
            course: Mutex::new(course),
            over: AtomicBool::new(false),
        });
        under_way.insert(key, Arc::clone(&underway));
        drop(under_way);
        tracing::info!(name, ?size, "experiment starts");
        let work = Work {
            experiment,
            library: self.library.clone(),
            store,
            diary: Arc::clone(&self.diary),
            tournaments: Arc::clone(&self.tournaments),
            note,
        };
        // Dropped when the thread ends, in whatever way, and also if it cannot be started.
        let ending = Ending { underway, diary: Arc::clone(&self.diary), note: work.note.clone() };
        let thread = std::thread::Builder::new().name(format!("experiment-{name}"));
        let begun = thread.spawn(move || {
            work.all(&ending.underway);
            drop(ending);
        });
        begun.map(|_| ()).map_err(Problem::internal)
    }

    /// Stops an experiment. What was played is kept, and it can be resumed.
    pub(crate) fn stop(&self, name: &str, size: Size) -> Result<(), Problem> {
        let key = (name.to_string(), size);
        let underway = self.running(&key);
        let underway =
            underway.ok_or_else(|| Problem::conflict("not-running", "This experiment is not running."))?;
        let outcomes = underway.course().outcomes.clone();
        let note = Note::new(Subject::Experiment, &note_id(&key), State::Stopped);
        self.diary.write(&Note { outcomes, ..note })?;
        underway.stop.stop();
        Ok(())
    }

    /// Resumes the experiments that were running when the service last ended, and returns their number.
    pub(crate) fn resume(&self) -> Result<usize, store::StoreError> {
        let mut count = 0;
        for note in self.diary.last(Subject::Experiment)?.into_values() {
            let Some((name, size)) = key_of(&note.id).filter(|_| note.state == State::Running) else {
                continue;
            };
            match self.run(&name, size) {
                Ok(()) => count += 1,
                Err(problem) => tracing::warn!(name, cause = problem.message, "cannot resume an experiment"),
            }
        }
        Ok(count)
    }

    /// Stops all experiments, to be resumed later, and waits briefly.
    pub(crate) fn leave(&self) {
        let all: Vec<Arc<Underway>> = self.under_way().values().cloned().collect();
        all.iter().for_each(|underway| underway.stop.stop());
        let until = Instant::now() + Duration::from_secs(2);
        while all.iter().any(|underway| !underway.is_over()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Returns a receiver that is notified of progress, if the experiment was started here.
    pub(crate) fn changes(&self, name: &str, size: Size) -> Option<watch::Receiver<u64>> {
        self.under_way().get(&(name.to_string(), size)).map(|underway| underway.changes.subscribe())
    }

    /// Returns the progress of an experiment.
    pub(crate) fn progress(&self, name: &str, size: Size) -> Value {
        let underway = self.under_way().get(&(name.to_string(), size)).cloned();
        let (part, done, total) = underway.as_ref().map_or((0, 0, 0), |underway| {
            let course = underway.course();
            (course.part, course.done, course.total)
        });
        let running = underway.is_some_and(|underway| !underway.is_over());
        json!({ "part": part, "done": done, "total": total, "state": if running { "running" } else { "over" } })
    }
}

/// Returns the name of an experiment in the diary.
fn note_id((name, size): &Key) -> String {
    match size {
        Size::Quick => format!("{name} quick"),
        Size::Full => format!("{name} full"),
    }
}

fn key_of(id: &str) -> Option<Key> {
    let (name, size) = id.rsplit_once(' ')?;
    let size = match size {
        "quick" => Size::Quick,
        "full" => Size::Full,
        _ => return None,
    };
    Some((name.to_string(), size))
}

/// Tells that an experiment is over when it is dropped, so that others can be started after a panic too.
struct Ending {
    underway: Arc<Underway>,
    diary: Arc<Diary>,
    note: Note,
}

impl Drop for Ending {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let text = "It panicked, which is a bug in tafl.".to_string();
            self.note.outcomes = self.underway.course().outcomes.clone();
            self.note.state = State::Failed;
            self.note.result = json!({ "trouble": text });
            self.diary.jot(&self.note);
            self.underway.course().trouble = Some(text);
        }
        self.underway.over.store(true, Ordering::Release);
        self.underway.touch();
    }
}

/// Everything needed to run an experiment.
struct Work {
    experiment: Arc<Experiment>,
    library: Library,
    store: Arc<Store>,
    diary: Arc<Diary>,
    tournaments: Arc<Tournaments>,
    note: Note,
}

impl Work {
    /// Runs all parts and notes the result. If it is stopped, the note is left unchanged.
    fn all(mut self, underway: &Underway) {
        let parts = self.experiment.parts.clone();
        for (number, part) in parts.iter().enumerate() {
            {
                let mut course = underway.course();
                (course.part, course.done, course.total) = (number, 0, 0);
            }
            underway.touch();
            if self.note.outcomes.contains_key(&part.name) {
                continue;
            }
            let series = match &part.kind {
                PartKind::Tournament(ready) => {
                    // Created here and not by the run, so that it counts as running at once.
                    tournament::series_of(&self.store, ready.plan(), false).ok()
                }
                _ => None,
            };
            series.iter().for_each(|series| self.tournaments.claim(series, true));
            let found = self.part(part, underway);
            series.iter().for_each(|series| self.tournaments.claim(series, false));
            if underway.stop.is_stopped() {
                return tracing::info!(name = self.experiment.name, "experiment stopped");
            }
            match found {
                Ok(Some(outcome)) => {
                    if series.is_none() {
                        self.note.outcomes.insert(part.name.clone(), outcome.write());
                        underway.course().outcomes = self.note.outcomes.clone();
                        self.diary.jot(&self.note);
                    }
                }
                Ok(None) => return tracing::info!(name = self.experiment.name, "experiment stopped"),
                Err(error) => {
                    let text = error.to_string();
                    underway.course().trouble = Some(text.clone());
                    self.note.state = State::Failed;
                    self.note.result = json!({ "trouble": text });
                    return self.diary.jot(&self.note);
                }
            }
        }
        self.note.state = State::Done;
        let outcomes = told::outcomes(&self.experiment, &self.tournaments, &self.note.outcomes);
        let judged = experiment::judge(&self.experiment, &outcomes, &Foresight::unknown());
        self.note.result = told::counts(&judged);
        self.diary.jot(&self.note);
        tracing::info!(name = self.experiment.name, "experiment ends");
    }

    fn part(&self, part: &experiment::Part, underway: &Underway) -> Result<Option<Outcome>, ExperimentError> {
        let how = RunPart {
            library: &self.library,
            store: Some(Arc::clone(&self.store)),
            options: RunOptions { stop: underway.stop.clone(), ..RunOptions::default() },
            progress: &|progress| {
                let mut course = underway.course();
                (course.done, course.total) = (progress.done, progress.total);
                drop(course);
                underway.touch();
            },
            tell: &|_| {},
        };
        run_part(part, &how)
    }
}

/// Returns the series of a part that is a tournament, if it has started.
fn series_of_part(tournaments: &Tournaments, kind: &PartKind) -> Option<String> {
    let PartKind::Tournament(ready) = kind else { return None };
    series_with(tournaments.store().ok()?, ready.plan()).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending() -> (Arc<Underway>, Ending) {
        let underway = Arc::new(Underway {
            stop: StopToken::default(),
            changes: watch::channel(0).0,
            course: Mutex::default(),
            over: AtomicBool::new(false),
        });
        let note = Note::new(Subject::Experiment, "a full", State::Running);
        let ending = Ending { underway: Arc::clone(&underway), diary: Arc::new(Diary::new(None)), note };
        (underway, ending)
    }

    #[test]
    fn an_experiment_that_panics_is_over() {
        let (underway, ending) = ending();
        let thread = std::thread::spawn(move || {
            let _ending = ending;
            panic!("on purpose");
        });
        assert!(thread.join().is_err() && underway.is_over());
        assert!(underway.course().trouble.is_some());
    }

    #[test]
    fn an_experiment_that_cannot_be_started_is_over() {
        let (underway, ending) = ending();
        drop(ending);
        assert!(underway.is_over() && underway.course().trouble.is_none());
    }
}
