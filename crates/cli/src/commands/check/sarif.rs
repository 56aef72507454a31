//! Findings in SARIF 2.1.0, the format of code scanning services.

use std::collections::BTreeSet;
use std::io::Write;

use serde_json::{Value, json};
use tafl::gdl::LineIndex;

use super::json::{place, severity};
use super::{Checked, play};
use crate::screen::Screen;

pub(super) fn write(all: &[Checked], screen: &mut Screen) -> anyhow::Result<()> {
    let results: Vec<Value> = all.iter().flat_map(results).collect();
    let codes: BTreeSet<&str> = results.iter().filter_map(|result| result["ruleId"].as_str()).collect();
    let rules: Vec<Value> = codes.into_iter().map(|code| json!({ "id": code })).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "tafl", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut screen.out, &log)?;
    Ok(writeln!(screen.out)?)
}

fn results(checked: &Checked) -> Vec<Value> {
    let loaded = &checked.loaded;
    let lines = LineIndex::new(&loaded.source.text);
    let uri = loaded.source.place.replace('\\', "/").replace(' ', "%20");
    let location = |span| {
        let place = place(span, &lines);
        json!({ "physicalLocation": {
            "artifactLocation": { "uri": uri },
            "region": {
                "startLine": place["line"], "startColumn": place["column"],
                "endLine": place["endLine"], "endColumn": place["endColumn"],
            },
        } })
    };
    let mut results: Vec<Value> = Vec::new();
    for found in loaded.diagnostics() {
        let message = match &found.remedy {
            Some(remedy) => format!("{}; {remedy}", found.message),
            None => found.message.clone(),
        };
        let related: Vec<Value> = found
            .labels
            .iter()
            .map(|label| {
                let mut value = location(label.span);
                value["message"] = json!({ "text": label.text });
                value
            })
            .collect();
        results.push(json!({
            "ruleId": found.code,
            "level": severity(found.severity),
            "message": { "text": message },
            "locations": [location(found.span)],
            "relatedLocations": related,
        }));
    }
    let whole = || json!([{ "physicalLocation": { "artifactLocation": { "uri": uri } } }]);
    let failure = |code: &str, text: String| json!({ "ruleId": code, "level": "error", "message": { "text": text }, "locations": whole() });
    match &checked.trial {
        None => {}
        Some(Err(text)) => results.push(failure("unplayable", text.clone())),
        Some(Ok(trial)) => results.extend(trial.findings.iter().map(|example| {
            let (code, text) = play::told(example);
            failure(code, format!("{text}, for example in {}", tafl::library::write_state(&example.state)))
        })),
    }
    results
}
