//! A report as a list of blocks, rendered as Markdown or as a single HTML page.

use std::fmt::Write;

/// A part of a report.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A heading; level 1 is the largest.
    Heading(u8, String),
    /// A paragraph.
    Text(String),
    /// A list.
    List(Vec<String>),
    /// A table. The first column is text; the others are numbers unless they are listed in `words`.
    Table {
        /// The column heads.
        head: Vec<String>,
        /// The rows.
        rows: Vec<Vec<String>>,
        /// The columns that contain words.
        words: Vec<usize>,
    },
    /// A plot.
    Plot {
        /// The name of its file, without the extension.
        name: String,
        /// What it shows.
        caption: String,
        /// The SVG.
        svg: String,
    },
}

/// A report.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// The title.
    pub title: String,
    /// The blocks.
    pub blocks: Vec<Block>,
}

impl Document {
    /// Creates a report with nothing but its title.
    pub fn new(title: &str) -> Document {
        Document { title: title.to_string(), blocks: vec![Block::Heading(1, title.to_string())] }
    }

    /// Adds a heading.
    pub fn heading(&mut self, level: u8, text: &str) {
        self.blocks.push(Block::Heading(level, text.to_string()));
    }

    /// Adds a paragraph.
    pub fn text(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Text(text.into()));
    }

    /// Adds a list.
    pub fn list(&mut self, entries: Vec<String>) {
        self.blocks.push(Block::List(entries));
    }

    /// Adds a table of numbers. `words` are the columns that contain words.
    pub fn table(&mut self, head: &[&str], rows: Vec<Vec<String>>, words: &[usize]) {
        let head = head.iter().map(|text| text.to_string()).collect();
        self.blocks.push(Block::Table { head, rows, words: words.to_vec() });
    }

    /// Adds a plot.
    pub fn plot(&mut self, name: &str, caption: &str, svg: String) {
        self.blocks.push(Block::Plot { name: name.to_string(), caption: caption.to_string(), svg });
    }

    /// Returns the plots by file name.
    pub fn plots(&self) -> Vec<(String, &str)> {
        let plots = self.blocks.iter().filter_map(|block| match block {
            Block::Plot { name, svg, .. } => Some((format!("{name}.svg"), svg.as_str())),
            _ => None,
        });
        plots.collect()
    }

    /// Renders the report as Markdown that refers to the plots as separate files.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        for block in &self.blocks {
            let _ = match block {
                Block::Heading(level, text) => writeln!(out, "{} {text}\n", "#".repeat(usize::from(*level))),
                Block::Text(text) => writeln!(out, "{}\n", wrapped(text, "", "")),
                Block::List(entries) => {
                    let entries: Vec<String> = entries.iter().map(|e| wrapped(e, "- ", "  ")).collect();
                    writeln!(out, "{}\n", entries.join("\n"))
                }
                Block::Table { head, rows, words } => {
                    let row = |cells: &[String]| {
                        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
                        format!("| {} |\n", cells.join(" | "))
                    };
                    let mark = |at: usize| if at == 0 || words.contains(&at) { ":--" } else { "--:" };
                    let marks: Vec<&str> = (0..head.len()).map(mark).collect();
                    let rows: String = rows.iter().map(|cells| row(cells)).collect();
                    writeln!(out, "{}| {} |\n{rows}", row(head), marks.join(" | "))
                }
                Block::Plot { name, caption, .. } => writeln!(out, "![{caption}]({name}.svg)\n"),
            };
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
        out
    }

    /// Renders the report as a single HTML page that includes the plots.
    pub fn html(&self) -> String {
        let mut body = String::new();
        for block in &self.blocks {
            let _ = match block {
                Block::Heading(level, text) => writeln!(body, "<h{level}>{}</h{level}>", escape(text)),
                Block::Text(text) => writeln!(body, "<p>{}</p>", inline(text)),
                Block::List(entries) => {
                    let entries: String =
                        entries.iter().map(|entry| format!("<li>{}</li>\n", inline(entry))).collect();
                    writeln!(body, "<ul>\n{entries}</ul>")
                }
                Block::Table { head, rows, words } => {
                    let class = |at: usize| if at == 0 || words.contains(&at) { "" } else { " class=\"n\"" };
                    let cells = |tag: &str, cells: &[String]| -> String {
                        let cell = |(at, cell): (usize, &String)| {
                            format!("<{tag}{}>{}</{tag}>", class(at), breakable(&inline(cell)))
                        };
                        cells.iter().enumerate().map(cell).collect()
                    };
                    let rows: String =
                        rows.iter().map(|row| format!("<tr>{}</tr>\n", cells("td", row))).collect();
                    let head = cells("th", head);
                    writeln!(body, "<div class=\"wide\"><table>\n<tr>{head}</tr>\n{rows}</table></div>")
                }
                Block::Plot { caption, svg, .. } => {
                    writeln!(body, "<figure>{svg}<figcaption>{}</figcaption></figure>", inline(caption))
                }
            };
        }
        let title = escape(&self.title);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
        )
    }
}

const STYLE: &str = "\
:root { color-scheme: light dark; --line: #8885; --faint: #888; --page: #fff; }
@media (prefers-color-scheme: dark) { :root { --page: #16181c; } }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; background: var(--page);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { line-height: 1.2; } h2 { margin-top: 2.2rem; border-bottom: 1px solid var(--line); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .8rem 0; font-size: .93rem; }
th, td { padding: .2rem .7rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
figure { margin: 1.2rem 0; } figcaption { color: var(--faint); font-size: .9rem; }
svg { max-width: 100%; height: auto; } code { font-size: .92em; }
.agrees { color: #2a8a4a; } .differs { color: #c4472f; font-weight: 600; }
";

/// Wraps a text to lines of about 80 columns. No line begins with something that Markdown would take for a
/// list or a heading.
fn wrapped(text: &str, first: &str, others: &str) -> String {
    let means_something = |word: &str| {
        let number = word.trim_end_matches(['.', ')']);
        word.starts_with(['#', '>', '|'])
            || ["-", "+", "*", "–"].contains(&word)
            || (number != word && number.chars().all(|c| c.is_ascii_digit()))
    };
    let (mut out, mut width) = (first.to_string(), first.chars().count());
    let mut fresh = true;
    for word in text.split(' ') {
        let long = word.chars().count();
        if !fresh && width + 1 + long > 80 && !means_something(word) {
            out.push('\n');
            out.push_str(others);
            (width, fresh) = (others.chars().count(), true);
        }
        if !fresh {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        (width, fresh) = (width + long, false);
    }
    out
}

/// Escapes characters that have a meaning in HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Renders the Markdown that texts may use: `code` and **strong**.
fn inline(text: &str) -> String {
    let mut out = String::new();
    for (at, part) in text.split('`').enumerate() {
        if at % 2 == 1 {
            let _ = write!(out, "<code>{}</code>", escape(part));
            continue;
        }
        for (at, part) in escape(part).split("**").enumerate() {
            let _ = if at % 2 == 1 { write!(out, "<strong>{part}</strong>") } else { write!(out, "{part}") };
        }
    }
    out
}

/// Allows line breaks after commas that are not followed by a space, as in the specs of players.
fn breakable(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut letters = html.chars().peekable();
    while let Some(letter) = letters.next() {
        out.push(letter);
        if letter == ',' && letters.peek().is_some_and(|next| next.is_ascii_lowercase()) {
            out.push_str("<wbr>");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_short_and_none_begins_a_list_by_chance() {
        let text = format!("{} - and 12. so on, {}", "word ".repeat(15).trim_end(), "word ".repeat(15));
        let lines = wrapped(text.trim_end(), "- ", "  ");
        assert!(lines.lines().all(|line| line.chars().count() <= 84), "{lines}");
        let begins = |start: &str| lines.lines().skip(1).any(|line| line.trim_start().starts_with(start));
        assert!(!begins("- ") && !begins("12."), "{lines}");
        assert_eq!(lines.split_whitespace().skip(1).collect::<Vec<_>>().join(" "), text.trim_end());
    }

    #[test]
    fn one_document_is_markdown_and_html() {
        let mut document = Document::new("Who <wins>");
        document.text("So **many** of `a<b`.");
        document.table(&["player", "score"], vec![vec!["a|b".into(), "0.5".into()]], &[]);
        document.plot("lengths", "How long", "<svg></svg>".into());
        assert_eq!(
            document.markdown(),
            "# Who <wins>\n\nSo **many** of `a<b`.\n\n| player | score |\n| :-- | --: |\n| a\\|b | 0.5 |\n\n![How long](lengths.svg)\n"
        );
        assert_eq!(breakable("p(a=1,b=2), 1,000"), "p(a=1,<wbr>b=2), 1,000");
        let html = document.html();
        assert!(html.contains("<title>Who &lt;wins&gt;</title>"));
        assert!(html.contains("So <strong>many</strong> of <code>a&lt;b</code>."));
        assert!(html.contains("<td class=\"n\">0.5</td>") && html.contains("<svg></svg>"));
        assert_eq!(document.plots(), [("lengths.svg".to_string(), "<svg></svg>")]);
    }
}
