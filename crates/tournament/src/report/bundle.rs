//! All files of a tournament's report.

use super::analysis::Analysis;
use super::json::json;
use super::tables;
use super::words::document;
use crate::{Plan, Results};

/// File names and contents.
pub type Bundle = Vec<(String, String)>;

/// Creates the plan, the results and the report: the same bytes for the same plan and results.
pub fn bundle(plan: &Plan, results: &Results) -> Bundle {
    let analysis = Analysis::of(plan, results);
    let report = document(plan, &analysis);
    let mut files = vec![
        ("plan.json".to_string(), plan.write()),
        ("results.jsonl".to_string(), results.write(plan)),
        ("matches.csv".to_string(), tables::matches(plan, results)),
        ("scores.csv".to_string(), tables::scores(&analysis)),
        ("report.json".to_string(), json(&analysis)),
        ("report.md".to_string(), report.markdown()),
        ("report.html".to_string(), report.html()),
    ];
    files.extend(report.plots().into_iter().map(|(name, svg)| (name, svg.to_string())));
    files
}
