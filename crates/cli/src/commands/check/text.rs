//! Findings for people.

use std::io::Write;

use tafl::gdl::LineIndex;

use super::{Check, Checked, play};
use crate::draw;
use crate::screen::{ERROR, GOOD, Screen, counted, grouped, wrapped};

/// The maximum number of findings that are drawn for a file.
const DRAWN: usize = 100;

pub(super) fn write(checked: &Checked, check: &Check, screen: &mut Screen) -> anyhow::Result<()> {
    let Checked { loaded, trial } = checked;
    let (place, text) = (&loaded.source.place, &loaded.source.text);
    let out = &mut screen.out;
    let lines = LineIndex::new(text);
    for diagnostic in loaded.diagnostics().iter().take(DRAWN) {
        writeln!(out, "{}\n", draw::diagnostic::draw(diagnostic, place, &lines, text))?;
    }
    if loaded.diagnostics().len() > DRAWN {
        let more = counted((loaded.diagnostics().len() - DRAWN) as u64, "more finding");
        writeln!(out, "and {more}; --format json lists them all\n")?;
    }
    let (errors, warnings) = (loaded.errors(), loaded.warnings());
    let clauses = counted(loaded.sheet().map_or(0, |sheet| sheet.clauses.len()) as u64, "clause");
    let played = match checked.faults() {
        0 => String::new(),
        faults => format!(", {} in play", counted(faults as u64, "error")),
    };
    if errors + warnings == 0 && !played.is_empty() {
        writeln!(out, "{place}: {clauses}{played}")?;
    } else if errors + warnings == 0 {
        writeln!(out, "{GOOD}good{GOOD:#} {place}: {clauses}, nothing to report")?;
    } else {
        let (errors, warnings) = (counted(errors as u64, "error"), counted(warnings as u64, "warning"));
        writeln!(out, "{place}: {errors}, {warnings}{played}")?;
    }
    match trial {
        None => {}
        Some(Err(text)) => writeln!(out, "  {ERROR}{text}{ERROR:#}")?,
        Some(Ok(trial)) => {
            let mut line = counted(trial.playouts, "random game");
            if let (Some(shortest), Some(longest)) = (trial.shortest, trial.longest) {
                line = format!("{line}, {} to {} long", grouped(shortest.into()), counted(longest, "step"));
            }
            writeln!(out, "  {line}")?;
            if trial.proper > 0 {
                let rules = loaded.rules().expect("a sheet that was played has rules");
                let means = rules.roles.iter().zip(&trial.goal_sums).map(|(role, sum)| {
                    format!("{} {:.1}", rules.name(*role), *sum as f64 / trial.proper as f64)
                });
                let words: Vec<String> = std::iter::once("mean goals:".to_string()).chain(means).collect();
                out.write_all(wrapped(words.iter(), 2).as_bytes())?;
            }
            for example in &trial.findings {
                let (code, text) = play::told(example);
                writeln!(out, "  {ERROR}error[{code}]{ERROR:#}:")?;
                out.write_all(wrapped(text.split_whitespace(), 4).as_bytes())?;
                let (number, seed) = (example.playout, check.seed);
                writeln!(
                    out,
                    "  for example game {number} of seed {seed}, after {}:",
                    counted(example.length, "step")
                )?;
                out.write_all(wrapped(example.state.iter(), 4).as_bytes())?;
            }
        }
    }
    Ok(())
}

pub(super) fn write_total(all: &[Checked], screen: &mut Screen) -> anyhow::Result<()> {
    if all.len() > 1 {
        let bad = all.iter().filter(|checked| checked.is_bad()).count();
        let files = counted(all.len() as u64, "file");
        let bad = if bad == 0 { "none with errors".to_string() } else { format!("{bad} with errors") };
        writeln!(screen.out, "{files}, {bad}")?;
    }
    Ok(())
}
