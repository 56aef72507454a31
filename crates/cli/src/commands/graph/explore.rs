//! `tafl graph explore`: counts the states of a grammar.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use graph::{Explorer, Options, draw};
use serde_json::json;

use super::GrammarArguments;
use crate::arguments::Arguments;
use crate::numbers::number_in;
use crate::screen::{STRONG, Screen, grouped};

/// Explore the states of a grammar, up to isomorphism, and its transitions
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tafl graph explore tic_tac_toe_graph\n  \
    tafl graph explore mine.gps --limit 1000 --dot | dot -Tsvg > states.svg")]
pub(crate) struct Explore {
    #[command(flatten)]
    grammar: GrammarArguments,
    /// Stop after finding this many states
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = number_in::<usize>(1..=usize::MAX, 1000))]
    limit: usize,
    /// Stop when states and transitions take about this many megabytes
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = number_in::<usize>(1..=usize::MAX, 2048))]
    memory: usize,
    /// Explore the state found last first, instead of the one found first
    #[arg(long)]
    depth_first: bool,
    /// Print JSON
    #[arg(long, conflicts_with_all = ["dot", "lts"])]
    json: bool,
    /// Print the state space in the Graphviz language
    #[arg(long, conflicts_with = "lts")]
    dot: bool,
    /// Print the state space in the Aldebaran format (.aut)
    #[arg(long)]
    lts: bool,
}

impl Explore {
    pub(super) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        let grammar = self.grammar.load(arguments)?;
        let began = Instant::now();
        let options = Options {
            limit: self.limit,
            memory: self.memory.saturating_mul(1 << 20),
            depth_first: self.depth_first,
            keep: false,
            ..Options::default()
        };
        let mut explorer = Explorer::new(&grammar, options).map_err(anyhow::Error::msg)?;
        let bar = screen.progress("{elapsed_precise} {msg}");
        let mut rounds = 0u64;
        while explorer.advance().map_err(anyhow::Error::msg)? {
            rounds += 1;
            if rounds.is_multiple_of(1024) {
                let (found, waiting) = (explorer.states.len() as u64, explorer.waiting() as u64);
                bar.set_message(format!("{} states, {} to explore", grouped(found), grouped(waiting)));
            }
        }
        bar.finish_and_clear();
        let out = &mut screen.out;
        if self.dot {
            return Ok(out.write_all(draw::dot_space(&explorer).as_bytes())?);
        }
        if self.lts {
            return Ok(out.write_all(draw::aldebaran(&explorer).as_bytes())?);
        }
        let (states, transitions, finals) = (explorer.states.len(), explorer.arrows.len(), explorer.finals());
        let errors = explorer.states.iter().filter(|state| state.is_error).count();
        let labels = explorer.labels();
        if self.json {
            let report = json!({
                "version": 1, "grammar": grammar.name, "states": states, "transitions": transitions,
                "final": finals, "errors": errors, "complete": !explorer.limited, "labels": labels,
            });
            return Ok(writeln!(out, "{report}")?);
        }
        writeln!(out, "{STRONG}{}{STRONG:#}", grammar.name)?;
        let rows = [("states", states), ("transitions", transitions), ("final states", finals)];
        for (name, count) in rows.into_iter().chain((errors > 0).then_some(("error states", errors))) {
            writeln!(out, "{name:<14} {:>12}", grouped(count as u64))?;
        }
        writeln!(out, "{:<14} {:>12.2}", "seconds", began.elapsed().as_secs_f64())?;
        if explorer.limited {
            let waiting = grouped(explorer.waiting() as u64);
            let limit = if explorer.full { "--memory" } else { "--limit" };
            writeln!(out, "Stopped at the limit; {waiting} states were not explored ({limit}).")?;
        }
        writeln!(out)?;
        for (label, count) in &labels {
            writeln!(out, "{:>12}  {label}", grouped(*count as u64))?;
        }
        Ok(())
    }
}
