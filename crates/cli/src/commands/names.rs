//! `tafl players`, `tafl reasoners`: what can be named.

use std::io::Write;

use clap::Args;

use crate::screen::{STRONG, Screen};

/// List the players
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tafl players")]
pub(crate) struct Players {}

/// List the reasoners: what evaluates rules
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tafl reasoners")]
pub(crate) struct Reasoners {}

impl Players {
    pub(crate) fn run(&self, screen: &mut Screen) -> anyhow::Result<()> {
        list(&lab::player_list(), screen)
    }
}

impl Reasoners {
    pub(crate) fn run(&self, screen: &mut Screen) -> anyhow::Result<()> {
        list(&lab::reasoner_list(), screen)
    }
}

fn list(names: &[(&str, &str)], screen: &mut Screen) -> anyhow::Result<()> {
    let widest = names.iter().map(|(usage, _)| usage.len()).max().unwrap_or(0);
    for (usage, about) in names {
        writeln!(screen.out, "{STRONG}{usage:<widest$}{STRONG:#}  {about}")?;
    }
    Ok(())
}
