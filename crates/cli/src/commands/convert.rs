//! `tafl convert`: converts between the two forms of rule sheets.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use tafl::gdl::{LineIndex, Severity, Syntax};

use crate::Verdict;
use crate::arguments::Arguments;
use crate::commands::check::find;
use crate::draw;
use crate::screen::Screen;

/// Convert a rule sheet between prefix (kif) and infix (hrf) form
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl convert tic_tac_toe --to hrf\n  tafl convert mygame.hrf --to kif -o mygame.kif"
)]
pub(crate) struct Convert {
    /// A rule sheet: a path, `-` for standard input, or a game
    file: String,
    /// The form to convert to
    #[arg(long, value_enum)]
    to: Form,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Prefix: (<= (goal ?p 100) (line ?p))
    Kif,
    /// Infix: goal(P,100) :- line(P)
    Hrf,
}

impl Convert {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<Verdict> {
        let source = find(&self.file, arguments)?;
        let parsed = tafl::gdl::parse(&source.text, source.sheet_syntax()?);
        let lines = LineIndex::new(&source.text);
        let errors: Vec<_> = parsed.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
        if !errors.is_empty() {
            let mut out = anstream::stderr();
            for diagnostic in errors {
                writeln!(
                    out,
                    "{}\n",
                    draw::diagnostic::draw(diagnostic, &source.place, &lines, &source.text)
                )?;
            }
            return Ok(Verdict::Bad);
        }
        let syntax = match self.to {
            Form::Kif => Syntax::Kif,
            Form::Hrf => Syntax::Hrf,
        };
        let text = syntax.print(&parsed.sheet);
        match &self.output {
            None => screen.out.write_all(text.as_bytes())?,
            Some(path) => {
                std::fs::write(path, text).with_context(|| format!("Cannot write {}", path.display()))?
            }
        }
        Ok(Verdict::Good)
    }
}
