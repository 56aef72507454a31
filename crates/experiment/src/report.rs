//! The report of an experiment: published figures beside ours, then what was played.

use tournament::report::{Analysis, Document, chance, json, sections};

use super::figure::Origin;
use super::outcome::{Outcome, Outcomes};
use super::spec::{Experiment, PartKind};
use super::verdict::{Judged, LEVEL, Verdict, judge};
use super::{plots, words};

/// Returns all files of a report, by name: the report itself, its plots, and the figures as JSON. They
/// depend only on the outcomes.
pub fn files(experiment: &Experiment, outcomes: &Outcomes) -> Vec<(String, String)> {
    let page = report(experiment, outcomes);
    let figures = serde_json::json!({
        "version": 1, "experiment": experiment.name, "variant": experiment.variant.name(),
        "figures": judge(experiment, outcomes),
    });
    let mut all = vec![
        ("report.md".to_string(), page.markdown()),
        ("report.html".to_string(), page.html()),
        ("figures.json".to_string(), json(&figures)),
    ];
    all.extend(page.plots().into_iter().map(|(name, svg)| (name, svg.to_string())));
    all
}

/// Creates the report.
pub fn report(experiment: &Experiment, outcomes: &Outcomes) -> Document {
    let judged = judge(experiment, outcomes);
    let mut out = Document::new(&experiment.title);
    let mut drawn: Vec<String> = Vec::new();
    if let Some(words) = &experiment.words {
        let plot = |name: &str, out: &mut Document| draw(experiment, outcomes, name, out);
        words::put(words, &judged, &mut out, &plot);
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
        let found: Vec<&Judged> = judged.iter().filter(|found| found.table == table).collect();
        compared(&found, &mut out);
        let mut reasons: Vec<&str> = Vec::new();
        for found in found.iter().filter(|f| matches!(f.verdict, Verdict::Differs | Verdict::Unclear)) {
            if !found.why.is_empty() && !reasons.contains(&found.why.as_str()) {
                reasons.push(&found.why);
            }
        }
        reasons.into_iter().for_each(|why| out.text(format!("Why: {why}")));
    }
    let mut tests: Vec<&str> = judged.iter().filter_map(|found| found.test).collect();
    tests.sort_unstable();
    tests.dedup();
    if !tests.is_empty() {
        let count = |claimed: bool| {
            judged.iter().filter(|found| found.test.is_some() && found.claimed == claimed).count()
        };
        let apart = match count(false) {
            0 => String::new(),
            open => format!(" (those of which nothing is claimed apart from them, for {open})"),
        };
        out.text(format!(
            "Tests: {}; p is corrected for {} comparisons by Holm's method{apart}, and figures differ below {LEVEL}, unless the difference is smaller than what was said to be near enough.",
            tests.join(", "),
            count(true),
        ));
    }
    if judged.iter().any(|found| found.could_show.is_some()) {
        out.text("\"Could show\" is the smallest true difference that the test finds four times out of five after the correction; agreement says nothing about smaller ones.");
    }
    if judged
        .iter()
        .any(|found| ["at least", "at most", "about"].iter().any(|b| found.published.starts_with(b)))
    {
        out.text("A bound, and what something is about, must be kept by the whole 95 % interval; where only a part of it does, it cannot be told.");
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
            (Some(_), PartKind::Call(call)) => {
                out.text(format!("The command `tafl {}`.", call.words().join(" ")));
            }
            _ => {}
        }
    }
    out
}

/// Returns how the names of a part's plots begin.
fn prefix(part: &str) -> String {
    format!("{part}-")
}

/// Draws the plot of this name, wherever it comes from.
fn draw(experiment: &Experiment, outcomes: &Outcomes, name: &str, out: &mut Document) {
    plots::draw(experiment, outcomes, name, out);
    for (part, outcome) in experiment.parts.iter().zip(outcomes) {
        if let Some(Outcome::Turns(table)) = outcome {
            table.draw(&prefix(&part.name), name, out);
        }
    }
}

/// Adds one table of figures.
fn compared(found: &[&Judged], out: &mut Document) {
    let mut origins: Vec<Origin> =
        found.iter().filter(|found| found.verdict != Verdict::Shown).map(|found| found.origin).collect();
    origins.sort_unstable();
    origins.dedup();
    let names: Vec<&str> = origins.iter().map(|origin| origin.name()).collect();
    let beside = if names.is_empty() { "published".to_string() } else { names.join(" or ") };
    let power = found.iter().any(|found| found.could_show.is_some());
    let mut head = vec!["", &beside, "ours", "matches", "corrected p"];
    head.extend(power.then_some("could show"));
    head.push("verdict");
    let rows = found.iter().map(|found| row(found, origins.len() > 1, power)).collect();
    out.table(&head, rows, &[head.len() - 1]);
}

/// Summarises how many figures of each origin agree.
fn summary(judged: &[Judged]) -> String {
    let mut said = Vec::new();
    for origin in [Origin::Published, Origin::Derived, Origin::Wanted] {
        let own = judged.iter().filter(|found| found.claimed && found.origin == origin);
        let own: Vec<&Judged> = own.filter(|found| found.is_compared).collect();
        said.extend(counted(&own, origin, said.is_empty()));
    }
    if said.is_empty() {
        said.push("No figure is claimed to agree with ours".to_string());
    }
    let compared = |found: &&Judged| !matches!(found.verdict, Verdict::Shown | Verdict::Missing);
    let open = judged.iter().filter(|found| !found.claimed).filter(compared).count();
    if open > 0 {
        said.push(format!("nothing is claimed of {open} more"));
    }
    said.join("; ") + "."
}

fn counted(own: &[&Judged], origin: Origin, first: bool) -> Option<String> {
    let count = |verdict: Verdict| own.iter().filter(|found| found.verdict == verdict).count();
    let agree = count(Verdict::Agrees);
    let (differ, unclear, missing) =
        (count(Verdict::Differs), count(Verdict::Unclear), count(Verdict::Missing));
    let all = agree + differ + unclear + missing;
    if all == 0 {
        return None;
    }
    let figures = if first { " figures" } else { " ones" };
    let mut text = match origin {
        Origin::Published => format!("{agree} of {all} published{figures} agree with ours"),
        Origin::Derived => format!("{agree} of {all} derived{figures} agree with ours"),
        Origin::Wanted => format!("{agree} of {all} that are wanted are met"),
    };
    if differ > 0 {
        let unknown = own.iter().filter(|found| found.verdict == Verdict::Differs && !found.expected).count();
        let word = match (origin, differ) {
            (Origin::Wanted, 1) => "is not",
            (Origin::Wanted, _) => "are not",
            (_, 1) => "differs",
            _ => "differ",
        };
        text.push_str(&format!(", {differ} {word}"));
        match differ - unknown {
            _ if unknown == 0 => text.push_str(", for reasons given below"),
            0 => {}
            known => text.push_str(&format!(" ({known} of them for reasons given below)")),
        }
    }
    if unclear > 0 {
        text.push_str(&format!(", {unclear} cannot be told"));
    }
    if missing > 0 {
        text.push_str(&format!(", {missing} could not be compared"));
    }
    Some(text)
}

fn row(found: &Judged, mixed: bool, power: bool) -> Vec<String> {
    let verdict = match (found.verdict, found.expected) {
        (Verdict::Agrees, _) if !found.claimed => "agrees; nothing was claimed",
        (Verdict::Differs, _) if !found.claimed => "differs; nothing was claimed",
        (Verdict::Agrees, true) => "agrees",
        (Verdict::Agrees, false) => "agrees, **not foreseen**",
        (Verdict::Differs, true) => "differs, as foreseen",
        (Verdict::Differs, false) => "**differs**",
        (Verdict::Unclear, true) => "cannot be told",
        (Verdict::Unclear, false) => "**cannot be told**",
        (Verdict::Shown, _) => "–",
        (Verdict::Missing, true) => "missing, as foreseen",
        (Verdict::Missing, false) => "**missing**",
    };
    let matches = if found.matches > 0 { found.matches.to_string() } else { "–".to_string() };
    let beside = match mixed && found.origin != Origin::Published && found.verdict != Verdict::Shown {
        true => format!("{}: {}", found.origin.name(), found.published),
        false => found.published.clone(),
    };
    let mut cells = vec![
        found.label.clone(),
        beside,
        found.ours.clone(),
        matches,
        found.p.map_or("–".to_string(), chance),
    ];
    cells.extend(power.then(|| found.could_show.clone().unwrap_or_else(|| "–".to_string())));
    cells.push(verdict.to_string());
    cells
}
