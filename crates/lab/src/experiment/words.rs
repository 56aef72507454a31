//! Words about an experiment, with figures and plots in their places.
//!
//! `words.md` is a little Markdown: headings, paragraphs and lists. `{{id}}`
//! stands for our figure with that `id` and its interval, `{{id.value}}` for the
//! figure alone, `{{id.matches}}` for how many matches it comes from, and a
//! paragraph `{{plot NAME}}` for a plot. What has not been played yet is a dash.

use super::spec::Experiment;
use super::verdict::Judged;
use crate::report::Document;

/// Puts the words into a report; `plot` draws the plot of a name.
pub(crate) fn put(
    words: &str,
    experiment: &Experiment,
    judged: &[Judged],
    out: &mut Document,
    plot: &dyn Fn(&str, &mut Document),
) {
    for block in words.split("\n\n").map(str::trim).filter(|block| !block.is_empty()) {
        let inside = block.strip_prefix("{{plot ").and_then(|rest| rest.strip_suffix("}}"));
        if let Some(name) = inside {
            plot(name.trim(), out);
            continue;
        }
        let text = filled(block, experiment, judged);
        let level = text.chars().take_while(|c| *c == '#').count();
        match level {
            1..=6 => out.heading(level as u8, text[level..].trim()),
            _ if text.starts_with("- ") => out.list(text.split("\n- ").map(joined).collect()),
            _ => out.text(joined(&text)),
        }
    }
}

/// Lines of a paragraph as one.
fn joined(text: &str) -> String {
    let text = text.strip_prefix("- ").unwrap_or(text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// With figures in their places.
fn filled(text: &str, experiment: &Experiment, judged: &[Judged]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(begin) = rest.find("{{") {
        out.push_str(&rest[..begin]);
        let Some(end) = rest[begin..].find("}}") else { break };
        let place = rest[begin + 2..begin + end].trim();
        out.push_str(&figure(place, experiment, judged).unwrap_or_else(|| "–".to_string()));
        rest = &rest[begin + end + 2..];
    }
    out.push_str(rest);
    out
}

fn figure(place: &str, experiment: &Experiment, judged: &[Judged]) -> Option<String> {
    let (id, what) = place.split_once('.').unwrap_or((place, ""));
    let at = experiment.figures.iter().position(|figure| figure.id.as_deref() == Some(id))?;
    let found = judged.get(at)?;
    Some(match what {
        "matches" => found.matches.to_string(),
        "value" => {
            let end = found.ours.find(" (").or(found.ours.find(" ±")).unwrap_or(found.ours.len());
            found.ours[..end].to_string()
        }
        _ => found.ours.clone(),
    })
}
