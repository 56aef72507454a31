//! The report of an experiment: published figures beside ours, then what was played.

use tournament::report::{Analysis, Document, chance, json, sections};

use super::foresight::{Foreseen, Foresight};
use super::origin::Origin;
use super::outcome::{Outcome, Outcomes};
use super::spec::{Experiment, PartKind};
use super::summary;
use super::verdict::{Judged, LEVEL, Verdict, judge};
use super::{plots, words};

/// Returns all files of a report, by name: the report itself, its plots, and the figures as JSON. They
/// depend only on the outcomes and on what was recorded with them.
pub fn files(experiment: &Experiment, outcomes: &Outcomes, foresight: &Foresight) -> Vec<(String, String)> {
    let page = report(experiment, outcomes, foresight);
    let figures = serde_json::json!({
        "version": 1, "experiment": experiment.name, "variant": experiment.variant.name(),
        "figures": judge(experiment, outcomes, foresight),
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
pub fn report(experiment: &Experiment, outcomes: &Outcomes, foresight: &Foresight) -> Document {
    let judged = judge(experiment, outcomes, foresight);
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
    summary::put(&judged, &mut out);
    let known = judged.iter().any(|found| found.is_expectation() && found.foreseen != Foreseen::Unknown);
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
        compared(&found, known, &mut out);
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
            "Tests: {}; corrected p is p corrected for {} comparisons by Holm's method{apart}, and figures differ below {LEVEL}, unless the difference is smaller than what was said to be near enough.",
            tests.join(", "),
            count(true),
        ));
    }
    if judged.iter().any(|found| found.could_show.is_some()) {
        out.text("\"Could show\" is the smallest true difference that the test finds four times out of five, at the level that the correction leaves to it; agreement says nothing about smaller ones. Where it is larger than 10 points on a scale from 0 to 100, than a tenth of a published value without such a scale, or than the margin of the figure, a test that finds nothing cannot tell.");
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
fn compared(found: &[&Judged], known: bool, out: &mut Document) {
    let mut origins: Vec<Origin> =
        found.iter().filter(|found| found.verdict != Verdict::Shown).map(|found| found.origin).collect();
    origins.sort_unstable();
    origins.dedup();
    let names: Vec<&str> = origins.iter().map(|origin| origin.name()).collect();
    let beside = if names.is_empty() { "published".to_string() } else { names.join(" or ") };
    let power = found.iter().any(|found| found.could_show.is_some());
    let tested = found.iter().any(|found| found.p.is_some());
    let mut head = vec!["", &beside, "ours", "matches"];
    head.extend(tested.then_some(["p", "corrected p"]).into_iter().flatten());
    head.extend(power.then_some("could show"));
    head.push("verdict");
    head.extend(known.then_some("foreseen"));
    let words = 4 + 2 * usize::from(tested) + usize::from(power);
    let columns = Columns { mixed: origins.len() > 1, tested, power, known };
    let rows = found.iter().map(|found| row(found, &columns)).collect();
    out.table(&head, rows, &(words..head.len()).collect::<Vec<_>>());
}

/// Which columns a table has.
struct Columns {
    /// Whether figures have different origins.
    mixed: bool,
    /// Whether there are p-values.
    tested: bool,
    /// Whether it is known what a test could show.
    power: bool,
    /// Whether it is known of any figure whether it was foreseen.
    known: bool,
}

fn row(found: &Judged, columns: &Columns) -> Vec<String> {
    let dash = || "–".to_string();
    let bold = !found.expected && found.verdict != Verdict::Shown;
    let verdict = if bold { format!("**{}**", found.words()) } else { found.words().to_string() };
    let beside = match columns.mixed && found.origin != Origin::Published && found.verdict != Verdict::Shown {
        true => format!("{}: {}", found.origin.name(), found.published),
        false => found.published.clone(),
    };
    let matches = if found.matches > 0 { found.matches.to_string() } else { dash() };
    let mut cells = vec![found.label.clone(), beside, found.ours.clone(), matches];
    let ps = [found.raw_p, found.p].map(|p| p.map_or_else(dash, chance));
    cells.extend(columns.tested.then_some(ps).into_iter().flatten());
    cells.extend(columns.power.then(|| found.could_show.clone().unwrap_or_else(dash)));
    cells.push(verdict);
    let foreseen = if found.is_expectation() { found.foreseen.name().to_string() } else { dash() };
    cells.extend(columns.known.then_some(foreseen));
    cells
}
