//! Plots as SVG: lines with error bars, bars, heat maps, dots with intervals.
//!
//! The colours are those of Okabe and Ito, which most people can tell apart. Every plot has its own
//! background, so it is readable on light and dark pages.

use std::fmt::Write;

use super::document::escape;

/// The background of every plot.
const GROUND: &str = "#ffffff";
const INK: &str = "#24292f";
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d3b", "#7f7f7f"];
const WIDTH: f64 = 680.0;
const HEIGHT: f64 = 330.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 48.0;
/// The maximum length of a line of a name, in characters: in a legend, beside a heat map, and beside dots.
const LEGEND: usize = 28;
const HEAT: usize = 28;
const DOTS: usize = 34;

/// A value with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The position along the x axis.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A named line.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The name.
    pub name: String,
    /// The points from left to right.
    pub points: Vec<Point>,
}

/// A line plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines {
    /// The label of the x axis.
    pub x: String,
    /// The label of the y axis.
    pub y: String,
    /// Whether the x axis is logarithmic.
    pub logarithmic: bool,
    /// Whether the y axis is logarithmic.
    pub y_logarithmic: bool,
    /// The range of the y axis; if `None`, it follows from the values.
    pub range: Option<(f64, f64)>,
    /// The lines.
    pub series: Vec<Series>,
}

/// A histogram.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    /// The label of the x axis.
    pub x: String,
    /// The label of the y axis.
    pub y: String,
    /// The left end, right end and height of each bar.
    pub bars: Vec<(f64, f64, f64)>,
}

/// A heat map.
#[derive(Debug, Clone, PartialEq)]
pub struct Heat {
    /// The names of rows and columns.
    pub names: Vec<String>,
    /// A value between 0 and 1 and its text, by row and column.
    pub cells: Vec<Vec<Option<(f64, String)>>>,
}

/// Returns the opening tag and the background of a plot.
fn opened(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"{INK}\" stroke-width=\"1.5\">\n<rect width=\"{width:.0}\" height=\"{height:.0}\" rx=\"6\" fill=\"{GROUND}\"/>\n"
    )
}

/// The distance between the lines of a name.
const LEADING: f64 = 14.0;

/// Breaks a name into lines of at most `most` characters, at the end of a word if possible. Nothing is cut
/// off.
fn lines(name: &str, most: usize) -> Vec<String> {
    let mut rest: Vec<char> = name.chars().collect();
    let mut found = Vec::new();
    while rest.len() > most {
        let ends = |at: &usize| " ,:;/=_-".contains(rest[*at - 1]) || rest[*at] == '(';
        let at = (most / 2..=most).rev().find(ends).unwrap_or(most);
        found.push(rest[..at].iter().collect::<String>().trim_end().to_string());
        rest.drain(..at);
    }
    found.push(rest.iter().collect());
    found
}

/// Returns the number of characters in the longest line of all names, and the largest number of lines.
fn widest<'a>(names: impl Iterator<Item = &'a String>, most: usize) -> (usize, usize) {
    names.map(|name| lines(name, most)).fold((0, 1), |(wide, tall), found| {
        let long = found.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        (wide.max(long), tall.max(found.len()))
    })
}

/// Draws the lines of a name, vertically centred at `y`.
fn label(x: f64, y: f64, anchor: &str, name: &str, most: usize) -> String {
    let found = lines(name, most);
    let top = y - LEADING * (found.len() - 1) as f64 / 2.0;
    let line = |(at, line): (usize, &String)| {
        format!(
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
            top + LEADING * at as f64,
            escape(line)
        )
    };
    found.iter().enumerate().map(line).collect()
}

/// Returns round numbers between `low` and `high`, about `count` of them.
fn ticks(low: f64, high: f64, count: f64) -> Vec<f64> {
    let raw = ((high - low) / count).max(1e-12);
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|f| f * power).find(|step| *step >= raw).unwrap_or(raw);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last.min(first + 100)).map(|at| at as f64 * step).collect()
}

fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_string();
    }
    if value.abs() >= 1e6 || value.abs() < 1e-3 {
        return format!("{value:.0e}");
    }
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// The coordinate system of lines and bars.
struct Plane {
    x: (f64, f64),
    y: (f64, f64),
    logarithmic: bool,
    y_logarithmic: bool,
    right: f64,
    out: String,
    /// The height of the whole plot.
    height: f64,
}

impl Plane {
    fn new(x: (f64, f64), y: (f64, f64), logarithmic: bool, legend: f64) -> Plane {
        let wide = |(low, high): (f64, f64)| if high > low { (low, high) } else { (low - 0.5, low + 0.5) };
        let (right, out) = (16.0 + legend, String::new());
        Plane { x: wide(x), y: wide(y), logarithmic, y_logarithmic: false, right, out, height: HEIGHT }
    }

    fn at_x(&self, value: f64) -> f64 {
        LEFT + (value - self.x.0) / (self.x.1 - self.x.0) * (WIDTH - LEFT - self.right)
    }

    fn at_y(&self, value: f64) -> f64 {
        let share = ((value - self.y.0) / (self.y.1 - self.y.0)).clamp(-0.02, 1.02);
        HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
    }

    fn axes(&mut self, x: &str, y: &str, marks: &[f64]) {
        let (right, bottom) = (WIDTH - self.right, HEIGHT - BOTTOM);
        let powers = || (self.y.0.ceil() as i64..=self.y.1.floor() as i64).map(|power| power as f64);
        let across = match self.y_logarithmic && powers().count() > 1 {
            true => powers().collect(),
            false => ticks(self.y.0, self.y.1, 5.0),
        };
        for tick in across {
            let at = self.at_y(tick);
            let _ = writeln!(
                self.out,
                "<line x1=\"{LEFT}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"{INK}\" stroke-opacity=\".15\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 7.0,
                at + 4.0,
                number(if self.y_logarithmic { 10f64.powf(tick) } else { tick })
            );
        }
        let mut last = f64::NEG_INFINITY;
        for &mark in marks {
            let at = self.at_x(mark);
            let label = number(if self.logarithmic { 10f64.powf(mark) } else { mark });
            let _ = writeln!(
                self.out,
                "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{bottom}\" y2=\"{:.1}\" stroke=\"{INK}\"/>",
                bottom + 4.0
            );
            // Labels that would overlap are left out.
            if at - last > 7.0 * label.len() as f64 + 6.0 {
                let _ = writeln!(
                    self.out,
                    "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
                    bottom + 18.0
                );
                last = at;
            }
        }
        let _ = writeln!(
            self.out,
            "<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"{INK}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text transform=\"translate(14 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            (LEFT + right) / 2.0,
            HEIGHT - 10.0,
            escape(x),
            (TOP + bottom) / 2.0,
            escape(y)
        );
    }

    fn finish(self) -> String {
        opened(WIDTH, self.height) + &self.out + "</svg>"
    }
}

impl Lines {
    /// Renders the plot.
    pub fn svg(&self) -> String {
        let place = |x: f64| if self.logarithmic { x.max(1e-9).log10() } else { x };
        let rise = |y: f64| if self.y_logarithmic { y.max(1e-9).log10() } else { y };
        let all = || self.series.iter().flat_map(|series| &series.points);
        let span = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
        };
        let mut x = span(&mut all().map(|point| place(point.x)));
        if !x.0.is_finite() {
            x = (0.0, 1.0);
        }
        let margin = 0.03 * (x.1 - x.0);
        let y = self.range.unwrap_or_else(|| {
            let ends = all().flat_map(|point| [point.low, point.y, point.high]);
            let shown = ends.filter(|end| !self.y_logarithmic || *end > 0.0);
            let (low, high) = span(&mut shown.map(rise));
            match low.is_finite() {
                true if self.y_logarithmic => (low.floor(), high.ceil()),
                true => (low.min(0.0), high * 1.05),
                false => (0.0, 1.0),
            }
        });
        let mut marks: Vec<f64> = all().map(|point| place(point.x)).collect();
        marks.sort_by(f64::total_cmp);
        marks.dedup();
        if marks.len() > 12 {
            marks = ticks(x.0, x.1, 8.0);
        }
        let (wide, _) = widest(self.series.iter().map(|series| &series.name), LEGEND);
        let legend = if self.series.len() > 1 { 7.0 * wide as f64 + 34.0 } else { 0.0 };
        let mut below = TOP + 10.0;
        let mut plane = Plane::new((x.0 - margin, x.1 + margin), y, self.logarithmic, legend);
        plane.y_logarithmic = self.y_logarithmic;
        plane.axes(&self.x, &self.y, &marks);
        // A logarithmic axis has no zero: what reaches it ends at the bottom.
        let rise = |end: f64| if self.y_logarithmic { rise(end).max(y.0) } else { end };
        for (number, series) in self.series.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let dash = if number >= COLOURS.len() { " stroke-dasharray=\"5 3\"" } else { "" };
            let point = |point: &Point| (plane.at_x(place(point.x)), plane.at_y(rise(point.y)));
            let path: Vec<String> =
                series.points.iter().map(point).map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
            let mut marks = String::new();
            for one in &series.points {
                let (x, y) = point(one);
                let (low, high) = (plane.at_y(rise(one.low)), plane.at_y(rise(one.high)));
                let _ = write!(
                    marks,
                    "<path d=\"M{x:.1} {low:.1}V{high:.1}M{:.1} {low:.1}h6M{:.1} {high:.1}h6\" stroke=\"{colour}\"/><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>",
                    x - 3.0,
                    x - 3.0
                );
            }
            if path.len() > 1 {
                let _ = writeln!(
                    plane.out,
                    "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\"{dash}/>",
                    path.join("L")
                );
            }
            let _ = writeln!(plane.out, "{marks}");
            if self.series.len() > 1 {
                let extra = LEADING * (lines(&series.name, LEGEND).len() - 1) as f64;
                let (x, y) = (WIDTH - legend + 2.0, below + extra / 2.0);
                let _ = writeln!(
                    plane.out,
                    "<line x1=\"{x:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"{colour}\"{dash}/>{}",
                    x + 16.0,
                    label(x + 21.0, y + 4.0, "start", &series.name, LEGEND)
                );
                below += 18.0 + extra;
                plane.height = plane.height.max(below);
            }
        }
        plane.finish()
    }
}

impl Bars {
    /// Renders the plot.
    pub fn svg(&self) -> String {
        let x = (self.bars.first().map_or(0.0, |bar| bar.0), self.bars.last().map_or(1.0, |bar| bar.1));
        let high = self.bars.iter().map(|bar| bar.2).fold(0.0, f64::max);
        let mut plane = Plane::new(x, (0.0, if high > 0.0 { high * 1.05 } else { 1.0 }), false, 0.0);
        plane.axes(&self.x, &self.y, &ticks(x.0, x.1, 10.0));
        for &(from, to, height) in self.bars.iter().filter(|bar| bar.2 > 0.0) {
            let (left, right, top) = (plane.at_x(from), plane.at_x(to), plane.at_y(height));
            let _ = writeln!(
                plane.out,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\" fill-opacity=\".8\"/>",
                (right - left - 1.0).max(0.8),
                plane.at_y(0.0) - top,
                COLOURS[0]
            );
        }
        plane.finish()
    }
}

impl Heat {
    /// Renders the plot: rows against columns, blue above one half, orange below.
    pub fn svg(&self) -> String {
        let (wide, rows) = widest(self.names.iter(), HEAT);
        let (long, more) = (7.2 * wide as f64, LEADING * (rows - 1) as f64);
        // Names above the columns are rotated by 30 degrees.
        let (left, top) = (long + 16.0, 0.5 * long + more + 26.0);
        let (cell, tall) = (78.0, 34.0 + more);
        let n = self.names.len() as f64;
        let (width, height) = (left + n * cell + 0.87 * long, top + n * tall + 8.0);
        let mut out = opened(width, height);
        for (row, name) in self.names.iter().enumerate() {
            let (x, y) = (left + (row as f64 + 0.3) * cell, top + (row as f64 + 0.5) * tall + 4.0);
            let _ = writeln!(
                out,
                "{}<g transform=\"translate({x:.1} {:.1}) rotate(-30)\">{}</g>",
                label(left - 7.0, y, "end", name, HEAT),
                top - 7.0,
                label(0.0, -more / 2.0, "start", name, HEAT)
            );
            for (column, found) in self.cells[row].iter().enumerate() {
                let (x, y) = (left + column as f64 * cell, top + row as f64 * tall);
                let (fill, strength) = match found {
                    None => ("#888888", 0.08),
                    Some((value, _)) if *value >= 0.5 => (COLOURS[0], (value - 0.5) * 1.6),
                    Some((value, _)) => (COLOURS[1], (0.5 - value) * 1.6),
                };
                let text = found.as_ref().map_or("", |(_, text)| text);
                let _ = writeln!(
                    out,
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{fill}\" fill-opacity=\"{strength:.2}\" stroke=\"{INK}\" stroke-opacity=\".15\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                    cell - 2.0,
                    tall - 2.0,
                    x + cell / 2.0 - 1.0,
                    y + tall / 2.0 + 3.0,
                    escape(text)
                );
            }
        }
        out.push_str("</svg>");
        out
    }
}

/// Draws values with intervals, one row for each name.
pub(crate) fn dots(x: &str, rows: &[(String, f64, f64, f64)]) -> String {
    let (wide, tall) = widest(rows.iter().map(|row| &row.0), DOTS);
    let left = 7.0 * wide as f64 + 18.0;
    let step = 26.0 + LEADING * (tall - 1) as f64;
    let height = step * rows.len() as f64 + 52.0;
    let low = rows.iter().map(|row| row.2).fold(f64::INFINITY, f64::min);
    let high = rows.iter().map(|row| row.3).fold(f64::NEG_INFINITY, f64::max);
    let margin = 0.05 * (high - low).max(1.0);
    let (low, high) = (low - margin, high + margin);
    let at = |value: f64| left + (value - low) / (high - low) * (WIDTH - left - 20.0);
    let bottom = height - 44.0;
    let mut out = opened(WIDTH, height);
    for tick in ticks(low, high, 8.0) {
        let x = at(tick);
        let _ = writeln!(
            out,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"4\" y2=\"{bottom:.1}\" stroke=\"{INK}\" stroke-opacity=\".15\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 16.0,
            number(tick)
        );
    }
    for (number, (name, value, low, high)) in rows.iter().enumerate() {
        let y = 4.0 + step * (number as f64 + 0.5);
        let colour = COLOURS[0];
        let _ = writeln!(
            out,
            "{}<path d=\"M{:.1} {y}H{:.1}\" stroke=\"{colour}\"/><circle cx=\"{:.1}\" cy=\"{y}\" r=\"4\" fill=\"{colour}\"/>",
            label(left - 8.0, y + 4.0, "end", name, DOTS),
            at(*low),
            at(*high),
            at(*value)
        );
    }
    let _ = write!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text></svg>",
        (left + WIDTH - 20.0) / 2.0,
        height - 10.0,
        escape(x)
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names that need several lines.
    const LONG: [&str; 2] = [
        "hnefatafl_13: attacker before defender",
        "hyperplay2(models=8,games=16,inner_models=64,inner_playouts=1)",
    ];

    /// Returns the text of a plot without its markup.
    fn said(svg: &str) -> String {
        let texts = svg.split("<text").skip(1).filter_map(|text| text.split_once('>'));
        texts
            .filter_map(|(_, text)| text.split_once("</text>"))
            .map(|(text, _)| text.replace(' ', ""))
            .collect()
    }

    #[test]
    fn names_are_told_to_their_ends_in_every_picture() {
        let rows: Vec<_> = LONG.iter().map(|name| (name.to_string(), 0.5, 0.4, 0.6)).collect();
        let points = vec![Point { x: 1.0, y: 0.5, low: 0.4, high: 0.6 }];
        let series = |name: &&str| Series { name: name.to_string(), points: points.clone() };
        let all = Lines {
            x: String::new(),
            y: String::new(),
            logarithmic: false,
            y_logarithmic: false,
            range: None,
            series: LONG.iter().map(series).collect(),
        };
        let heat = Heat { names: LONG.map(String::from).to_vec(), cells: vec![vec![None; 2]; 2] };
        for svg in [dots("Elo", &rows), all.svg(), heat.svg()] {
            for name in LONG {
                assert!(said(&svg).contains(&name.replace(' ', "")), "{name}: {}", said(&svg));
            }
        }
    }

    #[test]
    fn an_interval_down_to_zero_does_not_stretch_a_logarithmic_axis() {
        let points = vec![Point { x: 1.0, y: 2.0, low: 0.0, high: 5.0 }];
        let lines = Lines {
            x: String::new(),
            y: String::new(),
            logarithmic: false,
            y_logarithmic: true,
            range: None,
            series: vec![Series { name: "one".into(), points }],
        };
        // From 1 to 10 on the vertical axis, and 1 on the horizontal one.
        assert_eq!(said(&lines.svg()), "1101");
    }

    #[test]
    fn a_picture_has_a_ground_of_its_own() {
        let svg = Bars { x: "x".into(), y: "y".into(), bars: vec![(0.0, 1.0, 3.0)] }.svg();
        assert!(svg.contains("rx=\"6\" fill=\"#ffffff\"/>") && !svg.contains("currentColor"), "{svg}");
    }

    #[test]
    fn names_break_where_words_end() {
        assert_eq!(
            lines("hnefatafl_13: attacker before defender", 28),
            ["hnefatafl_13: attacker", "before defender"]
        );
        assert_eq!(lines("short", 28), ["short"]);
        assert_eq!(lines(&"x".repeat(60), 28).iter().map(String::len).collect::<Vec<_>>(), [28, 28, 4]);
    }
}
