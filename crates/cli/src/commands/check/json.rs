//! Findings as a JSON object.

use std::io::Write;

use serde_json::{Value, json};
use tafl::gdl::{Diagnostic, LineIndex, Severity, Span};

use super::{Checked, play};
use crate::screen::Screen;

/// The version of this format.
const VERSION: u32 = 1;

pub(super) fn write(all: &[Checked], screen: &mut Screen) -> anyhow::Result<()> {
    let files: Vec<Value> = all.iter().map(file).collect();
    serde_json::to_writer_pretty(&mut screen.out, &json!({ "version": VERSION, "files": files }))?;
    Ok(writeln!(screen.out)?)
}

fn file(checked: &Checked) -> Value {
    let loaded = &checked.loaded;
    let lines = LineIndex::new(&loaded.source.text);
    let diagnostics: Vec<Value> =
        loaded.diagnostics().iter().map(|found| diagnostic(found, &lines)).collect();
    let mut file = json!({
        "file": loaded.source.place,
        "errors": loaded.errors(),
        "warnings": loaded.warnings(),
        "diagnostics": diagnostics,
    });
    match &checked.trial {
        None => {}
        Some(Err(text)) => file["play"] = json!({ "failed": text }),
        Some(Ok(trial)) => {
            let findings = trial.findings.iter().map(|example| {
                let (code, message) = play::told(example);
                json!({
                    "code": code, "message": message, "count": example.count, "playout": example.playout,
                    "length": example.length, "roles": example.roles, "state": tafl::library::write_state(&example.state),
                })
            });
            let findings: Vec<Value> = findings.collect();
            file["play"] = json!({
                "playouts": trial.playouts, "steps": trial.steps, "proper": trial.proper,
                "shortest": trial.shortest, "longest": trial.longest, "findings": findings,
            });
        }
    }
    file
}

fn diagnostic(found: &Diagnostic, lines: &LineIndex<'_>) -> Value {
    let labels: Vec<Value> = found
        .labels
        .iter()
        .map(|label| {
            let mut value = place(label.span, lines);
            value["text"] = json!(label.text);
            value
        })
        .collect();
    json!({
        "code": found.code,
        "severity": severity(found.severity),
        "message": found.message,
        "remedy": found.remedy,
        "place": place(found.span, lines),
        "labels": labels,
    })
}

pub(super) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// Returns lines and columns, counted from 1 and in characters; the end is one past the last character.
pub(super) fn place(span: Span, lines: &LineIndex<'_>) -> Value {
    let (start, end) = (lines.position(span.start as usize), lines.position(span.end as usize));
    json!({ "line": start.line, "column": start.column, "endLine": end.line, "endColumn": end.column })
}
