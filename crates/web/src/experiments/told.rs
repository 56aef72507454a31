//! Experiments as JSON: their state, figures and verdicts, and the report with its plots.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use experiment::{
    Experiment, Foresight, Judged, Origin, Outcome, Outcomes, Part, PartKind, Verdict, judge, report,
};
use serde_json::{Value, json};
use tournament::report::{Block, Document};

use super::{Experiments, Size, note_id, series_of_part};
use crate::diary::{Note, State, Subject};
use crate::problem::Problem;
use crate::tournaments::Tournaments;

/// The maximum size of a result file that is read, in bytes.
const LARGEST: u64 = 50_000_000;

/// Everything known about an experiment.
struct Known {
    experiment: Arc<Experiment>,
    outcomes: Outcomes,
    figures: Value,
    verdict: Value,
    state: &'static str,
    trouble: Option<String>,
    document: Option<Document>,
}

impl Experiments {
    /// Returns the experiments, by name.
    pub(crate) fn list(&self) -> Result<Value, Problem> {
        let notes = self.diary.last(Subject::Experiment)?;
        let told = |name: &str, path: &Path, size: Size| {
            let key = (name.to_string(), size);
            let note = notes.get(&note_id(&key));
            let kept =
                || (size == Size::Full).then(|| kept_figures(path)).flatten().map(|found| tally(&found));
            let verdict = note.map(|note| &note.result).filter(|result| result["agree"].is_u64()).cloned();
            let verdict = verdict.or_else(kept);
            json!({ "state": self.state(&key, note, verdict.is_some()), "verdict": verdict })
        };
        let folders = self.folders();
        let list = folders.iter().map(|found| {
            json!({
                "name": found.name, "title": found.title, "source": found.source,
                "quick": told(&found.name, &found.path, Size::Quick), "full": told(&found.name, &found.path, Size::Full),
            })
        });
        Ok(json!({ "folder": self.folder.is_some(), "experiments": list.collect::<Vec<Value>>() }))
    }

    fn state(&self, key: &super::Key, note: Option<&Note>, known: bool) -> &'static str {
        match note {
            _ if self.running(key).is_some() => "running",
            // The service ended while it was running, and it was not resumed.
            Some(note) if note.state == State::Running => "stopped",
            Some(note) => note.state.name(),
            None if known => "done",
            None => "new",
        }
    }

    /// Collects what is known about an experiment, from the store or from files of the command line.
    fn known(&self, name: &str, size: Size) -> Result<Known, Problem> {
        let folder = self.folder(name)?;
        let experiment = self.experiment(&folder, size)?;
        let key = (name.to_string(), size);
        let note = self.diary.last(Subject::Experiment)?.remove(&note_id(&key));
        let underway = self.under_way().get(&key).cloned();
        let noted = match (&underway, &note) {
            (Some(underway), _) => underway.course().outcomes.clone(),
            (None, Some(note)) => note.outcomes.clone(),
            (None, None) => BTreeMap::new(),
        };
        let mut outcomes = outcomes(&experiment, &self.tournaments, &noted);
        let (mut kept, mut foresight) = (None, Foresight::unknown());
        if size == Size::Full && outcomes.iter().all(Option::is_none) {
            let results = folder.path.join("results");
            outcomes = experiment.parts.iter().map(|part| read(part, &results)).collect();
            kept = kept_figures(&folder.path);
            foresight = Foresight::read(&experiment, &results);
        }
        let trouble = underway.and_then(|underway| underway.course().trouble.clone());
        let trouble = trouble.or_else(|| Some(note.as_ref()?.result["trouble"].as_str()?.to_string()));
        let found = outcomes.iter().any(Option::is_some);
        let (figures, verdict) = match (found, kept) {
            (true, _) => {
                let judged = judge(&experiment, &outcomes, &foresight);
                (json!(judged), counts(&judged))
            }
            (false, Some(kept)) => {
                let verdict = tally(&kept);
                (Value::Array(kept), verdict)
            }
            (false, None) => (json!([]), Value::Null),
        };
        let state = self.state(&key, note.as_ref(), !verdict.is_null());
        let document = found.then(|| report(&experiment, &outcomes, &foresight));
        Ok(Known { experiment, outcomes, figures, verdict, state, trouble, document })
    }

    /// Returns an experiment: its parts, figures and report.
    pub(crate) fn one(&self, name: &str, size: Size) -> Result<Value, Problem> {
        let Known { experiment, outcomes, figures, verdict, state, trouble, document } =
            self.known(name, size)?;
        let parts = experiment.parts.iter().zip(&outcomes);
        let parts: Vec<Value> = parts.map(|(part, outcome)| self.part(part, outcome.as_ref())).collect();
        let progress = self.progress(name, size);
        Ok(json!({
            "name": name, "title": experiment.title, "source": experiment.source, "question": experiment.question,
            "variant": size, "state": state, "part": progress["part"], "done": progress["done"],
            "total": progress["total"], "parts": parts, "figures": figures, "verdict": verdict, "trouble": trouble,
            "report": document.map(|document| blocks(&document)).unwrap_or_default(),
        }))
    }

    fn part(&self, part: &Part, outcome: Option<&Outcome>) -> Value {
        let (kind, what, total) = match &part.kind {
            PartKind::Tournament(ready) => {
                let games: Vec<&str> = ready.plan().games.iter().map(|game| game.name.as_str()).collect();
                ("tournament", games.join(", "), ready.plan().len())
            }
            PartKind::Playouts { game, count, .. } => ("playouts", game.clone(), *count),
            PartKind::Call(call) => ("command", format!("tafl {}", call.words().join(" ")), 1),
            PartKind::Turns(turns) => ("turns", turns.games.join(", "), turns.games.len() as u64),
        };
        let done = match outcome {
            None => 0,
            Some(Outcome::Tournament(_, results)) => results.matches.len() as u64,
            Some(Outcome::Playouts(counts)) => counts.playouts,
            Some(Outcome::Json(_)) => 1,
            Some(Outcome::Turns(table)) => table.games.len() as u64,
        };
        json!({
            "name": part.name, "kind": kind, "what": what, "done": done, "total": total,
            "tournament": series_of_part(&self.tournaments, &part.kind),
        })
    }

    /// Returns a file of the report.
    pub(crate) fn file(&self, name: &str, size: Size, file: &str) -> Result<String, Problem> {
        let known = self.known(name, size)?;
        if file == "figures.json" {
            let all = json!({ "version": 1, "experiment": name, "variant": size, "figures": known.figures });
            return Ok(format!("{all:#}\n"));
        }
        let missing = || Problem::conflict("not-run", "This experiment has not been run yet.");
        let document = known.document.ok_or_else(missing)?;
        Ok(if file == "report.md" { document.markdown() } else { document.html() })
    }
}

/// Returns the outcome of each part, from the store or from a note.
pub(super) fn outcomes(
    experiment: &Experiment,
    tournaments: &Tournaments,
    noted: &BTreeMap<String, String>,
) -> Outcomes {
    let outcome = |part: &Part| match series_of_part(tournaments, &part.kind) {
        Some(series) => {
            let read = tournaments.read(&series).ok().filter(|read| !read.results.matches.is_empty())?;
            Some(Outcome::Tournament(Box::new(read.plan.clone()), read.results.clone()))
        }
        None => Outcome::parse(part, noted.get(&part.name)?, "the store").ok(),
    };
    experiment.parts.iter().map(outcome).collect()
}

/// Reads the outcome of a part that the command line left.
fn read(part: &Part, results: &Path) -> Option<Outcome> {
    let size = fs::metadata(Outcome::path(part, results)?).ok()?.len();
    if size > LARGEST { None } else { Outcome::read(part, results).ok().flatten() }
}

/// Reads the figures that the command line left.
fn kept_figures(folder: &Path) -> Option<Vec<Value>> {
    let path = folder.join("results").join("figures.json");
    if fs::metadata(&path).ok()?.len() > LARGEST {
        return None;
    }
    let kept: Value = serde_json::from_str(&fs::read_to_string(path).ok()?).ok()?;
    let figures = kept["figures"].as_array()?.iter();
    let texts = ["table", "label", "published", "ours", "verdict", "why"];
    let whole = |figure: &&Value| {
        texts.iter().all(|name| figure[name].is_string())
            && figure["matches"].is_u64()
            && figure["expected"].is_boolean()
    };
    let told = |figure: &Value| {
        let names = texts.iter().chain(&["matches", "expected", "test", "raw_p", "p"]);
        let mut told: serde_json::Map<String, Value> =
            names.map(|name| (name.to_string(), figure[name].clone())).collect();
        told.insert("claimed".to_string(), json!(figure["claimed"].as_bool().unwrap_or(true)));
        told.insert("origin".to_string(), json!(figure["origin"].as_str().unwrap_or("published")));
        told.insert("foreseen".to_string(), json!(figure["foreseen"].as_str().unwrap_or("unknown")));
        told
    };
    Some(figures.filter(whole).map(|figure| Value::Object(told(figure))).collect())
}

/// Counts the published figures by verdict, and tells whether all verdicts are the expected ones.
pub(super) fn counts(judged: &[Judged]) -> Value {
    let own = |found: &&Judged| found.origin == Origin::Published && found.is_compared;
    let count = |verdict: Verdict| judged.iter().filter(own).filter(|found| found.verdict == verdict).count();
    json!({
        "agree": count(Verdict::Agrees), "differ": count(Verdict::Differs), "missing": count(Verdict::Missing),
        "unclear": count(Verdict::Unclear), "as_expected": judged.iter().all(|found| found.expected),
    })
}

/// Does the same as [`counts`] for figures read from a file.
fn tally(figures: &[Value]) -> Value {
    let own = |found: &&Value| found["origin"] == "published";
    let count =
        |verdict: &str| figures.iter().filter(own).filter(|found| found["verdict"] == verdict).count();
    json!({
        "agree": count("agrees"), "differ": count("differs"), "missing": count("missing"),
        "unclear": count("unclear"), "as_expected": figures.iter().all(|found| found["expected"] == true),
    })
}

/// Converts a report to a list of blocks, without its title.
fn blocks(document: &Document) -> Vec<Value> {
    let told = |block: &Block| match block {
        Block::Heading(level, text) => json!({ "kind": "heading", "level": level, "text": text }),
        Block::Text(text) => json!({ "kind": "text", "text": text }),
        Block::List(entries) => json!({ "kind": "list", "entries": entries }),
        Block::Table { head, rows, words } => {
            json!({ "kind": "table", "head": head, "rows": rows, "words": words })
        }
        Block::Plot { caption, svg, .. } => json!({ "kind": "plot", "title": caption, "svg": svg }),
    };
    document.blocks.iter().skip(1).map(told).collect()
}
