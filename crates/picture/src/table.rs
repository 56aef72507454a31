//! Facts as a table, for states that cannot be drawn in a better way.

use std::fmt::Write;

use super::svg::{N, escaped, width};
use crate::board::fluent::split;

/// The maximum number of lines of a table.
const MOST: usize = 120;
const LINE: f64 = 24.0;

/// Draws lines, each with a heading, and returns the width and height.
pub(crate) fn draw(out: &mut String, lines: &[(String, Vec<String>)]) -> (f64, f64) {
    let shown = &lines[..lines.len().min(MOST)];
    let columns = shown.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0).min(12);
    let mut widths = vec![60.0f64; columns + 1];
    for (head, cells) in shown {
        widths[0] = widths[0].max(width(head, 14.0) + 24.0);
        for (wide, cell) in widths[1..].iter_mut().zip(cells) {
            *wide = wide.max(width(cell, 14.0) + 20.0).min(320.0);
        }
    }
    let all = widths.iter().sum::<f64>() + 16.0;
    let mut y = 8.0;
    for (number, (head, cells)) in shown.iter().enumerate() {
        let shade = if number % 2 == 0 { "#f6f1e7" } else { "#fdfbf6" };
        let _ = write!(
            out,
            "<g class=\"line\"><rect class=\"stripe\" x=\"8\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{shade}\"/>\
             <text class=\"relation\" x=\"18\" y=\"{}\" font-size=\"14\" fill=\"#756b5a\">{}</text>",
            N(y),
            N(all - 16.0),
            N(LINE),
            N(y + 17.0),
            escaped(head)
        );
        let mut x = 8.0 + widths[0];
        for (cell, wide) in cells.iter().zip(&widths[1..]) {
            let _ = write!(
                out,
                "<text class=\"argument\" x=\"{}\" y=\"{}\" font-size=\"14\" fill=\"#3a3226\">{}</text>",
                N(x + 4.0),
                N(y + 17.0),
                escaped(cell)
            );
            x += wide;
        }
        out.push_str("</g>\n");
        y += LINE;
    }
    if lines.len() > MOST {
        let _ = writeln!(
            out,
            "<text class=\"more\" x=\"18\" y=\"{}\" font-size=\"13\" fill=\"#777\">and {} more</text>",
            N(y + 17.0),
            lines.len() - MOST
        );
        y += LINE;
    }
    (all.max(240.0), y + 8.0)
}

/// Returns the lines of a table of facts.
pub(crate) fn of_facts(facts: &[String]) -> Vec<(String, Vec<String>)> {
    let line = |fact: &String| {
        let (name, arguments) = split(fact);
        (name.to_string(), arguments.iter().map(|argument| argument.to_string()).collect())
    };
    facts.iter().map(line).collect()
}
