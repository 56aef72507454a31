//! Plots that several figures form together.
//!
//! A figure with `plot`, `line` and `x` is a point. All points of a plot are drawn together, whatever parts
//! they come from, and `[[plot]]` describes its appearance. A plot may also have lines that are lists in
//! the answers to questions.

use tournament::report::{Document, Lines, Point, Series};
use tournament::spec_text::{Form, Reading};

use super::outcome::{Outcome, Outcomes};
use super::spec::{Experiment, Part};
use super::verdict::{outcome_of, spread};

/// The appearance of a plot.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlotForm {
    /// The name by which figures refer to it.
    pub name: String,
    /// What it shows.
    pub caption: String,
    /// The label of the x axis.
    pub x: String,
    /// The label of the y axis.
    pub y: String,
    /// Whether the x axis is logarithmic.
    pub logarithmic: bool,
    /// Whether the y axis is logarithmic.
    pub y_logarithmic: bool,
    /// The range of the y axis.
    pub range: Option<(f64, f64)>,
    /// Lines that are lists in answers.
    pub lines: Vec<ListLine>,
}

/// A line that is a list in an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ListLine {
    /// The name of the line.
    pub line: String,
    /// The part whose answer contains the list.
    pub part: String,
    /// The pointer to the list.
    pub list: String,
    /// The pointer to the x value within an entry.
    pub x: String,
    /// The pointer to the y value within an entry.
    pub y: String,
    /// The pointer to the number of values that an entry comes from, and the least number for it to be
    /// drawn.
    pub least: Option<(String, u64)>,
}

impl ListLine {
    fn read(form: &Form<'_>, parts: &[Part], skipped: &[String], reading: &Reading) -> Option<ListLine> {
        form.only(&["line", "part", "list", "x", "y", "count", "least"]);
        let pointer = |key: &str, example: &str| {
            let found = form.needed(key, example)?;
            if !found.value.starts_with('/') {
                reading.complain(&found.span, "A pointer is a path such as `/rounds`.");
            }
            Some(found.value)
        };
        let part = form.needed("part", "\"krieg\"")?;
        if !skipped.contains(&part.value) && !parts.iter().any(|other| other.name == part.value) {
            reading.complain(&part.span, format!("There is no part `{}`.", part.value));
        }
        let least = form.number("least", 0..=u64::MAX).map(|least| least.value);
        let least = match (form.entry("count").is_some(), least) {
            (true, Some(least)) => Some((pointer("count", "\"/models\"")?, least)),
            (false, None) => None,
            (true, None) => {
                form.missing("least", "1000");
                return None;
            }
            (false, Some(_)) => {
                form.missing("count", "\"/models\"");
                return None;
            }
        };
        Some(ListLine {
            line: form.needed("line", "\"Krieg\"")?.value,
            part: part.value,
            list: pointer("list", "\"/rounds\"")?,
            x: pointer("x", "\"/round\"")?,
            y: pointer("y", "\"/percent\"")?,
            least,
        })
    }

    /// Returns its points in the answer.
    fn points(&self, json: &serde_json::Value) -> Vec<Point> {
        let list = json.pointer(&self.list).and_then(serde_json::Value::as_array);
        let point = |entry: &serde_json::Value| {
            let of = |pointer: &str| entry.pointer(pointer).and_then(serde_json::Value::as_f64);
            let few = self.least.as_ref().is_some_and(|(count, least)| {
                entry.pointer(count).and_then(serde_json::Value::as_u64).is_none_or(|found| found < *least)
            });
            let (x, y) = (of(&self.x)?, of(&self.y)?);
            (!few).then_some(Point { x, y, low: y, high: y })
        };
        list.into_iter().flatten().filter_map(point).collect()
    }
}

impl PlotForm {
    pub(crate) fn read(
        form: &Form<'_>,
        parts: &[Part],
        skipped: &[String],
        reading: &Reading,
    ) -> Option<PlotForm> {
        form.only(&["name", "caption", "x", "y", "logarithmic", "y_logarithmic", "range", "lines"]);
        let text = |key: &str| form.text(key).map_or(String::new(), |found| found.value);
        let range = form.list("range").and_then(|list| match list[..] {
            [low, high] => {
                let end = |entry: &tournament::spec_text::Entry<'_>| entry.real("range", -1e12..=1e12);
                Some((end(&low)?.value, end(&high)?.value))
            }
            _ => None,
        });
        let good = range.is_some_and(|(low, high)| low < high);
        if let (Some(entry), false) = (form.entry("range"), good) {
            reading.complain(&entry.span(), "`range` must be two numbers, the smaller one first.");
        }
        Some(PlotForm {
            name: form.needed("name", "\"balance\"")?.value,
            caption: text("caption"),
            x: text("x"),
            y: text("y"),
            logarithmic: form.flag("logarithmic").is_some_and(|found| found.value),
            y_logarithmic: form.flag("y_logarithmic").is_some_and(|found| found.value),
            range,
            lines: form
                .forms("lines")
                .iter()
                .filter_map(|line| ListLine::read(line, parts, skipped, reading))
                .collect(),
        })
    }
}

/// Returns the names of all plots: those of figures in order, then those with lists.
pub(crate) fn names(experiment: &Experiment) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let points = experiment.figures.iter().filter_map(|figure| figure.point.as_ref());
    let lists = experiment.plots.iter().filter(|form| !form.lines.is_empty());
    for name in points.map(|point| &point.plot).chain(lists.map(|form| &form.name)) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// Draws one of them, unless it has no points yet.
pub(crate) fn draw(experiment: &Experiment, outcomes: &Outcomes, name: &str, out: &mut Document) {
    let form = experiment.plots.iter().find(|form| form.name == name).cloned().unwrap_or_default();
    let mut series: Vec<Series> = Vec::new();
    for figure in &experiment.figures {
        let Some(point) = figure.point.as_ref().filter(|point| point.plot == name) else { continue };
        let found = outcome_of(experiment, outcomes, figure).and_then(|outcome| spread(figure, outcome));
        let Some((y, low, high)) = found else { continue };
        let at = series.iter().position(|series| series.name == point.line).unwrap_or_else(|| {
            series.push(Series { name: point.line.clone(), points: Vec::new() });
            series.len() - 1
        });
        series[at].points.push(Point { x: point.x, y, low, high });
    }
    for line in &form.lines {
        let at = experiment.parts.iter().position(|part| part.name == line.part);
        if let Some(Some(Outcome::Json(json))) = at.and_then(|at| outcomes.get(at)) {
            series.push(Series { name: line.line.clone(), points: line.points(json) });
        }
    }
    series.retain(|series| !series.points.is_empty());
    if series.is_empty() {
        return;
    }
    series.iter_mut().for_each(|series| series.points.sort_by(|a, b| a.x.total_cmp(&b.x)));
    let lines = Lines {
        x: form.x,
        y: form.y,
        logarithmic: form.logarithmic,
        y_logarithmic: form.y_logarithmic,
        range: form.range,
        series,
    };
    let caption = if form.caption.is_empty() { name.to_string() } else { form.caption };
    out.plot(name, &caption, lines.svg());
}
