//! Plots that several figures make together.
//!
//! A figure with `plot`, `line` and `x` is a point; all points of a plot make a
//! picture, whatever parts they come from. `[[plot]]` says how it looks.

use super::figure::Figure;
use super::outcome::{Outcome, Outcomes};
use super::spec::Experiment;
use super::verdict::spread;
use crate::report::{Document, Lines, Point, Series};
use crate::spec_text::Form;

/// How a plot looks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlotForm {
    /// Its name, by which figures refer to it.
    pub name: String,
    /// What it shows.
    pub caption: String,
    /// What is along the bottom.
    pub x: String,
    /// What is up the side.
    pub y: String,
    /// Whether each step along the bottom is a factor.
    pub logarithmic: bool,
    /// The range up the side.
    pub range: Option<(f64, f64)>,
}

impl PlotForm {
    pub(crate) fn read(form: &Form<'_>) -> Option<PlotForm> {
        form.only(&["name", "caption", "x", "y", "logarithmic", "range"]);
        let text = |key: &str| form.text(key).map_or(String::new(), |found| found.value);
        let range = form.list("range").and_then(|list| match list[..] {
            [low, high] => {
                let end = |entry: &crate::spec_text::Entry<'_>| entry.real("range", -1e12..=1e12);
                Some((end(&low)?.value, end(&high)?.value))
            }
            _ => None,
        });
        Some(PlotForm {
            name: form.needed("name", "\"balance\"")?.value,
            caption: text("caption"),
            x: text("x"),
            y: text("y"),
            logarithmic: form.flag("logarithmic").is_some_and(|found| found.value),
            range: range.filter(|(low, high)| low < high),
        })
    }
}

/// The names of all plots, in the order of the figures.
pub(crate) fn names(experiment: &Experiment) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for point in experiment.figures.iter().filter_map(|figure| figure.point.as_ref()) {
        if !names.contains(&point.plot) {
            names.push(point.plot.clone());
        }
    }
    names
}

/// Draws one of them; nothing where there is no point yet.
pub(crate) fn draw(experiment: &Experiment, outcomes: &Outcomes, name: &str, out: &mut Document) {
    let form = experiment.plots.iter().find(|form| form.name == name).cloned().unwrap_or_default();
    let outcome = |figure: &Figure| -> Option<&Outcome> {
        let at = experiment.parts.iter().position(|part| part.name == figure.part)?;
        outcomes.get(at)?.as_ref()
    };
    let mut series: Vec<Series> = Vec::new();
    for figure in &experiment.figures {
        let Some(point) = figure.point.as_ref().filter(|point| point.plot == name) else { continue };
        let Some((y, low, high)) = outcome(figure).and_then(|outcome| spread(figure, outcome)) else {
            continue;
        };
        let at = series.iter().position(|series| series.name == point.line).unwrap_or_else(|| {
            series.push(Series { name: point.line.clone(), points: Vec::new() });
            series.len() - 1
        });
        series[at].points.push(Point { x: point.x, y, low, high });
    }
    if series.is_empty() {
        return;
    }
    series.iter_mut().for_each(|series| series.points.sort_by(|a, b| a.x.total_cmp(&b.x)));
    let lines = Lines {
        x: form.x,
        y: form.y,
        logarithmic: form.logarithmic,
        y_logarithmic: false,
        range: form.range,
        series,
    };
    let caption = if form.caption.is_empty() { name.to_string() } else { form.caption };
    out.plot(name, &caption, lines.svg());
}
