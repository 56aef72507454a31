//! Boards of squares or hexagons.

use std::fmt::Write;

use library::Style;

use super::lattice::Lattice;
use super::look::Look;
use super::svg::{N, escaped, label, whole};
use super::{Ground, View};
use crate::board::{Field, Square};

/// The side of a square.
const SIDE: f64 = 60.0;
/// The space for the names of rows and columns.
const MARGIN: f64 = 26.0;
/// The maximum number of things drawn on one square; beyond it, the rest is shown as a number.
const MOST_THINGS: usize = 4;

/// How one board is drawn.
pub(crate) struct Frame<'a> {
    pub(crate) look: &'a Look,
    pub(crate) style: &'a Style,
    pub(crate) view: &'a View,
    pub(crate) lattice: Lattice,
    pub(crate) ground: Ground,
    /// Returns `true` if a square with this name exists.
    pub(crate) exists: &'a dyn Fn(&str) -> bool,
    /// The whole columns or rows that moves name.
    pub(crate) strips: Strips,
    /// Whether the name of the board is drawn above it.
    pub(crate) named: bool,
}

/// Whether moves name whole columns or rows, and whether they also name squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Strips {
    pub(crate) columns: bool,
    pub(crate) rows: bool,
    pub(crate) squares: bool,
}

/// A drawn board and its size.
pub(crate) struct Drawn {
    pub(crate) text: String,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Frame<'_> {
    pub(crate) fn draw(&self, field: &Field) -> Drawn {
        let counts = (field.columns.len(), field.rows.len());
        let (w, h) = self.lattice.size(counts);
        let (w, h) = (w * SIDE, h * SIDE);
        let top = if self.named { 28.0 } else { 8.0 };
        let mut out = String::new();
        if self.named {
            label(
                &mut out,
                (MARGIN + w / 2.0, 14.0),
                15.0,
                "class=\"board-name\" fill=\"#777\"",
                &field.title,
            );
        }
        let _ = writeln!(out, "<g class=\"grid\" transform=\"translate({} {})\">", N(MARGIN), N(top));
        self.backdrop(&mut out, w, h);
        let squares: Vec<Vec<&Square>> = {
            let mut rows: Vec<Vec<&Square>> = field.squares.iter().map(|row| row.iter().collect()).collect();
            if self.view.turned {
                rows.iter_mut().for_each(|row: &mut Vec<&Square>| row.reverse());
                rows.reverse();
            }
            rows
        };
        let (mut cells, mut pieces) = (String::new(), String::new());
        let voids = self.has_voids(&squares);
        for (row, line) in squares.iter().enumerate() {
            for (column, square) in line.iter().enumerate() {
                let (x, y) = self.lattice.middle((column, row), counts);
                let middle = (x * SIDE, y * SIDE);
                if !(self.exists)(&square.id) && square.things.is_empty() {
                    if voids {
                        self.void(&mut cells, middle);
                    }
                    continue;
                }
                self.square(&mut cells, square, middle, (column, row), counts);
                self.things(&mut pieces, square, middle, y * SIDE);
            }
        }
        // Pieces behind a frame are visible through its holes.
        let framed = self.ground == Ground::Frame && !self.lattice.is_hex();
        if framed {
            out.push_str(&pieces);
            self.frame(&mut out, counts, (w, h));
        }
        out.push_str(&cells);
        if let Some(blocks) = self.style.blocks.filter(|_| !self.lattice.is_hex()) {
            self.block_lines(&mut out, blocks, (w, h));
        }
        self.edges(&mut out, counts, (w, h));
        if !framed {
            out.push_str(&pieces);
        }
        self.names(&mut out, field, counts, (w, h));
        self.strips(&mut out, field, (w, h));
        out.push_str("</g>\n");
        Drawn { text: out, width: w + 2.0 * MARGIN, height: h + top + MARGIN }
    }

    /// Draws a plate with a round hole for each square.
    fn frame(&self, out: &mut String, (columns, rows): (usize, usize), (w, h): (f64, f64)) {
        let radius = N(SIDE * 0.4);
        let mut path = format!(
            "M-6 4A10 10 0 0 1 4 -6H{0}A10 10 0 0 1 {1} 4V{2}A10 10 0 0 1 {0} {3}H4A10 10 0 0 1 -6 {2}Z",
            N(w - 4.0),
            N(w + 6.0),
            N(h - 4.0),
            N(h + 6.0)
        );
        for row in 0..rows {
            for column in 0..columns {
                let (x, y) = self.lattice.middle((column, row), (columns, rows));
                let (x, y) = (x * SIDE, y * SIDE);
                let (left, across) = (N(x - SIDE * 0.4), N(SIDE * 0.8));
                let _ = write!(
                    path,
                    "M{left} {0}a{radius} {radius} 0 1 0 {across} 0a{radius} {radius} 0 1 0 -{across} 0Z",
                    N(y)
                );
            }
        }
        let _ = writeln!(
            out,
            "<path class=\"frame\" d=\"{path}\" fill-rule=\"evenodd\" fill=\"{}\"/>",
            self.colour(&self.style.light, "#2f62b5")
        );
    }

    /// Returns `true` if every other place is not a square, as on boards where only dark squares are used.
    fn has_voids(&self, squares: &[Vec<&Square>]) -> bool {
        let places = squares.iter().enumerate().flat_map(|(row, line)| {
            line.iter()
                .enumerate()
                .map(move |(column, square)| ((row + column).is_multiple_of(2), &square.id))
        });
        let missing: Vec<bool> = places.filter(|(_, id)| !(self.exists)(id)).map(|(even, _)| even).collect();
        let all: usize = squares.iter().map(Vec::len).sum();
        !self.lattice.is_hex()
            && missing.len() * 2 >= all - 1
            && missing.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// Draws a place that is not a square.
    fn void(&self, out: &mut String, (x, y): (f64, f64)) {
        let _ = writeln!(
            out,
            "<rect class=\"void\" x=\"{}\" y=\"{}\" width=\"{2}\" height=\"{2}\" fill=\"{3}\"/>",
            N(x - SIDE / 2.0),
            N(y - SIDE / 2.0),
            N(SIDE),
            self.colour(&self.style.light, "#f7f0e0")
        );
    }

    fn colour<'s>(&'s self, given: &'s Option<String>, usual: &'s str) -> &'s str {
        given.as_deref().unwrap_or(usual)
    }

    fn backdrop(&self, out: &mut String, w: f64, h: f64) {
        if self.lattice.is_hex() {
            return;
        }
        match self.ground {
            Ground::Frame => {
                let _ = writeln!(
                    out,
                    "<rect class=\"behind\" width=\"{}\" height=\"{}\" fill=\"{}\"/>",
                    N(w),
                    N(h),
                    self.colour(&self.style.dark, "#e9eef7")
                );
            }
            Ground::Lines => {
                let _ = writeln!(
                    out,
                    "<rect class=\"frame\" x=\"-4\" y=\"-4\" width=\"{}\" height=\"{}\" rx=\"5\" fill=\"{}\"/>",
                    N(w + 8.0),
                    N(h + 8.0),
                    self.colour(&self.style.light, "#e6c48d")
                );
            }
            Ground::Plain | Ground::Checkered | Ground::Holes => {}
        }
    }

    fn square(
        &self,
        out: &mut String,
        square: &Square,
        (x, y): (f64, f64),
        (column, row): (usize, usize),
        counts: (usize, usize),
    ) {
        let changed = self.view.changed.contains(&square.id);
        let marked = self.view.marked.contains(&square.id);
        let dark = !(column + row + counts.1).is_multiple_of(2);
        let tone = if self.ground == Ground::Checkered && dark { "dark" } else { "light" };
        let content = if square.things.is_empty() { "empty".to_string() } else { square.things.join(", ") };
        let _ = write!(
            out,
            "<g class=\"cell square-{tone}{}{}\" data-cell=\"{}\" tabindex=\"-1\"><title>{}: {}</title>",
            if changed { " changed" } else { "" },
            if marked { " marked" } else { "" },
            whole(&square.id),
            escaped(&square.id),
            escaped(&content)
        );
        let own = self.style.squares.get(&square.id).filter(|mark| mark.starts_with('#'));
        let fill = match (self.ground, tone) {
            _ if own.is_some() => own.map_or("", String::as_str),
            (Ground::Checkered, "dark") => self.colour(&self.style.dark, "#c9a77a"),
            (Ground::Checkered, _) => self.colour(&self.style.light, "#f0e2c6"),
            _ => self.colour(&self.style.light, "#f1e7d3"),
        };
        let line = self.colour(&self.style.line, "#bda986");
        self.outline(out, (x, y), (column, row), counts, fill, line);
        self.mark(out, &square.id, (x, y));
        if changed {
            self.wash(out, (x, y), "wash-changed", "#f2b632", 0.42);
        }
        if marked {
            self.wash(out, (x, y), "wash-marked", "#3f8f5a", 0.38);
        }
        out.push_str("</g>\n");
    }

    /// Draws the square itself.
    fn outline(
        &self,
        out: &mut String,
        (x, y): (f64, f64),
        (column, row): (usize, usize),
        (columns, rows): (usize, usize),
        fill: &str,
        line: &str,
    ) {
        let half = SIDE / 2.0;
        if self.lattice.is_hex() {
            let _ = match self.ground {
                Ground::Holes => write!(
                    out,
                    "<circle class=\"square\" cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{fill}\" stroke=\"{line}\" \
                     stroke-width=\"1.5\"/>",
                    N(x),
                    N(y),
                    N(SIDE * 0.46)
                ),
                _ => {
                    let corners = self.lattice.corners();
                    let points: Vec<String> = corners
                        .iter()
                        .map(|(dx, dy)| format!("{},{}", N(x + dx * SIDE), N(y + dy * SIDE)))
                        .collect();
                    write!(
                        out,
                        "<polygon class=\"square\" points=\"{}\" fill=\"{fill}\" stroke=\"{line}\" \
                         stroke-width=\"1.5\"/>",
                        points.join(" ")
                    )
                }
            };
            return;
        }
        let (left, top) = (N(x - half), N(y - half));
        let _ = match self.ground {
            Ground::Plain | Ground::Checkered => write!(
                out,
                "<rect class=\"square\" x=\"{left}\" y=\"{top}\" width=\"{0}\" height=\"{0}\" fill=\"{fill}\" \
                 stroke=\"{line}\"/>",
                N(SIDE)
            ),
            Ground::Frame => write!(
                out,
                "<rect class=\"square\" x=\"{left}\" y=\"{top}\" width=\"{0}\" height=\"{0}\" fill=\"#000\" \
                 fill-opacity=\"0\"/>",
                N(SIDE)
            ),
            Ground::Holes => write!(
                out,
                "<rect class=\"square\" x=\"{left}\" y=\"{top}\" width=\"{0}\" height=\"{0}\" fill=\"{fill}\"/>\
                 <circle class=\"hole\" cx=\"{1}\" cy=\"{2}\" r=\"{3}\" fill=\"{4}\"/>",
                N(SIDE),
                N(x),
                N(y),
                N(SIDE * 0.3),
                self.colour(&self.style.dark, "#d3bd94")
            ),
            Ground::Lines => {
                let line = self.colour(&self.style.line, "#5d4524");
                let (l, r) = (
                    if column == 0 { x } else { x - half },
                    if column + 1 == columns { x } else { x + half },
                );
                let (t, b) =
                    (if row == 0 { y } else { y - half }, if row + 1 == rows { y } else { y + half });
                write!(
                    out,
                    "<rect class=\"square\" x=\"{left}\" y=\"{top}\" width=\"{0}\" height=\"{0}\" fill=\"#000\" \
                     fill-opacity=\"0\"/><path class=\"lines\" d=\"M{1} {2}H{3}M{4} {5}V{6}\" stroke=\"{line}\" \
                     stroke-width=\"1.5\" fill=\"none\"/>",
                    N(SIDE),
                    N(l),
                    N(y),
                    N(r),
                    N(x),
                    N(t),
                    N(b)
                )
            }
        };
    }

    /// Draws the mark that the drawing instructions put on the square.
    fn mark(&self, out: &mut String, id: &str, (x, y): (f64, f64)) {
        let Some(mark) = self.style.squares.get(id) else { return };
        let _ = match mark.as_str() {
            "throne" | "corner" => write!(
                out,
                "<g class=\"mark {mark}\" transform=\"translate({} {})\"><rect x=\"-30\" y=\"-30\" width=\"60\" \
                 height=\"60\" fill=\"#b98a5a\" fill-opacity=\".55\"/><path d=\"M-22-22L22 22M22-22L-22 22\
                 M0-22L22 0L0 22L-22 0Z\" fill=\"none\" stroke=\"#6f4a24\" stroke-width=\"2\" \
                 stroke-opacity=\".7\"/></g>",
                N(x),
                N(y)
            ),
            "dot" => {
                write!(
                    out,
                    "<circle class=\"mark\" cx=\"{}\" cy=\"{}\" r=\"5\" fill=\"#5d4524\"/>",
                    N(x),
                    N(y)
                )
            }
            _ => Ok(()),
        };
    }

    fn wash(&self, out: &mut String, (x, y): (f64, f64), class: &str, colour: &str, opacity: f64) {
        let half = SIDE / 2.0;
        let round = self.lattice.is_hex() || self.ground == Ground::Holes;
        let _ = if self.ground == Ground::Frame && !self.lattice.is_hex() {
            write!(
                out,
                "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" stroke=\"{colour}\" \
                 stroke-width=\"5\"/>",
                N(x),
                N(y),
                N(SIDE * 0.42)
            )
        } else if round {
            write!(
                out,
                "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{colour}\" fill-opacity=\"{}\"/>",
                N(x),
                N(y),
                N(SIDE * 0.48),
                N(opacity)
            )
        } else {
            write!(
                out,
                "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{2}\" height=\"{2}\" fill=\"{colour}\" \
                 fill-opacity=\"{3}\"/>",
                N(x - half),
                N(y - half),
                N(SIDE),
                N(opacity)
            )
        };
    }

    fn things(&self, out: &mut String, square: &Square, (x, y): (f64, f64), depth: f64) {
        let fall = (self.style.falls && self.view.changed.contains(&square.id)).then_some(depth + SIDE / 2.0);
        let size = SIDE * if self.lattice.is_hex() { 0.92 } else { 1.0 };
        let count = square.things.len();
        if count == 1 {
            let thing = &square.things[0];
            self.look.piece(thing).draw(out, thing, &square.id, (x, y), size, fall);
            return;
        }
        // Several things share the square in a 2 by 2 arrangement.
        let quarter = size / 4.0;
        for (number, thing) in square.things.iter().take(MOST_THINGS).enumerate() {
            let dx = if number % 2 == 0 { -quarter } else { quarter };
            let dy = if count <= 2 {
                0.0
            } else if number < 2 {
                -quarter
            } else {
                quarter
            };
            if number + 1 == MOST_THINGS && count > MOST_THINGS {
                let more = format!("+{}", count - MOST_THINGS + 1);
                label(out, (x + dx, y + dy), 16.0, "class=\"more\" fill=\"#555\"", &more);
            } else {
                self.look.piece(thing).draw(out, thing, &square.id, (x + dx, y + dy), size / 2.0, fall);
            }
        }
    }

    fn block_lines(&self, out: &mut String, (columns, rows): (usize, usize), (w, h): (f64, f64)) {
        let mut path = String::new();
        let (dx, dy) = (columns as f64 * SIDE, rows as f64 * SIDE);
        let steps = |step: f64, end: f64| {
            (0..=40).map(move |n| n as f64 * step).take_while(move |at| *at <= end + 0.1)
        };
        steps(dx, w).for_each(|x| _ = write!(path, "M{} 0V{}", N(x), N(h)));
        steps(dy, h).for_each(|y| _ = write!(path, "M0 {}H{}", N(y), N(w)));
        let _ = writeln!(
            out,
            "<path class=\"blocks\" d=\"{path}\" fill=\"none\" stroke=\"#7d6a4a\" stroke-width=\"3\" \
             stroke-linecap=\"square\"/>"
        );
    }

    /// Draws the sides of the board that belong to roles.
    fn edges(&self, out: &mut String, counts: (usize, usize), (w, h): (f64, f64)) {
        let (columns, rows) = counts;
        for (side, colour) in &self.style.edges {
            // On a rotated board, sides are swapped.
            let side = match (self.view.turned, side.as_str()) {
                (true, "top") => "bottom",
                (true, "bottom") => "top",
                (true, "left") => "right",
                (true, "right") => "left",
                (_, side) => side,
            };
            let mut path = String::new();
            if self.lattice.is_hex() {
                let across = matches!(side, "top" | "bottom");
                for at in 0..if across { columns } else { rows } {
                    let place = match side {
                        "top" => (at, 0),
                        "bottom" => (at, rows - 1),
                        "left" => (0, at),
                        _ => (columns - 1, at),
                    };
                    let (x, y) = self.lattice.middle(place, counts);
                    let corners = self.lattice.corners();
                    for (number, corner) in self.lattice.side(side).into_iter().enumerate() {
                        let (dx, dy) = corners[corner];
                        let letter = if number == 0 { 'M' } else { 'L' };
                        let _ = write!(path, "{letter}{} {}", N((x + dx) * SIDE), N((y + dy) * SIDE));
                    }
                }
            } else {
                path = match side {
                    "top" => format!("M0 0H{}", N(w)),
                    "bottom" => format!("M0 {}H{}", N(h), N(w)),
                    "left" => format!("M0 0V{}", N(h)),
                    _ => format!("M{} 0V{}", N(w), N(h)),
                };
            }
            let _ = writeln!(
                out,
                "<path class=\"edge edge-{side}\" d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"7\" \
                 stroke-linecap=\"round\" stroke-linejoin=\"round\"/>"
            );
        }
    }

    /// Draws the names of columns below and of rows on the left.
    fn names(&self, out: &mut String, field: &Field, counts: (usize, usize), (_, h): (f64, f64)) {
        let attributes = "class=\"coordinate\" fill=\"#8a8478\"";
        let turned = self.view.turned;
        for (at, name) in field.columns.iter().enumerate() {
            let column = if turned { counts.0 - 1 - at } else { at };
            let (x, _) = self.lattice.middle((column, counts.1.saturating_sub(1)), counts);
            label(out, (x * SIDE, h + 13.0), 14.0, attributes, name);
        }
        for (at, name) in field.rows.iter().enumerate() {
            let row = if turned { counts.1 - 1 - at } else { at };
            let (x, y) = self.lattice.middle((0, row), counts);
            let left = if self.lattice == Lattice::Square { 0.0 } else { x * SIDE - SIDE / 2.0 };
            label(out, (left - 13.0, y * SIDE), 14.0, attributes, name);
        }
    }

    /// Draws whole columns or rows, for moves that name nothing else.
    fn strips(&self, out: &mut String, field: &Field, (w, h): (f64, f64)) {
        if self.lattice.is_hex() {
            return;
        }
        let strip = |out: &mut String, name: &str, what: &str, (x, y, w, h): (f64, f64, f64, f64)| {
            let changed = if self.view.marked.iter().any(|cell| cell == name) { " marked" } else { "" };
            let _ = writeln!(
                out,
                "<g class=\"cell strip{changed}\" data-cell=\"{}\" tabindex=\"-1\"><title>{what} {}</title><rect \
                 class=\"square\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#3f8f5a\" \
                 fill-opacity=\"{}\"/></g>",
                whole(name),
                escaped(name),
                N(x),
                N(y),
                N(w),
                N(h),
                if changed.is_empty() { 0.0 } else { 0.25 }
            );
        };
        if self.strips.columns {
            for (at, name) in field.columns.iter().enumerate() {
                let column = if self.view.turned { field.columns.len() - 1 - at } else { at };
                // If squares can be chosen too, only the name of the column can be clicked.
                let (y, high) = if self.strips.squares { (h, MARGIN) } else { (0.0, h) };
                strip(out, name, "column", (column as f64 * SIDE, y, SIDE, high));
            }
        } else if self.strips.rows {
            for (at, name) in field.rows.iter().enumerate() {
                let row = if self.view.turned { field.rows.len() - 1 - at } else { at };
                let (x, wide) = if self.strips.squares { (-MARGIN, MARGIN) } else { (0.0, w) };
                strip(out, name, "row", (x, row as f64 * SIDE, wide, SIDE));
            }
        }
    }
}
