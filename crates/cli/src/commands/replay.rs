//! `tafl replay`: steps through a past match.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use tafl::gdl::Syntax;
use tafl::library::{Loaded, from_bytes};
use tafl::picture::board::Layout;
use tafl::picture::{Artist, View};
use tafl::rules::Strictness;
use tafl::store::Kept;

use super::history::date;
use super::play::{told, write_ending};
use super::show::write_picture;
use crate::arguments::Arguments;
use crate::draw;
use crate::numbers::number_in;
use crate::screen::{FAINT, STRONG, Screen, WARNING};
use crate::storage::StoreArguments;

/// Step through a past match
///
/// On a terminal, Enter shows the next step, `b` the previous one, a number that
/// step, and `q` quits. Otherwise, all moves are listed and the last state is drawn.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl replay tafl.connect_four.7\n  tafl replay tafl.connect_four.7 --step 3\n  tafl replay tafl.connect_four.7 --step 3 --svg step3.svg"
)]
pub(crate) struct Replay {
    /// The match, as named by `tafl history`; an unambiguous prefix is enough
    #[arg(value_name = "MATCH")]
    name: String,
    /// Show only the state after N steps
    #[arg(long, value_name = "N", value_parser = number_in::<usize>(0..=usize::MAX, 3))]
    step: Option<usize>,
    /// Draw the state after every step
    #[arg(long, conflicts_with = "step")]
    boards: bool,
    /// Draw the last state, or that of --step, as an SVG picture to this file
    #[arg(long, value_name = "FILE", conflicts_with = "boards")]
    svg: Option<PathBuf>,
    /// Print the match record as JSON
    #[arg(long, conflicts_with_all = ["step", "boards", "svg"])]
    json: bool,
    #[command(flatten)]
    store: StoreArguments,
}

struct Film {
    kept: Kept,
    layout: Layout,
}

impl Replay {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        let kept = self.store.existing()?.find(&self.name)?;
        if self.json {
            serde_json::to_writer_pretty(&mut screen.out, &kept.record)?;
            return Ok(writeln!(screen.out)?);
        }
        let film = Film::new(kept, arguments);
        let last = film.kept.record.states.len().saturating_sub(1);
        if let Some(step) = self.step.filter(|step| *step > last) {
            bail!("The match has {last} steps; --step {step} is beyond its end.");
        }
        if let Some(file) = &self.svg {
            let picture = film.picture(arguments, self.step.unwrap_or(last))?;
            return write_picture(&picture, file, screen);
        }
        let out = &mut screen.out;
        if let Some(step) = self.step {
            return film.show(out, step);
        }
        film.head(out)?;
        if io::stdin().is_terminal() && io::stdout().is_terminal() && !self.boards {
            return film.walk(out);
        }
        for step in 0..=last {
            if self.boards {
                film.show(out, step)?;
            } else if step > 0 {
                film.moves(out, step)?;
            }
        }
        if !self.boards {
            writeln!(out)?;
            film.board(out, last)?;
        }
        film.end(out)
    }
}

impl Film {
    fn new(kept: Kept, arguments: &Arguments) -> Film {
        let about = arguments.library().find(&kept.record.game).ok().and_then(|source| source.about);
        let sheet = kept.sheet.as_deref().map(|text| tafl::gdl::parse(text, Syntax::guess(text, None)).sheet);
        let seen: Vec<Vec<String>> = kept.record.states.iter().map(|state| facts(state)).collect();
        let hint = about.as_ref().and_then(|about| about.board.as_ref());
        let layout = Layout::find(&sheet.unwrap_or_default(), &seen, hint);
        Film { kept, layout }
    }

    /// Draws a state as a picture.
    fn picture(&self, arguments: &Arguments, step: usize) -> anyhow::Result<String> {
        let record = &self.kept.record;
        let known = arguments.library().find(&record.game);
        let source = match (&self.kept.sheet, known) {
            // The rules by which the match was played, with the drawing instructions of the library.
            (Some(text), known) if known.as_ref().map_or(true, |known| known.language.syntax().is_some()) => {
                let mut source =
                    from_bytes(record.game.clone(), record.game.clone(), None, text.clone().into_bytes());
                if let Ok(known) = known {
                    (source.about, source.style) = (known.about, known.style);
                }
                source
            }
            (_, known) => known?,
        };
        let loaded = Loaded::new(source, Strictness::Lenient);
        let artist = Artist::new(&loaded, &loaded.play("auto")?.game);
        let state = |step: usize| record.states.get(step).map(|state| facts(state)).unwrap_or_default();
        let changed = step.checked_sub(1).map(|before| artist.changed(&state(before), &state(step)));
        let view = View { changed: changed.unwrap_or_default(), ..View::default() };
        Ok(artist.svg(&state(step), &view))
    }

    fn head(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let record = &self.kept.record;
        let began =
            record.times.as_ref().map_or(String::new(), |times| format!(", {}", date(times.start_time)));
        writeln!(out, "{STRONG}{}{STRONG:#}, {}{began}", self.kept.key, record.game)?;
        let named = |(role, name): (&String, &String)| format!("{role} = {name}");
        let pairs: Vec<String> = record.roles.iter().zip(&record.player_names_from_host).map(named).collect();
        Ok(writeln!(out, "{}\n", pairs.join(", "))?)
    }

    fn moves(&self, out: &mut impl Write, step: usize) -> anyhow::Result<()> {
        let record = &self.kept.record;
        let moves = told(&record.roles, &record.moves[step - 1]);
        writeln!(out, "{FAINT}{step:>4}.{FAINT:#} {moves}")?;
        for fault in record.faults.iter().filter(|fault| fault.step == step) {
            writeln!(out, "      {WARNING}{}{WARNING:#}: {}", fault.role, fault.text)?;
        }
        Ok(())
    }

    fn board(&self, out: &mut impl Write, step: usize) -> anyhow::Result<()> {
        let Some(state) = self.kept.record.states.get(step) else { return Ok(()) };
        out.write_all(draw::state::state(&self.layout, &facts(state)).as_bytes())?;
        Ok(writeln!(out)?)
    }

    fn show(&self, out: &mut impl Write, step: usize) -> anyhow::Result<()> {
        if step > 0 {
            self.moves(out, step)?;
            writeln!(out)?;
        }
        self.board(out, step)
    }

    fn end(&self, out: &mut impl Write) -> anyhow::Result<()> {
        if !self.kept.finished {
            let steps = self.kept.record.moves.len();
            let name = self.kept.series.as_ref().map_or(&self.kept.key, |(name, _)| name);
            return Ok(writeln!(out, "Unfinished after {steps} steps; `tafl resume {name}` continues it.")?);
        }
        write_ending(out, &self.kept.record)
    }

    /// Shows one step after another, as requested at the terminal.
    fn walk(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let last = self.kept.record.states.len().saturating_sub(1);
        let mut step = 0;
        self.show(out, step)?;
        let mut line = String::new();
        loop {
            if step == last {
                self.end(out)?;
            }
            write!(out, "{FAINT}step {step} of {last}; Enter, b, a number, q:{FAINT:#} ")?;
            out.flush()?;
            line.clear();
            if io::stdin().lock().read_line(&mut line)? == 0 {
                return Ok(writeln!(out)?);
            }
            step = match line.trim() {
                "q" | "quit" => return Ok(()),
                "" | "n" if step == last => return Ok(()),
                "" | "n" => step + 1,
                "b" | "p" => step.saturating_sub(1),
                text => text.parse().unwrap_or(step).min(last),
            };
            self.show(out, step)?;
        }
    }
}

/// Returns the facts of a recorded state; one that cannot be parsed becomes a single fact.
fn facts(state: &str) -> Vec<String> {
    tafl::library::read_state(state).unwrap_or_else(|_| vec![state.to_string()])
}
