//! `tafl graph show`: draws a state of a grammar.

use std::io::Write;

use anyhow::bail;
use clap::Args;
use graph::{Arrow, Explorer, Options, draw};
use serde_json::{Value, json};

use super::GrammarArguments;
use crate::arguments::Arguments;
use crate::numbers::number_in;
use crate::screen::{STRONG, Screen, counted};

/// Draw a state of a grammar
///
/// States are numbered in the order in which `tafl graph explore` finds them;
/// 0 is the start graph.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tafl graph show tic_tac_toe_graph\n  \
    tafl graph show mine.gps --state 3 --svg > state.svg")]
pub(crate) struct Show {
    #[command(flatten)]
    grammar: GrammarArguments,
    /// The number of the state
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number_in::<usize>(0..=usize::MAX, 3))]
    state: usize,
    /// Print an SVG picture
    #[arg(long, conflicts_with = "dot")]
    svg: bool,
    /// Print the state in the Graphviz language
    #[arg(long)]
    dot: bool,
    /// Print JSON
    #[arg(long, conflicts_with_all = ["svg", "dot"])]
    json: bool,
}

impl Show {
    pub(super) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        let grammar = self.grammar.load(arguments)?;
        let options = Options { limit: self.state.saturating_add(1).max(2), ..Options::default() };
        let mut explorer = Explorer::new(&grammar, options).map_err(anyhow::Error::msg)?;
        while explorer.states.len() <= self.state && explorer.advance().map_err(anyhow::Error::msg)? {}
        let Some(config) = explorer.states.get(self.state).and_then(|state| state.config.clone()) else {
            let count = counted(explorer.states.len() as u64, "state");
            bail!("There is no state {}: the grammar has {count}.", self.state);
        };
        let out = &mut screen.out;
        if self.svg {
            return Ok(out.write_all(draw::svg(&grammar, &config.graph).as_bytes())?);
        }
        if self.dot {
            return Ok(out.write_all(draw::dot(&grammar, &config.graph).as_bytes())?);
        }
        explorer.explore(self.state).map_err(anyhow::Error::msg)?;
        let arrows: Vec<_> = explorer.arrows.iter().filter(|arrow| arrow.source == self.state).collect();
        if self.json {
            let arrow = |arrow: &&Arrow| json!({ "label": &*arrow.label, "state": arrow.target });
            let arrows: Vec<Value> = arrows.iter().map(arrow).collect();
            let edge = |(label, to): &(String, String)| json!({ "label": label, "to": to });
            let node = |node: &draw::DrawnNode| {
                let edges: Vec<Value> = node.edges.iter().map(edge).collect();
                json!({ "name": node.name, "type": node.kind, "details": node.details, "edges": edges })
            };
            let nodes: Vec<Value> = draw::nodes(&grammar, &config.graph).iter().map(node).collect();
            let all = json!({
                "version": 1, "grammar": grammar.name, "state": self.state,
                "nodes": nodes, "transitions": arrows,
            });
            serde_json::to_writer_pretty(&mut *out, &all)?;
            return Ok(writeln!(out)?);
        }
        writeln!(out, "{STRONG}{}{STRONG:#}, state {}\n", grammar.name, self.state)?;
        out.write_all(draw::text(&grammar, &config.graph).as_bytes())?;
        writeln!(out, "\n{}:", counted(arrows.len() as u64, "transition"))?;
        for arrow in arrows {
            writeln!(out, "    {} to state {}", arrow.label, arrow.target)?;
        }
        Ok(())
    }
}
