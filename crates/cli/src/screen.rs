//! Output: colours only on a terminal, lines within eighty columns.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use tafl::library::{CompileProgress, Observer};

/// Names.
pub(crate) const STRONG: Style = Style::new().bold();
/// Less important text.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// Success.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// Errors.
pub(crate) const ERROR: Style = AnsiColor::BrightRed.on_default().bold();
/// Warnings.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// The maximum width of output.
pub(crate) const WIDTH: usize = 80;

/// The time between two lines of a log.
const MINUTE: Duration = Duration::from_secs(60);
/// How often the progress of compiling is drawn, and the delay before it first appears.
const OFTEN: Duration = Duration::from_millis(500);

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Standard output.
pub(crate) struct Screen {
    /// Text with colours, which are removed if they are not wanted.
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

    /// Returns several progress lines below each other.
    pub(crate) fn lines(&self) -> indicatif::MultiProgress {
        let lines = indicatif::MultiProgress::new();
        if !self.progress {
            lines.set_draw_target(indicatif::ProgressDrawTarget::hidden());
        }
        lines
    }

    /// Returns an observer that shows a progress line while rules are compiled, if there is a terminal.
    pub(crate) fn compiling(&self) -> Option<Observer> {
        if !self.progress {
            return None;
        }
        let shown = Mutex::new(Instant::now());
        let line = self.progress("{spinner} preparing the rules: {msg} ({elapsed})");
        Some(Arc::new(move |progress| {
            // Drawing a line is more expensive than the work it reports.
            let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
            if progress != CompileProgress::Over && shown.elapsed() < OFTEN {
                return;
            }
            *shown = Instant::now();
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
        }))
    }

    /// Returns a log for long runs whose standard error goes to a file.
    pub(crate) fn log(&self) -> Log {
        Log { last: Mutex::new(Instant::now()), is_wanted: !self.progress }
    }

    /// Returns a progress line on standard error; hidden if that is not a terminal.
    pub(crate) fn progress(&self, template: &'static str) -> indicatif::ProgressBar {
        if !self.progress {
            return indicatif::ProgressBar::hidden();
        }
        let style = indicatif::ProgressStyle::with_template(template);
        let style = style.unwrap_or_else(|_| indicatif::ProgressStyle::default_spinner());
        indicatif::ProgressBar::new_spinner().with_style(style)
    }
}

/// Writes at most one line per minute with what a progress line would show, for files that are read later.
pub(crate) struct Log {
    last: Mutex<Instant>,
    is_wanted: bool,
}

impl Log {
    /// Reports progress, if it is time.
    pub(crate) fn tell(&self, text: &str) {
        if !self.is_wanted {
            return;
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= MINUTE {
            *last = Instant::now();
            eprintln!("{text}");
        }
    }
}

/// Sets words in lines within the width, indented by `indent` spaces.
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

/// Breaks the lines of a text that are too long.
pub(crate) fn fitted(text: &str) -> String {
    let fit = |line: &str| match line.chars().count() > WIDTH {
        true => wrapped(line.split(' '), 0).trim_end().to_string(),
        false => line.to_string(),
    };
    text.lines().map(fit).collect::<Vec<_>>().join("\n")
}

/// Formats a number of things: "1 error", "3 errors".
pub(crate) fn counted(count: impl Into<u64>, thing: &str) -> String {
    let count: u64 = count.into();
    format!("{} {thing}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// Formats a number with thousands separators: 255,168.
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
    fn long_lines_are_broken_and_others_stay() {
        let text = format!("  as it was\nerror: {}", "and so on ".repeat(20));
        let fitted = fitted(&text);
        assert!(fitted.lines().all(|line| line.len() <= WIDTH));
        assert!(fitted.starts_with("  as it was\nerror: and so on") && fitted.lines().count() == 4);
    }

    #[test]
    fn lines_stay_within_the_width() {
        let text = wrapped((0..100).map(|n| format!("word{n}")), 4);
        assert!(text.lines().all(|line| line.len() <= WIDTH && line.starts_with("    word")));
    }
}
