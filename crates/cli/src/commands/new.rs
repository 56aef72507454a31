//! `tafl new`: a rule sheet to start from.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;

use crate::screen::Screen;

const TEMPLATE: &str = include_str!("new.kif");

/// Create a playable rule sheet, to be turned into another game
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  tafl new mygame && tafl show mygame.kif && tafl check mygame.kif --play 100"
)]
pub(crate) struct New {
    /// The name of the game; the sheet is written to NAME.kif
    name: String,
}

impl New {
    pub(crate) fn run(&self, screen: &mut Screen) -> anyhow::Result<()> {
        let path = PathBuf::from(format!("{}.kif", self.name.trim_end_matches(".kif")));
        let Some(name) = path.file_stem().and_then(|name| name.to_str()).filter(|name| !name.is_empty())
        else {
            bail!("A game needs a name: tafl new mygame");
        };
        let place = path.display();
        let mut file = match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                bail!("{place} already exists. Choose another name, or move it away first.")
            }
            Err(error) => return Err(error).with_context(|| format!("Cannot write {place}")),
        };
        file.write_all(TEMPLATE.replace("{NAME}", name).as_bytes())?;
        writeln!(screen.out, "Created {place}, a small playable game. Next steps:")?;
        writeln!(screen.out, "  tafl show {place}")?;
        writeln!(screen.out, "  tafl match {place} random random")?;
        writeln!(screen.out, "  tafl check {place} --play 100")?;
        Ok(())
    }
}
