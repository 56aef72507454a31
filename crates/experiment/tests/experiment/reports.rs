//! The reports of the repository are those of its results.
//!
//! `report.html` is no part of the repository: it shows what `report.md` says.

use std::collections::BTreeSet;
use std::fs;

use experiment::{Expected, Experiment, Foresight, Outcome, Outcomes, Part, PartKind, Variant, files, list};
use library::Library;
use tournament::Archive;

use super::experiments::folder;

/// What is wrong with the results of one experiment.
fn stale(name: &str, update: bool) -> Vec<String> {
    let path = folder().join(name);
    let results = path.join("results");
    let Ok(entries) = fs::read_dir(&results) else { return Vec::new() };
    let experiment = Experiment::read(&path, Variant::Full, &Library::embedded()).unwrap();
    let read = |part| Outcome::read(part, &results).unwrap();
    let outcomes: Outcomes = experiment.parts.iter().map(read).collect();
    let mut wrong = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    for (file, text) in files(&experiment, &outcomes, &Foresight::read(&experiment, &results)) {
        let kept = fs::read_to_string(results.join(&file)).ok();
        if file != "report.html" && kept.as_ref() != Some(&text) {
            wrong.push(format!("{name}/results/{file} is not what its results give"));
            if update {
                fs::write(results.join(&file), &text).unwrap();
            }
        }
        known.insert(file);
    }
    for (part, outcome) in experiment.parts.iter().zip(&outcomes) {
        let file = Outcome::file(part);
        if !is_kept_well(part, outcome.as_ref(), fs::read(results.join(&file)).ok()) {
            wrong.push(format!("{name}/results/{file} changes when it is read and written"));
        }
        known.extend([file, Expected::file(part)]);
    }
    for entry in entries {
        let file = entry.unwrap().file_name().to_string_lossy().into_owned();
        if !known.contains(&file) {
            wrong.push(format!("{name}/results/{file} belongs to no part and no plot"));
        }
    }
    wrong
}

/// Whether the file of a part holds its outcome and nothing else. Archives are compared
/// unpacked: the same text may be packed in other ways.
fn is_kept_well(part: &Part, outcome: Option<&Outcome>, bytes: Option<Vec<u8>>) -> bool {
    let (outcome, bytes) = match (outcome, bytes) {
        (Some(outcome), Some(bytes)) => (outcome, bytes),
        (outcome, bytes) => return outcome.is_none() && bytes.is_none(),
    };
    match (&part.kind, outcome) {
        (PartKind::Tournament(ready), Outcome::Tournament(_, results)) => {
            let plan = ready.plan();
            let archive = Archive::read(&bytes, plan).unwrap();
            let again = Archive::read(&archive.write(plan), plan).unwrap();
            archive == again && archive.results == *results && archive.digest.len() == 16
        }
        _ => bytes == outcome.write().into_bytes(),
    }
}

/// `UPDATE_EXPECT=1` writes the reports anew, as `tafl experiment report` does.
#[test]
fn every_report_is_what_its_results_give_byte_for_byte() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let wrong: Vec<String> =
        list(&folder()).unwrap().iter().flat_map(|found| stale(&found.name, update)).collect();
    assert!(
        update || wrong.is_empty(),
        "`tafl experiment report NAME` writes a report anew:\n{}",
        wrong.join("\n")
    );
}
