//! An experiment's report: the published figures beside ours, then what was played.

use super::outcome::{Outcome, Outcomes};
use super::spec::{Experiment, PartKind};
use super::verdict::{Judged, LEVEL, Verdict, judge};
use super::{plots, words};
use crate::report::{Analysis, Document, chance, sections};

/// Makes the report.
pub fn report(experiment: &Experiment, outcomes: &Outcomes) -> Document {
    let judged = judge(experiment, outcomes);
    let mut out = Document::new(&experiment.title);
    let mut drawn: Vec<String> = Vec::new();
    if let Some(words) = &experiment.words {
        let plot = |name: &str, out: &mut Document| draw(experiment, outcomes, name, out);
        words::put(words, experiment, &judged, &mut out, &plot);
        drawn = out.plots().into_iter().map(|(name, _)| name.trim_end_matches(".svg").to_string()).collect();
        out.heading(1, "Figures");
    }
    if !experiment.question.is_empty() {
        out.text(&experiment.question);
    }
    out.text(format!("Published in: {}.", experiment.source.trim_end_matches('.')));
    let command = format!("tafl experiment run {}", experiment.name);
    out.text(match experiment.variant {
        super::Variant::Quick => format!("The quick variant, made by `{command} --quick`."),
        super::Variant::Full => format!("The full variant, made by `{command}`."),
    });
    out.heading(2, "Verdict");
    out.text(summary(&judged));
    let mut tables: Vec<&str> = Vec::new();
    for found in &judged {
        if !tables.contains(&found.table.as_str()) {
            tables.push(&found.table);
        }
    }
    for table in tables {
        if !table.is_empty() {
            out.heading(3, table);
        }
        let rows = judged.iter().filter(|found| found.table == table).map(row);
        let head = ["", "published", "ours", "matches", "corrected p", "verdict"];
        out.table(&head, rows.collect(), &[5]);
        let mut reasons: Vec<&str> = judged
            .iter()
            .filter(|found| {
                found.table == table && !found.why.is_empty() && found.verdict == Verdict::Differs
            })
            .map(|found| found.why.as_str())
            .collect();
        reasons.dedup();
        reasons.into_iter().for_each(|why| out.text(format!("Why they differ: {why}")));
    }
    let mut tests: Vec<&str> = judged.iter().filter_map(|found| found.test).collect();
    tests.sort_unstable();
    tests.dedup();
    if !tests.is_empty() {
        let count = judged.iter().filter(|found| found.test.is_some()).count();
        out.text(format!(
            "Tests: {}; p is corrected for {count} comparisons by Holm's method, and figures differ below {LEVEL}, unless the difference is smaller than what was said to be near enough.",
            tests.join(", ")
        ));
    }
    experiment.notes.iter().for_each(|note| out.text(note));
    for name in plots::names(experiment).iter().filter(|name| !drawn.contains(*name)) {
        plots::draw(experiment, outcomes, name, &mut out);
    }
    for (part, outcome) in experiment.parts.iter().zip(outcomes) {
        out.heading(2, &format!("Part {}", part.name));
        match (outcome, &part.kind) {
            (None, _) => out.text("Not run yet."),
            (Some(Outcome::Tournament(plan, results)), _) => {
                let analysis = Analysis::of(plan, results);
                sections(plan, &analysis, &mut out, 3, &prefix(&part.name));
            }
            (Some(Outcome::Playouts(counts)), PartKind::Playouts { .. }) => {
                let mean = counts.lengths.value().unwrap_or(0.0);
                out.text(format!(
                    "{} random games of {}, seed {}, {mean:.3} steps on average.",
                    counts.playouts, counts.game, counts.seed
                ));
                let rows = counts.results.iter().map(|(goals, count)| {
                    let goals = goals.as_ref().map_or("not to its end".to_string(), |goals| {
                        let pair = |(role, goal): (&String, &i32)| format!("{role} {goal}");
                        counts.roles.iter().zip(goals).map(pair).collect::<Vec<_>>().join(", ")
                    });
                    let share = 100.0 * *count as f64 / counts.playouts.max(1) as f64;
                    vec![goals, count.to_string(), format!("{share:.3} %")]
                });
                out.table(&["result", "games", "share"], rows.collect(), &[]);
            }
            (Some(Outcome::Turns(table)), _) => {
                table.sections(&mut out);
                for name in table.plots(&prefix(&part.name)).iter().filter(|name| !drawn.contains(*name)) {
                    table.draw(&prefix(&part.name), name, &mut out);
                }
            }
            (Some(_), PartKind::Command { words }) => {
                out.text(format!("The command `tafl {}`.", words.join(" ")));
            }
            _ => {}
        }
    }
    out
}

/// How the names of a part's plots begin.
fn prefix(part: &str) -> String {
    format!("{part}-")
}

/// Draws the plot of a name, wherever it comes from.
fn draw(experiment: &Experiment, outcomes: &Outcomes, name: &str, out: &mut Document) {
    plots::draw(experiment, outcomes, name, out);
    for (part, outcome) in experiment.parts.iter().zip(outcomes) {
        if let Some(Outcome::Turns(table)) = outcome {
            table.draw(&prefix(&part.name), name, out);
        }
    }
}

fn summary(judged: &[Judged]) -> String {
    let claimed = || judged.iter().filter(|found| found.claimed);
    let count = |verdict: Verdict| claimed().filter(|found| found.verdict == verdict).count();
    let (agree, differ, missing) = (count(Verdict::Agrees), count(Verdict::Differs), count(Verdict::Missing));
    let all = agree + differ + missing;
    let mut text = match all {
        0 => "No published figure is claimed to agree with ours".to_string(),
        _ => format!("{agree} of {all} published figures agree with ours"),
    };
    if differ > 0 {
        let unknown = claimed().filter(|found| found.verdict == Verdict::Differs && !found.expected).count();
        let known = differ - unknown;
        text.push_str(&format!(", {differ} differ"));
        if unknown == 0 {
            text.push_str(", for reasons given below");
        } else if known > 0 {
            text.push_str(&format!(" ({known} of them for reasons given below)"));
        }
    }
    if missing > 0 {
        text.push_str(&format!(", {missing} could not be compared"));
    }
    let compared = |found: &&Judged| matches!(found.verdict, Verdict::Agrees | Verdict::Differs);
    let open = judged.iter().filter(|found| !found.claimed).filter(compared).count();
    if open > 0 {
        text.push_str(&format!("; nothing is claimed of {open} more"));
    }
    text.push('.');
    text
}

fn row(found: &Judged) -> Vec<String> {
    let verdict = match (found.verdict, found.expected) {
        (Verdict::Agrees, _) if !found.claimed => "agrees; nothing was claimed",
        (Verdict::Differs, _) if !found.claimed => "differs; nothing was claimed",
        (Verdict::Agrees, true) => "agrees",
        (Verdict::Agrees, false) => "agrees, **not foreseen**",
        (Verdict::Differs, true) => "differs, as foreseen",
        (Verdict::Differs, false) => "**differs**",
        (Verdict::Shown, _) => "–",
        (Verdict::Missing, true) => "missing, as foreseen",
        (Verdict::Missing, false) => "**missing**",
    };
    let matches = if found.matches > 0 { found.matches.to_string() } else { "–".to_string() };
    vec![
        found.label.clone(),
        found.published.clone(),
        found.ours.clone(),
        matches,
        found.p.map_or("–".to_string(), chance),
        verdict.to_string(),
    ]
}
