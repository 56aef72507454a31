//! Where text goes: colours on a terminal only, lines within eighty columns.

use std::io::{self, BufWriter, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use lab::CompileProgress;

/// Names of things.
pub(crate) const STRONG: Style = Style::new().bold();
/// What matters less.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// What went well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// What went wrong.
pub(crate) const ERROR: Style = AnsiColor::BrightRed.on_default().bold();
/// What may be wrong.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// The width that output keeps to.
pub(crate) const WIDTH: usize = 80;

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Standard output.
pub(crate) struct Screen {
    /// Text with colours, which are taken out again where they are not wanted.
    pub(crate) out: BufWriter<Box<dyn Write>>,
    progress: bool,
}

impl Screen {
    pub(crate) fn new(color: Color) -> Screen {
        let choice = match color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
        Screen { out: BufWriter::new(Box::new(anstream::stdout())), progress: io::stderr().is_terminal() }
    }

    /// Several such lines below each other.
    pub(crate) fn lines(&self) -> indicatif::MultiProgress {
        let lines = indicatif::MultiProgress::new();
        if !self.progress {
            lines.set_draw_target(indicatif::ProgressDrawTarget::hidden());
        }
        lines
    }

    /// Shows such a line while rules that take long are compiled.
    pub(crate) fn show_compiling(&self) {
        if !self.progress {
            return;
        }
        let line = self.progress("{spinner} preparing the rules: {msg} ({elapsed})");
        lab::on_compile_progress(move |progress| {
            let text = match progress {
                CompileProgress::Atoms(count) => format!("{count} facts that can hold"),
                CompileProgress::Instances(count) => format!("{count} instances of rules"),
                CompileProgress::Circuit(count) => format!("{count} wires of a circuit"),
                CompileProgress::Programs(count) => format!("programs from {count} wires"),
                CompileProgress::Over => {
                    line.set_message("");
                    line.finish_and_clear();
                    return;
                }
            };
            line.set_message(text);
            line.tick();
        });
    }

    /// A line on standard error that tells how far something long has come; silent where nobody watches.
    pub(crate) fn progress(&self, template: &'static str) -> indicatif::ProgressBar {
        if !self.progress {
            return indicatif::ProgressBar::hidden();
        }
        let style = indicatif::ProgressStyle::with_template(template);
        let style = style.unwrap_or_else(|_| indicatif::ProgressStyle::default_spinner());
        indicatif::ProgressBar::new_spinner().with_style(style)
    }
}

/// Words set in lines of the given width, each after `indent` spaces.
pub(crate) fn wrapped(words: impl Iterator<Item = impl AsRef<str>>, indent: usize) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        let word = word.as_ref();
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            text.push('\n');
            width = 0;
        }
        if width == 0 {
            text.push_str(&" ".repeat(indent));
            width = indent;
        } else {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += length;
    }
    if width > 0 {
        text.push('\n');
    }
    text
}

/// "1 error", "3 errors".
pub(crate) fn counted(count: impl Into<u64>, thing: &str) -> String {
    let count: u64 = count.into();
    format!("{} {thing}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// A number with its thousands set apart: 255,168.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!([0, 999, 1000, 255_168].map(grouped), ["0", "999", "1,000", "255,168"]);
    }

    #[test]
    fn lines_stay_within_the_width() {
        let text = wrapped((0..100).map(|n| format!("word{n}")), 4);
        assert!(text.lines().all(|line| line.len() <= WIDTH && line.starts_with("    word")));
    }
}
