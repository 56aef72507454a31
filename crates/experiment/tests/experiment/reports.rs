//! The reports of the repository are those of its results.

use std::collections::BTreeSet;
use std::fs;

use experiment::{Experiment, Outcome, Outcomes, Variant, files, list};
use library::Library;

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
    for (file, text) in files(&experiment, &outcomes) {
        if fs::read_to_string(results.join(&file)).ok().as_ref() != Some(&text) {
            wrong.push(format!("{name}/results/{file} is not what its results give"));
            if update {
                fs::write(results.join(&file), &text).unwrap();
            }
        }
        known.insert(file);
    }
    for (part, outcome) in experiment.parts.iter().zip(&outcomes) {
        let file = Outcome::file(part);
        let kept = fs::read_to_string(results.join(&file)).ok();
        if kept != outcome.as_ref().map(Outcome::write) {
            wrong.push(format!("{name}/results/{file} changes when it is read and written"));
        }
        known.insert(file);
    }
    for entry in entries {
        let file = entry.unwrap().file_name().to_string_lossy().into_owned();
        if !known.contains(&file) {
            wrong.push(format!("{name}/results/{file} belongs to no part and no plot"));
        }
    }
    wrong
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
