//! Tournaments, played in the background and written to the store. Everything that is shown about one
//! is read from there, so tournaments played earlier, by an experiment or from the command line are
//! shown as well. A tournament started here is resumed after a restart.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use game::StopToken;
use library::Library;
use serde_json::{Value, json};
use store::Store;
use tokio::sync::watch;
use tournament::report::{Analysis, Block, bundle, document};
use tournament::{
    Keep, MatchResult, OnProgress, Plan, Progress, Ready, Results, RunOptions, Running, TournamentSpec,
    plan_of_series, series_of, start,
};

use crate::diary::{Diary, Note, State, Subject};
use crate::problem::Problem;
use crate::recent::Recent;
use crate::shelf::Shelf;
use crate::table::record::SERIES;

/// The maximum number of matches of a tournament.
const MOST_MATCHES: u64 = 20_000;
/// The maximum number of tournaments at the same time.
const AT_ONCE: usize = 2;
/// How long data read about a running tournament stays valid.
const FRESH: Duration = Duration::from_millis(800);
/// The maximum number of matches that are listed.
const LISTED: usize = 200;

/// All tournaments.
pub(crate) struct Tournaments {
    shelf: Arc<Shelf>,
    library: Library,
    store: Option<Arc<Store>>,
    diary: Arc<Diary>,
    under_way: Mutex<BTreeMap<String, Arc<Underway>>>,
    /// Held by those that are about to start.
    starting: Arc<()>,
    /// Tournaments that are played as part of something else.
    claimed: Mutex<BTreeSet<String>>,
    read: Recent<String, Arc<Read>>,
}

/// A tournament started here.
struct Underway {
    running: Running,
    changes: watch::Sender<u64>,
}

/// The stored data of a tournament.
pub(crate) struct Read {
    pub(crate) plan: Plan,
    pub(crate) results: Results,
    /// The key of each match in the store, by number.
    keys: BTreeMap<u64, String>,
    at: Instant,
}

impl Tournaments {
    pub(crate) fn new(
        shelf: Arc<Shelf>,
        library: Library,
        store: Option<Arc<Store>>,
        diary: Arc<Diary>,
    ) -> Tournaments {
        let (under_way, claimed) = (Mutex::default(), Mutex::default());
        let (starting, read) = (Arc::new(()), Recent::new(16));
        Tournaments { shelf, library, store, diary, under_way, starting, claimed, read }
    }

    fn under_way(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Underway>>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn store(&self) -> Result<&Arc<Store>, Problem> {
        let text = "Tournaments and experiments need a store; this service was started without one.";
        self.store.as_ref().ok_or_else(|| Problem::conflict("no-store", text))
    }

    /// Parses a spec, starts the tournament, and returns its name.
    pub(crate) fn begin(&self, text: &str) -> Result<String, Problem> {
        let store = self.store()?;
        let _room = self.room()?;
        let bad = |cause: String| Problem::bad("bad-spec", cause.chars().take(2000).collect::<String>());
        let place = "the spec";
        let spec = TournamentSpec::read(place, text, "tournament").map_err(|error| bad(error.to_string()))?;
        // A spec can name files, but requests may only use the library.
        for game in &spec.games {
            let name = &game.value.argument;
            if !self.shelf.list().iter().any(|listed| listed.name == *name) {
                let line = gdl::LineIndex::new(text).position(game.span.start).line;
                let name: String = name.chars().take(80).collect();
                return Err(bad(format!("Line {line}: there is no game `{name}` in the library.")));
            }
        }
        let ready = Ready::read(place, text, "tournament", &self.library, Path::new("."));
        let ready = ready.map_err(|error| bad(error.to_string()))?;
        if ready.plan().len() > MOST_MATCHES {
            return Err(bad(format!("A tournament may have at most {MOST_MATCHES} matches.")));
        }
        if ready.plan().name.starts_with(SERIES) {
            return Err(bad(format!("The name of a tournament must not begin with `{SERIES}`.")));
        }
        let series = series_of(store, ready.plan(), true)?;
        self.play(store, &series, ready)?;
        Ok(series)
    }

    /// Reserves room for another tournament until it has started.
    fn room(&self) -> Result<Arc<()>, Problem> {
        let under_way = self.under_way();
        let running = under_way.values().filter(|tournaments| !tournaments.running.is_over()).count();
        let starting = Arc::strong_count(&self.starting) - 1;
        if running + starting < AT_ONCE {
            return Ok(Arc::clone(&self.starting));
        }
        let text = "Too many tournaments are running. Stop one, or wait.";
        Err(Problem::busy("too-many-tournaments", text))
    }

    fn play(&self, store: &Arc<Store>, series: &str, ready: Ready) -> Result<(), Problem> {
        self.diary.write(&Note::new(Subject::Tournament, series, State::Running))?;
        let options = RunOptions { stop: StopToken::default(), ..RunOptions::default() };
        let changes = watch::channel(0).0;
        let told = changes.clone();
        let keep = Keep::Series(Arc::clone(store), series.to_string());
        let running = start(
            Arc::new(ready),
            keep,
            options,
            OnProgress(move |_: &Progress| told.send_modify(|count| *count += 1)),
        );
        tracing::info!(name = series, "tournament starts");
        self.under_way().insert(series.to_string(), Arc::new(Underway { running, changes }));
        Ok(())
    }

    /// Resumes a tournament that was stopped, here or elsewhere.
    pub(crate) fn go_on(&self, id: &str) -> Result<(), Problem> {
        let store = self.store()?;
        if self.is_running(id) {
            return Err(Problem::conflict("running", "This tournament is running."));
        }
        let _room = self.room()?;
        let read = self.read(id)?;
        if read.results.complete {
            return Err(Problem::conflict("over", "All matches of this tournament have been played."));
        }
        let ready = Ready::of(read.plan.clone());
        let ready = ready.map_err(|error| Problem::useless("unplayable", error.to_string()))?;
        self.play(store, id, ready)
    }

    /// Resumes the tournaments that were running when the service last ended, and returns their number.
    pub(crate) fn resume(&self) -> Result<usize, store::StoreError> {
        let mut count = 0;
        for note in self.diary.last(Subject::Tournament)?.into_values() {
            if note.state != State::Running {
                continue;
            }
            match self.go_on(&note.id) {
                Ok(()) => count += 1,
                Err(problem) if problem.code == "over" => {
                    self.diary.write(&Note { state: State::Done, ..note })?;
                }
                Err(problem) => {
                    tracing::warn!(id = note.id, cause = problem.message, "cannot resume a tournament");
                }
            }
        }
        Ok(count)
    }

    /// Marks a tournament as running while something else plays it, or no longer.
    pub(crate) fn claim(&self, series: &str, played: bool) {
        let mut claimed = self.claimed.lock().unwrap_or_else(PoisonError::into_inner);
        if played {
            claimed.insert(series.to_string());
        } else {
            claimed.remove(series);
        }
    }

    /// Stops a tournament. The matches played so far are kept.
    pub(crate) fn stop(&self, id: &str) -> Result<(), Problem> {
        let tournaments = self.under_way().get(id).cloned();
        let tournaments = tournaments.filter(|tournaments| !tournaments.running.is_over());
        let tournaments =
            tournaments.ok_or_else(|| Problem::conflict("not-running", "This tournament is not running."))?;
        self.diary.write(&Note::new(Subject::Tournament, id, State::Stopped))?;
        tournaments.running.stop();
        Ok(())
    }

    /// Stops all tournaments, and waits briefly.
    pub(crate) fn leave(&self) {
        let all: Vec<Arc<Underway>> = self.under_way().values().cloned().collect();
        all.iter().for_each(|tournaments| tournaments.running.stop());
        let until = Instant::now() + Duration::from_secs(2);
        while all.iter().any(|tournaments| !tournaments.running.is_over()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn is_running(&self, id: &str) -> bool {
        self.claimed.lock().unwrap_or_else(PoisonError::into_inner).contains(id)
            || self.under_way().get(id).is_some_and(|tournaments| !tournaments.running.is_over())
    }

    /// Returns a receiver that is notified of progress, if the tournament was started here.
    pub(crate) fn changes(&self, id: &str) -> Option<watch::Receiver<u64>> {
        self.under_way().get(id).map(|tournaments| tournaments.changes.subscribe())
    }

    /// Returns the stored data of a tournament.
    pub(crate) fn read(&self, id: &str) -> Result<Arc<Read>, Problem> {
        let store = self.store()?;
        let running = self.is_running(id);
        if let Some(read) = self.read.get(&id.to_string())
            && (read.results.complete || (running && read.at.elapsed() < FRESH))
        {
            return Ok(read);
        }
        let unknown = || Problem::missing("unknown-tournament", "There is no such tournament.");
        let named = store.series_named(id)?.ok_or_else(unknown)?;
        let plan = match plan_of_series(store, &named.name) {
            Ok(Some(plan)) => plan,
            _ => return Err(unknown()),
        };
        let planned = plan.matches();
        let mut matches = Vec::new();
        store.each_finished(id, |number, record| {
            let planned = planned.get(number as usize);
            matches.extend(planned.and_then(|planned| MatchResult::of(&plan, *planned, &record)));
        })?;
        let keys = store.members(id)?.into_iter().map(|member| (member.number, member.key)).collect();
        let complete = matches.len() == planned.len();
        let read = Arc::new(Read { plan, results: Results { matches, complete }, keys, at: Instant::now() });
        self.read.put(id.to_string(), Arc::clone(&read));
        Ok(read)
    }

    fn state(&self, id: &str, complete: bool) -> &'static str {
        match (self.is_running(id), complete) {
            (true, _) => "running",
            (false, true) => "done",
            (false, false) => "stopped",
        }
    }

    /// Returns the tournaments, latest first.
    pub(crate) fn list(&self) -> Result<Value, Problem> {
        let Some(store) = &self.store else { return Ok(json!([])) };
        let mut list: Vec<Value> = Vec::new();
        for series in store.series_like("")?.into_iter().filter(|series| Plan::is_plan(&series.plan)) {
            let Ok(plan) = Plan::from_value(&series.plan, &series.name) else { continue };
            let done = store.members(&series.name)?.iter().filter(|member| member.finished).count() as u64;
            list.push(json!({
                "id": series.name, "name": plan.title.as_ref().unwrap_or(&plan.name), "done": done, "total": plan.len(),
                "state": self.state(&series.name, done == plan.len()),
            }));
        }
        list.reverse();
        Ok(Value::Array(list))
    }

    /// Returns the progress of a tournament.
    pub(crate) fn progress(&self, id: &str) -> Value {
        let tournaments = self.under_way().get(id).cloned();
        let progress = tournaments.and_then(|tournaments| tournaments.running.progress());
        let (done, total) = progress.map_or((0, 0), |progress| (progress.done, progress.total));
        json!({ "done": done, "total": total, "state": self.state(id, done == total) })
    }

    /// Returns a tournament: standings, pairings, plots, matches.
    pub(crate) fn one(&self, id: &str) -> Result<Value, Problem> {
        let read = self.read(id)?;
        let Read { plan, results, keys, .. } = &*read;
        let analysis = Analysis::of(plan, results);
        let mut standings: Vec<Value> = Vec::new();
        for row in &analysis.players {
            let rated = analysis.ratings.iter().find(|rated| rated.name == row.name);
            standings.push(json!({
                "player": row.name, "games": row.games, "score": row.score, "low": row.low, "high": row.high,
                "won": row.won, "drawn": row.drawn, "lost": row.lost,
                "rating": rated.map(|rated| rated.elo), "rating_low": rated.map(|rated| rated.low),
                "rating_high": rated.map(|rated| rated.high),
            }));
        }
        standings.sort_by(|a, b| {
            b["score"].as_f64().unwrap_or(0.0).total_cmp(&a["score"].as_f64().unwrap_or(0.0))
        });
        let pairings = analysis.pairs.iter().map(|pair| {
            json!({
                "player": pair.player, "against": pair.against, "games": pair.row.games, "score": pair.row.score,
                "low": pair.row.low, "high": pair.row.high,
            })
        });
        let matches = results.matches.iter().rev().filter_map(|result| {
            let id = keys.get(&result.number)?;
            Some(json!({
                "id": id, "game": result.game, "players": result.players, "goals": result.goals, "steps": result.steps,
            }))
        });
        let plots = document(plan, &analysis).blocks.into_iter().filter_map(|block| match block {
            Block::Plot { caption, svg, .. } if !results.matches.is_empty() => {
                Some(json!({ "title": caption, "svg": svg }))
            }
            _ => None,
        });
        Ok(json!({
            "id": id, "name": analysis.title, "state": self.state(id, results.complete),
            "done": results.matches.len(), "total": plan.len(), "standings": standings,
            "pairings": pairings.collect::<Vec<Value>>(), "matches": matches.take(LISTED).collect::<Vec<Value>>(),
            "plots": plots.collect::<Vec<Value>>(),
        }))
    }

    /// Returns a file of the report.
    pub(crate) fn file(&self, id: &str, name: &str) -> Result<String, Problem> {
        let read = self.read(id)?;
        let wanted = match name {
            "results.csv" => "matches.csv",
            "results.json" => "report.json",
            other => other,
        };
        let found = bundle(&read.plan, &read.results).into_iter().find(|(known, _)| known == wanted);
        found.map(|(_, text)| text).ok_or_else(|| Problem::missing("not-found", "There is no such file."))
    }
}
