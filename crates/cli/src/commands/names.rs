//! `tafl players`, `tafl reasoners`: lists of names.

use std::io::Write;

use clap::Args;
use serde_json::{Value, json};

use crate::screen::{STRONG, Screen, WIDTH, wrapped};

/// List the players
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tafl players\n  tafl players --json")]
pub(crate) struct Players {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// List the reasoners, which evaluate rules
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tafl reasoners\n  tafl reasoners --json")]
pub(crate) struct Reasoners {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Players {
    pub(crate) fn run(&self, screen: &mut Screen) -> anyhow::Result<()> {
        let mut players = tafl::cast::player_list();
        players.push(("human".to_string(), "you at this terminal, without a clock (only in `tafl match`)"));
        if self.json { write_json("players", &players, screen) } else { list(&players, screen) }
    }
}

impl Reasoners {
    pub(crate) fn run(&self, screen: &mut Screen) -> anyhow::Result<()> {
        let reasoners = tafl::library::reasoner_list();
        if self.json { write_json("reasoners", &reasoners, screen) } else { list(&reasoners, screen) }
    }
}

fn write_json(what: &str, names: &[(String, &str)], screen: &mut Screen) -> anyhow::Result<()> {
    let row = |(usage, about): &(String, &str)| {
        let name = usage.split('(').next().unwrap_or_default();
        json!({ "name": name, "usage": usage, "about": about })
    };
    let rows: Vec<Value> = names.iter().map(row).collect();
    serde_json::to_writer_pretty(&mut screen.out, &json!({ "version": 1, what: rows }))?;
    Ok(writeln!(screen.out)?)
}

/// Prints one line per name if all fit; otherwise meaning and parameters are below the names.
fn list(names: &[(String, &str)], screen: &mut Screen) -> anyhow::Result<()> {
    let widest = names.iter().map(|(usage, _)| usage.len()).max().unwrap_or(0);
    let fits = names.iter().all(|(_, about)| widest + 2 + about.chars().count() <= WIDTH);
    for (usage, about) in names {
        if fits {
            writeln!(screen.out, "{STRONG}{usage:<widest$}{STRONG:#}  {about}")?;
            continue;
        }
        let (name, parameters) = usage.split_once('(').unwrap_or((usage.as_str(), ""));
        writeln!(screen.out, "{STRONG}{name}{STRONG:#}\n{}", wrapped(about.split(' '), 4).trim_end())?;
        if let Some(parameters) = parameters.strip_suffix(')') {
            let all: Vec<String> = parameters.split(',').map(|parameter| format!("{parameter},")).collect();
            let text = wrapped(["with".to_string()].iter().chain(&all), 4);
            writeln!(screen.out, "{}", text.trim_end().trim_end_matches(','))?;
        }
    }
    Ok(())
}
