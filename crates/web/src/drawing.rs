//! States as pictures. The boards themselves are found by `lab::board`; this is
//! the one place that asks for drawings of them.

use std::collections::BTreeSet;
use std::fmt::Write;

use lab::board::{Board, Layout};
use lab::{Loaded, Spoken};

/// How the states of one game are drawn.
pub(crate) struct Drawing {
    layout: Layout,
    kind: &'static str,
}

impl Drawing {
    pub(crate) fn new(loaded: &Loaded, game: &dyn Spoken) -> Drawing {
        let samples = game.samples().unwrap_or_default();
        let hint = loaded.source.about.as_ref().and_then(|about| about.board.as_ref());
        let layout = Layout::find(&loaded.sheet, &samples, hint);
        let first = samples.first().map(|facts| layout.picture(facts)).unwrap_or_default();
        let kind = match (loaded.graph.is_some(), first.boards.is_empty()) {
            (true, _) => "graph",
            (false, true) => "table",
            (false, false) => "grid",
        };
        Drawing { layout, kind }
    }

    /// What the drawings are: `grid`, `hex`, `cards`, `table` or `graph`.
    pub(crate) fn kind(&self) -> &'static str {
        self.kind
    }

    /// Facts as a picture.
    pub(crate) fn svg(&self, facts: &[String]) -> String {
        let picture = self.layout.picture(facts);
        let mut text = String::new();
        let (mut width, mut height) = (1, 0);
        for board in &picture.boards {
            width = width.max(board.columns.len());
            draw(&mut text, board, height);
            height += board.rows.len() + 1;
        }
        for other in &picture.others {
            let at = height * 40 + 24;
            let _ = write!(
                text,
                "<text x=\"4\" y=\"{at}\" font-size=\"14\" class=\"fact\">{}</text>",
                escaped(other)
            );
            height += 1;
            width = width.max(other.chars().count() / 5 + 1);
        }
        let class = if picture.boards.is_empty() { "board board-table" } else { "board board-grid" };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{class}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"the board\">{text}</svg>",
            width * 40,
            height.max(1) * 40
        )
    }

    /// The cells that a move names.
    pub(crate) fn cells_of_move(&self, text: &str) -> Vec<String> {
        let words: Vec<&str> = text.trim_matches(['(', ')']).split(' ').skip(1).collect();
        words.chunks(2).filter(|pair| pair.len() == 2).map(|pair| pair.join(" ")).collect()
    }

    /// The cells whose content is not the same.
    pub(crate) fn changed(&self, before: &[String], after: &[String]) -> Vec<String> {
        let (before, after): (BTreeSet<&String>, BTreeSet<&String>) =
            (before.iter().collect(), after.iter().collect());
        let differ = before.symmetric_difference(&after);
        let cells: BTreeSet<String> =
            differ.flat_map(|fact| self.cells_of_move(fact).into_iter().take(1)).collect();
        cells.into_iter().collect()
    }
}

fn draw(text: &mut String, board: &Board, top: usize) {
    for (y, row) in board.cells.iter().enumerate() {
        for (x, content) in row.iter().enumerate() {
            let cell = escaped(&format!("{} {}", board.columns[x], board.rows[y]));
            let (left, up) = (x * 40, (top + y) * 40);
            let _ = write!(
                text,
                "<g class=\"cell\" data-cell=\"{cell}\"><title>{cell}</title><rect x=\"{left}\" y=\"{up}\" width=\"40\" height=\"40\" fill=\"none\" stroke=\"gray\"/>"
            );
            if !content.is_empty() && content != Board::BLANK {
                let shown = escaped(content);
                let _ = write!(
                    text,
                    "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"12\" class=\"piece\">{shown}</text>",
                    left + 20,
                    up + 24
                );
            }
            text.push_str("</g>");
        }
    }
}

/// Text that means itself within markup.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c if c.is_control() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}
