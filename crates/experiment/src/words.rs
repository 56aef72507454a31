//! The text about an experiment, with figures and plots filled in.
//!
//! `words.md` is a small subset of Markdown: headings, paragraphs and lists. `{{id}}` stands for our figure
//! with that `id` and its interval, in few digits, `{{id.value}}` for the figure without the interval,
//! `{{id.p}}` for the corrected p-value of its test and `{{id.raw_p}}` for the uncorrected one, and `{{id.matches}}` for the number of matches that it
//! comes from. A paragraph `{{plot NAME}}` is a plot. What has not been played yet becomes a dash; an
//! unknown name is a mistake.

use std::ops::Range;

use library::did_you_mean;
use tournament::report::{Document, chance};
use tournament::spec_text::{BadSpec, Form, Reading};

use super::turns::TurnsTable;
use super::verdict::Judged;

/// What the text may refer to, in any variant.
pub(crate) struct Names {
    /// The ids of figures.
    pub(crate) figures: Vec<String>,
    /// The ids of claims.
    claims: Vec<String>,
    /// The names of plots.
    plots: Vec<String>,
}

/// What may follow an id.
const ASPECTS: [&str; 4] = ["value", "matches", "p", "raw_p"];

impl Names {
    /// Collects the names of an experiment. Files a complaint about every duplicate id.
    pub(crate) fn of(form: &Form<'_>, reading: &Reading) -> Names {
        let mut seen: Vec<String> = Vec::new();
        let mut ids = |key: &str| -> Vec<String> {
            let mut own = Vec::new();
            for id in form.forms(key).iter().filter_map(|entry| entry.text("id")) {
                if seen.contains(&id.value) {
                    reading.complain(&id.span, format!("There are two figures or claims `{}`.", id.value));
                }
                seen.push(id.value.clone());
                own.push(id.value);
            }
            own
        };
        let (figures, claims) = (ids("figure"), ids("claim"));
        let mut plots: Vec<String> = Vec::new();
        plots.extend(form.forms("figure").iter().filter_map(|figure| Some(figure.text("plot")?.value)));
        plots.extend(form.forms("plot").iter().filter_map(|plot| Some(plot.text("name")?.value)));
        for part in form.forms("part") {
            let Some(name) = part.text("name") else { continue };
            if part.text("kind").is_none_or(|kind| kind.value != "turns") {
                continue;
            }
            let quick = part.form("quick");
            for own in [Some(&part), quick.as_ref()].into_iter().flatten() {
                for key in ["reasoners", "players"] {
                    let all = own.list(key).unwrap_or_default();
                    for by in all.iter().filter_map(|by| by.text(key)) {
                        plots.push(TurnsTable::plot_name(&format!("{}-", name.value), &by.value));
                    }
                }
            }
        }
        Names { figures, claims, plots }
    }
}

/// Checks that every name in the text exists.
pub(crate) fn check(place: &str, words: &str, names: &Names) -> Result<(), BadSpec> {
    let reading = Reading::new(place, words);
    for (range, inside) in places(words) {
        if let Some(plot) = inside.strip_prefix("plot ").map(str::trim) {
            if !names.plots.iter().any(|known| known == plot) {
                let hint = did_you_mean(plot, names.plots.iter().map(String::as_str));
                reading.complain(&range, format!("There is no plot `{plot}`.{hint}"));
            }
            continue;
        }
        let (id, aspect) = inside.split_once('.').unwrap_or((inside, "value"));
        let known = || names.figures.iter().chain(&names.claims);
        if !known().any(|known| known == id) {
            let hint = did_you_mean(id, known().map(String::as_str));
            reading.complain(&range, format!("No figure or claim has the id `{id}`.{hint}"));
        } else if !ASPECTS.contains(&aspect) {
            let all = ASPECTS.join("`, `.");
            reading.complain(&range, format!("`.{aspect}` is not known. Possible: `.{all}`."));
        }
    }
    reading.finish(Some(()))
}

/// Returns the content and place of every `{{…}}`.
fn places(words: &str) -> Vec<(Range<usize>, &str)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(begin) = words[from..].find("{{").map(|at| from + at) {
        let Some(end) = words[begin..].find("}}").map(|at| begin + at) else { break };
        found.push((begin..end + 2, words[begin + 2..end].trim()));
        from = end + 2;
    }
    found
}

/// Adds the text to a report. `plot` draws the plot of a name.
pub(crate) fn put(words: &str, judged: &[Judged], out: &mut Document, plot: &dyn Fn(&str, &mut Document)) {
    for block in words.split("\n\n").map(str::trim).filter(|block| !block.is_empty()) {
        let inside = block.strip_prefix("{{plot ").and_then(|rest| rest.strip_suffix("}}"));
        if let Some(name) = inside {
            plot(name.trim(), out);
            continue;
        }
        let text = filled(block, judged);
        let level = text.chars().take_while(|c| *c == '#').count();
        match level {
            1..=6 => out.heading(level as u8, text[level..].trim()),
            _ if text.starts_with("- ") => out.list(text.split("\n- ").map(joined).collect()),
            _ => out.text(joined(&text)),
        }
    }
}

/// Joins the lines of a paragraph.
fn joined(text: &str) -> String {
    let text = text.strip_prefix("- ").unwrap_or(text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Fills in the figures.
fn filled(text: &str, judged: &[Judged]) -> String {
    let mut out = String::new();
    let mut from = 0;
    for (range, inside) in places(text) {
        out.push_str(&text[from..range.start]);
        out.push_str(&figure(inside, judged).unwrap_or_else(|| "–".to_string()));
        from = range.end;
    }
    out.push_str(&text[from..]);
    out
}

fn figure(place: &str, judged: &[Judged]) -> Option<String> {
    let (id, what) = place.split_once('.').unwrap_or((place, ""));
    let found = judged.iter().find(|found| found.id.as_deref() == Some(id))?;
    Some(match what {
        "matches" => found.matches.to_string(),
        "value" => found.alone.clone(),
        "p" => chance(found.p?),
        "raw_p" => chance(found.raw_p?),
        _ => found.short.clone(),
    })
}
